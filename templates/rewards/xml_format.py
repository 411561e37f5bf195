"""Pay for a layout of tags that is kept exactly."""


def xml_format_fault(text: str, tags: tuple[str, ...]) -> str | None:
    """Return the first thing wrong with the layout of `text`, or None."""
    # Tags are counted and then walked through, because a pattern lets a repeated tag pass.
    tokens = [token for tag in tags for token in (f"<{tag}>", f"</{tag}>")]
    for token in tokens:
        times = text.count(token)
        if times != 1:
            return f"`{token}` stands {times} times" if times else f"`{token}` is missing"
    starts = [text.index(token) for token in tokens]
    if starts != sorted(starts):
        return "the tags are out of order"
    for tag in tags:
        outside, _, text = text.partition(f"<{tag}>")
        content, _, text = text.partition(f"</{tag}>")
        if outside.strip():
            return f"there is text before `<{tag}>`"
        if not content.strip():
            return f"`<{tag}>` is empty"
    return f"there is text after `</{tags[-1]}>`" if text.strip() else None


def score_xml_format(text: str, tags: tuple[str, ...]) -> float:
    """Pay 1.0 where each tag stands once, in order, closed and filled, with no text outside.

    Gamed by any filler between the tags: what stands there is not looked at.
    """
    return 0.0 if xml_format_fault(text, tags) else 1.0


def explain_xml_format(text: str, tags: tuple[str, ...]) -> str:
    """Say what is wrong with the layout, or that nothing is."""
    return xml_format_fault(text, tags) or "every tag once, in order"
