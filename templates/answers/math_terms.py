r"""Take a mathematical text apart into the values that it gives, each as plain LaTeX."""

import re
from collections.abc import Callable

from balanced import is_balanced
from extract_boxed import boxed
from normal_form import normal_form
from number import DASHES, Number

LONGEST_MATH = 1000  # characters
MOST_TERMS = 20
TEX_SIGNS = str.maketrans(
    {
        "\u221e": r"\infty ",
        "\u03c0": r"\pi ",
        "\u03b8": r"\theta ",
        "\xd7": r"\times ",
        "\xf7": r"\div ",
        "\xb7": r"\cdot ",
        "\xb1": r"\pm ",
        "\u2264": r"\le ",
        "\u2265": r"\ge ",
        "\u2260": r"\ne ",
        "\u222a": r"\cup ",
        "\u2229": r"\cap ",
        "\u2208": r"\in ",
        "\xb0": r"^\circ ",
        "\u221a": r"\sqrt",
        "\u2102": r"\mathbb{C}",
        "\u2115": r"\mathbb{N}",
        "\u211a": r"\mathbb{Q}",
        "\u211d": r"\mathbb{R}",
        "\u2124": r"\mathbb{Z}",
    }
)
# What a text is freed of, in this order: how it is written, not what it says.
TEX_DRESS = (
    (re.compile(r"(?<=\d)(?:,\\!|\{,\})(?=\d{3}(?!\d))"), ""),
    (re.compile(r"\\(?:text\w*|math(?:rm|bf|it|sf)|mbox|operatorname)\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"(?<!\\)\\[()\[\]]|(?<!\\)\$"), " "),
    (re.compile(r"(?<!\\)\\[,;:! ]|~|\\q?quad(?![a-zA-Z])"), " "),
    (re.compile(r"\\(?:left|right)\s*\.|\\(?:left|right|displaystyle)(?![a-zA-Z])"), " "),
    (re.compile(r"\\[dtc]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"(?<![\\a-zA-Z])(a?(?:sin|cos|tan)h?|ln|log|exp|sqrt|pi)(?![a-zA-Z])"), r"\\\1"),
    (re.compile(r"\\sqrt\s*\(([^()]*)\)"), r"\\sqrt{\1}"),
    (re.compile(r"\\sqrt\s*([\d.]+)"), r"\\sqrt{\1}"),
    (re.compile(r"\*\*"), "^"),
    (re.compile(r"\*"), r" \\cdot "),
    (re.compile(r"\^\s*(-?\d+)"), r"^{\1}"),
    (re.compile(r"^\s*[a-zA-Z]\s*\\in(?![a-zA-Z])"), ""),
    (re.compile(r"\s+"), " "),
)
SEPARATOR = re.compile(
    r"[(\[{]|[)\]}]|(?P<group>(?<=\d),(?=\d{3}(?!\d)))|[,;]|(?<![\\a-zA-Z])and(?![a-zA-Z])"
)
MIXED_NUMBER = re.compile(
    r"(?<![\d.}^_])(\d+)(?:\s*\\frac\s*\{(\d+)\}\s*\{(\d+)\}| (\d+)\s*/\s*(\d+))(?!\d)"
)
DECIMAL = re.compile(r"(?<![\d.])(\d*)\.(\d+)(?![\d.])")
# A label, a chain of decimal points, and numbers beside each other have no value.
NO_VALUE = re.compile(r"\(?[A-Z]\)?|.*\d\.\d+\.\d.*|.*\d \d.*")
WORDS = re.compile(r"(?=.*[^\W\d_]{3})[^\W\d_]+(?:[ '][^\W\d_]+)*")
ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[a-z]+\*?\}")
PROSE = re.compile(r"(?<![\\a-zA-Z])[a-z]{4}")  # LaTeX would take a word for a product of letters
OTHER_BASE = re.compile(r"(\d+)_(?:(\d+)|\{(\d+)\})")


def math_terms(text: str, number: Callable[[str], Number | None]) -> tuple[str, ...] | None:
    r"""Return the values that `text` gives, or None where that cannot be told.

    `1, 2`, `1 and 2` and `\{1, 2\}` are two values, a pair `(1, 2)` and an interval are one. None
    for alternatives (`1 or 2` does not say whether one is enough), for a percentage beside others,
    for a single capital letter, which is a label, and for what is too long. Words, and numbers of
    another base (`14_5`), stand in quotes. `number` reads a number that a value wholly is.
    """
    plain = plain_math(text)
    if plain is None or "%" in plain or re.search(r"(?<![\\a-zA-Z])or(?![a-zA-Z])", plain):
        return None
    grouped = number("1,000") is not None
    parts = [part for part in parts_of(plain, grouped=grouped) if part.strip(" .")]
    found = [one_term(part, number) for part in parts]
    terms = tuple(term for term in found if term is not None)
    return terms if 0 < len(terms) == len(found) <= MOST_TERMS else None


def plain_math(text: str) -> str | None:
    """Return what the last box holds, or else all, without what only dresses mathematics."""
    if len(text) > LONGEST_MATH:
        return None
    plain = (boxed(text) or [text])[-1].strip().strip("*_`")
    plain = normal_form(plain.translate(TEX_SIGNS)).translate(DASHES)
    for pattern, instead in TEX_DRESS:
        plain = pattern.sub(instead, plain)
    plain = plain.strip().removesuffix(".").strip()
    inside = re.fullmatch(r"\\\{(.*)\\\}|\{(.*)\}", plain)
    # Of a set by a condition (`\{x \mid x > 1\}`) the braces are a part.
    if inside is None or re.search(r"\||\\mid|:", plain):
        return plain
    elements = inside[1] or inside[2] or r"\emptyset"
    return elements if is_balanced(elements) else plain


def parts_of(text: str, *, grouped: bool) -> list[str]:
    """Return what commas, semicolons and `and` set apart, outside of all brackets.

    Where digits are `grouped`, a comma in front of just three of them is a part of a number.
    """
    parts, start, depth = [""], 0, 0
    for mark in SEPARATOR.finditer(text):
        if mark[0] in "([{":
            depth += 1
        elif mark[0] in ")]}":
            depth -= 1
        elif depth == 0:
            parts[-1] += text[start : mark.start()]
            start = mark.end()
            if not (grouped and mark["group"]):
                parts.append("")
    return [*parts[:-1], parts[-1] + text[start:]]


def one_term(part: str, number: Callable[[str], Number | None]) -> str | None:
    """Return one value as LaTeX without a decimal point, or in quotes; None where it has none."""
    term = part.strip()
    found = number(term)
    if found is not None:
        return fraction(found.value.numerator, found.value.denominator)
    term = MIXED_NUMBER.sub(mixed_sum, term)
    if NO_VALUE.fullmatch(term):
        return None
    if WORDS.fullmatch(term):
        return f'"{term.casefold()}"'
    if based := OTHER_BASE.fullmatch(term):
        return f'"{based[1]}_{based[2] or based[3]}"'
    if PROSE.search(ENVIRONMENT.sub("", term)):
        return None
    # A float would be rounded where it is compared.
    return DECIMAL.sub(exact_decimal, term)


def fraction(numerator: int, denominator: int) -> str:
    """Return a fraction as LaTeX."""
    if denominator == 1:
        return str(numerator)
    sign = "-" if numerator < 0 else ""
    return rf"{sign}\frac{{{abs(numerator)}}}{{{denominator}}}"


def mixed_sum(found: re.Match[str]) -> str:
    """Return a mixed number as a sum: LaTeX would take it for a product."""
    whole, numerator, denominator = (int(digits) for digits in found.groups() if digits)
    proper = numerator < denominator
    return f"({whole}+{fraction(numerator, denominator)})" if proper else found[0]


def exact_decimal(found: re.Match[str]) -> str:
    """Return a decimal number as a fraction of whole ones."""
    return f"{{{fraction(int(found[1] + found[2]), 10 ** len(found[2]))}}}"
