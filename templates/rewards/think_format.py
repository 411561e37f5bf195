"""Pay for one thinking block in front of an answer."""


def think_format_fault(text: str) -> str | None:
    """Return the first thing wrong with the thinking block of `text`, or None."""
    for tag in ("<think>", "</think>"):
        times = text.count(tag)
        if times != 1:
            return f"`{tag}` stands {times} times" if times else f"`{tag}` is missing"
    before, _, rest = text.partition("<think>")
    thought, _, said = rest.partition("</think>")
    if before.strip():
        return "`</think>` comes first" if "</think>" in before else "there is text in front of it"
    if not thought.strip():
        return "the thinking is empty"
    return None if said.strip() else "nothing follows `</think>`"


def score_think_format(text: str) -> float:
    """Pay 1.0 where the text is one thinking block, closed and filled, and then an answer.

    Gamed by any filler between the tags: what is thought is not looked at.
    """
    return 0.0 if think_format_fault(text) else 1.0


def explain_think_format(text: str) -> str:
    """Say what is wrong with the thinking block, or that nothing is."""
    return think_format_fault(text) or "one thinking block, then an answer"
