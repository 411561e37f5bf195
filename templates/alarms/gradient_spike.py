"""A gradient far out of its usual size."""

import math
from statistics import median

from windows import Run, windows

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
