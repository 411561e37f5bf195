"""A reward model that tells nothing apart."""

import math
from statistics import fmean

from windows import Run, recent

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
