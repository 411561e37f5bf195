"""Find what an object of JSON has too much."""

from json_fields import fields_of


def extra_fields(answer: str, gold: str) -> dict[str, bool]:
    """Return each field that only the answer has, as a wrong one; none if gold has none."""
    known = fields_of(gold)
    return {name: False for name in fields_of(answer) if known and name not in known}
