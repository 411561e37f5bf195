"""A policy that says one thing only."""

from statistics import fmean

from windows import Run, first, recent

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
