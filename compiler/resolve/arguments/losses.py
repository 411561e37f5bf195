"""The settings of a stage's loss: those of the spec, and those that the loss is nothing without."""

from collections.abc import Collection, Iterable

from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import defaulted, keyed
from compiler.resolve.inputs import Inputs
from compiler.stack.loss_defaults import loss_defaults

__all__ = ["loss_arguments"]


def loss_arguments(
    inputs: Inputs,
    name: str,
    losses: Iterable[str],
    keys: Iterable[str],
    shown: Collection[str] = (),
) -> Iterable[Argument]:
    """The named keys of a stage that are written, or that its losses want.

    Others keep TRL's default, which is written out for those of `shown`.
    """
    stage = inputs.spec.stages[name]
    wanted = {default.field: default for default in loss_defaults(stage.method, losses)}
    for key in keys:
        value = getattr(stage, key)
        if value is not None:
            yield keyed(key, value, ("stages", name, key))
        elif key in wanted:
            default = wanted[key]
            yield defaulted(key, default.value, default.reason, comment=default.reason)
        elif key in shown:
            yield defaulted(key, inputs.stack.default(stage.method, key), "TRL's default")
