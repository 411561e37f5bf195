"""The rows that a training script gives to its trainer."""

import math
from typing import TYPE_CHECKING, NamedTuple

from compiler.resolve.arguments.step import whole_epochs
from compiler.resolve.inputs import Inputs
from compiler.resolve.own_data import (
    format_of,
    is_evaluated,
    is_measured,
    is_taught_ideals,
    learns_turns,
    samples,
)
from compiler.resolve.steps import steps_of_rollout
from spec_schema.stages.rollout import RolloutStage

if TYPE_CHECKING:
    from spec_schema.stages.grpo import GrpoStage
    from spec_schema.stages.rloo import RlooStage

__all__ = ["StageRows", "stage_prompts", "stage_rows"]


class StageRows(NamedTuple):
    """The expressions of the training and the held-out rows, with the import of their functions.

    `evaluation` is None where the stage does not evaluate while it trains.
    """

    train: str
    evaluation: str | None
    data_import: str


def stage_rows(inputs: Inputs, name: str) -> StageRows:
    """The rows of a stage: those of `[data]`, or its own."""
    spec = inputs.spec
    stage = spec.stages[name]
    middle = "" if stage.data is None else f"{name}_"
    names = [f"load_{middle}train"]
    names += [f"load_{middle}eval"] if is_evaluated(spec, name) else []
    codes = [f"{load}()" for load in names]
    if is_measured(spec, name):
        codes = [f"short_enough({rows}, tokenizer)" for rows in codes]
        names.append("short_enough")
    if is_taught_ideals(spec, name):
        codes = [f"to_prompt_completion({rows})" for rows in codes]
        names.append("to_prompt_completion")
    train, *evaluation = codes
    if isinstance(stage, RolloutStage):
        names += ["enough_for", "in_epochs"]
        prompts = stage.prompts_per_step * stage.updates_per_rollout
        train = f"enough_for({prompts}, {train})"
        train = f"in_epochs({train}, {_laid_out(stage)}, seed={spec.project.seed})"
    return StageRows(
        train, next(iter(evaluation), None), f"from data import {', '.join(sorted(names))}"
    )


def stage_prompts(inputs: Inputs, name: str) -> tuple[str, str]:
    """The function that loads the rows of a stage, and the prompts of these as an expression."""
    spec = inputs.spec
    load = "load_train" if spec.stages[name].data is None else f"load_{name}_train"
    match format_of(spec, name):
        case ("messages",) if not (samples(spec, name) or learns_turns(spec, name)):
            return load, f'[turns[:-1] for turns in {load}()["messages"]]'
        case ("text",):
            return load, f'[[{{"role": "user", "content": text}}] for text in {load}()["text"]]'
        case _:
            return load, f'{load}()["prompt"]'


def _laid_out(stage: "GrpoStage | RlooStage") -> str:
    """How many rows a stage has before it, as an argument of `in_epochs`."""
    if stage.steps is None:
        return f"epochs={whole_epochs(stage)}"
    rollouts = math.ceil(stage.steps / steps_of_rollout(stage))
    return f"prompts={rollouts} * {stage.prompts_per_step * stage.updates_per_rollout}"
