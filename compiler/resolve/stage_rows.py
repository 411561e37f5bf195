"""The rows that a training script gives to its trainer."""

from typing import NamedTuple

from compiler.resolve.inputs import Inputs
from spec_schema.stages.rollout import RolloutStage

__all__ = ["StageRows", "stage_rows"]


class StageRows(NamedTuple):
    """The expressions of the training and the held-out rows, with the import of their functions.

    `evaluation` is None where the stage does not evaluate while it trains.
    """

    train: str
    evaluation: str | None
    data_import: str


def stage_rows(inputs: Inputs, name: str) -> StageRows:
    """The rows of a stage."""
    stage = inputs.spec.stages[name]
    evaluates = inputs.spec.run.eval_every is not None
    names = ["load_train", "short_enough", *(["load_eval"] if evaluates else [])]
    train, evaluation = (
        f"short_enough({load}(), tokenizer)" for load in ("load_train", "load_eval")
    )
    if isinstance(stage, RolloutStage):
        names.append("enough_for")
        train = f"enough_for({stage.prompts_per_step}, {train})"
    else:
        names.append("to_prompt_completion")
        train, evaluation = (f"to_prompt_completion({rows})" for rows in (train, evaluation))
    return StageRows(
        train, evaluation if evaluates else None, f"from data import {', '.join(sorted(names))}"
    )
