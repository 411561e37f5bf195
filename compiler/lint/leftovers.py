"""What a merge leaves behind: conflict markers, `.rej`, `.orig` and `.new` files."""

import re

from compiler.diagnostics import Place, Report, Span
from compiler.lint.folder import Linted
from compiler.source import SourceFile

__all__ = ["conflict_markers", "leftover_files", "syntax"]

_MARKER = re.compile(r"^(?:<{7}|\|{7}|>{7})(?: .*)?$", re.MULTILINE)
_HINTS = {
    ".rej": "apply by hand what you want of it, and delete it",
    ".orig": "it is the text before a patch: delete it",
    ".new": "take what you want of it into yours, and delete it",
}


def syntax(linted: Linted, report: Report) -> None:
    """A Python file can be parsed; one with conflict markers has a finding for these."""
    for path, module in linted.modules.items():
        if module.fault is not None and not _markers(linted, path, module.source.text):
            reason, span = module.fault
            report.error("python-syntax", f"not Python: {reason}", module.source.place(span))


def conflict_markers(linted: Linted, report: Report) -> None:
    """No file holds conflict markers but those that the compiler itself wrote as text."""
    for path, source in _sources(linted):
        if spans := _markers(linted, path, source.text):
            count = sum(source.text.startswith("<", span.start) for span in spans)
            message = f"`{path}` holds {count or 'some'} unsettled conflict{'s' * (count != 1)}"
            hint = "choose between the lines that the markers enclose, and delete the markers"
            report.error("conflict-markers", message, source.place(spans[0]), hints=(hint,))


def leftover_files(linted: Linted, report: Report) -> None:
    """No file lies about that a merge or a patch has left."""
    for path in linted.leftovers:
        ending = path[path.rindex(".") :]
        place = Place(str(linted.root / path), Span(0, 0))
        message = f"`{path}` was left by a merge or a patch"
        report.error("leftover-file", message, place, hints=(_HINTS[ending],))


def _sources(linted: Linted) -> list[tuple[str, SourceFile]]:
    both = {path: module.source for path, module in linted.modules.items()} | dict(linted.texts)
    return sorted(both.items())


def _markers(linted: Linted, path: str, text: str) -> list[Span]:
    base = "" if linted.last is None else linted.last.base.get(path, "")
    written = set(base.splitlines())
    return [Span(*each.span()) for each in _MARKER.finditer(text) if each[0] not in written]
