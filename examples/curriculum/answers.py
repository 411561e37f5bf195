"""How an answer is read from a completion and compared with the gold.

The one copy for rewards, evaluation and the data report.
"""

import re
import unicodedata
from fractions import Fraction
from typing import NamedTuple


def read_answer(text: str) -> str | None:
    """The answer of a completion: the last text inside a closed <answer> pair; None without one."""
    return last_of(xml_blocks(final_text(text), "answer"))


def same_answer(answer: str, gold: str) -> bool:
    """Whether both are the same number, exactly."""
    return same_number(comparable(answer), comparable(gold))


def comparable(text: str) -> "Number | None":
    """The number that a text wholly is, or None."""
    return parse_number(without_thousands(text))


def last_of(found: list[str]) -> str | None:
    """Return the last answer: what a completion takes back earlier does not count."""
    return found[-1] if found else None


def xml_blocks(text: str, tag: str) -> list[str]:
    """Return what stands in each closed pair of `tag`; an empty or unclosed pair is no answer."""
    # The text of a model is not XML (`x<3 & y`), so only the two tags are looked for. Where the
    # opening tag repeats, the last one before the closing tag counts.
    found: list[str] = []
    for before in text.split(f"</{tag}>")[:-1]:
        _, opening, content = before.rpartition(f"<{tag}>")
        if opening and content.strip():
            found.append(content.strip())
    return found


def final_text(text: str, *, opened: bool = False) -> str:
    """Return what a completion says behind its thinking, without end-of-turn tokens.

    What is only thought is no answer; a completion that was cut off while it thought has none.
    `opened` says that the chat template opens the thinking in the prompt.
    """
    return after_thinking(without_end_tokens(text), opened=opened)


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


def same_number(answer: Number | None, gold: Number | None) -> bool:
    """Whether both are numbers and the same one; what is no number equals nothing."""
    return answer is not None and answer == gold


END_TOKENS = (
    "<|im_end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|eot|>",
    "<|EOT|>",
    "<|end|>",
    "<|return|>",
    "<|user|>",
    "<|observation|>",
    "<|end_of_turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|pad|>",
    "<|finetune_right_pad_id|>",
    "<\uff5cend\u2581of\u2581sentence\uff5c>",
    "<end_of_turn>",
    "<turn|>",
    "<eos>",
    "<pad>",
    "</s>",
)


def without_end_tokens(text: str) -> str:
    """Return `text` without end-of-turn and padding tokens at its end, and without outer blanks."""
    text = text.strip()
    end = len(text)
    while text.endswith(END_TOKENS, 0, end):
        end = text.rindex("<", 0, end)
        while text[end - 1 : end].isspace():
            end -= 1
    return text[:end]


def after_thinking(text: str, *, opened: bool = False) -> str:
    """Return what follows the thinking of a completion, "" where its thinking never ends.

    A `</think>` without a `<think>` closes a block that the prompt opened. `opened` says that the
    chat template always does so: then a text without `</think>` is thinking all through.
    """
    _, closing, said = text.rpartition("</think>")
    unclosed = "<think>" in said or (opened and not closing)
    return "" if unclosed else said.lstrip()


def thinking_of(text: str, *, opened: bool = False) -> str:
    """Return what a completion thinks, to its end where it never ends; "" where it does not."""
    thought, closing, said = text.rpartition("</think>")
    if "<think>" in said or (opened and not closing):
        thought = text
    return thought.strip().removeprefix("<think>").strip()


def normal_form(text: str) -> str:
    """Return `text` in the NFKC form of Unicode: full-width and ligated characters are plain."""
    # Without a mark of their own, 10² would become 102 and 2½ would become 21/2.
    text = re.sub("[⁰¹²³⁴-⁹⁺⁻]+", r"^\g<0>", text)
    text = re.sub("[₀-₉]+", r"_\g<0>", text)
    text = re.sub("[¼-¾⅐-⅞]", r" \g<0>", text)
    return unicodedata.normalize("NFKC", text)
