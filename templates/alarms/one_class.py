"""Labels that are all the same."""

from windows import Run, windows

ONE_CLASS_WINDOWS = 3


def one_class(run: Run) -> dict[str, str]:
    """TRL logs the rewards of a class only where a batch holds a row of it."""
    found: dict[str, str] = {}
    for metric, label in (("rewards/chosen", "true"), ("rewards/rejected", "false")):
        values = windows(run, metric)[-ONE_CLASS_WINDOWS:]
        if len(values) == ONE_CLASS_WINDOWS and not [
            value for value in values if value is not None
        ]:
            found[metric] = (
                f"no row of {ONE_CLASS_WINDOWS} logging windows has the label {label}: look at the "
                "labels of the data; desirable_weight and undesirable_weight (they are "
                f"{run.args.desirable_weight:g} and {run.args.undesirable_weight:g}) balance two "
                "classes, not one"
            )
    return found
