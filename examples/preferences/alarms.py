"""The alarms: each looks at a run's log, and returns what is wrong by the metric that shows it."""

import math
from collections.abc import Mapping
from statistics import fmean, median
from typing import Any, NamedTuple


class Run(NamedTuple):
    """A run as far as it is logged, with its config and the ranges of the rewards that it pays."""

    log: list[dict[str, Any]]
    args: Any
    ranges: Mapping[str, tuple[float, float]]


def windows(run: Run, metric: str) -> list[Any]:
    """A metric in the logging windows of training so far; None where a window has it not."""
    return [entry.get(metric) for entry in run.log if "loss" in entry]


def recent(run: Run, metric: str, count: int) -> list[float]:
    """The metric in the last `count` windows; empty where one lacks it, or there are fewer."""
    return whole(windows(run, metric)[-count:], count)


def first(run: Run, metric: str, count: int) -> list[float]:
    """The metric in the first `count` windows; empty where one lacks it, or there are fewer."""
    return whole(windows(run, metric)[:count], count)


def whole(values: list[Any], count: int) -> list[float]:
    """The values, where so many are there and none is missing."""
    found = [value for value in values if value is not None]
    return found if len(found) == count else []


def broken_number(run: Run) -> dict[str, str]:
    """One window is enough: what the optimizer was given once stays in the weights."""
    return {
        metric: f"{metric} is {values[0]}: go back to a checkpoint, with a lower learning_rate "
        f"(it is {run.args.learning_rate:g})"
        for metric in ("loss", "grad_norm")
        if (values := recent(run, metric, 1)) and not math.isfinite(values[0])
    }


# Times the median so far. What is logged is one step of a window, before clipping: single steps
# of three or four times the median are common in a run that learns well.
GRADIENT_SPIKE = 10.0
GRADIENT_WINDOWS = 10  # before which there is no usual size


def gradient_spike(run: Run) -> dict[str, str]:
    """Such a step points at broken rows, or comes before the loss leaves its course."""
    norms = [norm for norm in windows(run, "grad_norm") if norm is not None and math.isfinite(norm)]
    # A step whose groups all score alike has a gradient of 0, and says nothing of the usual size.
    before = [norm for norm in norms[:-1] if norm > 0]
    if len(before) < GRADIENT_WINDOWS:
        return {}
    usual = median(before)
    if norms[-1] < GRADIENT_SPIKE * usual:
        return {}
    said = f"grad_norm is {norms[-1]:.3g}, {norms[-1] / usual:.0f} times its median"
    return {
        "grad_norm": f"{said}: a lower learning_rate (it is {run.args.learning_rate:g}) or "
        f"max_grad_norm (it is {run.args.max_grad_norm:g})"
    }


# Nats a token, and the share of tokens that are the likeliest: what is left to learn is how a
# single row is worded.
MEMORISED_LOSS = 0.02
MEMORISED_ACCURACY = 0.995
MEMORISED_WINDOWS = 3


def memorised(run: Run) -> dict[str, str]:
    """More steps make the model surer of these rows and worse at others."""
    losses = recent(run, "loss", MEMORISED_WINDOWS)
    accuracies = recent(run, "mean_token_accuracy", MEMORISED_WINDOWS)
    if not losses or not accuracies:
        return {}
    if max(losses) > MEMORISED_LOSS or min(accuracies) < MEMORISED_ACCURACY:
        return {}
    return {
        "loss": f"loss is {losses[-1]:.2g} and {accuracies[-1]:.1%} of the tokens are predicted: "
        "the rows are learnt by heart; fewer steps or epochs, or more rows"
    }


# Of the share of pairs in the right order about 0.5, and of the loss about ln 2, both of a model
# that guesses.
GUESSING = 0.05
GUESSING_LOSS = 0.02
GUESSING_WINDOWS = 10


