"""The time and the cost of stages as PLAN.md shows them."""

import math

from compiler.memory import MEMORY_CLASSES
from compiler.plan.stages import StagePlan
from compiler.resolve.inputs import Inputs
from compiler.resolve.starts import model_of
from compiler.resolve.throughput import HOUR, time_of, unmeasured
from compiler.throughput import SPEEDS, Interval

__all__ = ["time_lines", "time_notes"]

MINUTE = 60.0


def time_lines(inputs: Inputs, stage: StagePlan) -> tuple[str, ...]:
    """How long a step and the stage take, and what that costs; empty where it is not known."""
    found = time_of(inputs, stage)
    if found is None:
        return ()
    said = f"Time: {_duration(found.seconds)} a step"
    if found.hours is None:
        said += "; how long in all, only the data says"
    else:
        said += f", {_duration(_times(found.hours, HOUR))} in all"
    rate = f"{_between(found.rate)} tokens a second"
    cost = _cost(inputs, found.hours)
    return (f"{said}{cost}. With rows as long as they may be that is {rate}.",)


def time_notes(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[str, ...]:
    """What the times assume and come to together, or why there are none."""
    reason = _unknown(inputs)
    if reason is not None:
        priced = inputs.spec.hardware.price_per_gpu_hour is not None
        return (f"How long it takes{' and what it costs' * priced} is not estimated: {reason}.",)
    speed = SPEEDS[inputs.spec.hardware.tier]
    share = speed.efficiency
    if inputs.spec.hardware.backend == "unsloth" and speed.unsloth is not None:
        share = speed.unsloth
    assumed = (
        f"Times are good to a factor of two. They assume {share:.1%} of "
        f"{speed.operations / 1e12:,.0f} TFLOP/s in training"
    ).replace(".0%", " %")
    if any(stage.group for stage in stages):
        assumed += f", and 75 % of {speed.bandwidth / 1e9:,.0f} GB/s in sampling"
    return (
        f"{assumed}; loading, data, rewards, evaluation and checkpoints come on top.",
        *_together(inputs, stages),
    )


def _together(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[str, ...]:
    found = [time.hours for stage in stages if (time := time_of(inputs, stage)) is not None]
    known = [hours for hours in found if hours is not None]
    if len(stages) == 1 or len(known) != len(stages):
        return ()
    hours = Interval(sum(each.low for each in known), sum(each.high for each in known))
    return (f"All stages take {_duration(_times(hours, HOUR))}{_cost(inputs, hours)}.",)


def _unknown(inputs: Inputs) -> str | None:
    """Why no time is known."""
    tier = inputs.spec.hardware.tier
    if tier == "cpu":
        return "nothing is known of the CPU"
    if tier in {each.name for each in MEMORY_CLASSES}:
        return f"`{tier}` is a class of GPUs; a GPU's name as `tier` gives it"
    if tier not in SPEEDS:
        return f"no published run says how much of a `{tier}` training reaches"
    shapes = [inputs.architectures.get(model_of(inputs, name)) for name in inputs.stage_names]
    if None in shapes:
        return "the size of a model is not known"
    reasons = (unmeasured(shape) for shape in shapes if shape is not None)
    reason = next((reason for reason in reasons if reason is not None), None)
    return None if reason is None else f"no published run says {reason}"


def _cost(inputs: Inputs, hours: Interval | None) -> str:
    price = inputs.spec.hardware.price_per_gpu_hour
    if price is None or hours is None:
        return ""
    gpus = inputs.spec.hardware.gpus
    each = f"{price:g} an hour" if gpus == 1 else f"{price:g} an hour for each of {gpus} GPUs"
    return f", which costs {_between(_times(hours, price * gpus))} at {each}"


def _times(interval: Interval, factor: float) -> Interval:
    return Interval(interval.low * factor, interval.high * factor)


def _duration(seconds: Interval) -> str:
    """An interval of time in the largest unit of which there are two."""
    for unit, name in ((HOUR, "hours"), (MINUTE, "minutes")):
        if seconds.low >= 2 * unit:
            return f"{_between(_times(seconds, 1 / unit))} {name}"
    return f"{_between(seconds)} s"


def _between(interval: Interval) -> str:
    return f"{_two_digits(interval.low)} to {_two_digits(interval.high)}"


def _two_digits(number: float) -> str:
    """A number rounded to two digits, written out."""
    digits = 1 - math.floor(math.log10(number))
    return f"{round(number, digits):,.{max(digits, 0)}f}"
