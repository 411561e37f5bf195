"""Which rows a stage learns from: those of `[data]` or its own, and in which form."""

from collections.abc import Iterator
from typing import NamedTuple

from spec_schema import TaskSpec
from spec_schema.data import EvalSource, Holdout, RowSource, TrainSource

__all__ = [
    "FORMATS",
    "PREFERENCE_METHODS",
    "RowTable",
    "asks_as_data",
    "builds_prompts",
    "compares_held_out",
    "format_of",
    "has_graded_rows",
    "is_asked",
    "is_evaluated",
    "is_measured",
    "is_taught_ideals",
    "is_unpaired",
    "learns_answers",
    "learns_conversations",
    "learns_turns",
    "method_of",
    "placed",
    "row_tables",
    "samples",
    "sources_of",
    "whole_prompts",
]

_ANSWERS = ("chosen", "rejected")
_PAIRS = (("prompt", *_ANSWERS), ("question", *_ANSWERS), _ANSWERS)
_PROMPTS = (("prompt",), ("messages",), ("question",))

# What a stage can learn from, by its method: the parts that `columns` names (TRL 1.16, dataset
# formats), `question` being a prompt to which `[prompt]` applies.
FORMATS: dict[str, tuple[tuple[str, ...], ...]] = {
    "sft": (("prompt", "completion"), ("question", "response"), ("messages",), ("text",)),
    "reward": (*_PAIRS, *((*pair, "margin") for pair in _PAIRS)),
    "dpo": _PAIRS,
    "kto": (("prompt", "completion", "label"), ("question", "completion", "label"), *_PAIRS),
    "grpo": _PROMPTS,
    "rloo": _PROMPTS,
}


PREFERENCE_METHODS = ("reward", "dpo", "kto")


class RowTable(NamedTuple):
    """A table that names rows: where it stands, its stage or None for `[data]`, its sources."""

    path: tuple[str, ...]
    stage: str | None
    train: TrainSource | None
    eval: EvalSource | None


def row_tables(spec: TaskSpec) -> Iterator[RowTable]:
    """`[data]`, and the `data` of each stage that has its own."""
    yield RowTable(("data",), None, spec.data.train, spec.data.eval)
    for name, stage in spec.stages.items():
        if stage.data is not None:
            yield RowTable(("stages", name, "data"), name, stage.data.train, stage.data.eval)


def sources_of(spec: TaskSpec) -> Iterator[tuple[tuple[str | int, ...], RowSource | Holdout]]:
    """Every source of rows, and every holdout, with the path of its table."""
    for table in row_tables(spec):
        for key, written in (("train", table.train), ("eval", table.eval)):
            yield from placed((*table.path, key), written)


def placed(
    path: tuple[str, ...], written: TrainSource | EvalSource | None
) -> Iterator[tuple[tuple[str | int, ...], RowSource | Holdout]]:
    """The sources of a key that stands at `path`, each with the path of its table."""
    if isinstance(written, list):
        yield from (((*path, position), source) for position, source in enumerate(written))
    elif written is not None:
        yield path, written


def format_of(spec: TaskSpec, name: str) -> tuple[str, ...]:
    """The parts that a stage's own `columns` name, in the order of the language; often none."""
    data = spec.stages[name].data
    return () if data is None or data.columns is None else tuple(data.columns.named())


def whole_prompts(spec: TaskSpec) -> tuple[str, str] | None:
    """The part, `messages` or `prompt`, and the column that hold whole prompts in `[data]`."""
    named = {} if spec.data.columns is None else spec.data.columns.named()
    return next(iter(named.items()), None)


def builds_prompts(spec: TaskSpec) -> bool:
    """Whether there is something that makes the prompt of a row: a template, or whole prompts."""
    return spec.prompt.user is not None or whole_prompts(spec) is not None


def is_asked(spec: TaskSpec, name: str) -> bool:
    """Whether `[prompt]` applies to the rows of a stage."""
    parts = format_of(spec, name)
    return not parts or "question" in parts


def asks_as_data(spec: TaskSpec) -> bool:
    """Whether there are rows with the columns of `[data]`, to which `[prompt]` applies."""
    return spec.data.train is not None or any(not format_of(spec, name) for name in spec.stages)


def has_graded_rows(spec: TaskSpec) -> bool:
    """Whether there are rows with the fields and the gold of `[data]`."""
    return asks_as_data(spec) or any(samples(spec, name) for name in spec.stages)


def samples(spec: TaskSpec, name: str) -> bool:
    """Whether a stage samples completions for its rows."""
    return FORMATS[spec.stages[name].method] is _PROMPTS


def is_taught_ideals(spec: TaskSpec, name: str) -> bool:
    """Whether a stage learns the ideal completions of `[prompt]`."""
    return spec.stages[name].method == "sft" and not format_of(spec, name)


def is_measured(spec: TaskSpec, name: str) -> bool:
    """Whether the prompts of a stage are held against `max_prompt_tokens`."""
    return samples(spec, name) or is_taught_ideals(spec, name)


def is_evaluated(spec: TaskSpec, name: str) -> bool:
    """Whether a stage is evaluated while it trains."""
    data = spec.stages[name].data
    held_out = spec.data.eval if data is None else data.eval
    return spec.run.eval_every is not None and held_out is not None


def compares_held_out(spec: TaskSpec, name: str) -> bool:
    """Whether a stage learns from preferences and holds some of them out."""
    stage = spec.stages[name]
    held_out = stage.data is not None and stage.data.eval is not None
    return held_out and stage.method in PREFERENCE_METHODS


def is_unpaired(spec: TaskSpec, name: str) -> bool:
    """Whether a stage learns from the two answers of a pair one by one."""
    return method_of(spec, name) == "kto" and "chosen" in format_of(spec, name)


def learns_answers(spec: TaskSpec, name: str) -> bool:
    """Whether a stage learns from answers that stand in rows of its own."""
    return bool(format_of(spec, name)) and not samples(spec, name)


def learns_turns(spec: TaskSpec, name: str) -> bool:
    """Whether a stage learns each turn of the assistant in a conversation, and no other."""
    stage = spec.stages[name]
    return (
        stage.method == "sft"
        and stage.assistant_only_loss
        and format_of(spec, name) == ("messages",)
    )


def learns_conversations(spec: TaskSpec, name: str) -> bool:
    """Whether a stage learns from answers of its own rows that a chat template renders."""
    return learns_answers(spec, name) and format_of(spec, name) != ("text",)


def method_of(spec: TaskSpec, name: str) -> str:
    """The method of a stage."""
    return spec.stages[name].method