def coin_flip(run: Run) -> dict[str, str]:
    """After a hundred steps, with ten to a window, something should be learnt."""
    accuracies = recent(run, "accuracy", GUESSING_WINDOWS)
    losses = recent(run, "loss", GUESSING_WINDOWS)
    if not accuracies or not losses:
        return {}
    if abs(fmean(accuracies) - 0.5) > GUESSING or fmean(losses) < math.log(2) - GUESSING_LOSS:
        return {}
    return {
        "accuracy": f"{fmean(accuracies):.0%} of the pairs are in order, as by guessing: look at "
        "the rows, whose columns may be swapped in some; or a higher learning_rate (it is "
        f"{run.args.learning_rate:g})"
    }


OVERFIT = 1.05  # times the lowest loss on held-out rows; what is below may be chance
OVERFIT_EVALUATIONS = 2


def overfit(run: Run) -> dict[str, str]:
    """What is learnt from now on holds for the training rows alone."""
    losses = [entry["eval_loss"] for entry in run.log if "eval_loss" in entry]
    lately = losses[-OVERFIT_EVALUATIONS:]
    if len(losses) <= OVERFIT_EVALUATIONS or min(lately) < OVERFIT * min(losses):
        return {}
    return {
        "eval_loss": f"the loss on held-out rows rose from {min(losses):.3g} to {lately[-1]:.3g}: "
        "fewer steps or epochs; an earlier checkpoint is better"
    }


# Exactly 0 in the very first step, where policy and reference are the same, and never after it:
# sigmoid's loss is ln 2 = 0.6931 as long.
UNMOVED = 1e-6
UNMOVED_WINDOWS = 3


def unmoved_pairs(run: Run) -> dict[str, str]:
    """To the model chosen and rejected are the same, or it does not learn at all."""
    margins = recent(run, "rewards/margins", UNMOVED_WINDOWS)
    if not margins or max(map(abs, margins)) > UNMOVED:
        return {}
    return {
        "rewards/margins": f"the margin has been 0 for {UNMOVED_WINDOWS} logging windows, with a "
        "loss as at the start (ln 2 for sigmoid): chosen equals rejected, both are empty, or they "
        f"are the same up to max_length (it is {run.args.max_length}); or learning_rate (it is "
        f"{run.args.learning_rate:g}) is too low"
    }


# Nats for a whole answer: e**10 = 22,000 times less likely than at the start. That both fall
# while the margin grows is known as likelihood displacement (arXiv 2410.08847).
CHOSEN_FALL = 10.0
CHOSEN_WINDOWS = 3


def chosen_falls(run: Run) -> dict[str, str]:
    """The loss is about the difference, which also grows where both fall, rejected faster."""
    gained = recent(run, "rewards/chosen", CHOSEN_WINDOWS)
    margins = recent(run, "rewards/margins", CHOSEN_WINDOWS)
    if not gained or not margins or min(margins) <= 0 or not run.args.beta:
        return {}
    fall = -max(gained) / run.args.beta
    if fall < CHOSEN_FALL:
        return {}
    return {
        "rewards/chosen": f"chosen answers lost {fall:.0f} nats on the start while the margin grew:"
        f" a larger beta (it is {run.args.beta:g}) or a lower learning_rate (it is "
        f"{run.args.learning_rate:g})"
    }


# At a margin of 5 the gradient of sigmoid's loss is under one hundredth of that at the start.
SATURATED_MARGIN = 5.0
SATURATED_ACCURACY = 0.99
SATURATED_WINDOWS = 3


def saturated_pairs(run: Run) -> dict[str, str]:
    """Nothing is left to learn of these pairs; the margin grows at the cost of all else."""
    margins = recent(run, "rewards/margins", SATURATED_WINDOWS)
    accuracies = recent(run, "rewards/accuracies", SATURATED_WINDOWS)
    if not margins or not accuracies:
        return {}
    if min(margins) < SATURATED_MARGIN or min(accuracies) < SATURATED_ACCURACY:
        return {}
    return {
        "rewards/margins": f"{min(accuracies):.0%} of the pairs are in order with a margin of "
        f"{margins[-1]:.3g}: fewer steps or epochs, or a larger beta (it is {run.args.beta:g}); "
        "or something as plain as the length tells chosen from rejected"
    }
