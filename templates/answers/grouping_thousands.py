"""Join the thousands of a number."""

import re

# Groups of exactly three digits, one separator all through: `1,23` and `8.124,12.852` stay. Set
# off by a plain blank, `2 100/200` is a mixed number.
THOUSANDS = re.compile(
    r"(?<![\d.,\uff0c])(?<!,\})(?<!\\!)(?!0)\d{1,3}"
    r"(?:([,\uff0c](?:\\!)?|\{,\}|\\,|[\u00a0\u2007\u2009\u202f])\d{3}(?:\1\d{3})*"
    r"|(?: \d{3})+(?! ?\d*/))"
    r"(?!\d|(?:[,\uff0c](?:\\!)?|\{,\}|\\,)\d)"
)


def without_thousands(text: str) -> str:
    """Return `text` with 1,234 (also set off by a blank or LaTeX) written as 1234."""
    return THOUSANDS.sub(lambda number: re.sub(r"\D", "", number[0]), text)
