"""Read a text that is wholly a number, exactly."""

import re
from fractions import Fraction
from typing import NamedTuple

from normal_form import normal_form

LONGEST_NUMBER = 500  # characters; what is longer is no answer, and costs no time
DASHES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-") | {"\u2044": "/"}
)
CURRENCY = "$€£¥₩₪₫₱₴₹₺₽₿"
DRESS = " \t\r\n*_`" + CURRENCY  # bold, code, LaTeX's dollars
TEX_WRAPPER = re.compile(r"\\(?:boxed|fbox|mbox|text\w*|math\w*)\s*\{([^{}]*)\}")
TEX_FRACTION = re.compile(r"\\[dtc]?frac\s*(?:(\d)(\d)|\{\s*([-+]?\d+)\s*\}\s*\{\s*(\d+)\s*\})")
TEN_TO_THE = re.compile(
    r"\s*(?:\\times|\\cdot|[\xd7·*x])\s*10\s*\^\s*(?:\{([-+]?\d{1,3})\}|([-+]?\d{1,3}))(?!\d)"
)
PERCENT = re.compile(r"\s*(?:\\?%|per ?cent)$", re.IGNORECASE)
NUMBER = re.compile(
    rf"(?P<sign>[-+]?)\s*[{CURRENCY}]?\s*(?:"
    r"(?:(?P<whole>\d+)\s+)?(?P<numerator>\d+)\s*/\s*(?P<denominator>\d+)"
    r"|(?P<decimal>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?))"
)


class Number(NamedTuple):
    """An exact value, and whether a percent sign stands behind it."""

    value: Fraction
    percent: bool


def unwrapped(text: str) -> str:
    """Return `text` without what only dresses a number: LaTeX, bold, currency, a full stop."""
    if len(text) > LONGEST_NUMBER:
        return ""
    text = normal_form(text).translate(DASHES)
    text = re.sub(r"\\[()\[\]$]", "$", text)
    text = re.sub(r"\\[,;:! ]", " ", text)
    before = ""
    while text != before:  # from the inside out: \boxed{\text{5}}
        before = text
        text = TEX_FRACTION.sub(r" \1\3/\2\4 ", text)
        text = TEX_WRAPPER.sub(r" \1 ", text)
    return TEN_TO_THE.sub(r"e\1\2", text).lstrip(DRESS).rstrip(DRESS + ".。")


def parse_number(text: str) -> Number | None:
    """Return the number that `text` wholly is, or None: `14 ways` and `1,2` are none."""
    percent = False
    found = NUMBER.fullmatch(text.strip()) if len(text) <= LONGEST_NUMBER else None
    if found is None:  # most answers are bare, and undressing takes longer than all the rest
        plain = unwrapped(text)
        bare = PERCENT.sub("", plain)
        found, percent = NUMBER.fullmatch(unwrapped(bare)), bare != plain
    if found is None:
        return None
    if found["decimal"]:
        value = Fraction(found["decimal"])
    else:
        numerator, denominator = int(found["numerator"]), int(found["denominator"])
        # 4 10/3 is no mixed number, and nothing is divided by 0.
        if denominator == 0 or (found["whole"] and numerator >= denominator):
            return None
        value = int(found["whole"] or 0) + Fraction(numerator, denominator)
    return Number(-value if found["sign"] == "-" else value, percent)
