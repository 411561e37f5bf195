"""A reward that says the same of every completion."""

from windows import Run, recent

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
