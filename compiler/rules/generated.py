"""Rows that generators of reasoning-gym make, and the reward that asks their verifiers."""

from itertools import combinations
from typing import TYPE_CHECKING

from compiler.closest import closest, quoted_list, shortened
from compiler.resolve.generated import (
    GENERATED_COLUMNS,
    first_seed,
    generated_sources,
    is_generated,
)
from compiler.resolve.ideal import row_parts
from compiler.resolve.own_data import placed, row_tables
from compiler.rules.case import Case
from compiler.rules.columns import cut_columns
from compiler.rules.texts import holes, prompt_templates
from spec_schema.data import Holdout
from spec_schema.stages.rollout import RolloutStage

if TYPE_CHECKING:
    from compiler.parse import KeyPath
    from spec_schema.data import EvalSource, TrainSource
    from spec_schema.generators import ReasoningGymSource

__all__ = [
    "generated_columns_exist",
    "generated_rows_differ",
    "generators_are_known",
    "verified_rows_are_generated",
]

LISTED = 12


def generators_are_known(case: Case) -> None:
    """A generator and its settings are among those of reasoning-gym."""
    sources = generated_sources(case.spec)
    if not sources:
        return
    from compiler.stack.generators import UNSTEADY, load_generators

    release, known = load_generators()
    for path, source in sources:
        name, settings = source.reasoning_gym, known.get(source.reasoning_gym)
        if settings is None:
            message = f"reasoning-gym {release} has no generator `{shortened(name)}`"
            place = (*path, "reasoning_gym")
            case.error("bad-value", place, message, *_meant(name, tuple(known)))
            continue
        if name in UNSTEADY:
            message = f"the generator `{name}` makes other rows in each process"
            hint = "take another one: a resumed run and an evaluation would not have these rows"
            case.error("bad-value", (*path, "reasoning_gym"), message, hint)
        for key in source.config:
            place = (*path, "config", key)
            if key in ("seed", "size"):
                other = "rows" if key == "size" else "seed"
                message = f"`{key}` is no setting of a generator here"
                hint = f"write `{other}` beside `reasoning_gym`"
                case.error("misplaced-key", place, message, hint, at="key")
            elif key not in settings:
                message = f"the generator `{name}` has no setting `{shortened(key)}`"
                case.error("unknown-key", place, message, *_meant(key, settings), at="key")


def generated_rows_differ(case: Case) -> None:
    """No two sources make the same rows."""
    for (path, first), (other, second) in combinations(generated_sources(case.spec), 2):
        if _make_the_same(case, first, second):
            case.error(
                "conflicting-keys",
                (*other, "seed"),
                f"`{second.reasoning_gym}` makes rows that another source has as well",
                "leave `seed` out: rows of other seeds are made",
                at="key",
                related=(((*path, "reasoning_gym"), "the other source"),),
            )


def generated_columns_exist(case: Case) -> None:
    """What the spec reads of a row is a column that generators make."""
    data = case.spec.data
    if not any(is_generated(source) for _, source in placed(("data", "train"), data.train)):
        return
    named: list[tuple[KeyPath, str, str]] = [
        (path, column, f"`{column}`") for path, column in cut_columns(case)
    ]
    parts = (*data.fields, *row_parts(case.spec), "gold", "gold_label", "options")
    for path, template in prompt_templates(case):
        names = (name for name in holes(template) if name not in parts)
        named += [(path, name, f"`{{{shortened(name)}}}`") for name in names]
    for path, name, shown in named:
        if name not in GENERATED_COLUMNS:
            message = f"{shown} is no column of a generated row"
            hint = f"there are {quoted_list(GENERATED_COLUMNS[:2], 'and')}"
            case.error("unknown-column", path, message, hint)


def verified_rows_are_generated(case: Case) -> None:
    """A verifier scores rows of a generator, which the rows of `[data]` and of its stages are."""
    for name, reward in case.spec.rewards.items():
        if reward.kind != "reasoning_gym":
            continue
        for path, written in _scored(case, name):
            sources = [source for _, source in placed(path, written)]
            if not any(is_generated(each) or isinstance(each, Holdout) for each in sources):
                case.error(
                    "conflicting-keys",
                    ("rewards", name),
                    f"reward `{name}` asks the generator of a row, and no generator makes these",
                    'write `{ reasoning_gym = "chain_sum", rows = 5000 }` as their source',
                    at="key",
                    related=((path, "the rows"),),
                )


def _meant(word: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """A hint at the name that was meant, else at those there are, where they are not too many."""
    if meant := closest(word, known):
        return (f"did you mean `{meant}`?",)
    if len(known) > LISTED:
        return ("its gallery shows them all: github.com/open-thought/reasoning-gym",)
    return (f"it has {quoted_list(known, 'and')}",) if known else ("leave `config` out",)


def _make_the_same(case: Case, first: "ReasoningGymSource", second: "ReasoningGymSource") -> bool:
    if (first.reasoning_gym, first.config) != (second.reasoning_gym, second.config):
        return False
    one, two = (first_seed(case.spec, each) for each in (first, second))
    return one < two + second.rows and two < one + first.rows


def _scored(case: Case, name: str) -> "list[tuple[tuple[str, ...], TrainSource | EvalSource]]":
    """The keys with rows that a reward scores, and what is written there."""
    found: list[tuple[tuple[str, ...], TrainSource | EvalSource]] = []
    for table in row_tables(case.spec):
        stage = None if table.stage is None else case.spec.stages[table.stage]
        if stage is not None and not (isinstance(stage, RolloutStage) and _pays(stage, name)):
            continue
        written = (("train", table.train), ("eval", table.eval))
        found += [((*table.path, key), rows) for key, rows in written if rows is not None]
    return found


def _pays(stage: RolloutStage, name: str) -> bool:
    return stage.rewards is None or name in stage.rewards
