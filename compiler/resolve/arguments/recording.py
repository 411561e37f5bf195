"""Logging, evaluation and checkpoints of a stage."""

from collections.abc import Iterable

from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import chosen, keyed, tiered
from compiler.resolve.batch import solve_batch
from compiler.resolve.inputs import Inputs
from spec_schema.run import TrackingTable
from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["recording_arguments"]


def recording_arguments(inputs: Inputs, stage: Stage) -> Iterable[Argument]:
    """What is written down while a stage trains, and when."""
    run = inputs.spec.run
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
    if run.eval_every is not None:
        batch = solve_batch(inputs, stage)
        group = stage.num_generations if isinstance(stage, RolloutStage) else 1
        per_device = max(group, batch.per_device // group * group)
        yield keyed("eval_strategy", "steps", ("run", "eval_every"))
        yield keyed("eval_steps", run.eval_every, ("run", "eval_every"))
        yield tiered("per_device_eval_batch_size", per_device)
    yield keyed("save_steps", run.save_every, ("run", "save_every"))
    yield keyed("save_total_limit", run.keep, ("run", "keep"))
    if isinstance(run.tracking, TrackingTable):
        yield keyed("report_to", run.tracking.to, ("run", "tracking", "to"))
    else:
        yield keyed("report_to", run.tracking, ("run", "tracking"))
