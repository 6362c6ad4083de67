"""Tricks: playing cards, who wins, which later cards prove a revoke, the last trick in words, what hands may hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from math import comb, log
from typing import Any, Generic, TypeVar

from msgspec import Struct

from companion.core.cards import Card, Suit
from companion.core.game import CardSound, EventOutcome, GameView, Progress, SeatLine
from companion.core.text import N_, NC_, Seat, Text

from . import put

CLUBS = Suit("clubs", NC_("playing cards", "Clubs"), (0, 200, 40))
DIAMONDS = Suit("diamonds", NC_("playing cards", "Diamonds"), (255, 120, 0))
HEARTS = Suit("hearts", NC_("playing cards", "Hearts"), (255, 20, 20))
SPADES = Suit("spades", NC_("playing cards", "Spades"), (60, 90, 255))
FRENCH_SUITS = {suit.name: suit for suit in (CLUBS, DIAMONDS, HEARTS, SPADES)}
SUITS = FRENCH_SUITS | {
    suit.name: suit
    for suit in (
        Suit("coins", NC_("playing cards", "Coins"), (255, 200, 0)),
        Suit("cups", NC_("playing cards", "Cups"), (255, 20, 20)),
        Suit("swords", NC_("playing cards", "Swords"), (60, 90, 255)),
        Suit("batons", NC_("playing cards", "Batons"), (0, 200, 40)),
        Suit("acorns", NC_("playing cards", "Acorns"), (255, 120, 0)),
        Suit("leaves", NC_("playing cards", "Leaves"), (0, 200, 40)),
        Suit("bells", NC_("playing cards", "Bells"), (255, 200, 0)),
        Suit("roses", NC_("playing cards", "Roses"), (255, 80, 160)),
        Suit("shields", NC_("playing cards", "Shields"), (60, 90, 255)),
    )
}
"""The suits of French, Italian, Spanish, German and Swiss cards, by name."""
SAME_COLOUR = (("clubs", "spades"), ("diamonds", "hearts"), ("acorns", "leaves"), ("bells", "hearts"))
"""The pairs of suits of one colour, by name."""


def other_of_colour(suit: Suit, suits: Collection[Suit]) -> Suit | None:
    """Return the other of some suits that has a suit's colour; None if there is none.

    >>> other_of_colour(CLUBS, FRENCH_SUITS.values())
    spades
    """
    for pair in SAME_COLOUR:
        if suit.name in pair:
            other = next((each for each in suits if each.name in pair and each is not suit), None)
            if other is not None:
                return other
    return None


RANK_KEYS = {
    "10": ("0", "10"),
    "J": ("11",),
    "U": ("11",),
    "Q": ("12",),
    "O": ("12",),
    "K": ("13",),
    "A": ("1", "14"),
}
"""What is typed for ranks that are not their own digit; the usual keys first. ``1`` alone is completed by ``#``."""


