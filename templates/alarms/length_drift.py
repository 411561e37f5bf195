"""Completions that grow or shrink out of proportion."""

from statistics import fmean

from windows import Run, first, recent

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
