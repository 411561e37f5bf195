"""Read a label that is true or false."""


def label_of(cell: object) -> bool:
    """Return true or false, also of the text or the number for it; raises ValueError for others."""
    match str(cell).strip().lower():
        case "true" | "1" | "1.0":
            return True
        case "false" | "0" | "0.0":
            return False
        case _:
            raise ValueError(f"the label {str(cell)[:40]!r} is neither true nor false")
