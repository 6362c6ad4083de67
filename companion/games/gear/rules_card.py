"""Rules card of Gear: score of a round, deal, auction, following suit, winning a trick."""

from __future__ import annotations

from companion.core.game import Table, TextPage
from companion.core.text import N_, NN_, Text
from companion.games.kit import named_table, notes

from .cards import DECK, HAND, OPEN, POINTS, SUITS, TEN
from .legal_plays import winning
from .options import Rules
from .presentation import ACE
from .round_end import points

AUCTION = notes(
    N_("Auction"),
    N_("A held lot: bid higher"),
    N_("Pushed off: bid again once all have bid"),
    N_("Then all pay their bids"),
)
FOLLOWING = notes(
    N_("To follow"),
    N_("One card: the led colour"),
    N_("A pair: the led colours"),
    N_("Only open cards oblige"),
    N_("Else any, as many as led"),
)


def card(seats: int, rules: Rules) -> tuple[Table | TextPage, ...]:
    auction = (AUCTION,) if rules.auction else ()
    return _score(rules), _deal(seats, rules), *auction, FOLLOWING, _winning()


def _score(rules: Rules) -> Table:
    """Return the page on scoring, computed with the same functions as the scores."""
    trick = points(1, 0, False)
    many = next(count for count in range(2, HAND) if points(count, 0, False) > count * trick)
    most = points(HAND, 0, False) - HAND * trick - HAND // many * (points(many, 0, False) - many * trick)
    worth = (
        (Text(N_("A trick, {ace}"), ace=ACE), trick),  # an ace scores the same; a row of its own would not fit
        (Text(N_("Every {count} tricks"), count=many), points(many, 0, False) - many * trick),
        (Text(N_("Last trick")), points(0, 0, True)),
        (Text(N_("All {count} tricks"), count=HAND), most),
    )
    ending = rules.ending
    title = Text(N_("Score, to {target}"), target=ending.target)
    if isinstance(ending.rounds, int):
        title = Text(NN_("Score, {count} round", "Score, {count} rounds"), count=ending.rounds)
    return named_table(title, [(name, f"+{more}") for name, more in worth])


def _deal(seats: int, rules: Rules) -> Table:
    rows = [
        (Text(N_("Hidden cards")), HAND - OPEN),
        (Text(N_("Open cards")), OPEN),
        (Text(N_("Points at first")), POINTS),
    ]
    if rules.auction:
        rows.insert(2, (Text(N_("Lots")), seats))
    return named_table(Text(N_("{count} players"), count=seats), rows)


def _winning() -> TextPage:
    ace = next(card for card in DECK if card.suit is SUITS[0])
    ten = next(card for card in DECK if card.suit is SUITS[0] and card.rank == TEN)
    _, high = winning(((ten,), (ace,)))
    return TextPage(
        Text(N_("To win")),
        (
            Text(N_("Highest that follows")),
            Text(N_("Of equals the later")),
            Text(N_("{ten} leads/follows: A {high}"), ten=TEN, high=high),
            Text(N_("Two cards: two tricks")),
        ),
    )
