"""Say which plain texts there is nothing to learn from."""

from findings import Row, told


def text_faults(part: str, rows: list[Row]) -> list[str]:
    """Name the rows whose text is empty; an error, as they fill batches and teach nothing."""
    empty = [row["row_number"] for row in rows if not row["text"].strip()]
    return told("error", part, "with an empty text", empty)
