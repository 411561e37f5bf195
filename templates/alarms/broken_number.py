"""A loss or a gradient that is no number."""

import math

from windows import Run, recent


def broken_number(run: Run) -> dict[str, str]:
    """One window is enough: what the optimizer was given once stays in the weights."""
    return {
        metric: f"{metric} is {values[0]}: go back to a checkpoint, with a lower learning_rate "
        f"(it is {run.args.learning_rate:g})"
        for metric in ("loss", "grad_norm")
        if (values := recent(run, metric, 1)) and not math.isfinite(values[0])
    }
