"""Completions that are cut at the limit."""

from windows import Run, recent

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
