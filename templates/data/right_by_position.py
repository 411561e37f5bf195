"""Find the right option by its position."""

from named_in import named_in


def right_by_position(cell: object, options: dict[str, str], first: int) -> list[str]:
    """Return the labels of the options at the positions that a gold names, counted from `first`.

    A name that is no such position is returned as it is.
    """
    labels = {str(position): label for position, label in enumerate(options, start=first)}
    return [labels.get(name.removesuffix(".0"), name) for name in named_in(cell)]
