"""Pay for each tag of a layout by itself."""


def stray_tags(text: str, tags: tuple[str, ...]) -> list[str]:
    """Return the opening and closing tags that do not stand exactly once."""
    tokens = [token for tag in tags for token in (f"<{tag}>", f"</{tag}>")]
    return [token for token in tokens if text.count(token) != 1]


def score_xml_tags(text: str, tags: tuple[str, ...]) -> float:
    """Pay an equal share, up to 1.0 in all, for each opening or closing tag that stands once.

    Gamed by the bare tags, in any order: neither what they hold nor what is outside is looked at.
    """
    return 1.0 - len(stray_tags(text, tags)) / (2 * len(tags))


def explain_xml_tags(text: str, tags: tuple[str, ...]) -> str:
    """Name the tags that are missing or repeated."""
    stray = [f"`{token}` {text.count(token)} times" for token in stray_tags(text, tags)]
    return ", ".join(stray) or "every tag once"
