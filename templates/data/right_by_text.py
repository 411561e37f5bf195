"""Find the right option by its text."""


def right_by_text(cell: object, options: dict[str, str]) -> list[str]:
    """Return the labels of the options that a gold, or each text in a list, is word for word."""
    labels = {text: label for label, text in options.items() if text}
    names = cell if isinstance(cell, list) else [cell]
    return [labels.get(str(name).strip(), str(name)) for name in names]
