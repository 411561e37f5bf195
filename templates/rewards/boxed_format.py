r"""Pay for one `\boxed{}`."""

from extract_boxed import BOX_TOKENS, boxed


def boxed_format_fault(text: str) -> str | None:
    r"""Return what is wrong with the boxes of `text`, or None."""
    opened = sum(bool(token["box"] or token["bare"]) for token in BOX_TOKENS.finditer(text))
    if opened != 1:
        return f"`\\boxed` stands {opened} times" if opened else "`\\boxed{}` is missing"
    return None if boxed(text) else "the box is empty or is not closed"


def score_boxed_format(text: str) -> float:
    r"""Pay 1.0 where exactly one `\boxed{}` stands in the text, closed and filled, else 0.0.

    Gamed by a box around anything: what it holds is not looked at.
    """
    return 0.0 if boxed_format_fault(text) else 1.0


def explain_boxed_format(text: str) -> str:
    """Say what is wrong with the boxes, or that nothing is."""
    return boxed_format_fault(text) or "one filled box"
