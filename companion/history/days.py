"""Local days of games. A day ends at 5 in the morning, so that an evening is one day."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

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
