"""A figure, and how sure it is."""

from typing import TypedDict

Z = 1.959964  # a standard normal number is further from 0 in 5 % of cases


class Estimate(TypedDict):
    """A mean with its interval of 95 %; None where it is not known."""

    mean: float | None
    low: float | None
    high: float | None
