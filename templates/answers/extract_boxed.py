r"""Read answers that stand in `\boxed{}`."""

import re

# An escaped character (`\{`) is a token of its own, so that it opens and closes nothing.
BOX_TOKENS = re.compile(
    r"(?P<box>\\(?:boxed|fbox)\s*\{)"
    r"|\\(?:boxed|fbox)(?:\s+|(?=\d))(?P<bare>[^\s{}$\\]+)"
    r"|\\."
    r"|(?P<open>\{)"
    r"|(?P<close>\})",
    re.DOTALL,
)


def boxed(text: str) -> list[str]:
    r"""Return what stands in each `\boxed{}` or `\fbox{}`; an unclosed box is no answer."""
    # Braces are counted, because an answer has its own (`\frac{1}{2}`), in one pass over the
    # text. Of a box inside a box only the inner one counts.
    found: list[str] = []
    starts: list[int | None] = []
    last_start = 0
    for token in BOX_TOKENS.finditer(text):
        if token["bare"]:
            found.append(token["bare"].rstrip(".,;:"))
        elif token["box"] or token["open"]:
            starts.append(token.end() if token["box"] else None)
        elif token["close"] and starts:
            start = starts.pop()
            if start is not None and start > last_start:
                found.append(text[start : token.start()].strip())
                last_start = start
    return [answer for answer in found if answer]
