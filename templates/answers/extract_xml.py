"""Read answers that stand between a tag and its closing tag."""


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
