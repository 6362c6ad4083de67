"""Eternity's cards, tiles, rules and events: what lies on the table and what can be said of it."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from companion.core.cards import Card, Deck, Suit
from companion.core.errors import IllegalEvent
from companion.core.events import Event
from companion.core.game import RuleOption, RuleValue
from companion.core.text import N_, Text, joined

SEA = Suit("sea", N_("Sea"), (0, 70, 255))
SKY = Suit("sky", N_("Sky"), (255, 30, 0))
EARTH = Suit("earth", N_("Earth"), (0, 200, 40))
SUITS = (SEA, SKY, EARTH)
PLACE = {suit: place for place, suit in enumerate(SUITS)}
DECK = Deck.ranked(SUITS, range(1, 15))
TOKENS = 18
PLAYERS = range(2, 6)

SuitName = Literal["sea", "sky", "earth"]


def trees_on(card: Card) -> int:
    """Return a card's pledge value in trees: 0, 1 or 2."""
    return (card.rank >= 5) + (card.rank >= 10)


def tricks_in_round(seats: int) -> int:
    """Return how many tricks a round has (Eternity, a round)."""
    return {2: 7, 5: 8}.get(seats, 10)


def pledges_in_trick(seats: int) -> int:
    """Return how many may pledge in one trick (Eternity, a trick)."""
    return 2 if seats == 5 else 1


def most_trees(seats: int, limited: bool) -> int:
    """Return how many trees a round's pledges can be worth in all.

    Every pledge of a round could be among the dearest cards: 15 are worth two, 15 one.
    """
    pledges = tricks_in_round(seats) * pledges_in_trick(seats)
    worth = min(pledges, 15) * 2 + max(pledges - 15, 0)
    return min(worth, TOKENS) if limited else worth


def most_trees_of_seat(seats: int, won: int) -> int:
    """Return how many trees a seat that won some tricks can have: only two players may pledge in a trick they win."""
    return 2 * (tricks_in_round(seats) - (0 if seats == 2 else won))


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """When the game ends: after three rounds, or when somebody has reached a target; one of the two."""

    rounds: int | UnsetType = UNSET
    target: int | UnsetType = UNSET


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table agrees on before the first round.

    Attributes:
        edition: The Japanese or the French rules.
        tiles: The trump tiles from left to right.
        ending: When the game ends.
        neutral: Where the neutral pairs after the first go (2 players).
        tokens: What happens when the 18 trees run out.
    """

    edition: Literal["jp", "fr"] = "jp"
    tiles: tuple[SuitName, SuitName, SuitName] = ("sea", "sky", "earth")
    ending: Ending = Ending(rounds=3)
    neutral: Literal["aside", "columns"] = "aside"
    tokens: Literal["substitute", "limited"] = "substitute"

    def check(self, seats: int) -> None:
        """Refuse rules that cannot be played by so many.

        Raises:
            IllegalEvent: A value is out of its range, or belongs to another number of players.
        """
        if len(set(self.tiles)) < len(self.tiles):
            raise IllegalEvent("tiles", N_("the tiles are sea, sky and earth, each once"))
        if (self.ending.rounds is UNSET) == (self.ending.target is UNSET):
            raise IllegalEvent("ending", N_("the ending is either rounds or a target"))
        if self.ending.rounds is not UNSET and self.ending.rounds != 3:
            raise IllegalEvent("ending", N_("a game by rounds has 3 rounds"))
        if self.ending.target is not UNSET and self.ending.target < 1:
            raise IllegalEvent("ending", N_("the target is 1 or more"))
        if self.neutral != "aside" and seats != 2:
            raise IllegalEvent("neutral", N_("the neutral pairs are for 2 players"))

    @property
    def target(self) -> int | None:
        """Return the total to reach, or None in a game by rounds."""
        return None if isinstance(self.ending.target, UnsetType) else self.ending.target

    def left_to_right(self) -> tuple[int, ...]:
        """Return the suits' places in the order of their tiles."""
        return tuple(next(PLACE[suit] for suit in SUITS if suit.name == name) for name in self.tiles)


class Deal(Event, frozen=True, tag="deal"):
    """The two cards that begin the columns; with 3 players perhaps the ten open ones."""

    board: tuple[Card, Card]
    shown: tuple[Card, ...] = ()


class Reveal(Event, frozen=True, tag="reveal"):
    """The neutral pair is turned up (2 players)."""

    cards: tuple[Card, Card]


class Play(Event, frozen=True, tag="play"):
    """A card into the trick."""

    player: int
    card: Card


class Pledge(Event, frozen=True, tag="pledge"):
    """A card pledged, sideways."""

    player: int
    card: Card


class Pledged(Struct, frozen=True, forbid_unknown_fields=True):
    """A pledge within a trick that is entered as a whole."""

    player: int
    card: Card


class Trick(Event, frozen=True, tag="trick"):
    """A whole trick: its winner, and its pledges in the order made."""

    winner: int
    pledges: tuple[Pledged, ...]


class Round(Event, frozen=True, tag="round"):
    """A whole round: tricks and trees by seat, and who won the last trick if that was said."""

    tricks: tuple[int, ...]
    trees: tuple[int, ...]
    last: int | UnsetType = UNSET


EVENTS = (Deal, Reveal, Play, Pledge, Trick, Round)


def _order(*names: SuitName) -> RuleValue:
    return RuleValue(joined(next(suit for suit in SUITS if suit.name == name) for name in names), names)


OPTIONS = (
    RuleOption(
        "edition",
        Text(N_("Edition")),
        (RuleValue(Text(N_("Japanese")), "jp"), RuleValue(Text(N_("French")), "fr")),
        PLAYERS,
        lambda language, _rules: "fr" if language == "fr" else "jp",
    ),
    RuleOption(
        "ending",
        Text(N_("Ending")),
        (
            RuleValue(Text(N_("3 rounds")), {"rounds": 3}),
            RuleValue(Text(N_("to a total")), {"target": 20}, lambda number: {"target": number}),
        ),
        PLAYERS,
    ),
    RuleOption(
        "tiles",
        Text(N_("Tiles")),
        (
            _order("sea", "sky", "earth"),
            _order("sea", "earth", "sky"),
            _order("sky", "sea", "earth"),
            _order("sky", "earth", "sea"),
            _order("earth", "sea", "sky"),
            _order("earth", "sky", "sea"),
        ),
        PLAYERS,
    ),
    RuleOption(
        "tokens",
        Text(N_("Trees out")),
        (RuleValue(Text(N_("substitute")), "substitute"), RuleValue(Text(N_("limited")), "limited")),
        PLAYERS,
    ),
    RuleOption(
        "neutral",
        Text(N_("Later pairs")),
        (RuleValue(Text(N_("aside")), "aside"), RuleValue(Text(N_("columns")), "columns")),
        range(2, 3),
        lambda _language, rules: "columns" if rules["edition"] == "fr" else "aside",
    ),
)
