"""The cards of a declared game: a deck, an order and points made of its section ``[tricks]``, and checks of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from companion.core.cards import Card, Deck, Suit
from companion.core.text import N_, NC_, Text
from companion.games.kit.tricks import (
    FRENCH_SUITS,
    LETTERED,
    SUITS,
    TrickOrder,
    keys_of,
    other_of_colour,
    ranked_cards,
)

from .file import (
    FOLLOW,
    OR_TRUMP,
    DeckSection,
    Findings,
    GameFile,
    InsteadSection,
    Path,
    Question,
    TricksSection,
)

WHITE = (255, 255, 255)
TRUMPS = Suit("trumps", NC_("playing cards", "Trumps"), WHITE, sign="joker")
"""The suit of the permanent trumps where no suit is trump."""


class OwnCards(NamedTuple):
    """The cards of a package: its deck, and its functions on them in place of what a file says."""

    deck: Deck
    order: TrickOrder


class CardsOfRound(Struct, frozen=True, eq=False):
    """The order and the points of cards: the usual ones, or those of a table ``[[tricks.instead]]``."""

    said: InsteadSection  # what is not as usual
    order: TrickOrder
    values: Mapping[str, int]  # by card
    trump_values: Mapping[str, int]  # by card, if it belongs to the trump suit
    or_trump: bool  # whether a trump may be laid on any suit, and the highest kept back
    deck: Deck

    def value(self, card: Card, trump: Suit | None) -> int:
        """Return the points of a card."""
        usual = self.values.get(card.name, 0)
        return self.trump_values.get(card.name, usual) if self.is_trump(card, trump) else usual

    def is_trump(self, card: Card, trump: Suit | None) -> bool:
        return trump is not None and self.order.suit_of(card, trump) is trump

    def is_free(self, card: Card, trump: Suit | None) -> bool:
        """Return whether a card is a trump where that may be laid on any suit."""
        return self.or_trump and self.is_trump(card, trump)

    def is_kept(self, card: Card, trump: Suit | None) -> bool:
        """Return whether a card is the highest trump where nobody has to lay that."""
        return self.is_free(card, trump) and not any(self.order.beats(each, card, trump) for each in self.deck)


class TrickRules(Struct, frozen=True, eq=False, kw_only=True):
    """The rules of play card by card: the section of a file, the deck, and the order of cards."""

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
        """Return the suit that the answer to a question names."""
        answer = given.get(name)
        return self.named[name].get(answer[0]) if answer else None

    def questions_of(self, card: Card, given: Mapping[str, tuple[int, ...]]) -> Iterator[str]:
        """Yield the names of the questions that ask who laid a card."""
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
        """Return the bits of the cards that were seen in all their copies."""
        return seen >> (self.said.deck.copies - 1) * len(self.deck)

    def unseen(self, seen: int, seats: int) -> tuple[Card, ...]:
        """Return the cards that were not seen in all their copies."""
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


def suits_in(deck: Deck) -> tuple[Suit, ...]:
    """Return the suits of the cards of a deck."""
    return tuple(dict.fromkeys(card.suit for card in deck))


def meant(name: str, deck: Deck) -> list[Card]:
    """Return the cards that a key of ``values`` means: those of a rank, of a suit, a kind of joker, or one card."""
    wanted = name.removeprefix("trump-")
    return [card for card in deck if wanted in (card.name, card.suit.name, str(card.figure))]


def trick_rules(section: TricksSection, asked: Sequence[Question], own: OwnCards | None = None) -> TrickRules:
    """Return the rules of play that a file says, or a package with cards of its own; nothing in it is wrong."""
    suits, deck = deck_of(section.deck) if own is None else (suits_in(own.deck), own.deck)
    by_name = {suit.name: suit for suit in suits}
    return TrickRules(
        said=section,
        deck=deck,
        suits=suits,
        rounds=tuple(
            _cards_of_round(section, each, deck, _order(section.deck, each, suits, deck) if own is None else own.order)
            for each in (InsteadSection(), *section.instead)
        ),
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


def _cards_of_round(section: TricksSection, instead: InsteadSection, deck: Deck, order: TrickOrder) -> CardsOfRound:
    usual: dict[str, int] = {}
    trump: dict[str, int] = {}
    values = section.values if instead.values is None else instead.values
    # what is said of a single card counts more than what is said of its suit
    for name, points in sorted(values.items(), key=lambda item: "-" in item[0].removeprefix("trump-")):
        for card in meant(name, deck):
            (trump if name.startswith("trump-") else usual)[card.name] = points
    return CardsOfRound(instead, order, usual, trump, section.follow == OR_TRUMP, deck)


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


# Checks

RANK = re.compile(r"[0-9]{1,2}|[A-Z]")


class CardChecks:
    """Checks the section ``[tricks]``: the deck from top to bottom, then what names cards, suits and questions."""

    def __init__(
        self,
        content: GameFile,
        section: TricksSection,
        findings: Findings,
        own: OwnCards | None = None,
    ) -> None:
        self._content, self._section, self._findings, self._own = content, section, findings, own
        self._deck: Deck | None = None  # None while suits or ranks are wrong: then no card can be called wrong

    def check(self) -> None:
        section, deck, found = self._section, self._section.deck, self._findings
        before = len(found.all)
        self._suits_and_ranks()
        suits_are_right = len(found.all) == before
        self._jokers()
        if len(found.all) == before:
            self._deck = deck_of(deck)[1] if self._own is None else self._own.deck
        if suits_are_right:
            self._order(("tricks", "deck"), "", deck.trump_ranks, deck.bowers, deck.always)
            self._without()
            self._cards(("tricks", "deck", "later"), deck.later)
            self._values(("tricks", "values"), section.values)
        if section.follow not in (True, False, OR_TRUMP):
            found.value(("tricks", "follow"), N_("expected {wanted}"), wanted=Text(FOLLOW))
        self._lead()
        self._trump(suits_are_right)
        self._answers()
        self._laid()
        for place, each in enumerate(section.instead):
            self._instead(("tricks", "instead", place), each, suits_are_right)

    @property
    def _suits(self) -> list[str]:
        """Return the names of the suits that can be trump."""
        suits = suits_of(self._section.deck) if self._own is None else suits_in(self._own.deck)
        return [suit.name for suit in suits]

    @property
    def _ranks(self) -> Collection[str]:
        """Return the ranks of the cards."""
        if self._own is None:
            return self._section.deck.ranks.split()
        return {str(card.figure) for card in self._own.deck}

    def _suits_and_ranks(self) -> None:
        deck, found = self._section.deck, self._findings
        for name, own in deck.own.items():
            path: Path = ("tricks", "deck", "own", name)
            if not re.fullmatch(r"[a-z]{2,12}", name) or name in SUITS:
                found.key(path, N_("a suit of your own has a name of 2 to 12 small letters that no other suit has"))
            if not {*own.ranks.split()} <= {*deck.ranks.split()}:
                found.value((*path, "ranks"), N_("some of the ranks in {name}"), name="ranks")
        names, ranks = deck.suits.split(), deck.ranks.split()
        known = (*SUITS, *deck.own)
        if not 1 <= len(names) <= 5 or len({*names}) < len(names) or any(name not in known for name in names):
            words = ", ".join((*deck.own, *SUITS))
            found.value(("tricks", "deck", "suits"), N_("expected one to five of {words}"), words=words)
        if not 1 <= len(ranks) <= 16 or len({*ranks}) < len(ranks) or not all(map(RANK.fullmatch, ranks)):
            found.value(("tricks", "deck", "ranks"), N_("ranks are up to 16 different numbers or capital letters"))
        if len(names) > LETTERED and "0" in ranks:
            found.value(("tricks", "deck", "ranks"), N_("with five suits no rank is 0, which is typed for the fifth"))
        if not 1 <= deck.copies <= 4:
            found.value(("tricks", "deck", "copies"), N_("there are 1 to 4 copies of a card"))

    def _jokers(self) -> None:
        deck, found = self._section.deck, self._findings
        ranks = deck.ranks.split()
        typed = {key for rank in ranks for key in keys_of(rank, ranks)}
        if len(deck.suits.split()) > LETTERED:
            typed |= {f"0{key}" for key in typed}  # the cards of the fifth suit
        for place, (name, joker) in enumerate(deck.jokers.items()):
            path: Path = ("tricks", "deck", "jokers", name)
            wrong_name = not re.fullmatch(r"[a-z]{2,12}", name) or name in SUITS or name in deck.own
            if wrong_name or not 1 <= joker.number <= 8 or place > 3:
                found.key(path, N_("up to four kinds of jokers, each with a short name and 1 to 8 cards"))
                continue
            key = joker.key or str(15 + place)
            if not re.fullmatch(r"[0-9]{1,2}", key) or key in typed:
                found.key((*path, "key"), N_("a joker's key is a number that no rank has"))
            typed.add(key)

    def _order(self, path: Path, ranks: str, trump_ranks: str, bowers: str, always: str) -> None:
        every = self._section.deck.ranks.split()
        for key, text in (("ranks", ranks), ("trump_ranks", trump_ranks)):
            if text and sorted(text.split()) != sorted(every):
                said = N_("the same ranks as in {name}, in another order")
                self._findings.value((*path, key), said, name="ranks")
        if bowers and bowers not in every:
            self._findings.value((*path, "bowers"), N_("expected one of {words}"), words=", ".join(every))
        self._cards((*path, "always"), always)

    def _cards(self, path: Path, names: str) -> None:
        """Add a finding for the first name that is no card, or that stands twice."""
        cards = names.split()
        for place, name in enumerate(cards):
            if self._deck is not None and (name not in self._deck.by_name or name in cards[:place]):
                said = N_("there is no card {name}, or it stands twice: write cards as {card}")
                self._findings.value(path, said, name=name[:24], card=self._deck.cards[0].name)
                return

    def _without(self) -> None:
        for count, cards in self._section.deck.without.items():
            first = None if self._deck is None else self._deck.cards[0].name
            unknown = self._deck is not None and any(card not in self._deck.by_name for card in cards.split())
            if not count.isdigit() or unknown:
                path: Path = ("tricks", "deck", "without", count)
                said = N_('write the number of players = cards, as in 3 = "{card}"')
                self._findings.value(path, said, card=first or "clubs-2")

    def _values(self, path: Path, values: Mapping[str, int]) -> None:
        for name, points in values.items():
            if abs(points) > 1000 or (self._deck is not None and not meant(name, self._deck)):
                said = N_("expected a rank, a suit, a joker or a card, with at most 1000 points")
                self._findings.key((*path, name), said)

    def _lead(self) -> None:
        lead, path = self._section.lead, ("tricks", "lead")
        if self._deck is not None and lead in self._deck.by_name:
            return
        if self._deck is None and "-" in lead:  # whatever looks like a card may be one
            return
        seats = [each.name for each in self._content.questions if each.kind == "seat"]
        if lead not in ("left", "dealer", *seats):
            cards = [] if self._deck is None else [self._deck.cards[0].name]  # as an example
            words = ", ".join(("left", "dealer", *seats, *cards))
            self._findings.value(path, N_("expected one of {words}"), words=words)
        if lead in ("left", "dealer") and not self._content.dealer:
            said = N_("a game in which the dealer or the player at the left leads says dealer = true")
            self._findings.key(path, said)

    def _trump(self, suits_are_right: bool) -> None:
        suits = self._suits if suits_are_right else [*FRENCH_SUITS]
        asked = [each.name for each in self._content.questions if each.kind == "choice" and each.per == "round"]
        words, trump = ("none", "asked", "suit", "turned", "led", *suits), self._section.trump
        if trump not in (*words, *asked):
            self._findings.value(("tricks", "trump"), N_("expected one of {words}"), words=", ".join((*words, *asked)))
        if trump in words and trump in asked:
            said = N_("{word} is a word of this key: to mean the question, give it another name")
            self._findings.warn(("tricks", "trump"), said, word=trump)

    def _instead(self, path: Path, each: InsteadSection, suits_are_right: bool) -> None:
        if (each.when is None) == (each.named is None):
            self._findings.key(path, N_("write when, or for what is chosen in place of a trump named"))
        if each.named is not None and self._section.trump not in ("asked", "suit", "turned"):
            self._findings.value((*path, "named"), N_("no trump is chosen in this game"))
        if not suits_are_right:
            return
        if each.trump not in ("", "none", *self._suits):
            words = ", ".join(("none", *self._suits))
            self._findings.value((*path, "trump"), N_("expected one of {words}"), words=words)
        self._order(path, each.ranks, each.trump_ranks, each.bowers or "", each.always or "")
        self._values((*path, "values"), each.values or {})

    def _laid(self) -> None:
        asked = [each.name for each in self._content.questions]
        suits = [each.name for each in self._content.questions if each.kind == "choice" and each.per == "round"]
        for name, card in self._section.laid.items():
            path: Path = ("tricks", "laid", name)
            if name not in asked:
                self._findings.key(path, N_("there is no question {name}"), name=name)
            suit, _, rank = card.partition("-")
            if suit not in suits or rank not in self._ranks:
                self._cards(path, card)

    def _answers(self) -> None:
        """Check the questions that the play answers: they stand one after the other, in any order."""
        found: list[int] = []
        kinds = {"tricks": "number", "points": "number", "last": "seat", "all": "choice", "laid": "seats"}
        answers = answered(self._section, self._content.questions)
        for place, question in enumerate(self._content.questions):
            what = answers.get(question.name)
            if what is None:
                continue
            found.append(place)
            yes_or_no = what != "all" or {number for _word, number in question.choices} == {0, 1}
            one_of_all = (what, question.kind) == ("laid", "seat")
            if (question.kind != kinds[what] and not one_of_all) or not yes_or_no:
                self._findings.key(
                    ("ask", place), N_("the play answers it, so it asks for numbers, or for the seat of the last trick")
                )
        if not {*answers.values()} - {"all", "laid"} and not self._findings.name_refused:
            said = N_('no question is answered by the play: name one "tricks" or "points"')
            self._findings.key(("tricks",), said)
        if found and found[-1] - found[0] != len(found) - 1:
            said = N_("the questions that the play answers stand one after the other")
            self._findings.key(("ask", found[-1]), said)
