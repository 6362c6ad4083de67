"""Formats dates as short words."""

from __future__ import annotations

from datetime import date

from companion.core.text import N_, NC_, Text

DAYS = (
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
"""Date templates, one for each month."""

WEEKDAYS = (N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), NC_("weekday", "Sun"))
"""Short names of the days of the week."""


def day_of(moment: date) -> Text:
    """Return a date without its year: 22 Nov."""
    return Text(DAYS[moment.month - 1], day=moment.day)


def weekday_of(moment: date) -> Text:
    """Return the short name of the day of the week: Fri."""
    return Text(WEEKDAYS[moment.weekday()])
