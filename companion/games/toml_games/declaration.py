"""A declared game, checked and ready: its file, with the deck, the play and the questions that were made of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from companion.core.cards import Card, Deck, Suit
from companion.core.game import Best
from companion.core.text import N_, NN_, Text, joined
from companion.games.kit.tricks import FRENCH_SUITS, TrickOrder, ranked_cards

from .file import Findings, GameFile, Path, PhraseChecks, Question, TricksSection
from .formulas import Formula

RANK = re.compile(r"[0-9]{1,2}|[A-Z]")
JOKER_COLOUR = (255, 255, 255)


class TrickRules(Struct, frozen=True, eq=False, kw_only=True):
    """How a declared game is played card by card."""

    deck: Deck
    suits: tuple[Suit, ...]  # the suits that can be trump
    without: Mapping[int, int]  # by number of players: the bits of the cards that are laid aside
    hand: Formula | None
    trump: str  # none, fixed, asked, turned or led
    fixed: Suit | None
    lead: str  # left, dealer, card, or the name of a question
    lead_card: Card | None
    follow: bool
    order: TrickOrder
    values: Mapping[str, int]  # by card
    trump_values: Mapping[str, int]  # by card, if its suit is trump
    last: int
    answers: Mapping[str, str]  # by question: what answers it: tricks, points or last

    @property
    def worth(self) -> bool:
        """Return whether cards or the last trick have points, so that a trick's winner alone does not tell them."""
        return bool(self.values or self.trump_values or self.last)

    def value(self, card: Card, trump: Suit | None) -> int:
        """Return the points of a card."""
        usual = self.values.get(card.name, 0)
        return self.trump_values.get(card.name, usual) if card.suit is trump else usual


def trick_rules(content: GameFile, words: PhraseChecks, findings: Findings) -> TrickRules | None:
    """Return the rules of play; None if something in them is wrong."""
    tricks = content.tricks
    assert tricks is not None  # the caller has looked
    before = len(findings.all)
    suits, ranks = _suits_and_ranks(tricks, findings)
    known = len(findings.all) == before  # else no card can be called wrong
    cards = ranked_cards(suits, ranks)
    jokers = _jokers(tricks, cards, words, findings)
    deck = Deck(cards)
    trump_ranks = tricks.deck.trump_ranks.split() or list(ranks)
    values: dict[str, int] = {}
    trump_values: dict[str, int] = {}
    if known:
        _check_without(tricks, deck, findings)
        if sorted(trump_ranks) != sorted(ranks):
            findings.value(
                ("tricks", "deck", "trump_ranks"), N_("the same ranks as in {name}, in another order"), name="ranks"
            )
        values, trump_values = _values(tricks, deck, jokers, findings)
    lead, lead_card = _lead(content, tricks, deck if known else None, findings)
    trump = tricks.trump
    trumps = ("none", "asked", "turned", "led", *((suit.name for suit in suits) if known else FRENCH_SUITS))
    if trump not in trumps:
        findings.value(("tricks", "trump"), N_("expected one of {words}"), words=", ".join(trumps))
    answers = _answers(content, tricks, findings)
    if len(findings.all) > before:
        return None
    place = {rank: number for number, rank in enumerate(trump_ranks)}
    strength = {card.name: place.get(str(card.figure), card.rank) for card in deck}
    fixed = next((suit for suit in suits if suit.name == trump), None)
    return TrickRules(
        deck=deck,
        suits=suits,
        without={
            int(count): sum(deck.by_name[name].bit for name in set(names.split()))
            for count, names in tricks.deck.without.items()
        },
        hand=tricks.hand,
        trump="fixed" if fixed else trump,
        fixed=fixed,
        lead=lead,
        lead_card=lead_card,
        follow=tricks.follow,
        order=TrickOrder(
            lambda card: strength[card.name],
            frozenset(card for name, cards in jokers.items() if tricks.deck.jokers[name].wins for card in cards),
            frozenset(card for name, cards in jokers.items() if not tricks.deck.jokers[name].wins for card in cards),
        ),
        values=values,
        trump_values=trump_values,
        last=tricks.last,
        answers=answers,
    )


def _suits_and_ranks(tricks: TricksSection, findings: Findings) -> tuple[tuple[Suit, ...], tuple[str, ...]]:
    names, ranks = tricks.deck.suits.split(), tuple(tricks.deck.ranks.split())
    if not 1 <= len(names) <= 4 or len(set(names)) < len(names) or any(name not in FRENCH_SUITS for name in names):
        findings.value(
            ("tricks", "deck", "suits"), N_("expected one to four of {words}"), words=", ".join(FRENCH_SUITS)
        )
    if not 1 <= len(ranks) <= 16 or len(set(ranks)) < len(ranks) or not all(map(RANK.fullmatch, ranks)):
        findings.value(("tricks", "deck", "ranks"), N_("ranks are up to 16 different numbers or capital letters"))
    return tuple(FRENCH_SUITS[name] for name in names if name in FRENCH_SUITS), ranks


def _check_without(tricks: TricksSection, deck: Deck, findings: Findings) -> None:
    for name, number in tricks.deck.without.items():
        if not name.isdigit() or any(card not in deck.by_name for card in number.split()):
            findings.value(
                ("tricks", "deck", "without", name), N_('write the number of players = cards, as in 3 = "clubs-2"')
            )


