"""One file merged: its form taken off, its text merged, its form put back."""

from typing import NamedTuple

from compiler.merge.forms import read_form, write_form
from compiler.merge.lines import merge_lines
from compiler.merge.markers import Labels, Part, render

__all__ = ["Merged", "merge_file"]


class Merged(NamedTuple):
    """A merged file as it is written to disk, and how many conflicts its markers show."""

    data: bytes
    conflicts: int


def merge_file(
    path: str, base: str, mine: bytes, new: str, *, labels: Labels, modules: tuple[str, ...] = ()
) -> Merged | None:
    """Make the compiler's changes from `base` to `new` to a file that its owner may have edited.

    `path` tells by its ending how the text is merged: Python by meaning, a notebook by its cells,
    all else by lines, as Python that cannot be parsed. `base` and `new` have LF line ends and no
    byte order mark; `mine` is what is on disk, in any form, and the result has its form. Where
    `mine` is formatted as the compiler formats Python, so is a result without conflicts; else each
    line keeps its layout. `modules` are the project's own import names, by which imports are
    sorted. None where `mine` is not UTF-8, so that its owner must settle it by hand.
    """
    form = read_form(mine)
    if form is None:
        return None
    if path.endswith(".ipynb") and form.text not in {base, new} and base != new:
        from compiler.merge.notebook import merge_notebook  # few projects have one

        merged = merge_notebook(base, form.text, new, labels)
        if merged is not None:
            return Merged(write_form(merged[0], form), merged[1])
    parts, by_meaning = _parts(path, base, form.text, new)
    text, conflicts = render(parts, labels)
    if by_meaning and not conflicts and text not in {form.text, new}:
        from compiler.merge.formatted import formatted_like

        text = formatted_like(form.text, text, modules)
    return Merged(write_form(text, form), conflicts)


def _parts(path: str, base: str, mine: str, new: str) -> tuple[list[Part], bool]:
    """The merged text, and whether it was merged by meaning."""
    if path.endswith(".py") and mine not in {base, new} and base != new:
        # The syntax tree and `tokenize` are read only where a merge needs them.
        from compiler.merge.python_merge import merge_python

        parts = merge_python(base, mine, new)
        if parts is not None:
            return parts, True
    return merge_lines(base, mine, new), False
