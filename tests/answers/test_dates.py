"""Dates: what leaves no doubt is read, what does not only as the spec declares it."""

from datetime import date as day

import pytest
from date import parse_date
from hypothesis import given
from hypothesis import strategies as st

MARCH_5 = day(2024, 3, 5)


@pytest.mark.parametrize(
    "text",
    [
        *("2024-03-05", "2024-3-5", "2024/03/05", "\uff12\uff10\uff12\uff14-03-05"),
        *("5 March 2024", "05 march 2024", "5th March, 2024", "5th of March 2024", "5. March 2024"),
        *("March 5, 2024", "MARCH 5th 2024", "Mar. 5, 2024", "mar 5 2024", "5 Mar 2024"),
        *("2024 March 5", "**March 5, 2024**", r"\text{March 5, 2024}", "March 5, 2024."),
        "2024\u201103\u201105",
    ],
)
def test_a_form_without_doubt_is_read(text: str) -> None:
    assert parse_date(text) == MARCH_5


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "03/05/2024",
            "05.03.2024",
            "5/3/24",
            "March 2024",
            "2024",
            "2024-02-30",
            "2024-13-01",
        ),
        *("5 Mart 2024", "5 Ma 2024", "on 5 March 2024", "2024-03-05 or 2024-03-06", "5 mars 2024"),
        *("2024-03-05T10:00", "20240305", "9" * 100, "0000-01-01", "31 June 2024"),
    ],
)
def test_nothing_is_guessed(text: str) -> None:
    assert parse_date(text) is None


def test_the_order_of_day_and_month_is_the_declared_one() -> None:
    assert parse_date("05/03/2024", ("%d/%m/%Y",)) == MARCH_5
    assert parse_date("5/3/2024", ("%d/%m/%Y",)) == MARCH_5
    assert parse_date("03/05/2024", ("%m/%d/%Y",)) == MARCH_5
    assert parse_date("13/05/2024", ("%m/%d/%Y",)) is None
    assert parse_date("05.03.2024", ("%d/%m/%Y", "%d.%m.%Y")) == MARCH_5
    assert parse_date("Day 5, Mar, 2024", ("Day %d, %b, %Y",)) == MARCH_5


@given(st.dates(min_value=day(1000, 1, 1)))
def test_every_day_is_read_back(found: day) -> None:
    assert parse_date(found.isoformat()) == found
    assert parse_date(f"{found.day}.{found.month}.{found.year}", ("%d.%m.%Y",)) == found


@given(st.text(max_size=60), st.text(alphabet="%YmdBb/.,x ", max_size=12))
def test_reading_never_raises_on_a_text(text: str, other: str) -> None:
    assert parse_date(text) is None or parse_date(text) == parse_date(f" {text} ")
    parse_date(other)