def _jokers(tricks: TricksSection, cards: list[Card], words: PhraseChecks, findings: Findings) -> dict[str, list[Card]]:
    """Add the jokers to the cards; return them by name."""
    made: dict[str, list[Card]] = {}
    for place, (name, joker) in enumerate(tricks.deck.jokers.items()):
        path: Path = ("tricks", "deck", "jokers", name)
        words.check((*path, "label"), joker.label, 14)
        if not re.fullmatch(r"[a-z]{2,12}", name) or name in FRENCH_SUITS or not 1 <= joker.number <= 8 or place > 3:
            findings.key(path, N_("up to four kinds of jokers, each with a short name and 1 to 8 cards"))
            continue
        key = joker.key or str(15 + place)
        if not re.fullmatch(r"[0-9]{1,2}", key) or any(key in card.keys for card in cards):
            findings.key((*path, "key"), N_("a joker's key is a number that no rank has"))
        suit = Suit(name, joker.label, JOKER_COLOUR, sign="joker")
        made[name] = [
            Card(f"{name}-{number}", suit, number, 1 << (len(cards) + number - 1), (key,), suit.label, suit.label)
            for number in range(1, joker.number + 1)
        ]
        cards += made[name]
    return made


def _values(
    tricks: TricksSection, deck: Deck, jokers: Mapping[str, list[Card]], findings: Findings
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the points by card, as usual and as trump; what is said of a single card counts more than its suit's."""
    usual: dict[str, int] = {}
    trump: dict[str, int] = {}
    for name, points in sorted(tricks.values.items(), key=lambda item: "-" in item[0]):
        as_trump = name.startswith("trump-")
        wanted = name.removeprefix("trump-")
        meant = [card for card in deck if wanted in (card.name, card.suit.name, str(card.figure))]
        if not meant or abs(points) > 1000:
            path: Path = ("tricks", "values", name)
            findings.key(path, N_("expected a rank, a suit, a joker or a card, with at most 1000 points"))
        for card in meant:
            (trump if as_trump else usual)[card.name] = points
    return usual, trump


def _lead(content: GameFile, tricks: TricksSection, deck: Deck | None, findings: Findings) -> tuple[str, Card | None]:
    """Return who leads, or the card whose holder leads; without a deck, whatever looks like a card may be one."""
    if deck is not None and tricks.lead in deck.by_name:
        return "card", deck.by_name[tricks.lead]
    if deck is None and "-" in tricks.lead:
        return "card", None
    seats = [each.name for each in content.questions if each.kind == "seat"]
    if tricks.lead not in ("left", "dealer", *seats):
        cards = [] if deck is None else [card.name for card in deck][:1]  # as an example
        findings.value(
            ("tricks", "lead"), N_("expected one of {words}"), words=", ".join(("left", "dealer", *seats, *cards))
        )
    if tricks.lead in ("left", "dealer") and not content.dealer:
        findings.key(
            ("tricks", "lead"), N_("a game in which the dealer or the player at the left leads says dealer = true")
        )
    return tricks.lead, None


def _answers(content: GameFile, tricks: TricksSection, findings: Findings) -> dict[str, str]:
    """Return which questions the play answers; they stand one after the other, in any order."""
    asked = {each.name: (place, each) for place, each in enumerate(content.questions)}
    found: dict[str, str] = {}
    for what, name in (("tricks", tricks.tricks), ("points", tricks.points), ("last", tricks.last_by)):
        if name in asked:
            place, question = asked[name]
            found[name] = what
            if question.kind != ("seat" if what == "last" else "number") or question.per != "seat":
                findings.key(
                    ("ask", place),
                    N_("the play answers it, so it asks each seat for a number, or for the seat of the last trick"),
                )
    if not found and not findings.name_refused:
        findings.key(("tricks",), N_('no question is answered by the play: name one "tricks" or "points"'))
    places = sorted(asked[name][0] for name in found)
    if places and places[-1] - places[0] != len(places) - 1:
        findings.key(("ask", places[-1]), N_("the questions that the play answers stand one after the other"))
    return found


# The game


LARGEST = 100_000
"""The largest number that can be entered."""
MOST_LISTED = 2001
"""The most numbers that a question lists as answers; of more it lists those nearest to zero."""
MOST_SEATS = 8


class Declaration(GameFile, frozen=True, eq=False, kw_only=True):
    """A declared game: its file, and what was made of it."""

    trick_rules: TrickRules | None
    stopping: frozenset[str]  # the questions that their own figures can end: those after are not asked for

    @property
    def best_points(self) -> Best:
        return Best(self.best)

    def question(self, name: str) -> Question | None:
        """Return the question of a name."""
        return next((question for question in self.questions if question.name == name), None)


def in_brief(game: Declaration) -> Text:
    """Return what a game declares in one line: ``3 players or more, 2 questions a round``."""
    least, most = game.seats.start, game.seats.stop - 1
    players = Text(N_("{least} to {most} players"), least=least, most=most)
    if least == most:
        players = Text(N_("{count} players"), count=least)
    elif most == MOST_SEATS:
        players = Text(N_("{count} players or more"), count=least)
    parts = [players, Text(NN_("{count} question a round", "{count} questions a round"), count=len(game.questions))]
    if game.trick_rules is not None:
        parts.append(Text(N_("card by card")))
    if game.best_points is Best.LOWEST:
        parts.append(Text(N_("the fewest points win")))
    return joined(parts, ", ")
