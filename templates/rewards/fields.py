"""Pay for each field of an object."""

from answers import matching_fields, read_answer


def score_fields(text: str, gold: str) -> float | None:
    """Pay the share of the gold's fields that the answer has right; None for a gold without any.

    Gamed by the values that are the same in most rows, which pay without reading the prompt.
    """
    fields = matching_fields(read_answer(text) or "", gold)
    return sum(fields.values()) / len(fields) if fields else None


def explain_fields(text: str, gold: str) -> str:
    """Name the fields that are wrong."""
    fields = matching_fields(read_answer(text) or "", gold)
    wrong = ", ".join(f"`{field}`" for field, is_right in fields.items() if not is_right)
    return f"wrong: {wrong}" if wrong else f"all {len(fields)} fields are right"
