"""Names of stages and rewards: known where they are used, and free where they are given."""

import builtins
import keyword
import sys
from collections.abc import Iterable

from compiler.closest import closest
from compiler.parse import KeyPath
from compiler.rules.case import Case
from spec_schema.stages import GrpoStage

__all__ = ["mixes_name_rewards", "names_are_free", "stages_are_ordered"]

# Functions and constants of the generated rewards.py, whose rewards are functions beside them.
REWARDS_MODULE = {
    *(
        "argparse",
        "columns",
        "completion_text",
        "completions",
        "explain",
        "gold",
        "ideal_completion",
    ),
    *("load_train", "main", "read_answer", "reasons", "same_answer", "score", "text", "tokenizer"),
    *("tokens", "without_end_tokens", "answers", "data", "data_report", "evaluate", "prompts"),
    *("readers", "rewards", "stages"),
}


def stages_are_ordered(case: Case) -> None:
    """`[project] stages` names every stage once; it may be left out where there is one."""
    stages, order = case.spec.stages, case.spec.project.stages
    path: KeyPath = ("project", "stages")
    if order is None:
        if len(stages) > 1:
            listed = ", ".join(f'"{name}"' for name in stages)
            case.error(
                "missing-key",
                ("project",),
                f"`stages` is missing: there are {len(stages)} stages and no order",
                f"add `stages = [{listed}]` in the order in which they run",
                at="key",
            )
        return
    for position, name in enumerate(order):
        if name not in stages:
            case.error(
                "unknown-stage",
                (*path, position),
                f"there is no stage `{name}`",
                *_meant(name, stages),
            )
        elif name in order[:position]:
            case.error("bad-value", (*path, position), f"stage `{name}` is listed twice")
    for name in stages:
        if name not in order:
            case.error(
                "unlisted-stage",
                ("stages", name),
                f"stage `{name}` is not in `[project] stages`, so that it would never run",
                "add it to the list, or remove the stage",
                at="key",
                related=((path, "the order of the stages"),),
            )


def names_are_free(case: Case) -> None:
    """A stage or reward is called like nothing else in the project's code."""
    for kind in ("stages", "rewards"):
        for name in getattr(case.spec, kind):
            taken = _taken(kind, name)
            if taken:
                case.error(
                    "reserved-name",
                    (kind, name),
                    f"a {kind[:-1]} cannot be called `{name}`: {taken}",
                    f"call it `{name}_{kind[:-1]}` or by what is special about it",
                    at="key",
                )


def mixes_name_rewards(case: Case) -> None:
    """The mix of a stage and `[eval] minimum` name rewards that exist, and something is paid."""
    rewards = case.spec.rewards
    for name, stage in case.spec.stages.items():
        if not isinstance(stage, GrpoStage) or stage.rewards is None:
            continue
        path: KeyPath = ("stages", name, "rewards")
        for position, reward in enumerate(stage.rewards):
            if reward not in rewards:
                is_list = isinstance(stage.rewards, list)
                case.error(
                    "unknown-reward",
                    (*path, position if is_list else reward),
                    f"there is no reward `{reward}` in `[rewards]`",
                    *_meant(reward, rewards),
                    at="value" if is_list else "key",
                )
    for reward in case.spec.eval.minimum:
        if reward not in rewards:
            case.error(
                "unknown-reward",
                ("eval", "minimum", reward),
                f"there is no reward `{reward}` in `[rewards]`",
                *_meant(reward, rewards),
                at="key",
            )


def _taken(kind: str, name: str) -> str | None:
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return "it is a keyword of Python"
    if kind == "rewards" and name in REWARDS_MODULE:
        return "the project's code has that name"
    if kind == "rewards" and name in dir(builtins):
        return "it is a builtin of Python"
    if kind == "rewards" and name in sys.stdlib_module_names:
        return "it is a module of Python"
    if kind == "stages" and name == "base":
        return "`base` stands for the base model"
    return None


def _meant(name: str, names: Iterable[str]) -> tuple[str, ...]:

    meant = closest(name, names)
    return (f"did you mean `{meant}`?",) if meant else ()
