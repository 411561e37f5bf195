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


# DAPO (arXiv 2503.14476, section 3.2): such groups have no gradient, and the batch shrinks to the
# rest. From 0.8 on a fifth of the step, or less, is learnt from.
NO_SPREAD = 0.8
NO_SPREAD_WINDOWS = 3


def no_spread(run: Run) -> dict[str, str]:
    """Rows that are all right or all wrong are too easy or too hard for the policy as it is."""
    shares = recent(run, "frac_reward_zero_std", NO_SPREAD_WINDOWS)
    if not shares or min(shares) < NO_SPREAD:
        return {}
    return {
        "frac_reward_zero_std": f"at least {min(shares):.0%} of the groups score alike, so that "
        "nothing is learnt from them: easier or harder rows, a reward with partial credit, a "
        f"larger num_generations (it is {run.args.num_generations}) or a higher temperature"
    }


# A completion that is cut has no answer, whatever it was about to say: with a fifth of them the
# reward measures the limit as much as the task.
CUT_OFF = 0.2
CUT_OFF_WINDOWS = 3


def cut_off(run: Run) -> dict[str, str]:
    """They count as cut and not as wrong: the limit is what has to change, or the length."""
    shares = recent(run, "completions/clipped_ratio", CUT_OFF_WINDOWS)
    if not shares or min(shares) < CUT_OFF:
        return {}
    return {
        "completions/clipped_ratio": f"at least {min(shares):.0%} of the completions are cut "
        f"before they end: a larger max_completion_length (it is {run.args.max_completion_length}),"
        " or a reward for shorter ones"
    }


# With ten steps to a window, hundreds of completions: a reward that can be earned at all is earned
# by one of them.
STUCK_WINDOWS = 5
EQUAL = 1e-6  # what differs by less does so by rounding


def stuck_reward(run: Run) -> dict[str, str]:
    """A reward that is full everywhere has been learnt; one that is stuck below teaches nothing."""
    found: dict[str, str] = {}
    for name, (lowest, highest) in run.ranges.items():
        metric = f"rewards/{name}/mean"
        means = recent(run, metric, STUCK_WINDOWS)
        spreads = recent(run, f"rewards/{name}/std", STUCK_WINDOWS)
        if not means or not spreads or max(spreads) > EQUAL or max(means) - min(means) > EQUAL:
            continue
        if means[-1] <= lowest + EQUAL:
            said = f"{name} has been {means[-1]:g}, its lowest, for every completion"
        elif means[-1] < highest - EQUAL:
            said = f"{name} has been {means[-1]:g} for every completion"
        else:
            continue
        found[metric] = (
            f"{said} of {STUCK_WINDOWS} logging windows: `python rewards.py --text FILE` with a "
            "completion says why; easier rows, SFT before this stage, or partial credit"
        )
    return found


UNJUDGED_WINDOWS = 3  # one may hold, by chance, only rows that a reward does not speak of


def unjudged_reward(run: Run) -> dict[str, str]:
    """TRL logs None where a reward gave None, or no finite number, for every completion."""
    found: dict[str, str] = {}
    for name in run.ranges:
        metric = f"rewards/{name}/mean"
        means = windows(run, metric)[-UNJUDGED_WINDOWS:]
        if len(means) == UNJUDGED_WINDOWS and not [mean for mean in means if mean is not None]:
            found[metric] = (
                f"{name} judged no completion of {UNJUDGED_WINDOWS} logging windows: look for its "
                "warnings, and for what it needs of a row; it adds nothing to the sum"
            )
    return found


# Of the entropy at the start. Reinforcement learning trades entropy for reward until there is
# none left to explore with (arXiv 2505.22617, section 2); a tenth is far down that way.
COLLAPSED = 0.1
COLLAPSE_WINDOWS = 3


def entropy_collapse(run: Run) -> dict[str, str]:
    """Completions of a group become the same, and there is nothing left to compare."""
    start = first(run, "entropy", COLLAPSE_WINDOWS)
    now = recent(run, "entropy", COLLAPSE_WINDOWS)
    if not start or not now or max(now) >= COLLAPSED * fmean(start):
        return {}
    return {
        "entropy": f"entropy fell from {fmean(start):.3g} to {now[-1]:.3g} nats a token: a lower "
        f"learning_rate (it is {run.args.learning_rate:g}), a higher temperature (it is "
        f"{run.args.temperature:g}) or a beta above 0 (it is {run.args.beta:g})"
    }


# Times the length at the start, or one over it. Longer reasoning may be what is learnt, or what a
# loss with a length bias drifts to (arXiv 2503.20783, section 3); half the length is a shortcut
# more often than a gain. Only reading tells.
DRIFT = 2.0
DRIFT_WINDOWS = 3


def length_drift(run: Run) -> dict[str, str]:
    """The mean length of the last windows beside that of the first ones."""
    start = first(run, "completions/mean_length", DRIFT_WINDOWS)
    now = recent(run, "completions/mean_length", DRIFT_WINDOWS)
    if not start or not now or 1 / DRIFT < fmean(now) / max(fmean(start), 1.0) < DRIFT:
        return {}
    return {
        "completions/mean_length": f"completions went from {fmean(start):.0f} to {fmean(now):.0f} "
        "tokens: read some; where they only fill the page or skip the work, a reward for length"
    }


# Nats a token between what vLLM and the policy say of a token that vLLM sampled. bfloat16 rounds a
# logit of 16 to 32 by 0.03 on average, which is no harm; a tenth is more than rounding.
APART = 0.1
# What completions weigh in the loss on average: near 1 where the two agree, and below a half where
# most are left out.
LEFT = 0.5
OTHER_WINDOWS = 3


def other_sampler(run: Run) -> dict[str, str]:
    """The loss takes what vLLM samples for the policy's own, and can make up for little."""
    metric = "sampling/sampling_logp_difference/mean"
    distances = recent(run, metric, OTHER_WINDOWS)
    if distances and min(distances) >= APART:
        return {
            metric: f"vLLM and the policy have been at least {min(distances):.2g} nats a token "
            "apart: they are not the same model; try use_vllm=False for a few steps"
        }
    metric = "sampling/importance_sampling_ratio/mean"
    weights = recent(run, metric, OTHER_WINDOWS)
    if weights and max(weights) < LEFT:
        return {
            metric: f"completions count {max(weights):.2f} on average or less, for what vLLM "
            "samples differs from the policy: a vllm_importance_sampling_mode of tokens (it is "
            f"{run.args.vllm_importance_sampling_mode}) keeps more of long ones"
        }
    return {}


# Nats a token. The start finds what the policy says exp(0.5) = 1.6 times as surprising as the
# policy does; nothing that the start can do is safe at such a distance.
FAR = 0.5
FAR_WINDOWS = 3


def far_from_start(run: Run) -> dict[str, str]:
    """The KL that a stage with a `beta` is held by; without one TRL logs none."""
    if not run.args.beta:
        raise SystemExit(
            "the alarm far_from_start needs the KL, which is not logged with beta = 0: set beta, "
            "or take the alarm out of ALARMS in monitor.py"
        )
    now = recent(run, "kl", FAR_WINDOWS)
    if not now or min(now) < FAR:
        return {}
    return {
        "kl": f"the KL to the start has been at least {min(now):.3g} nats a token: a larger beta "
        f"(it is {run.args.beta:g}) or a lower learning_rate (it is {run.args.learning_rate:g})"
    }
