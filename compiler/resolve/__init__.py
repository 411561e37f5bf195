"""A spec becomes a plan: every default, name, import, version and comment is decided here.

A check needs no more than the outline; `project` goes on from there to every file.
"""

from compiler.resolve.inputs import Inputs
from compiler.resolve.outline import outline_of
from compiler.resolve.version_set import gather

__all__ = ["Inputs", "gather", "outline_of"]
