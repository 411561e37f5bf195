"""`[rewards]`: each has what it needs to score a completion."""

from compiler.resolve.ideal import layout_tags
from compiler.rules.case import Case
from compiler.rules.patterns import PatternError, compiled
from compiler.rules.texts import system_text
from spec_schema.rewards import (
    CorrectReward,
    ForbiddenReward,
    LengthReward,
    PythonReward,
    XmlFormatReward,
    XmlTagsReward,
)

__all__ = [
    "correct_has_a_gold",
    "format_has_tags",
    "length_has_one_measure",
    "patterns_compile",
    "range_rises",
]


def correct_has_a_gold(case: Case) -> None:
    """`correct` compares an answer that is read with a gold."""
    if case.spec.answer is not None:
        return
    for name, reward in case.spec.rewards.items():
        if isinstance(reward, CorrectReward):
            case.error(
                "missing-key",
                ("rewards", name),
                f"reward `{name}` compares answers, and there is no `[answer]`",
                'add `[answer]` with `extract`, and `gold = { column = "..." }` to `[data]`',
                at="key",
            )


def format_has_tags(case: Case) -> None:
    """A layout of tags names them once each, or finds them in the prompt."""
    text = system_text(case)
    for name, reward in case.spec.rewards.items():
        if not isinstance(reward, XmlFormatReward | XmlTagsReward):
            continue
        if reward.tags is None:
            if not layout_tags(case.spec, text):
                case.error(
                    "missing-key",
                    ("rewards", name),
                    f"reward `{name}` finds no tags in `[prompt]` and `[answer]`",
                    'name them: `tags = ["reasoning", "answer"]`',
                    at="key",
                )
            continue
        for position, tag in enumerate(reward.tags):
            if tag in reward.tags[:position]:
                case.error(
                    "bad-value",
                    ("rewards", name, "tags", position),
                    f"the tag `{tag}` is named twice",
                    "name each tag once",
                )


def length_has_one_measure(case: Case) -> None:
    """A length reward has a target or limits, in one unit, and the limits leave room."""
    for name, reward in case.spec.rewards.items():
        if not isinstance(reward, LengthReward):
            continue
        path = ("rewards", name)
        given = {key: value for key, value in _limits(reward).items() if value is not None}
        if not given:
            hint = (
                "add `target_tokens`, or `min_tokens` and `max_tokens`, or the same in characters"
            )
            message = f"reward `{name}` has no length to pay for"
            case.error("missing-key", path, message, hint, at="key")
            continue
        first, *others = given
        unit = first.rpartition("_")[2]
        for other in others:
            mixed = other.rpartition("_")[2] != unit
            if mixed or "target" in first + other:
                case.error(
                    "conflicting-keys",
                    (*path, other),
                    f"`{other}` cannot stand beside `{first}`",
                    "keep a target or limits, in tokens or in characters",
                    at="key",
                    related=(((*path, first), "the other measure"),),
                )
        low, high = given.get(f"min_{unit}"), given.get(f"max_{unit}")
        if low is not None and high is not None and low > high:
            case.error(
                "bad-value",
                (*path, f"min_{unit}"),
                f"`min_{unit} = {low}` is above `max_{unit} = {high}`",
                "let the limits leave room between them",
            )


def patterns_compile(case: Case) -> None:
    """A forbidden pattern is a regular expression that does not match the empty text."""
    for name, reward in case.spec.rewards.items():
        if not isinstance(reward, ForbiddenReward):
            continue
        for position, pattern in enumerate(reward.patterns):
            path = ("rewards", name, "patterns", position)
            try:
                ready = compiled(pattern)
            except PatternError as error:
                case.error("bad-pattern", path, f"the pattern is no regular expression: {error}")
                continue
            if ready.search(""):
                case.error(
                    "bad-pattern",
                    path,
                    "the pattern is found in an empty text, and so in every completion",
                    "let it ask for one character at least",
                )


def range_rises(case: Case) -> None:
    """The range of the user's own reward goes from its lowest to its highest value."""
    for name, reward in case.spec.rewards.items():
        if isinstance(reward, PythonReward) and reward.range[0] >= reward.range[1]:
            low, high = reward.range
            case.error(
                "bad-value",
                ("rewards", name, "range"),
                f"the range of `{name}` does not rise: {low:g} to {high:g}",
                "write the lowest value first, as in `[0, 1]`",
            )


def _limits(reward: LengthReward) -> dict[str, int | None]:
    return {
        f"{limit}_{unit}": getattr(reward, f"{limit}_{unit}")
        for unit in ("tokens", "characters")
        for limit in ("target", "min", "max")
    }
