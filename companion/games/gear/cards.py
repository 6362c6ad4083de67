"""Gear's cards, rules and events: what can lie on the table and what can be said of it."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from companion.core.cards import Card, Deck, Suit
from companion.core.errors import IllegalEvent
from companion.core.events import Event
from companion.core.game import RuleOption, RuleValue
from companion.core.text import N_, Text

RED = Suit("red", N_("Red"), (255, 20, 0))
BLACK = Suit("black", N_("Black"), (255, 255, 255))
SUITS = (RED, BLACK)
COPIES = 2
ACE, TEN = 1, 10
ACES = 4
PLAYERS = range(2, 6)
HAND = 8
OPEN = 6
POINTS = 5
"""What each player starts the game with."""


def rank_sign(rank: int) -> str:
    """Return a rank as it stands on the card."""
    return "A" if rank == ACE else str(rank)


def _card(suit: Suit, rank: int, place: int) -> Card:
    # Two bits a card: it is there twice, so that a number can hold any of a round's cards with their copies.
    sign = rank_sign(rank)
    return Card(f"{suit.name}-{sign}", suit, rank, 1 << 2 * place, (str(rank % 10),), figure=sign)


DECK = Deck(_card(suit, rank, 10 * number + rank - 1) for number, suit in enumerate(SUITS) for rank in range(1, 11))
"""Every card once; each is there twice."""


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """When the game ends: after some rounds, or when somebody has reached a target; one of the two."""

    rounds: int | UnsetType = UNSET
    target: int | UnsetType = UNSET


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table agrees on before the first round.

    Attributes:
        auction: Whether the open hands are bid for; if not, it is the easy game.
        teams: Whether the seats opposite each other play together (4 players).
        ending: When the game ends.
    """

    auction: bool = True
    teams: bool = False
    ending: Ending = Ending(rounds=4)

    def check(self, seats: int) -> None:
        """Refuse rules that cannot be played by so many.

        Raises:
            IllegalEvent: A value is out of its range, or belongs to another number of players.
        """
        if self.teams and seats != 4:
            raise IllegalEvent("teams", N_("the game of pairs is for 4 players"))
        if (self.ending.rounds is UNSET) == (self.ending.target is UNSET):
            raise IllegalEvent("ending", N_("the ending is either rounds or a target"))
        if isinstance(self.ending.rounds, int) and self.ending.rounds < 1:
            raise IllegalEvent("ending", N_("a game has 1 round or more"))
        if isinstance(self.ending.target, int) and self.ending.target < 1:
            raise IllegalEvent("ending", N_("the target is 1 or more"))


Lot = tuple[Card, Card, Card, Card, Card, Card]


class Lots(Event, frozen=True, tag="lots"):
    """What lies in each lot; in the easy game each seat's open hand."""

    lots: tuple[Lot, ...]


class Bid(Event, frozen=True, tag="bid"):
    """One bid on one lot."""

    player: int
    lot: int
    price: int


class Prices(Event, frozen=True, tag="prices"):
    """A whole auction: the price by seat and, where the lots were entered, who gets each."""

    prices: tuple[int, ...]
    lots: tuple[int, ...] | UnsetType = UNSET


class Play(Event, frozen=True, tag="play"):
    """A card into the trick, or two."""

    player: int
    cards: tuple[Card, ...]


class Trick(Event, frozen=True, tag="trick"):
    """A whole trick: its winner, how many cards each laid, and the aces taken in it."""

    winner: int
    cards: int
    aces: int


class Round(Event, frozen=True, tag="round"):
    """A whole round: tricks and aces by seat, who won the last trick, and the prices if not known yet."""

    tricks: tuple[int, ...]
    aces: tuple[int, ...]
    last: int
    prices: tuple[int, ...] | UnsetType = UNSET


EVENTS = (Lots, Bid, Prices, Play, Trick, Round)

OPTIONS = (
    RuleOption(
        "auction",
        Text(N_("Auction")),
        (RuleValue(Text(N_("with bids")), True), RuleValue(Text(N_("easy game")), False)),
        PLAYERS,
    ),
    RuleOption(
        "ending",
        Text(N_("Ending")),
        (
            RuleValue(Text(N_("rounds")), {"rounds": 4}, lambda number: {"rounds": number}),
            RuleValue(Text(N_("to a total")), {"target": 30}, lambda number: {"target": number}),
        ),
        PLAYERS,
    ),
    RuleOption(
        "teams",
        Text(N_("Teams")),
        (RuleValue(Text(N_("each alone")), False), RuleValue(Text(N_("in pairs")), True)),
        range(4, 5),
    ),
)
