"""Read the label of an option."""

import re
import unicodedata

LABEL_FRONT = (
    r"(?:[\s*_`$\"'\u201c\u2018(\[{]|\\[(\[]|\\(?:boxed|fbox|mbox|text|math)[a-z]*\s*\{"
    r"|(?:the\s+)?(?:option|choice|letter)\b:?)*"
)
LABEL_BACK = r"(?:[*_`$\"'\u201d\u2019)\]}]|\\[)\]])*"
# Behind a label the answer ends, or a mark parts it from the option's text: `B cells`, `A man`,
# `U.S.` and `B-complex` are texts. A small letter needs such a mark or nothing behind it.
OPTION_LABEL = re.compile(
    rf"(?i:{LABEL_FRONT})"
    rf"(?:(?P<letter>[A-Z]){LABEL_BACK}(?:\s*$|[.:)\]}}](?!\w)|[\u3001\u3002]|,\s|\s+[-\u2013\u2014]\s|\s+\()"
    rf"|(?P<small>[a-z]){LABEL_BACK}(?:[\s.]*$|(?<=[)\]}}*])\s|[.:)\]}}]\s))"
)
# `A or B`, `A, B, C`, `A/B`: who names several chooses none.
SEVERAL_LABELS = re.compile(
    rf"{LABEL_FRONT}[a-z]{LABEL_BACK}\s*(?:[,;/&+\u3001]|\band\b|\bor\b)\s*"
    rf"{LABEL_FRONT}[a-z]{LABEL_BACK}(?=\s*(?:$|[,;/&+.\u3001\u3002]|\band\b|\bor\b))",
    re.IGNORECASE,
)


def label_of(text: str) -> str | None:
    r"""Return the letter that `text` chooses, or None: `(B)`, `**b**`, `B. Aspirin`, `\text{B}`."""
    text = unicodedata.normalize("NFKC", text)  # full-width letters and brackets are plain ones
    if SEVERAL_LABELS.match(text):
        return None
    found = OPTION_LABEL.match(text)
    return found and (found["letter"] or found["small"]).upper()
