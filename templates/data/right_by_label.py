"""Find the right option by its label."""

from named_in import named_in


def right_by_label(cell: object, options: dict[str, str]) -> list[str]:
    """Return the labels that a gold names, in upper or lower case, also written together (`AC`)."""
    labels = {label.lower(): label for label in options}
    found: list[str] = []
    for name in named_in(cell):
        letters = list(name) if all(letter in labels for letter in name.lower()) else []
        names = [name] if name.lower() in labels else letters or [name]
        found += [labels.get(each.lower(), each) for each in names]
    return found
