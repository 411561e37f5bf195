"""The columns whose objects and lists a project reads as JSON text."""

from spec_schema import TaskSpec
from spec_schema.answer import Answer

__all__ = ["json_columns"]

# Ways of comparing that read JSON; a text, a number or a date is none.
COMPARE_JSON = ("json", "set", "list")


def json_columns(spec: TaskSpec) -> tuple[str, ...]:
    """The column of a gold that is compared as JSON, and those of tests that are calls."""
    found: list[str] = []
    gold, answer = spec.data.gold, spec.answer
    if gold is not None and answer is not None and spec.data.options is None:
        whole = (gold.after, gold.before, gold.extract) == (None, None, None)
        found += [gold.column] if whole and _reads_json(answer) else []
    for reward in spec.rewards.values():
        if reward.kind == "code_tests" and "arguments" in type(reward.tests).model_fields:
            found += reward.tests.model_dump().values()
    return tuple(dict.fromkeys(found))


def _reads_json(answer: Answer) -> bool:
    """Whether an answer, or the user's own comparison, may hold an object or a list."""
    own = not isinstance(answer.compare, str)
    return own or answer.compare in COMPARE_JSON or answer.extract == "json"
