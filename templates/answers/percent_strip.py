"""Read 28% as 28."""

from number import Number


def percent_dropped(number: Number | None) -> Number | None:
    """Return `number` without its percent sign: 28% is 28."""
    return number and Number(number.value, percent=False)
