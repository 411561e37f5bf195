"""Tell which of some fixed options a number means."""


def fixed_option(cell: object, options: tuple[str, ...], first: int) -> str:
    """Return the option at a position, counted from `first`; raises ValueError outside of them."""
    position = str(cell).strip().removesuffix(".0")
    if position not in map(str, range(first, first + len(options))):
        raise ValueError(f"the gold {cell!r}, which is no position among {len(options)} options")
    return options[int(position) - first]
