"""Logging, evaluation and checkpoints of a stage."""

import math
from collections.abc import Iterable

from compiler.plan.mechanics import Batch
from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import chosen, keyed, tiered
from compiler.resolve.inputs import Inputs
from compiler.resolve.mechanics import mechanics_of
from compiler.resolve.mixes import moves
from compiler.resolve.own_data import is_evaluated
from compiler.resolve.steps import steps_of_rollout
from spec_schema.run import TrackingTable
from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["recording_arguments"]

# Trackers that call a run by its name; tensorboard knows runs by their folders.
NAMED_RUNS = ("trackio", "wandb")


def recording_arguments(inputs: Inputs, name: str) -> Iterable[Argument]:
    """What is written down while a stage trains, and when."""
    stage, run = inputs.spec.stages[name], inputs.spec.run
    logged = run.log_completions_every if isinstance(stage, RolloutStage) else None
    if logged is None and "logging_steps" not in stage.trainer:
        yield chosen("logging_steps", inputs.stack.default(stage.method, "logging_steps"))
    if logged is not None:
        path = ("run", "log_completions_every")
        yield keyed(
            "logging_steps", logged, path, comment="completions are logged with the metrics"
        )
        yield keyed("log_completions", value=True, path=path)
        yield chosen("num_completions_to_print", 2, comment="the tables on disk have them all")
    yield chosen(
        "logging_nan_inf_filter",
        value=False,
        comment="the filter would log a broken loss as 0.0",
    )
    if is_evaluated(inputs.spec, name):
        yield keyed("eval_strategy", "steps", ("run", "eval_every"))
        yield keyed("eval_steps", run.eval_every, ("run", "eval_every"))
        yield _eval_batch(mechanics_of(inputs, name).batch, stage)
    yield _save_steps(run.save_every, steps_of_rollout(stage), _window(inputs, name))
    yield keyed("save_total_limit", run.keep, ("run", "keep"))
    yield from _tracking(inputs, name)


def _eval_batch(batch: Batch, stage: Stage) -> Argument:
    """The batch of evaluation: on all GPUs together it holds whole groups (grpo_config.py:1118)."""
    key = "per_device_eval_batch_size"
    if not isinstance(stage, RolloutStage):
        return tiered(key, batch.per_device)
    group, processes = stage.num_generations, batch.processes
    least = group // math.gcd(group, processes)
    per_device = max(least, batch.per_device // least * least)
    whole = f"{per_device * processes // group} times {group} generations"
    return tiered(key, per_device, comment=whole + (f" on {processes} GPUs" * (processes > 1)))


def _tracking(inputs: Inputs, name: str) -> Iterable[Argument]:
    """Where the curves go; a run is called as its stage."""
    run, path = inputs.spec.run, ("run", "tracking")
    table = run.tracking if isinstance(run.tracking, TrackingTable) else None
    yield keyed("report_to", run.tracker, path if table is None else (*path, "to"))
    if run.tracker in NAMED_RUNS:
        yield chosen("run_name", name)
    if run.tracker == "trackio":
        project = table.project if table is not None else None
        yield keyed("project", project or inputs.spec.project.name, (*path, "project"))
    if table is not None and table.space is not None:
        yield keyed("trackio_space_id", table.space, (*path, "space"))


def _window(inputs: Inputs, name: str) -> int:
    """The steps of a logging window, where weights follow its means; else 1."""
    stage, spec = inputs.spec.stages[name], inputs.spec
    if not isinstance(stage, RolloutStage) or not moves(spec, stage):
        return 1
    default = inputs.stack.default(stage.method, "logging_steps")
    steps = spec.run.log_completions_every or stage.trainer.get("logging_steps", default)
    return int(steps) if steps >= 1 else 1


def _save_steps(every: int, rollout: int, window: int) -> Argument:
    """A checkpoint holds no rollout and no part of a logging window.

    One within a rollout could not go on with the same rows, and one within a window would go on
    with other means, which a weight may follow.
    """
    unit = math.lcm(rollout, window)
    whole = -(-every // unit) * unit
    of = f"rollouts of {rollout} steps" if rollout > 1 else f"logging windows of {window} steps"
    comment = "" if whole == every else f"{every}, rounded up to whole {of}"
    return keyed("save_steps", whole, ("run", "save_every"), comment=comment)
