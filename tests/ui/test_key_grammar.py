"""The key grammar: which keys enter which answer."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from companion.core.cards import Card, Deck, Suit
from companion.core.prompt import (
    AlternateLay,
    Answer,
    ChooseItem,
    ChooseSeat,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TakeAlternative,
    TallySheet,
)
from companion.core.text import Glyph, Text
from companion.games.eternity.rules import DECK, EARTH, SEA, SKY, SUITS
from companion.ui.keys import AnswerCodes, spelled

CARD = DECK.by_name
EVERY_CARD = tuple(LayCard(card) for card in DECK)
EVERY_PLEDGE = tuple(LayCard(card, True) for card in DECK)
PLEDGE = AlternateLay(Text("pledge"), Glyph("pledge"))
TENS = "sea-10 sea-11 sea-12 sea-13 sea-14"


def asked(*answers: Answer, **more: object) -> AnswerCodes:
    """Return the key codes of a question about the cards of Eternity."""
    return AnswerCodes(structs.replace(Prompt(Text("?"), answers, deck=DECK.cards, suits=SUITS), **more))


def cards(*bare: Suit, seen: str = "", pledge: bool = False, highest: bool = False) -> AnswerCodes:
    """Return the key codes of a question for a card, with suits that a bare rank means, and cards already seen."""
    gone = {CARD[name] for name in seen.split()}
    answers = [answer for answer in EVERY_CARD + EVERY_PLEDGE * pledge if answer.card not in gone]
    return asked(*answers, bare=bare, highest=highest, alternate=PLEDGE if pledge else None)


def ranked(seen: str = "") -> AnswerCodes:
    """Return the key codes of a question in which a bare rank means the first suit that still has it."""
    return cards(SKY, EARTH, SEA, seen=seen, pledge=True, highest=True)


def numbers(values: Iterable[int], **more: object) -> AnswerCodes:
    """Return the key codes of a question for a number."""
    return AnswerCodes(structs.replace(Prompt(Text("?"), tuple(map(EnterNumber, values))), **more))


def named(answer: Answer) -> str:
    """Return an answer in the words of the tables below; `'` marks a pledge."""
    match answer:
        case LayCard(card, alternate):
            return card.name + "'" * alternate
        case LayPair(first, second):
            return f"{first.name}+{second.name}"
        case EnterNumber(value):
            return str(value)
        case ChooseSeat(seat):
            return f"seat{seat}"
        case ChooseItem(number):
            return f"item{number}"
    return type(answer).__name__


def typed(book: AnswerCodes, keys: str) -> str:
    """Return the answer that keys make: `…` if more is to come, and `-` if a key is wrong."""
    half = ""
    for place, key in enumerate(keys, 1):
        match book.press(half, key):
            case str(half):
                pass
            case None:
                return "-"
            case answer:
                assert place == len(keys), f"complete already after {keys[:place]}"
                return named(answer)
    return "…"


WINDS = tuple(Suit(letter, letter) for letter in "nwse")
FOUR = Deck.ranked(WINDS, range(1, 6)).cards
MONARCHS = tuple(Card(f"{suit.name}-{rank}", suit, rank, 1, (f"{rank}6",)) for suit in WINDS for rank in (1, 2))
"""Cards whose keys all end in the same digit."""
ACE = Card("ace", SEA, 14, 1, ("1", "14"))
STRAY = Deck.ranked([Suit("x", "x")], [20]).cards[0]
PAIR, BACK = LayPair(CARD["sky-7"], CARD["sea-7"]), LayPair(CARD["sea-7"], CARD["sky-7"])
TWINS = LayPair(CARD["sea-8"], CARD["sea-8"])
PAIRS = tuple(LayPair(one, other) for one in DECK for other in DECK if one.rank == other.rank != 7)


@pytest.mark.parametrize(
    ("book", "wanted"),
    [
        # A card
        (cards(), "A7=sea-7 B2=sky-2 C9=earth-9 A10=sea-10 A0=sea-10 A14=sea-14 A1#=sea-1 7=- A1A=- #=- B#=-"),
        (cards(EARTH), "7=earth-7 0=earth-10 13=earth-13 C7=earth-7 D=-"),
        (cards(SEA, pledge=True), "D7=sea-7' DB7=sky-7' AB7=sky-7 DAB7=sky-7'"),
        # A rank that one suit has; a 1 that can begin 10 to 14; a suit that has one card left; a card that was seen
        (cards(seen="sky-7 earth-7"), "7=sea-7"),
        (cards(SEA), "1=… 1#=sea-1"),
        (cards(SEA, seen=TENS), "1=sea-1"),
        (cards(SEA, seen=TENS.replace("sea-12", "sea-1")), "1=… 12=sea-12 1#=sea-1"),
        (cards(SEA, seen=" ".join(f"sky-{rank}" for rank in range(1, 15) if rank != 5)), "B=… B5=sky-5 B#=sky-5"),
        (cards(SEA, seen="sea-7"), "7=sea-7"),
        (cards(SEA, seen="sea-1"), "1#=sea-1"),
        # An ace that is 1 and 14 is whole with its last key, even when no other card begins with 1
        (asked(*map(LayCard, (ACE, CARD["sea-4"]))), "A1=… A14=ace A1#=ace A4=sea-4"),
        # A rank means the first suit that still has it, a letter and OK the highest of a suit
        (ranked(), "7=sky-7 A7=sea-7 D7=sky-7' DA7=sea-7' B#=sky-14 DA#=sea-14' 1#=sky-1 #=- D#=-"),
        (ranked("sky-7"), "7=earth-7 D7=earth-7'"),
        (ranked("sky-7 earth-7"), "7=sea-7 D7=sea-7'"),
        (ranked("sky-7 earth-7 sea-7"), "7=sky-7"),  # refused with its reason
        (ranked("sky-8 earth-7"), "7=sky-7"),
        (ranked("sky-10"), "0=earth-10 10=earth-10 D0=earth-10' D10=earth-10'"),
        (ranked("sky-12"), "12=earth-12"),
        (ranked("sky-1"), "1#=earth-1"),
        (ranked("sky-14 sky-13"), "B#=sky-12 A#=sea-14"),
        (ranked(TENS.replace("sea", "sky")), "1=… 12=earth-12"),
        (ranked(" ".join(f"sky-{rank}" for rank in range(1, 15))), "B#=-"),
        # What all cards share is not typed; a card of no suit on the table; all four letters are suits
        (asked(*map(LayCard, MONARCHS), deck=MONARCHS, suits=WINDS), "B2=w-2"),
        (asked(*EVERY_CARD, LayCard(STRAY), deck=(*DECK.cards, STRAY), bare=(SEA,)), "20=x-20 2#=sea-2"),
        (
            asked(
                *(LayCard(card, front) for card in FOUR for front in (False, True)),
                TakeAlternative(),
                deck=FOUR,
                suits=WINDS,
                bare=WINDS[3:],
                alternate=PLEDGE,
            ),
            "5=e-5 D5=e-5 05=e-5' 0A1=n-1' 9=TakeAlternative",
        ),
        # Two cards
        (asked(*EVERY_CARD, PAIR, TWINS), "AB7=sky-7+sea-7 BA7=sky-7+sea-7 AA8=sea-8+sea-8 A7=sea-7 AA7=sea-7+sea-7"),
        (asked(PAIR, BACK), "AB7=sea-7+sky-7 BA7=sky-7+sea-7"),
        (
            asked(*PAIRS, LayCard(CARD["sea-7"]), combination=(SKY, SEA)),
            "8=sky-8+sea-8 AB8=sea-8+sky-8 CC8=earth-8+earth-8 A7=sea-7",
        ),
        (asked(*EVERY_CARD, combination=(SEA, SEA)), "7=sea-7+sea-7"),
        # Seats, things to pick, what else can be done
        (asked(ChooseSeat(0), ChooseSeat(2), *EVERY_PLEDGE, alternate=PLEDGE), "3=seat2 A7=sea-7' 2=-"),
        (asked(ChooseItem(2, Text("two suns")), ChooseItem(7, Text("an earth"))), "7=item7 1=-"),
        (asked(*EVERY_CARD, Skip(), TakeAlternative()), "#=Skip D=TakeAlternative"),
        (asked(ChooseSeat(1)), "#=seat1"),
        # Numbers
        (numbers(range(12)), "7=7 1#=1 11=11 A=-"),
        (numbers(range(-20, 10)), "A5=-5 A12=-12 A1#=-1 5=5 0=0 A20=-20 A2#=-2"),
        (numbers(range(1000, 3001), open_numbers=range(1000, 10000)), "5000#=5000 9999#=9999 1000#=1000"),
        (numbers(range(-9999, -7998), open_numbers=range(-9999, -999)), "A9999#=-9999"),
    ],
)
def test_keys_enter_answers(book: AnswerCodes, wanted: str) -> None:
    pairs = [each.split("=", 1) for each in wanted.split()]
    assert [f"{keys}={typed(book, keys)}" for keys, _answer in pairs] == wanted.split()


@pytest.mark.parametrize(
    ("book", "answer", "keys"),
    [
        (cards(SEA, pledge=True), LayCard(CARD["sea-7"]), "7"),
        (cards(SEA, pledge=True), LayCard(CARD["sea-10"]), "0"),
        (cards(SEA, pledge=True), LayCard(CARD["sky-1"], True), "DB1#"),
        (ranked(), LayCard(CARD["sea-14"], True), "DA#"),
        (asked(*PAIRS, combination=(SKY, SEA)), LayPair(CARD["sky-8"], CARD["sea-8"]), "8"),
        (asked(*EVERY_CARD, LayCard(STRAY), deck=(*DECK.cards, STRAY)), LayCard(STRAY), "20"),
        (numbers(range(-20, 10)), EnterNumber(-1), "A1#"),
        (numbers(range(-20, 10)), EnterNumber(-20), "A20"),
        (numbers(range(1000, 3001), open_numbers=range(1000, 10000)), EnterNumber(5000), "5000#"),
    ],
)
def test_an_answer_is_spelt_by_the_fewest_keys(book: AnswerCodes, answer: Answer, keys: str) -> None:
    assert book.spell(answer) == keys


def test_what_is_not_offered_cannot_be_spelt() -> None:
    with pytest.raises(KeyError):
        cards(seen="sea-7").spell(LayCard(CARD["sea-7"]))


def test_the_order_of_the_answers_changes_neither_the_highest_card_nor_the_bare_rank() -> None:
    prompt = ranked().prompt
    book = AnswerCodes(structs.replace(prompt, answers=prompt.answers[::-1]))
    assert book.codes == ranked().codes
    assert typed(book, "B#") == "sky-14"


@given(
    st.permutations(SUITS),
    st.sets(st.sampled_from(DECK.cards), max_size=41),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
)
def test_what_is_left_is_typed_as_it_is_spelt_and_by_suit_and_rank_and_never_by_a_letter(
    suits: list[Suit], seen: set[Card], count: int, pledge: bool, highest: bool
) -> None:
    book = cards(*suits[:count], seen=" ".join(card.name for card in seen), pledge=pledge, highest=highest)
    for answer in book.prompt.answers:
        assert isinstance(answer, LayCard)
        assert typed(book, book.spell(answer)) == named(answer)
        whole = f"{'D' * answer.alternate}{'ABC'[SUITS.index(answer.card.suit)]}{answer.card.rank}"
        assert named(answer) in (typed(book, whole), typed(book, f"{whole}#") if typed(book, whole) == "…" else "")
    for keys in ("A", "B", "C", "D", "DA", "DB", "DC"):
        assert typed(book, keys) in "…-"


def sheet(column: int, *figures: int, by_row: bool = True) -> Prompt:
    """Return the question for a figure of a sheet with two rows and two columns."""
    rows = ((None, None), (None, None))
    tally = TallySheet(Text("R1"), (Text("tricks"), Text("trees")), rows, (0, column), by_row=by_row)
    return Prompt(Text("?"), tuple(map(EnterNumber, figures)), sheet=tally)


@pytest.mark.parametrize(
    ("prompt", "keys"),
    [
        (sheet(0, 0, 1, 2, 3, 10), {"A": 1, "B": 2, "C": 3}),
        (sheet(0, 0, 2, 5), {"B": 2}),
        (sheet(0, -1, 0, 1, 2, 3), {}),  # A is the minus sign
        (sheet(1, 0, 1, 2), {}),
        (sheet(0, 0, 1, 2, by_row=False), {}),
        (Prompt(Text("?"), (EnterNumber(1),)), {}),
    ],
)
def test_letters_are_figures_with_the_rest_of_a_row_0_in_sheets_that_are_asked_row_by_row(
    prompt: Prompt, keys: dict[str, int]
) -> None:
    assert {key: figure.value for key, figure in AnswerCodes(prompt).rows.items()} == keys


@pytest.mark.parametrize(
    ("figures", "keys"),
    [((2, 0), ["B", ""]), ((2, 1), ["2", "1"]), ((4, 0), ["4", "0"]), ((1, 0), ["A", ""]), ((0, 0), ["0", "0"])],
)
def test_a_row_is_spelt_by_its_letter_where_that_is_shorter(figures: tuple[int, int], keys: list[str]) -> None:
    prompts = [sheet(0, *range(13)), sheet(1, *range(3))]
    assert [*spelled(prompts, [*map(EnterNumber, figures)])] == keys
