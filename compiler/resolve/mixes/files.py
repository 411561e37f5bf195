"""The project's files of weights: what moves them, what sets them, and what tries them out."""

from compiler.literals import literal
from compiler.plan.checks import RescoreFile
from compiler.plan.modules import WeightsFile
from compiler.plan.project import PlannedFile
from compiler.plan.rewards import RewardsFile
from compiler.resolve.inputs import Inputs
from compiler.resolve.mixes.totals import normalizes_first
from compiler.resolve.mixes.weights import schedules_of
from spec_schema import TaskSpec
from spec_schema.stages.rollout import RolloutStage

__all__ = ["plan_weights", "rollout_trainers"]


def plan_weights(inputs: Inputs, rewards: RewardsFile) -> tuple[PlannedFile, ...]:
    """rescore.py where completions are rewarded; schedules.py and weights.py where weights move."""
    if not rewards.mixes:
        return ()
    schedules = schedules_of(rewards.mixes)
    context = RescoreFile(
        has_eval=inputs.spec.data.eval is not None,
        counts_tokens=rewards.tokenizer is not None,
        moves=bool(schedules),
        adapts="Adaptive" in schedules,
        normalized=_normalized(inputs),
    )
    files = [PlannedFile("rescore.py", "rescore.py.jinja", context)]
    if schedules:
        pieces = (*(schedule.lower() for schedule in schedules), "weights_at")
        files += [
            PlannedFile("schedules.py", "schedules.py.jinja", None, pieces),
            PlannedFile("weights.py", "weights.py.jinja", _weights_file(inputs)),
        ]
    return tuple(files)


def rollout_trainers(spec: TaskSpec) -> tuple[str, ...]:
    """The trainers of TRL that sample completions in this project."""
    stages = spec.stages.values()
    methods = sorted({stage.method for stage in stages if isinstance(stage, RolloutStage)})
    return tuple(f"{method.upper()}Trainer" for method in methods)


def _weights_file(inputs: Inputs) -> WeightsFile:
    trainers = rollout_trainers(inputs.spec)
    return WeightsFile(f"from trl import {', '.join(trainers)}", " | ".join(trainers))


def _normalized(inputs: Inputs) -> str | None:
    names = tuple(
        name
        for name, stage in inputs.spec.stages.items()
        if isinstance(stage, RolloutStage) and normalizes_first(stage)
    )
    return literal(names) if names else None
