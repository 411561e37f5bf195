"""Pay for a text that is JSON."""

from whole_json import whole_json


def json_format_fault(text: str) -> str | None:
    """Return why `text` is no JSON object or array, or None."""
    try:
        value = whole_json(text)
    except ValueError as error:
        return f"no JSON: {error}"
    return None if isinstance(value, dict | list) else "JSON, but no object or array"


def score_json_format(text: str) -> float:
    """Pay 1.0 where the text is one JSON object or array, alone or in one fence, else 0.0.

    Gamed by `{}`: what the JSON says is not looked at.
    """
    return 0.0 if json_format_fault(text) else 1.0


def explain_json_format(text: str) -> str:
    """Say why the text is no JSON, or that it is."""
    return json_format_fault(text) or "a JSON object or array"
