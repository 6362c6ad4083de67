"""Hipparchus's rules card: the deal, what may be laid, what must follow, what wins, the score."""

from __future__ import annotations

from companion.core.game import Table, TextPage
from companion.core.text import N_, Text
from companion.games.kit import named_table, notes

from .cards import DEALT, HAND, IN_SUIT, MOST, SUITS, WINS
from .options import Rules

PLAY = TextPage(
    Text(N_("A play")),
    (
        Text(N_("The hand is never sorted")),
        Text(N_("Side by side: a block")),
        Text(N_("Up to {most}: the whole block"), most=MOST),
        Text(N_("From {more} on: {least} to {most} of it"), more=MOST + 1, least=1, most=MOST),
    ),
)
FOLLOWING = notes(
    N_("To follow"), N_("Led suit: another number"), N_("Else another suit, any number"), N_("Stuck: the round is over")
)
TRICK = notes(
    N_("A trick"), N_("Same suit, not as many: more cards win."), N_("Other suit: less taken of own; equal: 2nd.")
)
SCORE = notes(N_("Score"), N_("Who has more of a suit gets what the other has."), N_("A tie: 2nd of last trick"))


def card(_seats: int, _rules: Rules) -> tuple[Table | TextPage, ...]:
    rows = (
        (Text(N_("Cards in hand")), HAND),
        (Text(N_("Each suit")), IN_SUIT),
        (Text(N_("Not dealt")), len(SUITS) * IN_SUIT - DEALT),
        (Text(N_("Laid at once")), Text("{least}–{most}", least=1, most=MOST)),
    )
    deal = named_table(Text(N_("First to {count} rounds"), count=WINS), rows)
    return deal, PLAY, FOLLOWING, TRICK, SCORE
