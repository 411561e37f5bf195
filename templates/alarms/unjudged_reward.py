"""A reward that judges nothing."""

from windows import Run, windows

UNJUDGED_WINDOWS = 3  # one may hold, by chance, only rows that a reward does not speak of


def unjudged_reward(run: Run) -> dict[str, str]:
    """TRL logs None where a reward gave None, or no finite number, for every completion."""
    found: dict[str, str] = {}
    for name in run.ranges:
        metric = f"rewards/{name}/mean"
        means = windows(run, metric)[-UNJUDGED_WINDOWS:]
        if len(means) == UNJUDGED_WINDOWS and not [mean for mean in means if mean is not None]:
            found[metric] = (
                f"{name} judged no completion of {UNJUDGED_WINDOWS} logging windows: look for its "
                "warnings, and for what it needs of a row; it adds nothing to the sum"
            )
    return found
