"""Intervals and tests, against values worked out in another way."""

import math
import random
from itertools import combinations, product
from statistics import fmean

import pytest
from difference_estimate import difference_estimate
from estimate import Estimate
from label_scores import NO_LABEL, label_scores
from mean_estimate import mean_estimate, t_quantile
from pass_at import pass_at
from ranking_estimate import ranking_estimate
from share_estimate import share_estimate
from sign_test import sign_test

UNKNOWN = Estimate(mean=None, low=None, high=None)


def ends(estimate: Estimate) -> tuple[float, float]:
    assert estimate["low"] is not None
    assert estimate["high"] is not None
    return estimate["low"], estimate["high"]


@pytest.mark.parametrize(("right", "rows"), [(0, 10), (3, 10), (81, 263), (50, 50), (1, 1)])
def test_at_the_ends_of_a_share_it_lies_just_in_reach(right: int, rows: int) -> None:
    """Wilson's interval holds the shares from which the one seen is at most 1.96 errors away."""
    low, high = ends(share_estimate([1.0] * right + [0.0] * (rows - right)))
    for end in (low, high):
        if 1e-6 < end < 1 - 1e-6:
            error = math.sqrt(end * (1 - end) / rows)
            assert abs(right / rows - end) / error == pytest.approx(1.959964)
    assert 0 <= low <= right / rows <= high <= 1


def test_a_share_is_as_published() -> None:
    """81 of 263 with z = 1.96: Newcombe (1998), table I, method 3."""
    assert ends(share_estimate([1.0] * 81 + [0.0] * 182)) == (
        pytest.approx(0.2553, abs=1e-4),
        pytest.approx(0.3662, abs=1e-4),
    )


def test_where_all_rows_agree_a_share_is_not_certain() -> None:
    assert ends(share_estimate([0.0] * 200))[1] > 0.01


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(3, 3.182), (4, 2.776), (9, 2.262), (30, 2.042), (199, 1.972)]
)
def test_the_quantiles_of_t_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, rel=0.01)


def test_nineteen_of_twenty_intervals_hold_the_mean() -> None:
    draw = random.Random(5)
    samples = [[draw.gauss(2.0, 3.0) for _ in range(8)] for _ in range(2000)]
    held = fmean(low <= 2.0 <= high for low, high in map(ends, map(mean_estimate, samples)))
    assert held == pytest.approx(0.95, abs=0.015)


def test_rows_that_are_not_judged_do_not_count() -> None:
    assert mean_estimate([1.0, None, 3.0]) == mean_estimate([1.0, 3.0])
    assert share_estimate([1.0, None]) == share_estimate([1.0])
    assert mean_estimate([None]) == share_estimate([]) == UNKNOWN
    assert (
        mean_estimate([2.5]) == mean_estimate([2.5, 2.5]) == Estimate(mean=2.5, low=None, high=None)
    )


@pytest.mark.parametrize(("right", "samples"), [(0, 4), (1, 4), (3, 5), (5, 5)])
def test_pass_at_counts_the_draws_that_hold_a_right_one(right: int, samples: int) -> None:
    marks = [True] * right + [False] * (samples - right)
    for k in range(1, samples + 1):
        share = fmean(any(draw) for draw in combinations(marks, k))
        assert pass_at(k, right, samples) == pytest.approx(share)


@pytest.mark.parametrize(("better", "worse"), [(0, 0), (1, 0), (5, 5), (9, 1), (2, 8), (0, 7)])
def test_the_sign_test_counts_the_splits_that_are_as_uneven(better: int, worse: int) -> None:
    splits = [sum(coins) for coins in product((0, 1), repeat=better + worse)]
    middle = (better + worse) / 2
    share = fmean(abs(heads - middle) >= abs(better - middle) for heads in splits)
    assert sign_test(better, worse) == pytest.approx(share)


def test_the_sign_test_of_many_rows_is_a_number() -> None:
    assert 0 < sign_test(5200, 4800) < 1e-4


def test_a_ranking_counts_pairs() -> None:
    estimate = ranking_estimate([3.0, 2.0, 2.0], [2.0, 1.0])
    assert estimate["mean"] == pytest.approx((1 + 1 + 0.5 + 1 + 0.5 + 1) / 6)
    assert ranking_estimate([1.0], []) == UNKNOWN


def test_the_interval_of_a_ranking_holds_the_share_in_most_samples() -> None:
    draw = random.Random(6)
    true = 0.5 * (1 + math.erf(1 / 2))  # of two normal numbers that are one apart in the mean
    held = [
        low <= true <= high
        for low, high in (
            ends(
                ranking_estimate(
                    [draw.gauss(1, 1) for _ in range(40)], [draw.gauss(0, 1) for _ in range(40)]
                )
            )
            for _ in range(400)
        )
    ]
    assert fmean(held) > 0.94
    assert ends(ranking_estimate([2.0] * 5, [1.0] * 90))[0] == ends(share_estimate([1.0] * 5))[0]


def test_labels_are_compared_each_with_all_others() -> None:
    golds = ["spam", "spam", "ham", "ham", "ham", None]
    given = ["spam", "ham", "ham", "ham", None, "spam"]
    scores = label_scores(golds, given, ("spam", "ham", "odd"))
    assert scores["confusion"] == {
        "spam": {"spam": 1, "ham": 1, "odd": 0, NO_LABEL: 0},
        "ham": {"spam": 0, "ham": 2, "odd": 0, NO_LABEL: 1},
        "odd": {"spam": 0, "ham": 0, "odd": 0, NO_LABEL: 0},
    }
    spam, ham = 2 / (2 + 1), 4 / (3 + 3)  # twice the hits over rows of it and answers with it
    assert scores["f1"] == {"spam": pytest.approx(spam), "ham": pytest.approx(ham)}
    assert scores["macro_f1"] == pytest.approx((spam + ham) / 2)


def test_the_interval_of_a_difference_holds_it_in_nineteen_of_twenty_samples() -> None:
    draw = random.Random(7)
    held = [
        low <= 1.0 <= high
        for low, high in (
            ends(
                difference_estimate(
                    [draw.gauss(1, 1) for _ in range(6)], [draw.gauss(0, 4) for _ in range(15)]
                )
            )
            for _ in range(2000)
        )
    ]
    assert fmean(held) == pytest.approx(0.95, abs=0.015)
    assert difference_estimate([1.0], []) == UNKNOWN
    assert difference_estimate([3.0], [1.0]) == Estimate(mean=2.0, low=None, high=None)
    alike = difference_estimate([3.0, 3.0], [1.0, 1.0])
    assert alike == Estimate(mean=2.0, low=None, high=None)
