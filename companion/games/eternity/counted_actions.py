"""Counted actions of Eternity: what each player did in a game, to be added up over many games.

Tricks and trees are counted when their round ends, from its sheet, so that they are right however it was entered. What
a sheet does not know is counted at the entry that shows it: pledged cards, trump changes, revokes.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.cards import Card
from companion.core.game import CountedAction, Event
from companion.core.text import N_, Text
from companion.games.kit import by_seat, revokes
from companion.games.kit.tricks import Revoke

from .events import Pledge, Round, Trick
from .state import State, joined, trump_of

ACTIONS = {
    "tricks": Text(N_("Tricks")),
    "trees": Text(N_("Trees")),
    "kept": Text(N_("Pledges kept")),
    "scored": Text(N_("Trees scored")),
    "lost": Text(N_("Trees lost")),
    "pledges": Text(N_("Cards pledged")),
    "bids": Text(N_("Trump bids")),
    "changes": Text(N_("Trump changes")),
    "revokes": Text(N_("Revokes")),
}
"""The name of each counted action.

- ``tricks``, ``trees``: tricks won and trees pledged.
- ``kept``: rounds in harmony: as many tricks as trees, also none of both.
- ``scored``, ``lost``: trees of rounds with at least as many tricks, and with fewer.
- ``pledges``: cards pledged.
- ``bids``: cards pledged in a suit that was not trump, for which the panel forecast how many more make it trump.
- ``changes``: bids whose suit became trump when their trick ended: forecasts that came true. A change that the neutral
  pair alone would have made counts for nobody.
- ``revokes``: possible revokes that were reported.
"""


def counted_actions(before: State, event: Event, after: State) -> tuple[CountedAction, ...]:
    found: list[CountedAction] = []
    if isinstance(event, Pledge):
        found += _pledges(before, ((event.player, event.card),))
    elif isinstance(event, Trick):
        found += _pledges(before, _pledged(before, event))
    if len(after.rounds) > len(before.rounds):
        tricks, trees = after.sheets[-1]
        sheet = [*zip(tricks, trees, strict=True)]
        found += by_seat(
            tricks=tricks,
            trees=trees,
            kept=(won == pledged for won, pledged in sheet),
            scored=(pledged if won >= pledged else 0 for won, pledged in sheet),
            lost=(pledged if won < pledged else 0 for won, pledged in sheet),
        )
    elif after.trump is not before.trump and before.trump is not None:
        found += _changes(before, event, after)
    if not isinstance(event, Round):
        found += revokes(before, after, Revoke)
    return tuple(found)


def _pledges(before: State, pledged: tuple[tuple[int, Card], ...]) -> Iterator[CountedAction]:
    for player, card in pledged:
        yield CountedAction("pledges", player)
        if card.suit is not before.trump:
            yield CountedAction("bids", player)


def _pledged(before: State, event: Event) -> tuple[tuple[int, Card], ...]:
    if isinstance(event, Trick):
        return tuple((pledge.player, pledge.card) for pledge in event.pledges)
    earlier = tuple((laid.player, laid.card) for laid in before.table if laid.pledge)
    return (*earlier, (event.player, event.card)) if isinstance(event, Pledge) else earlier


def _changes(before: State, event: Event, after: State) -> Iterator[CountedAction]:
    """Yield the bids that made the new trump."""
    if before.pair and trump_of(before.rules, joined(before.columns, before.pair)) is after.trump:
        return
    for player, card in _pledged(before, event):
        if card.suit is after.trump:
            yield CountedAction("changes", player)
