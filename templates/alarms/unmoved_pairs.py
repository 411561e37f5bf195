"""Preferences that move nothing."""

from windows import Run, recent

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
