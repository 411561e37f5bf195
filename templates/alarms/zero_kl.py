"""A reference point that is not measured."""

from windows import Run, recent

# KTO's estimate is negative by chance half the time, and cut at 0; ten steps to a window, never
# above 0 in fifty of them is no chance.
ZERO_KL_WINDOWS = 5


def zero_kl(run: Run) -> dict[str, str]:
    """The loss compares with the mean gain on mismatched answers, which stays at 0."""
    found = recent(run, "kl", ZERO_KL_WINDOWS)
    if not found or max(found) > 0:
        return {}
    return {
        "kl": f"the KL estimate has been 0 for {ZERO_KL_WINDOWS} logging windows: a larger "
        f"per_device_train_batch_size (it is {run.args.per_device_train_batch_size}), of whose "
        f"rows it is made, or a higher learning_rate (it is {run.args.learning_rate:g})"
    }
