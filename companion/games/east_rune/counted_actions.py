"""Counted actions of East Rune: what each player did in a game, to be added up over many games.

Chairs, monarchs and cards left are counted when the game ends, as they then are, so that they are right however it was
entered. Everything else is counted at the entry that shows it.
"""

from __future__ import annotations

from companion.core.game import CountedAction, Event
from companion.core.text import N_, Text
from companion.games.kit import by_seat

from .cards import IS_VASSAL
from .events import Claim, Pass, Play
from .state import State

ACTIONS = {
    "captures": Text(N_("Captures")),
    "chairs": Text(N_("Chairs")),
    "monarchs": Text(N_("Monarchs")),
    "left": Text(N_("Cards left")),
    "claims": Text(N_("Chairs claimed")),
    "vassals": Text(N_("Vassals laid")),
    "chained": Text(N_("Chained cards")),
    "dealt": Text(N_("Cards dealt")),
    "passes": Text(N_("Passes")),
}
"""The name of each counted action.

- ``captures``: captures of the whole field.
- ``chairs``, ``monarchs``, ``left``: captured chairs, monarchs in front and cards in hand when the game ends.
- ``claims``: chairs claimed with a card of the hand.
- ``vassals``: vassals laid, from the hand or from the front.
- ``chained``: cards laid after the first of a turn.
- ``dealt``: cards that a capture dealt to the player.
- ``passes``: rounds left by a pass; an extra turn declined is none.
"""
EXTRA = ("extra", "extra-chain")


def counted_actions(before: State, event: Event, after: State) -> tuple[CountedAction, ...]:
    found: list[CountedAction] = []
    match event:
        case Play(player, card):
            if card in IS_VASSAL:
                found.append(CountedAction("vassals", player))
            if before.phase in ("chain", "extra-chain"):
                found.append(CountedAction("chained", player))
        case Claim(int(player), card):
            found.append(CountedAction("claims", player))
            if card in IS_VASSAL:
                found.append(CountedAction("vassals", player))
        case Pass(player) if before.phase == "play":
            found.append(CountedAction("passes", player))
    if after.finished > before.finished and before.phase in EXTRA:
        assert before.last is not None  # only the player of the last vassal has an extra turn
        found.append(CountedAction("captures", before.last))
        found += [CountedAction("dealt", dealt.player) for dealt in after.dealt]
    if after.phase == "over":
        found += by_seat(chairs=after.chairs, monarchs=after.monarchs, left=after.hand)
    return tuple(found)
