"""Three versions of a Python file merged by meaning."""

import ast
import re
from collections import Counter
from collections.abc import Iterable

from compiler.merge.combine import Combiner
from compiler.merge.markers import Part, side
from compiler.merge.nodes import Block
from compiler.merge.python_source import INDENT, PythonSource, Unreadable, compiles
from compiler.merge.statements import read_module

__all__ = ["merge_python"]

# Words and signs, without blanks and what a change of layout or of quotes adds or takes away.
_WORDS = re.compile(r"\w+|[^\w\s,()\[\]{}\"']")


def merge_python(base: str, mine: str, new: str) -> list[Part] | None:
    """Make the changes of both sides, statement by statement and argument by argument.

    What one side changes and the other does not is taken over, wherever the other moved it. An
    import that one side took out stays where the merged text still uses its name. The result is
    what the sides say only if it is proved: it compiles, for either choice in each conflict, and
    no word that a side added is missing. None where that fails, or where a version is not Python.
    """
    try:
        ours = PythonSource(mine)
        theirs = [PythonSource(text) for text in (base, new)]
        if ours.unit != INDENT:
            theirs = [PythonSource(source.with_unit(ours.unit)) for source in theirs]
        sources = (theirs[0], ours, theirs[1])
        modules = [_read(source) for source in sources]
    except Unreadable:
        return None
    parts = Combiner().merge(*modules)
    needed = _orphans(parts, sources)
    if needed:
        parts = Combiner(needed).merge(*modules)
    return parts if _is_sound(parts, *sources) else None


def _read(source: PythonSource) -> Block:
    module = read_module(source)
    if module.text != source.text:
        raise Unreadable
    return module


def _is_sound(parts: list[Part], base: PythonSource, mine: PythonSource, new: PythonSource) -> bool:
    """Whether the result compiles and has each word that a side added, a comment of mine too."""
    for name, text, before in (("mine", mine.text, base.text), ("new", new.code, base.code)):
        result = side(parts, name)
        added = Counter(_WORDS.findall(text)) - Counter(_WORDS.findall(before))
        if not compiles(result) or added - Counter(_WORDS.findall(result)):
            return False
    return True


def _orphans(parts: list[Part], sources: Iterable[PythonSource]) -> set[str]:
    """The names whose import the merge took from a use of them that a side added."""
    orphans: set[str] = set()
    for name in ("mine", "new"):
        try:
            tree = ast.parse(side(parts, name))
        except (SyntaxError, ValueError):
            return set()
        orphans |= _used(tree) - _imported(tree)
    if not orphans:
        return orphans
    trees = [source.tree for source in sources]
    known = set[str]().union(*map(_imported, trees))
    # What a side itself uses without an import is no matter of the merge.
    alone = set[str]().union(*(_used(tree) - _imported(tree) for tree in trees))
    return orphans & known - alone


def _used(tree: ast.Module) -> set[str]:
    """The names that are read, but for those that are also given a value in the file."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    return read - {node.id for node in names if isinstance(node.ctx, ast.Store)}


def _imported(tree: ast.Module) -> set[str]:
    return {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
