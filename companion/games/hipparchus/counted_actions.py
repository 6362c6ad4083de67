"""Counted actions of Hipparchus: what each player did in a game, to be added up over many games.

Captured cards are counted when their round ends, from its piles, so that they are right however it was entered. Tricks
are counted at the entry that ends them; a round entered as a whole does not tell them.
"""

from __future__ import annotations

from companion.core.game import CountedAction, Event
from companion.core.text import N_, Text
from companion.games.kit import by_seat

from .cards import SUIT_NAMES, SUITS
from .events import CannotPlay, Play, Trick
from .rules import tied
from .state import State

ACTIONS = {
    "tricks": Text(N_("Tricks")),
    **{suit.name: suit.label for suit in SUITS},
    "ties": Text(N_("Ties won")),
    "stuck": Text(N_("Stuck")),
}
"""The name of each counted action.

- ``tricks``: tricks won.
- ``sun``, ``moon``, ``earth``: captured cards.
- ``ties``: rounds won though the points tied.
- ``stuck``: rounds that ended because the player could lay nothing.
"""


def counted_actions(before: State, event: Event, after: State) -> tuple[CountedAction, ...]:
    found: list[CountedAction] = []
    ends = len(after.rounds) > len(before.rounds)
    captured = after.sheets[-1] if ends else after.captured
    if isinstance(event, Play | Trick) and captured != before.captured:
        found.append(CountedAction("tricks", int(captured[1] != before.captured[1])))
    elif isinstance(event, CannotPlay):
        found.append(CountedAction("stuck", event.player))
    if ends:
        found += by_seat(**dict(zip(SUIT_NAMES, zip(*captured, strict=True), strict=True)))
        if tied(captured):
            found.append(CountedAction("ties", after.rounds[-1].winner))
    return tuple(found)
