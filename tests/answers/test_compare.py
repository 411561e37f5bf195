"""When an answer equals a gold, under each policy, composed as a project composes it."""

from fractions import Fraction

import pytest
from compare_exact import same_exact
from compare_number import same_number
from compare_number_close import close_number
from grouping_indian import without_lakhs
from grouping_thousands import without_thousands
from hypothesis import given
from hypothesis import strategies as st
from normal_form import normal_form
from number import Number, parse_number
from percent_scale import percent_as_share
from percent_strip import percent_dropped
from unit import without_unit
from whitespace_collapse import with_single_blanks
from whitespace_remove import without_blanks


def number(text: str) -> Number | None:
    return parse_number(without_thousands(text))


def same(answer: str, gold: str) -> bool:
    return same_number(number(answer), number(gold))


def test_exact_keeps_everything_but_dressing_and_outer_blanks() -> None:
    assert same_exact(" 5\n", "5")
    assert same_exact("5", "**$5$**")
    assert not same_exact("5.0", "5")
    assert not same_exact("a", "A")
    assert not same_exact("", "")
    assert not same_exact(" ", "")


def test_text_policies() -> None:
    assert normal_form("\uff21\ufb01") == "Afi"
    assert with_single_blanks(normal_form(" a\n\u00a0b ")) == "a b"
    assert without_blanks(normal_form("a b\nc")) == "abc"
    assert with_single_blanks(normal_form("Stra\u00dfe")).casefold() == "strasse"


@pytest.mark.parametrize(
    ("text", "other"),
    [("10\u00b2", "102"), ("10\u2082", "102"), ("2\u00bd", "21/2"), ("x\u00b2", "x2")],
)
def test_the_normal_form_does_not_fuse_digits(text: str, other: str) -> None:
    assert normal_form(text).replace("\u2044", "/") != other


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("+5", 5),
        ("-5", -5),
        ("\u22125", -5),
        ("\uff0d\uff15", -5),
        ("007", 7),
        ("5.", 5),
        (".5", Fraction(1, 2)),
        ("1.50", Fraction(3, 2)),
        ("1,234", 1234),
        ("1,234,567.89", Fraction(123456789, 100)),
        ("1 234", 1234),
        ("1\u00a0234", 1234),
        ("1\u2009234", 1234),
        (r"1\,234", 1234),
        ("1{,}234", 1234),
        (r"1,\!234,\!567", 1234567),
        ("\u20a9 5,000", 5000),
        ("\uff11\uff0c\uff12\uff13\uff14", 1234),
        ("$1,234.00", 1234),
        ("-$5", -5),
        ("$-5", -5),
        ("5\u20ac", 5),
        ("\u20ac 5", 5),
        ("$5$", 5),
        ("$$5$$", 5),
        (r"\(5\)", 5),
        (r"\[ 5 \]", 5),
        (r"\text{5}", 5),
        (r"\boxed{\text{5}}", 5),
        ("**5**", 5),
        ("**5.**", 5),
        ("`5`", 5),
        ("1/2", Fraction(1, 2)),
        ("-1/2", Fraction(-1, 2)),
        (r"\frac{1}{2}", Fraction(1, 2)),
        (r"-\frac{1}{2}", Fraction(-1, 2)),
        (r"\frac{-1}{2}", Fraction(-1, 2)),
        (r"\dfrac{9}{7}", Fraction(9, 7)),
        (r"\frac12", Fraction(1, 2)),
        ("\u00bd", Fraction(1, 2)),
        ("2 2/3", Fraction(8, 3)),
        ("-2 2/3", Fraction(-8, 3)),
        (r"2\frac{2}{3}", Fraction(8, 3)),
        ("2\u00bd", Fraction(5, 2)),
        ("2 100/200", Fraction(5, 2)),
        ("1.5e3", 1500),
        ("1.5E-3", Fraction(3, 2000)),
        (r"1.5 \times 10^{3}", 1500),
        ("1.5\u00d710\u207b\u00b3", Fraction(3, 2000)),
    ],
)
def test_what_a_number_is(text: str, value: Fraction | int) -> None:
    assert number(text) == Number(Fraction(value), percent=False)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ".", "-", "$", "five", "x = 5", "5 x", "14 ways", "there are 14 ways"),
        *("1,23", "1,2345", "1,234,56", "12,34,567", "0,123", "1.234,5", "1234 567", "1,2,3"),
        *("1/0", "4 10/3", "1/2/3", "3-5", "5--", "1e", "5%%", "1 2", "1$2", "10\u00b2", "5!"),
        *(r"1,\!23", r"1,\!234,567", r"0,\!123"),
        *("inf", "nan", "1_000", "0x10", "1e9999", "1e999999999", "9" * 501, r"\frac{1}{2"),
        *(r"\boxed{5", r"1-\sqrt{2}", "1331 and 1728", r"a=1 \text{ or } a=-2", "\\"),
    ],
)
def test_what_is_not_wholly_a_number_is_none(text: str) -> None:
    assert number(text) is None


