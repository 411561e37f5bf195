"""Merges texts as a compile does, and gives the text that came out."""

from compiler.merge import Labels, merge_file

__all__ = ["lost_lines", "merged"]


def merged(base: str, mine: str, new: str, path: str = "file.py") -> tuple[str, int]:
    """Give the merged text and the number of its conflicts."""
    found = merge_file(path, base, mine.encode(), new, labels=Labels(), modules=("data", "rewards"))
    assert found is not None
    return found.data.decode(), found.conflicts


def lost_lines(base: str, mine: str, result: str) -> list[str]:
    """Give the lines that the user wrote and that the result lacks, whatever their indentation."""
    known = {line.strip() for text in (base, result) for line in text.split("\n")}
    return [line for line in mine.split("\n") if line.strip() not in known]
