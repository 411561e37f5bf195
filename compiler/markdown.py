"""Text and code as Markdown that shows them byte for byte."""

import re

__all__ = ["code_block", "inline"]


def inline(text: str) -> str:
    """A text of one line as prose: Markdown's and the table's own characters escaped."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", " ".join(text.split()))


def code_block(text: str) -> str:
    """A text as a fenced block, its fence longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}{'' if text.endswith(chr(10)) else chr(10)}{fence}"
