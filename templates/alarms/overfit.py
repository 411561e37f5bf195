"""Held-out rows that are predicted worse again."""

from windows import Run

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
