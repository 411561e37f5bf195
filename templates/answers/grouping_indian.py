"""Join the lakhs and crores of a number."""

import re

# Groups of two digits, the last one of three, one separator all through.
LAKHS = re.compile(
    r"(?<![\d.,\uff0c])(?<!,\})(?<!\\!)(?!0)\d{1,2}"
    r"([,\uff0c](?:\\!)?|\{,\}|\\,)\d{2}(?:\1\d{2})*\1\d{3}"
    r"(?!\d|(?:[,\uff0c](?:\\!)?|\{,\}|\\,)\d)"
)


def without_lakhs(text: str) -> str:
    """Return `text` with 1,00,000 written as 100000."""
    return LAKHS.sub(lambda number: re.sub(r"\D", "", number[0]), text)
