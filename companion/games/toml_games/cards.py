"""The cards of a declared game, made of its section ``[tricks]``: the deck, which card beats which, points of cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from companion.core.cards import Card, Deck, Suit
from companion.core.text import NC_
from companion.games.kit.tricks import SUITS, TrickOrder, other_of_colour, ranked_cards

from .file import DeckSection, InsteadSection, Question, TricksSection

WHITE = (255, 255, 255)
TRUMPS = Suit("trumps", NC_("playing cards", "Trumps"), WHITE, sign="joker")
"""The suit of the permanent trumps where no suit is trump."""


class CardsOfRound(Struct, frozen=True, eq=False):
    """Which card beats which, and what cards are worth: as usual, or in the rounds that ``instead`` names."""

    order: TrickOrder
    values: Mapping[str, int]  # by card
    trump_values: Mapping[str, int]  # by card, if it belongs to the trump suit

    def value(self, card: Card, trump: Suit | None) -> int:
        """Return the points of a card."""
        usual = self.values.get(card.name, 0)
        is_trump = trump is not None and self.order.suit_of(card, trump) is trump
        return self.trump_values.get(card.name, usual) if is_trump else usual


class TrickRules(Struct, frozen=True, eq=False, kw_only=True):
    """How a game is played card by card: what its file says, and what is made of it."""

    said: TricksSection
    deck: Deck  # each card once, however many copies it has
    suits: tuple[Suit, ...]  # the suits that can be trump
    rounds: tuple[CardsOfRound, ...]  # as usual, then as each of ``instead`` says
    without: Mapping[int, int]  # by number of players: the bits of the cards that are laid aside
    answers: Mapping[str, str]  # by question: what answers it: tricks, points, last, all, or who laid a card
    named: Mapping[str, Mapping[int, Suit]]  # by question and number of a choice: the suit that is called like it

    @property
    def fixed(self) -> Suit | None:
        """Return the suit that is always trump."""
        return self.suit(self.said.trump)

    @property
    def lead_card(self) -> Card | None:
        """Return the card whose holder leads."""
        return self.deck.by_name.get(self.said.lead)

    @property
    def worth(self) -> bool:
        """Return whether a trick's winner alone does not tell its points, because cards or the last trick have some."""
        return bool(self.said.last or any(each.values or each.trump_values for each in self.rounds))

    def suit(self, name: str) -> Suit | None:
        """Return the suit of a name."""
        return next((suit for suit in self.suits if suit.name == name), None)

    def chosen(self, name: str, given: Mapping[str, tuple[int, ...]]) -> Suit | None:
        """Return the suit that the answer to a question is called like."""
        answer = given.get(name)
        return self.named[name].get(answer[0]) if answer else None

    def questions_of(self, card: Card, given: Mapping[str, tuple[int, ...]]) -> Iterator[str]:
        """Yield the questions that whoever lays a card answers."""
        for question, name in self.said.laid.items():
            suit, _, rank = name.partition("-")
            chosen = self.chosen(suit, given) if suit in self.named else None
            if card.name == (name if chosen is None else f"{chosen.name}-{rank}"):
                yield question

    def cards(self, seats: int) -> int:
        """Return how many cards a table has."""
        return self.said.deck.copies * (len(self.deck) - self.without.get(seats, 0).bit_count())

    # What was seen: the bits of first copies, above them those of second copies, and so on

    def with_seen(self, seen: int, card: Card) -> int:
        """Return the cards seen with one more."""
        bit = card.bit
        while seen & bit:
            bit <<= len(self.deck)
        return seen | bit

    def left(self, seen: int, card: Card) -> int:
        """Return how many copies of a card were not seen."""
        copies = self.said.deck.copies
        return copies - sum(bool(seen & card.bit << copy * len(self.deck)) for copy in range(copies))

    def gone(self, seen: int) -> int:
        """Return the bits of the cards of which every copy was seen."""
        return seen >> (self.said.deck.copies - 1) * len(self.deck)

    def unseen(self, seen: int, seats: int) -> tuple[Card, ...]:
        """Return the cards of which a copy was not seen."""
        return self.deck.outside(self.gone(seen) | self.without.get(seats, 0))


def suits_of(deck: DeckSection) -> tuple[Suit, ...]:
    """Return the suits of a deck, those of its own among them; without names that nothing says."""
    own = {name: Suit(name, each.label, WHITE, each.sign or name) for name, each in deck.own.items()}
    known = SUITS | own
    return tuple(known[name] for name in deck.suits.split() if name in known)


