"""Counts what players did, for `counted_actions` of the games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.core.game import CountedAction


def by_seat(**amounts: Iterable[int]) -> Iterator[CountedAction]:
    """Yield what each seat did, from the amounts by seat of each action.

    >>> list(by_seat(tricks=(2, 1)))
    [CountedAction(what='tricks', seat=0, amount=2), CountedAction(what='tricks', seat=1, amount=1)]
    """
    for what, figures in amounts.items():
        for seat, amount in enumerate(figures):
            yield CountedAction(what, seat, int(amount))


def revokes(before: Any, after: Any, kind: type[Any]) -> Iterator[CountedAction]:
    """Yield the revokes that an event has reported, from the states before and after it."""
    for alert in after.alerts[len(before.alerts) :]:
        if isinstance(alert, kind):
            yield CountedAction("revokes", alert.player)
