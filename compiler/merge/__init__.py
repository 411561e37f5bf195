"""The merge of one file: what was written last time, what is on disk, and what is written now."""

from compiler.merge.file import Merged, merge_file
from compiler.merge.markers import Labels, has_markers

__all__ = ["Labels", "Merged", "has_markers", "merge_file"]
