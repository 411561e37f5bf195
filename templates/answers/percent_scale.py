"""Read 28% as 0.28."""

from number import Number


def percent_as_share(number: Number | None) -> Number | None:
    """Return `number` as a share of one where it is a percentage: 28% is 0.28."""
    return Number(number.value / 100, percent=False) if number and number.percent else number
