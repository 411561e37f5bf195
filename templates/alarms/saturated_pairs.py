"""Pairs that are told apart to the full."""

from windows import Run, recent

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