def deck_of(section: DeckSection) -> tuple[tuple[Suit, ...], Deck]:
    """Return the suits that can be trump, and all cards, the jokers last."""
    suits = suits_of(section)
    only = {name: each.ranks.split() for name, each in section.own.items() if each.ranks}
    cards = ranked_cards(suits, section.ranks.split(), only)
    for place, (name, joker) in enumerate(section.jokers.items()):
        suit, key = Suit(name, joker.label, WHITE, sign="joker"), joker.key or str(15 + place)
        cards += [
            Card(f"{name}-{number}", suit, number, 1 << (len(cards) + number - 1), (key,), suit.label, suit.label)
            for number in range(1, joker.number + 1)
        ]
    return suits, Deck(cards)


def meant(name: str, deck: Deck) -> list[Card]:
    """Return the cards that a key of ``values`` means: those of a rank, of a suit, a kind of joker, or one card."""
    wanted = name.removeprefix("trump-")
    return [card for card in deck if wanted in (card.name, card.suit.name, str(card.figure))]


def trick_rules(section: TricksSection, asked: Sequence[Question]) -> TrickRules:
    """Return the rules of play that a file says; nothing in it is wrong."""
    suits, deck = deck_of(section.deck)
    by_name = {suit.name: suit for suit in suits}
    return TrickRules(
        said=section,
        deck=deck,
        suits=suits,
        rounds=tuple(_cards_of_round(section, each, suits, deck) for each in (InsteadSection(), *section.instead)),
        without={
            int(count): sum(deck.by_name[name].bit for name in set(names.split()))
            for count, names in section.deck.without.items()
        },
        answers=answered(section, asked),
        named={
            each.name: {number: by_name[word] for word, number in each.choices if word in by_name} for each in asked
        },
    )


def answered(section: TricksSection, asked: Sequence[Question]) -> dict[str, str]:
    """Return by question what of the play answers it."""
    names = {section.tricks: "tricks", section.points: "points", section.last_by: "last", section.all: "all"}
    names |= dict.fromkeys(section.laid, "laid")
    return {each.name: names[each.name] for each in asked if each.name in names}


def _cards_of_round(
    section: TricksSection, instead: InsteadSection, suits: tuple[Suit, ...], deck: Deck
) -> CardsOfRound:
    usual: dict[str, int] = {}
    trump: dict[str, int] = {}
    values = section.values if instead.values is None else instead.values
    # what is said of a single card counts more than what is said of its suit
    for name, points in sorted(values.items(), key=lambda item: "-" in item[0].removeprefix("trump-")):
        for card in meant(name, deck):
            (trump if name.startswith("trump-") else usual)[card.name] = points
    return CardsOfRound(_order(section.deck, instead, suits, deck), usual, trump)


def _order(section: DeckSection, instead: InsteadSection, suits: tuple[Suit, ...], deck: Deck) -> TrickOrder:
    """Return how cards compare: jokers that win or lose, permanent trumps, bowers, ranks as trump and otherwise."""
    always = (section.always if instead.always is None else instead.always).split()
    bowers = section.bowers if instead.bowers is None else instead.bowers
    ranks = (instead.ranks or section.ranks).split()
    usual = _strengths(deck, ranks)
    as_trump = _strengths(deck, (instead.trump_ranks or section.trump_ranks).split() or ranks)
    highest = len(ranks)
    permanent = {name: highest + 3 + place for place, name in enumerate(always)}
    wins = {card: section.jokers[card.suit.name].wins for card in deck if card.suit not in suits}
    wins = {card: each for card, each in wins.items() if card.name not in permanent}
    later = {deck.by_name[name] for name in section.later.split()}
    mates = {suit: other_of_colour(suit, suits) for suit in suits} if bowers else {}

    def suit_of(card: Card, trump: Suit | None) -> Suit | None:
        if card in wins:
            return None
        if card.name in permanent:
            return trump or TRUMPS
        if trump is not None and card.figure == bowers and mates[trump] is card.suit:
            return trump
        return card.suit

    def strength(card: Card, suit: Suit | None, trump: Suit | None) -> int:
        if card.name in permanent:
            return permanent[card.name]
        if suit is not trump:
            return usual[card.name]
        if card.figure == bowers:
            return highest + 1 + (card.suit is trump)
        return as_trump[card.name]

    def beats(card: Card, best: Card, trump: Suit | None) -> bool:
        if wins.get(best):
            return False
        if card in wins or best in wins:
            return wins.get(card, True)
        suit = suit_of(card, trump)
        if suit is not suit_of(best, trump):
            return suit is (trump or TRUMPS)
        if card is best:
            return card in later
        return strength(card, suit, trump) > strength(best, suit, trump)

    return TrickOrder(suit_of, beats)


def _strengths(deck: Deck, ranks: Sequence[str]) -> dict[str, int]:
    place = {rank: number for number, rank in enumerate(ranks)}
    return {card.name: place.get(str(card.figure), card.rank) for card in deck}
