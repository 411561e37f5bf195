"""Pay for JSON of a given shape."""

from jsonschema.protocols import Validator
from whole_json import whole_json


def json_schema_fault(text: str, validator: Validator) -> str | None:
    """Return the first thing that keeps `text` from being JSON of the schema, or None."""
    try:
        error = next(validator.iter_errors(whole_json(text)), None)
    except ValueError as fault:
        return f"no JSON: {fault}"
    except RecursionError:
        return "it is nested too deeply"
    return None if error is None else f"{error.json_path}: {error.message}"


def score_json_schema(text: str, validator: Validator) -> float:
    """Pay 1.0 where the text is JSON that the schema allows, alone or in one fence, else 0.0.

    Gamed by made-up values of the right types: whether they are true is not looked at.
    """
    return 0.0 if json_schema_fault(text, validator) else 1.0


def explain_json_schema(text: str, validator: Validator) -> str:
    """Say what the schema does not allow, or that it allows the text."""
    return json_schema_fault(text, validator) or "JSON that the schema allows"
