"""`[rewards]`: each has what it needs to score a completion."""

import re
from typing import TYPE_CHECKING

from compiler.literals import parse_template
from compiler.parse import KeyPath
from compiler.resolve.ideal import layout_tags, tags_named
from compiler.rules.case import Case
from compiler.rules.patterns import PatternError, compiled
from compiler.rules.texts import system_text

if TYPE_CHECKING:
    from spec_schema.rewards.length import LengthReward

__all__ = [
    "asked_models_are_there",
    "checks_answer_tells_right_from_wrong",
    "contains_looks_for_the_gold",
    "fields_are_compared",
    "format_has_tags",
    "length_has_one_measure",
    "patterns_compile",
    "range_rises",
    "reads_an_answer",
    "schemas_are_sound",
    "tokens_are_of_the_whole",
]


def asked_models_are_there(case: Case) -> None:
    """Reward models and judges can be asked; few specs have one."""
    if any(reward.kind in ("reward_model", "judge") for reward in case.spec.rewards.values()):
        from compiler.rules.judging import check_asked_models

        check_asked_models(case)


def reads_an_answer(case: Case) -> None:
    """What compares or looks at an answer needs `[answer]`, which says how it is read."""
    if case.spec.answer is not None:
        return
    for name, reward in case.spec.rewards.items():
        if reward.kind in ("correct", "cosine_length", "fields"):
            message = f"reward `{name}` compares answers, and there is no `[answer]`"
        elif getattr(reward, "on", None) == "answer":
            message = f"reward `{name}` looks at the answer, and there is no `[answer]`"
        else:
            continue
        case.error(
            "missing-key",
            ("rewards", name),
            message,
            'add `[answer]` with `extract`, and `gold = { column = "..." }` to `[data]`',
            at="key",
        )


def checks_answer_tells_right_from_wrong(case: Case) -> None:
    """What says that an answer is right pays a right one more than silence."""
    for name, reward in case.spec.rewards.items():
        penalty = reward.kind != "python" and reward.bounds()[1] <= 0
        if reward.checks_answer and (penalty or reward.pays_for == "length"):
            why = "an empty completion has its full mark" if penalty else "it pays for the length"
            case.error(
                "conflicting-keys",
                ("rewards", name, "checks_answer"),
                f'a reward of `kind = "{reward.kind}"` does not say what is right: {why}',
                "leave it out",
                at="key",
            )


def fields_are_compared(case: Case) -> None:
    """`fields` takes what `[answer]` says of each field of a JSON answer."""
    answer = case.spec.answer
    for name, reward in case.spec.rewards.items():
        if reward.kind == "fields" and answer is not None and answer.compare != "json":
            case.error(
                "conflicting-keys",
                ("rewards", name),
                f"reward `{name}` counts the fields of JSON, and answers are compared as "
                + (f"`{answer.compare}`" if isinstance(answer.compare, str) else "you say"),
                'write `compare = "json"` in `[answer]`',
                at="key",
                related=((("answer", "compare"), "the comparison"),),
            )


def contains_looks_for_the_gold(case: Case) -> None:
    """The needles of `contains` are templates of the gold, and one at least has it."""
    for name, reward in case.spec.rewards.items():
        if reward.kind != "contains":
            continue
        if case.spec.data.gold is None:
            message = f"reward `{name}` looks for the gold, and `[data]` has no `gold`"
            hint = 'add `gold = { column = "..." }` to `[data]`'
            case.error("missing-key", ("rewards", name), message, hint, at="key")
        found = [
            _holes(case, ("rewards", name, "needles", at), needle)
            for at, needle in enumerate(reward.needles)
        ]
        if not any(found):
            case.error(
                "bad-value",
                ("rewards", name, "needles"),
                "no needle holds `{gold}`, so that every row looks for the same",
                'write `"{gold}"` for the gold; words that are the same in every row are a reward '
                'of `kind = "keywords"`',
            )


