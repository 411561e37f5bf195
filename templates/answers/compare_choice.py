"""Compare which option an answer chooses with the right one."""

from choice_label import OPTION_LABEL, label_of
from undress import undressed


def same_choice(answer: str, gold: str) -> bool:
    """Whether both choose one option: by its letter, or where the answer has none by its text.

    A gold is a letter, a letter with the option's text as in `B. Aspirin`, or the text alone.
    """
    right = label_of(gold)
    chosen, text = option_text(answer), option_text(gold)
    if right is None:
        return chosen.casefold() == text.casefold() != ""
    labelled = OPTION_LABEL.match(text)
    text = text[labelled.end() :].strip() if labelled else ""
    # Options may differ in case alone (mW, MW), so that only the first letter's is left aside.
    by_text = capitalized(chosen) in (capitalized(text), f"{right} {text}")
    return label_of(answer) == right or (text != "" and by_text)


def option_text(text: str) -> str:
    """Return `text` as it is compared: without dressing and a full stop, with single blanks."""
    return " ".join(undressed(undressed(text).rstrip(".")).split())


def capitalized(text: str) -> str:
    """Return `text` with a capital first letter, the others as they are."""
    return text[:1].upper() + text[1:]