def test_no_separator_is_read_without_a_grouping() -> None:
    assert parse_number("1,234") is None
    assert parse_number("1\u00a0234") is None
    assert parse_number("1234") == Number(Fraction(1234), percent=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,00,000", 100_000),
        ("12,34,567.5", Fraction(2469135, 2)),
        ("1,234", 1234),
        ("1,00,00", None),
        (r"1,\!00,\!000", 100_000),
    ],
)
def test_indian_grouping(text: str, value: Fraction | int | None) -> None:
    found = parse_number(without_thousands(without_lakhs(text)))
    assert (found and found.value) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("14 ways", 14),
        ("**14** ways.", 14),
        ("$14$ ways", 14),
        (r"14\text{ ways}", 14),
        (r"14\,\mathrm{km}", 14),
        ("14 m", 14),
        ("14 cm", None),
        (r"1\,234\text{ km}", 1234),
        ("25 m\u00b2", 25),
        ("Rs. 1,500", 1500),
        ("5 sq. ft.", 5),
        ("there are 14 ways", None),
        ("ways", None),
    ],
)
def test_declared_units_are_dropped(text: str, value: int | None) -> None:
    units = ("ways", "m", "km", "m\u00b2", "Rs.", "sq. ft.")
    for found in (
        parse_number(without_unit(without_thousands(text), units)),
        parse_number(without_thousands(without_unit(text, units))),
    ):
        assert (found and found.value) == value


@pytest.mark.parametrize("text", ["28%", r"$28\%$", "28 percent", "**28 per cent.**", "$28$%"])
def test_percent_policies(text: str) -> None:
    percentage, plain, share = number(text), number("28"), number("0.28")
    assert percentage == Number(Fraction(28), percent=True)
    assert not same_number(plain, percentage)
    assert not same_number(share, percentage)
    assert same_number(plain, percent_dropped(percentage))
    assert not same_number(share, percent_dropped(percentage))
    assert same_number(share, percent_as_share(percentage))
    assert not same_number(plain, percent_as_share(percentage))
    assert percent_dropped(None) is None
    assert percent_as_share(None) is None
    assert percent_as_share(plain) == percent_dropped(plain) == plain


def test_numbers_are_compared_exactly() -> None:
    assert same("0.1", "1/10")
    assert same("72.0", "72")
    assert not same("0.3333333333333333333", "1/3")
    assert not same("9007199254740993", "9007199254740992")
    assert not same("-5", "5")
    assert not same("five", "five")


def test_tolerances_hold_up_to_their_own_edge() -> None:
    assert close_number(number("1.3"), number("1"), tolerance=0.3)
    assert not close_number(number("1.3000001"), number("1"), tolerance=0.3)
    assert close_number(number("-101"), number("-100"), relative_tolerance=0.01)
    assert not close_number(number("-102"), number("-100"), relative_tolerance=0.01)
    assert close_number(number("102"), number("100"), tolerance=2.0, relative_tolerance=0.01)
    assert close_number(number("5"), number("5.0"))
    assert not close_number(number("28"), number("28%"), tolerance=1.0)
    assert not close_number(None, number("5"), tolerance=1.0)
    assert not close_number(number("5"), None, tolerance=1.0)
    assert close_number(number("1e-20"), number("0"), tolerance=1e-12)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15))
def test_every_number_equals_itself_however_it_is_dressed(value: object) -> None:
    plain = f"{value:f}"
    grouped = f"{value:,f}"
    for text in (grouped, f"**{plain}**", f"${plain}$", f"\\boxed{{{plain}}}", f"{plain}."):
        assert same(text, plain)


@given(st.text(), st.text())
def test_comparing_never_raises(answer: str, gold: str) -> None:
    same(answer, gold)
    same_exact(normal_form(answer), normal_form(gold))
    parse_number(without_unit(without_lakhs(answer), (gold, "m")))


@given(st.text(max_size=30))
def test_the_normal_form_is_stable(text: str) -> None:
    once = with_single_blanks(normal_form(text))
    assert with_single_blanks(normal_form(once)) == once


@pytest.mark.parametrize(
    "text", ["1," * 500_000, "1,234" * 200_000, "1 234 " * 100_000, "9" * 10**6]
)
def test_a_megabyte_is_no_number(text: str) -> None:
    assert parse_number(without_thousands(without_lakhs(text))) is None
