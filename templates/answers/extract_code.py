"""Read answers that stand in fenced blocks of code."""

import re

FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>.*)")


def code_blocks(text: str, languages: tuple[str, ...] = ()) -> list[str]:
    """Return what stands in each closed fence, of one of `languages` where some are named.

    As in CommonMark a fence closes with as many of its own marks, or more, alone on a line; one
    that never closes was cut off and is no answer. The language is the first word behind the marks,
    in upper or lower case.
    """
    found: list[str] = []
    fence, indent, wanted = "", "", False
    block: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        mark = FENCE.fullmatch(line)
        if not fence:
            # Backticks behind backticks are code within a line.
            if mark and not (mark["fence"][0] == "`" and "`" in mark["info"]):
                fence, indent, block = mark["fence"], mark["indent"], []
                language = re.match(r"\{?\.?([^\s{},:]*)", mark["info"])
                wanted = not languages or (language or [""])[1].lower() in languages
        elif mark and mark["fence"].startswith(fence) and not mark["info"].strip():
            if wanted and "".join(block).strip():
                found.append("\n".join(block).strip("\n"))
            fence = ""
        else:
            block.append(line.removeprefix(indent))
    return found
