"""A spec becomes a plan: every default, name, import, version and comment is decided here.

A check needs no more than the outline; `project` goes on from there to every file.
"""

from compiler.resolve.inputs import Inputs, gather
from compiler.resolve.outline import outline_of

__all__ = ["Inputs", "gather", "outline_of"]
