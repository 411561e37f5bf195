"""Read a text that is wholly a date."""

import re
from datetime import date
from functools import cache

from normal_form import normal_form
from number import DASHES
from undress import undressed

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
# Forms that leave no doubt which number is the day and which the month.
PLAIN_DATES = ("%Y-%m-%d", "%Y/%m/%d", "%d %B %Y", "%d. %B %Y", "%B %d %Y", "%Y %B %d")
DATE_PARTS = {
    "%Y": r"(?P<year>\d{4})",
    "%m": r"(?P<month>\d{1,2})",
    "%d": r"(?P<day>\d{1,2})",
    "%B": r"(?P<name>[a-z]{3,9})\.?",
    "%b": r"(?P<name>[a-z]{3,9})\.?",
}
LONGEST_DATE = 50  # characters


def parse_date(text: str, formats: tuple[str, ...] = ()) -> date | None:
    """Return the day that `text` wholly is, in one of `formats` or in a form without doubt.

    Nothing is guessed: `03/04/2024` is a date only where a format says so. Months have their
    English names, whole or cut off behind three letters; a day may be `5th`.
    """
    if len(text) > LONGEST_DATE:
        return None
    plain = undressed(normal_form(text).translate(DASHES)).rstrip(".").lower()
    plain = re.sub(
        r"(\d)(?:st|nd|rd|th)\b(?: of\b)?", r"\1", " ".join(plain.replace(",", " ").split())
    )
    for pattern in map(date_pattern, (*PLAIN_DATES, *formats)):
        found = pattern.fullmatch(plain)
        day = found and day_of(found.groupdict())
        if day:
            return day
    return None


@cache
def date_pattern(form: str) -> re.Pattern[str]:
    """Return a regular expression for a format of `%Y`, `%m`, `%d`, `%B` and `%b`."""
    parts = re.split("(%[YmdBb])", " ".join(form.replace(",", " ").split()))
    return re.compile("".join(DATE_PARTS.get(part) or re.escape(part.lower()) for part in parts))


def day_of(parts: dict[str, str | None]) -> date | None:
    """Return the day that a year, a month and a day make, None where the calendar lacks it."""
    name = parts.get("name")
    months = [number for number, month in enumerate(MONTHS, 1) if name and month.startswith(name)]
    try:
        month = int(parts["month"] or 0) if name is None else months[0]
        return date(int(parts["year"] or 0), month, int(parts["day"] or 0))
    except (IndexError, ValueError):
        return None
