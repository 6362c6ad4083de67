"""Local days and times of games, and their words. A day ends at 5 in the morning, so that an evening is one day."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from companion.core.text import N_, NC_, Text

if TYPE_CHECKING:
    from .results import GameResult

UNSET = 1_767_225_600.0
"""1 January 2026. A clock with an earlier time was never set."""

BEYOND = 7_258_118_400.0
"""1 January 2200. No game was played later; a file of another box may claim any time."""

DAY_ENDS = timedelta(hours=5)  # the local time at which a day ends


def known_time(moment: float) -> float:
    """Return a moment of a box's clock in seconds since 1970; 0 if the clock was not set.

    >>> known_time(5.0), known_time(1e300)
    (0.0, 0.0)
    """
    return moment if UNSET <= moment < BEYOND else 0.0


def local(moment: float) -> datetime | None:
    """Return a moment as local date and time; None if the calendar cannot represent it."""
    try:
        return datetime.fromtimestamp(moment)
    except (ValueError, OverflowError, OSError):
        return None


def noted(moment: float) -> datetime | None:
    """Return the local date and time of an entry; None if the clock had not been set."""
    return None if moment < UNSET else local(moment)


def written(moment: float, form: str) -> str:
    """Return a moment as local date and time in a form of `datetime.strftime`; empty if it is not known."""
    shown = local(moment) if moment else None
    return "" if shown is None else f"{shown:{form}}"


def day_at(moment: float) -> date | None:
    """Return the local day of a moment in seconds since 1970; None if it is 0: the clock was not set.

    >>> from datetime import datetime
    >>> day_at(datetime(2026, 11, 21, 4, 59).timestamp())
    datetime.date(2026, 11, 20)
    """
    if not moment:
        return None
    shown = local(moment)
    return None if shown is None else day_with(shown)


def day_with(moment: datetime) -> date | None:
    """Return the day that a local date and time belongs to; None if it is before the calendar begins."""
    try:
        return (moment - DAY_ENDS).date()
    except OverflowError:
        return None


def day_of(result: GameResult) -> date | None:
    """Return the local day on which a game began; where that is not known, on which it ended; else None."""
    return day_at(result.begun) or day_at(result.ended)


# In words

WEEKDAYS = (
    N_("Monday {date}"),
    N_("Tuesday {date}"),
    N_("Wednesday {date}"),
    N_("Thursday {date}"),
    N_("Friday {date}"),
    N_("Saturday {date}"),
    N_("Sunday {date}"),
)
"""The days of the week with a date."""

MONTHS = (
    N_("{day} January"),
    N_("{day} February"),
    N_("{day} March"),
    N_("{day} April"),
    N_("{day} May"),
    N_("{day} June"),
    N_("{day} July"),
    N_("{day} August"),
    N_("{day} September"),
    N_("{day} October"),
    N_("{day} November"),
    N_("{day} December"),
)

SHORT = (
    N_("{day} Jan"),
    N_("{day} Feb"),
    N_("{day} Mar"),
    N_("{day} Apr"),
    N_("{day} May"),
    N_("{day} Jun"),
    N_("{day} Jul"),
    N_("{day} Aug"),
    N_("{day} Sep"),
    N_("{day} Oct"),
    N_("{day} Nov"),
    N_("{day} Dec"),
)
"""Dates with the name of the month, and with its short one."""

SHORT_WEEKDAYS = (N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), NC_("weekday", "Sun"))
"""Short names of the days of the week."""


def date_of(day: date) -> Text:
    """Return a day in words: Friday 20 November."""
    return Text(WEEKDAYS[day.weekday()], date=Text(MONTHS[day.month - 1], day=day.day))


def short_date(moment: date) -> Text:
    """Return a date without its year: 22 Nov."""
    return Text(SHORT[moment.month - 1], day=moment.day)


def weekday_of(moment: date) -> Text:
    """Return the short name of the day of the week: Fri."""
    return Text(SHORT_WEEKDAYS[moment.weekday()])


def with_year(day: Text, year: int) -> Text:
    """Return a day of `date_of` or `short_date` with its year."""
    return Text(N_("{day} {year}"), day=day, year=year)


DAY_AND_TIME = N_("{day}, {time}")


def date_and_time(moment: float) -> Text | None:
    """Return a moment as local date and time: 22 Nov 2026, 20:15; None if it is not known."""
    shown = local(moment) if moment else None
    if shown is None:
        return None
    return Text(DAY_AND_TIME, day=with_year(short_date(shown), shown.year), time=f"{shown:%H:%M}")


def duration(seconds: float) -> Text:
    """Return a time in hours and minutes.

    >>> str(duration(11_400))
    '3 h 10 min'
    """
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours:
        return Text(N_("{hours} h {minutes} min"), hours=hours, minutes=minutes)
    return Text(N_("{minutes} min"), minutes=minutes)