def _holes(case: Case, path: KeyPath, needle: str) -> bool:
    """Whether a needle has the gold in it, or is wrong, which is reported."""
    try:
        names = {name for _, name in parse_template(needle) if name is not None}
    except ValueError as error:
        case.error(
            "bad-template", path, f"the needle is no template: {error}", "write `{{` for `{`"
        )
        return True
    for name in sorted(names - {"gold"}):
        message = f"`{{{name}}}` is not known in a needle"
        hint = "the one name is `{gold}`; write `{{` and `}}` for braces"
        case.error("bad-template", path, message, hint)
    return bool(names)


def format_has_tags(case: Case) -> None:
    """A layout of tags names them once each, or finds them in the prompt."""
    text = system_text(case)
    for name, reward in case.spec.rewards.items():
        if reward.kind not in ("xml_format", "xml_tags"):
            continue
        tags = tags_named(reward)
        if tags is None:
            if not layout_tags(case.spec, text):
                case.error(
                    "missing-key",
                    ("rewards", name),
                    f"reward `{name}` finds no tags in `[prompt]` and `[answer]`",
                    'name them: `tags = ["reasoning", "answer"]`',
                    at="key",
                )
            continue
        for position, tag in enumerate(tags):
            if tag in tags[:position]:
                case.error(
                    "bad-value",
                    ("rewards", name, "tags", position),
                    f"the tag `{tag}` is named twice",
                    "name each tag once",
                )


def length_has_one_measure(case: Case) -> None:
    """A length reward has a target or limits, in one unit, and the limits leave room."""
    for name, reward in case.spec.rewards.items():
        if reward.kind != "length":
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


def tokens_are_of_the_whole(case: Case) -> None:
    """A length in tokens is counted as they were sampled, so that no part can be looked at."""
    for name, reward in case.spec.rewards.items():
        if reward.kind != "length" or reward.on == "completion":
            continue
        for key, value in _limits(reward).items():
            if key.endswith("_tokens") and value is not None:
                case.error(
                    "conflicting-keys",
                    ("rewards", name, "on"),
                    f"`on` cannot stand beside `{key}`: tokens are counted as they were sampled, "
                    "over the whole completion",
                    f"write `{key.replace('tokens', 'characters')}`, or leave `on` out",
                    at="key",
                    related=((("rewards", name, key), "the limit in tokens"),),
                )


def patterns_compile(case: Case) -> None:
    """A pattern is a regular expression, and a forbidden one does not match the empty text."""
    for name, reward in case.spec.rewards.items():
        if reward.kind == "regex_format":
            _compiled(case, ("rewards", name, "pattern"), reward.pattern)
        if reward.kind != "forbidden":
            continue
        for position, pattern in enumerate(reward.patterns):
            path = ("rewards", name, "patterns", position)
            ready = _compiled(case, path, pattern)
            if ready is not None and ready.search(""):
                case.error(
                    "bad-pattern",
                    path,
                    "the pattern is found in an empty text, and so in every completion",
                    "let it ask for one character at least",
                )


def _compiled(case: Case, path: KeyPath, pattern: str) -> re.Pattern[str] | None:
    try:
        return compiled(pattern)
    except PatternError as error:
        case.error("bad-pattern", path, f"the pattern is no regular expression: {error}")
        return None


def range_rises(case: Case) -> None:
    """The range of the user's own reward goes from its lowest to its highest value."""
    for name, reward in case.spec.rewards.items():
        if reward.kind == "python" and reward.range[0] >= reward.range[1]:
            low, high = reward.range
            case.error(
                "bad-value",
                ("rewards", name, "range"),
                f"the range of `{name}` does not rise: {low:g} to {high:g}",
                "write the lowest value first, as in `[0, 1]`",
            )


def schemas_are_sound(case: Case) -> None:
    """A JSON schema is one, and can be met without a network."""
    for name, reward in case.spec.rewards.items():
        if reward.kind == "json_schema":
            from compiler.rules.schemas import check_schema

            check_schema(case, ("rewards", name, "schema"), reward.schema_)


def _limits(reward: "LengthReward") -> dict[str, int | None]:
    return {
        f"{limit}_{unit}": getattr(reward, f"{limit}_{unit}")
        for unit in ("tokens", "characters")
        for limit in ("target", "min", "max")
    }
