"""Hipparchus's rules card: what is dealt, what is laid and follows, what wins, what a round scores."""

from __future__ import annotations

from companion.core.game_view import Notes, Table
from companion.core.text import N_, Text

from .cards import DEALT, HAND, IN_SUIT, MOST, SUITS, WINS
from .options import Rules

PLAY = Notes(
    Text(N_("A play")),
    (
        Text(N_("The hand is never sorted")),
        Text(N_("Side by side: a block")),
        Text(N_("Up to {most}: the whole block"), most=MOST),
        Text(N_("From {more} on: {least} to {most} of it"), more=MOST + 1, least=1, most=MOST),
    ),
)
FOLLOWING = Notes(
    Text(N_("To follow")),
    (
        Text(N_("Led suit: another number")),
        Text(N_("Else another suit, any number")),
        Text(N_("Stuck: the round is over")),
    ),
)
TRICK = Notes(
    Text(N_("A trick")),
    (
        Text(N_("Same suit, not as many: more cards win.")),
        Text(N_("Other suit: less taken of own; equal: 2nd.")),
    ),
)
SCORE = Notes(
    Text(N_("Score")),
    (
        Text(N_("Who has more of a suit gets what the other has.")),
        Text(N_("A tie: 2nd of last trick")),
    ),
)


def card(_seats: int, _rules: Rules) -> tuple[Table | Notes, ...]:
    """Return the pages of the card."""
    rows = (
        (Text(N_("Cards in hand")), Text("{count}", count=HAND)),
        (Text(N_("Each suit")), Text("{count}", count=IN_SUIT)),
        (Text(N_("Not dealt")), Text("{count}", count=len(SUITS) * IN_SUIT - DEALT)),
        (Text(N_("Laid at once")), Text("{least}–{most}", least=1, most=MOST)),
    )
    deal = Table(
        Text(N_("First to {count} rounds"), count=WINS),
        (Text(""),),
        tuple((figure,) for _, figure in rows),
        names=tuple(name for name, _ in rows),
    )
    return deal, PLAY, FOLLOWING, TRICK, SCORE
