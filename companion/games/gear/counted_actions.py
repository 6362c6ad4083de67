"""Counted actions of Gear: what each player did in a game, to be added up over many games.

Tricks, aces, prices and overbids are counted when their round ends, from its figures, so that they are right however it
was entered. What the figures do not tell is counted at the entry that shows it: pairs and revokes.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import CountedAction, Event
from companion.core.text import N_, Text
from companion.games.kit import by_seat, revokes
from companion.games.kit.tricks import gainer

from .cards import HAND
from .events import Play, Round, Trick
from .state import Overbid, Revoke, State

ACTIONS = {
    "tricks": Text(N_("Tricks")),
    "aces": Text(N_("Aces")),
    "last": Text(N_("Last tricks")),
    "all": Text(N_("All tricks")),
    "pairs": Text(N_("Won by pairs")),
    "paid": Text(N_("Points paid")),
    "dearest": Text(N_("Highest price")),
    "overbids": Text(N_("Overbids")),
    "revokes": Text(N_("Revokes")),
}
"""The name of each counted action.

- ``tricks``, ``aces``: tricks won and aces taken; a trick of two cards each is two tricks.
- ``last``: rounds in which the player won the last trick.
- ``all``: rounds in which the player won all tricks.
- ``pairs``: tricks of two cards each that the player won.
- ``paid``: prices paid, in points.
- ``dearest``: auctions in which nobody paid more than the player, who paid something.
- ``overbids``: prices above the player's points.
- ``revokes``: revokes that were reported.
"""


def counted_actions(before: State, event: Event, after: State) -> tuple[CountedAction, ...]:
    found: list[CountedAction] = []
    ends = len(after.rounds) > len(before.rounds)
    if isinstance(event, Play | Trick) and (ends or after.tricks != before.tricks):
        winner = gainer(before.tricks, after.tallies[-1].tricks if ends else after.tricks)
        if _cards(event) == 2:
            found.append(CountedAction("pairs", winner))
        if ends:
            found.append(CountedAction("last", winner))
    elif isinstance(event, Round):
        found.append(CountedAction("last", event.last))
    if ends:
        found += _round(after)
    if isinstance(event, Play):
        found += revokes(before, after, Revoke)
    return tuple(found)


def _cards(event: Play | Trick) -> int:
    """Return how many cards each player laid in a trick."""
    return event.cards if isinstance(event, Trick) else len(event.cards)


def _round(after: State) -> Iterator[CountedAction]:
    tally, number = after.tallies[-1], len(after.rounds)
    prices = tuple(price or 0 for price in tally.prices)
    yield from by_seat(
        tricks=tally.tricks,
        aces=tally.aces,
        all=(tricks == HAND for tricks in tally.tricks),
        paid=prices,
        dearest=(0 < price == max(prices) for price in prices),
    )
    for alert in after.alerts:
        if isinstance(alert, Overbid) and alert.round == number:
            yield CountedAction("overbids", alert.player)
