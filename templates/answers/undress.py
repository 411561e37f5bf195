"""Take off what only dresses an answer."""

import re

LONGEST_DRESSED = 1000  # characters; a longer text is no dressed answer, and costs no time
DRESS_AROUND = re.compile(
    r"(?P<stars>\*{1,3})(?P<starred>[^*]+)(?P=stars)"
    r"|(?P<ticks>`{1,3})(?P<ticked>[^`]+)(?P=ticks)"
    r"|(?P<dollars>\${1,2})(?P<math>[^$]+)(?P=dollars)"
    r"|\\\((?P<inline>[^\\]+|(?:(?!\\\)).)+)\\\)"
    r"|\\\[(?P<display>(?:(?!\\\]).)+)\\\]"
    r"|\\(?:boxed|fbox|mbox|text(?:bf|it|rm|sf|tt)?|math(?:bf|it|rm|sf))\s*\{(?P<group>.+)\}",
    re.DOTALL,
)


def undressed(text: str) -> str:
    """Return `text` without bold, code marks and LaTeX that wrap all of it: `**$5$**` is `5`."""
    before, text = "", text.strip()
    while text != before and len(text) <= LONGEST_DRESSED:
        before = text
        found = DRESS_AROUND.fullmatch(text)
        inner = found and next(part for part in found.group(2, 4, 6, 7, 8, 9) if part)
        if inner and inner.strip() and braces_close(inner):
            text = inner.strip()
    return text


def braces_close(text: str) -> bool:
    r"""Whether every brace of `text` is closed in it: in `\text{a} + \text{b}` two are apart."""
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0