def keys_of(rank: str, ranks: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of a rank; 0 is a 10 only where no rank is 0 and none is above 10 but J, Q, K and A.

    >>> keys_of("J", ("10", "J")), keys_of("10", ("10", "13")), keys_of("7", ("7",))
    (('11',), ('10',), ('7',))
    """
    numbered = any(each.isdigit() and (int(each) > 10 or int(each) == 0) for each in ranks)
    return (rank,) if numbered and rank.isdigit() else RANK_KEYS.get(rank, (rank,))


LETTERED = 4
"""The suits that have a letter on the keypad; a card of a fifth suit is typed with 0 before its rank."""


def ranked_cards(
    suits: Sequence[Suit], ranks: Sequence[str], only: Mapping[str, Collection[str]] | None = None
) -> list[Card]:
    """Return a card for each suit and rank, in order; the ranks from the lowest to the highest.

    >>> [card.name for card in ranked_cards((CLUBS,), ("Q", "K"))]
    ['clubs-Q', 'clubs-K']

    Args:
        only: By name of a suit the ranks that it has, if it lacks some.
    """
    found: list[Card] = []
    for number, suit in enumerate(suits):
        for strength, rank in enumerate(ranks):
            if only is not None and rank not in only.get(suit.name, ranks):
                continue
            keys = keys_of(rank, ranks)
            if len(suits) > LETTERED:
                keys = tuple(key for key in keys if key[0] != "0")
            if number >= LETTERED:
                keys = tuple(f"0{key}" for key in keys)
            found.append(Card(f"{suit.name}-{rank}", suit, strength, 1 << len(found), keys, figure=rank))
    return found


# Tricks and revokes


def _printed(card: Card, _trump: Suit | None) -> Suit | None:
    return card.suit


def _by_rank(card: Card, best: Card, trump: Suit | None) -> bool:
    if card.suit is best.suit:
        return card.rank > best.rank
    return card.suit is trump


class TrickOrder(Struct, frozen=True, eq=False):
    """To which suits the cards of a trick belong, and which card beats which; both functions are told the trump."""

    # the suit that a card follows and leads; None if it follows none, and may be laid at any time
    suit_of: Callable[[Card, Suit | None], Suit | None] = _printed
    beats: Callable[[Card, Card, Suit | None], bool] = _by_rank  # whether a card beats the best one laid before it


USUAL = TrickOrder()


def led_suit(cards: Sequence[Card], trump: Suit | None = None, order: TrickOrder = USUAL) -> Suit | None:
    """Return the suit to follow: that of the first card that has one; None if a card without a suit beats that card."""
    for place, card in enumerate(cards):
        suit = order.suit_of(card, trump)
        if suit is not None:
            return suit if all(order.beats(card, before, trump) for before in cards[:place]) else None
    return None


def winning(cards: Sequence[Card], trump: Suit | None, order: TrickOrder = USUAL) -> int:
    """Return the place of the card that wins: the one that no later card beats.

    >>> ace, king, *_ = ranked_cards((HEARTS,), ("A", "K"))
    >>> two = ranked_cards((CLUBS,), ("2",))[0]
    >>> winning((ace, king, two), trump=None), winning((ace, king, two), trump=CLUBS)
    (1, 2)
    """
    best = 0
    for place, card in enumerate(cards):
        if place and order.beats(card, cards[best], trump):
            best = place
    return best


class OffSuitPlay(Struct, frozen=True, gc=False):
    """A card played off suit: it was legal only if the hand lacked these suits."""

    trick: int
    suits: tuple[Suit, ...]


class Revoke(Struct, frozen=True, tag_field="kind", tag="revoke", gc=False, omit_defaults=True):
    """A play off suit that a later card of the same hand proves wrong."""

    round: int
    player: int
    trick: int  # the trick of the play off suit
    shown_in: int  # the trick of the later card
    card: Card
    as_trump: bool = False  # whether it is a trump of another suit than the printed one, such as a bower

    def words(self) -> Text:
        return Text(
            N_("R{round} T{trick}: {player} may have revoked, then {card} (trump)")
            if self.as_trump
            else N_("R{round} T{trick}: {player} may have revoked, then {card}"),
            round=self.round,
            player=Seat(self.player),
            trick=self.trick,
            card=self.card,
        )


Doubts = tuple[tuple[OffSuitPlay, ...], ...]
"""By seat: the plays off suit that no later card has proved wrong."""


def doubted(doubts: Doubts, player: int, trick: int, led: Suit | None, suit: Suit | None) -> Doubts:
    """Return the doubts with a card of a suit added, if it does not follow the suit that was led."""
    if led is None or suit is None or suit is led:
        return doubts
    return put(doubts, player, (*doubts[player], OffSuitPlay(trick, (led,))))


def proved(
    doubts: Doubts, player: int, round_: int, trick: int, card: Card, suit: Suit | None = None
) -> tuple[tuple[Revoke, ...], Doubts]:
    """Return the revokes that a card proves, and the doubts that are left.

    Args:
        suit: The suit that the card belongs to, if it is not the printed one.
    """
    wrong = [doubt for doubt in doubts[player] if (suit or card.suit) in doubt.suits]
    if not wrong:
        return (), doubts
    as_trump = suit is not None and suit is not card.suit
    revokes = tuple(Revoke(round_, player, doubt.trick, trick, card, as_trump) for doubt in wrong)
    return revokes, put(doubts, player, tuple(doubt for doubt in doubts[player] if doubt not in wrong))


# The last trick


MOST_REVOKES = N_("Most revokes: {names}, {count}. It happens to the best")
"""The remark on those who revoked most often in an evening."""

L = TypeVar("L")


class LastTrick(Struct, Generic[L], frozen=True, gc=False):
    """The previous trick: its cards and its winner."""

    table: tuple[L, ...]
    winner: int


class ShownTrick(Struct, Generic[L], frozen=True):
    """The trick that a view shows: the one on the table, or the one that has just ended."""

    table: tuple[L, ...]
    leader: int | None
    winner: int | None = None
    result: Text | None = None  # how it ended


def gainer(before: Sequence[int], after: Sequence[int]) -> Seat:
    """Return the seat whose number of tricks has grown."""
    return Seat(next(seat for seat, tricks in enumerate(after) if tricks > before[seat]))


def laid_as(leads: bool, follows: bool, pledges: bool = False) -> CardSound:
    """Return what kind of card was laid.

    Args:
        pledges: Whether it was laid in the alternate mode.

    >>> laid_as(leads=False, follows=False)
    <CardSound.OFF_SUIT: 3>
    """
    if pledges:
        return CardSound.ALTERNATE
    if leads:
        return CardSound.LEAD
    return CardSound.FOLLOW if follows else CardSound.OFF_SUIT


def places(
    seats: int, laid: Callable[[int], Text], figures: Callable[[int], Text], trick: ShownTrick[Any]
) -> tuple[SeatLine, ...]:
    return tuple(
        SeatLine(laid(seat), figures(seat), seat == trick.leader, seat == trick.winner) for seat in range(seats)
    )


def event_outcome(
    before: Any, after: Any, lines: tuple[Text, ...] = (), finished: GameView | None = None, **more: Any
) -> EventOutcome:
    """Return an event's outcome, with the alerts that are new.

    Args:
        lines: Sentences about the event; beside the view of a finished trick, which says them, they are left out.
        more: The other parts of the outcome.
    """
    new = tuple(_alert(alert) for alert in after.alerts if alert not in before.alerts)
    return EventOutcome((*new, *(() if finished else lines)), alert=bool(new), finished=finished, **more)


def round_and_trick(round_: int, trick: int | None) -> Text:
    """Return the round and, unless there is none yet, the trick, short."""
    if trick is None:
        return Text(N_("R{round}"), round=round_)
    return Text(N_("R{round} T{trick}"), round=round_, trick=trick)


# Parts of a game of tricks, called as their fields are; a game that differs has its own


def alerts(state: Any) -> tuple[Text, ...]:
    """Return a sentence for each alert, the oldest first: each alert has its ``words``."""
    return tuple(map(_alert, state.alerts))


@lru_cache(maxsize=1024)  # a search for corrections asks for the alerts of thousands of states
def _alert(alert: Any) -> Text:
    words: Text = alert.words()
    return words


def moment(state: Any) -> Text:
    return Text(N_("trick {trick}"), trick=state.trick)


def progress(state: Any) -> Progress:
    return Progress(state.totals, state.winners, state.turn, state.round, state.phase, state.leader, state.may_start)


def finished_rounds(state: Any) -> int:
    return len(state.rounds)


def round_points(state: Any) -> tuple[tuple[int, ...], ...]:
    points: tuple[tuple[int, ...], ...] = state.rounds
    return points


# Hidden hands


IMPOSSIBLE = log(1e-4)
"""Natural logarithm for an event that an honest hand cannot make; people do it all the same."""


@lru_cache(maxsize=65536)
def lacks(cards: int, wanted: int, hand: int) -> float:
    """Return the probability that a hand holds none of some cards.

    >>> lacks(4, 2, 1)
    0.5
    """
    hand = min(hand, cards)
    return comb(cards - wanted, hand) / comb(cards, hand)


@lru_cache(maxsize=65536)
def holds(cards: int, wanted: int, hand: int, least: int) -> float:
    """Return the probability that a hand holds at least some number of the wanted cards.

    >>> holds(4, 2, 2, 1)
    0.8333333333333334
    """
    hand = min(hand, cards)
    ways = sum(comb(wanted, held) * comb(cards - wanted, hand - held) for held in range(least, min(wanted, hand) + 1))
    return ways / comb(cards, hand)


def logarithm(probability: float) -> float:
    """Return the natural logarithm of a probability; `IMPOSSIBLE` at least."""
    return max(IMPOSSIBLE, log(probability)) if probability > 0 else IMPOSSIBLE
