"""The key grammar: which keys enter which answer."""

from typing import Any

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
from companion.games.eternity.cards import DECK, EARTH, SEA, SKY, SUITS
from companion.ui.key_grammar import AnswerCodes, BegunAnswer, CompleteAnswer, CompleteRow, Invalid, spelled

CARD = DECK.by_name
EVERY_CARD = tuple(LayCard(card) for card in DECK)
EVERY_PLEDGE = tuple(LayCard(card, True) for card in DECK)


def cards(*, seen: str = "", led: Suit | None = None, pledge: bool = False, **more: Any) -> AnswerCodes:
    """Return the key codes of a prompt for a card, with some cards already seen."""
    gone = {CARD[name] for name in seen.split()}
    offered = EVERY_CARD + (EVERY_PLEDGE if pledge else ())
    return AnswerCodes(
        Prompt(
            Text("card?"),
            tuple(answer for answer in offered if answer.card not in gone),
            deck=DECK.cards,
            suits=SUITS,
            bare=more.pop("bare", () if led is None else (led,)),
            alternate=AlternateLay(Text("pledge"), Glyph("pledge")) if pledge else None,
            **more,
        )
    )


def typed(book: AnswerCodes, keys: str) -> Answer | str:
    """Return the answer that keys make, or the keys if they are incomplete."""
    half = ""
    for place, key in enumerate(keys):
        match book.press(half, key):
            case CompleteAnswer(answer):
                assert place == len(keys) - 1, f"complete already after {keys[: place + 1]}"
                return answer
            case BegunAnswer(half):
                pass
            case Invalid():
                return f"wrong: {key}"
    return half


@pytest.mark.parametrize(
    ("keys", "card"),
    [
        ("A7", "sea-7"),
        ("B2", "sky-2"),
        ("C9", "earth-9"),
        ("A10", "sea-10"),
        ("A0", "sea-10"),
        ("A14", "sea-14"),
        ("A1#", "sea-1"),
    ],
)
def test_a_card_is_its_suit_and_its_rank(keys: str, card: str) -> None:
    assert typed(cards(), keys) == LayCard(CARD[card])


def test_a_bare_rank_means_the_led_suit() -> None:
    assert typed(cards(led=EARTH), "7") == LayCard(CARD["earth-7"])
    assert typed(cards(led=EARTH), "0") == LayCard(CARD["earth-10"])
    assert typed(cards(led=EARTH), "13") == LayCard(CARD["earth-13"])


def test_the_led_suit_may_be_typed_all_the_same() -> None:
    assert typed(cards(led=EARTH), "C7") == LayCard(CARD["earth-7"])


def test_the_leader_has_to_name_a_suit() -> None:
    assert typed(cards(), "7") == "7" or typed(cards(), "7") == "wrong: 7"


def test_a_rank_that_only_one_suit_still_has_needs_no_suit() -> None:
    assert typed(cards(seen="sky-7 earth-7"), "7") == LayCard(CARD["sea-7"])


def test_d_before_a_card_makes_it_a_pledge() -> None:
    book = cards(led=SEA, pledge=True)
    assert typed(book, "D7") == LayCard(CARD["sea-7"], True)
    assert typed(book, "DB7") == LayCard(CARD["sky-7"], True)


def test_where_no_pledge_is_allowed_d_is_wrong() -> None:
    assert typed(cards(led=SEA), "D") == "wrong: D"


def ranked(*suits: Suit, seen: str = "", pledge: bool = False) -> AnswerCodes:
    """Return the key codes of a prompt in which a bare rank means the first of some suits that still has it."""
    return cards(seen=seen, pledge=pledge, bare=suits, highest=True)


@pytest.mark.parametrize(
    ("seen", "keys", "card"),
    [
        ("", "7", "sky-7"),
        ("sky-7", "7", "earth-7"),
        ("sky-7 earth-7", "7", "sea-7"),
        ("sky-8 earth-7", "7", "sky-7"),
        ("sky-10", "0", "earth-10"),
        ("sky-10", "10", "earth-10"),
        ("sky-12", "12", "earth-12"),
        ("sky-1", "1#", "earth-1"),
        ("sky-7", "C7", "earth-7"),
        ("", "A7", "sea-7"),
    ],
)
@pytest.mark.parametrize("pledge", [False, True])
def test_a_rank_means_the_first_suit_that_still_has_it(seen: str, keys: str, card: str, pledge: bool) -> None:
    book = ranked(SKY, EARTH, SEA, seen=seen, pledge=True)
    assert typed(book, "D" * pledge + keys) == LayCard(CARD[card], pledge)


def test_the_order_of_the_answers_changes_neither_the_highest_card_nor_the_bare_rank() -> None:
    prompt = ranked(SKY, EARTH, SEA).prompt
    book = AnswerCodes(structs.replace(prompt, answers=prompt.answers[::-1]))
    assert book.codes == ranked(SKY, EARTH, SEA).codes
    assert typed(book, "B#") == LayCard(CARD["sky-14"])


def test_a_rank_that_no_suit_has_any_more_is_refused_as_the_first_suits() -> None:
    assert typed(ranked(SKY, EARTH, SEA, seen="sky-7 earth-7 sea-7"), "7") == LayCard(CARD["sky-7"])


def test_a_one_goes_on_waiting_for_what_it_can_begin_in_any_suit() -> None:
    seen = " ".join(f"sky-{rank}" for rank in range(10, 15))
    assert typed(ranked(SKY, EARTH, SEA, seen=seen), "1") == "1"
    assert typed(ranked(SKY, EARTH, SEA, seen=seen), "12") == LayCard(CARD["earth-12"])


def test_a_letter_and_ok_are_the_highest_card_of_a_suit() -> None:
    book = ranked(SKY, EARTH, SEA, seen="sky-14 sky-13", pledge=True)
    assert typed(book, "B#") == LayCard(CARD["sky-12"])
    assert typed(book, "A#") == LayCard(CARD["sea-14"])
    assert typed(book, "DA#") == LayCard(CARD["sea-14"], True)
    assert typed(book, "1#") == LayCard(CARD["sky-1"])
    assert book.press("", "#") == Invalid()
    assert book.press("D", "#") == Invalid()
    assert book.spell(LayCard(CARD["sea-14"], True)) == "DA#"


def test_where_no_card_of_a_suit_is_left_there_is_no_highest() -> None:
    seen = " ".join(f"sky-{rank}" for rank in range(1, 15))
    assert ranked(SKY, EARTH, SEA, seen=seen).press("B", "#") == Invalid()


def test_only_where_the_game_says_so() -> None:
    assert cards().press("B", "#") == Invalid()


@given(st.permutations(SUITS), st.sets(st.sampled_from(DECK.cards), max_size=41), st.integers(0, 3), st.booleans())
def test_what_is_left_is_typed_as_it_is_spelt_and_by_suit_and_rank_and_never_by_a_letter(
    suits: list[Suit], seen: set[Card], count: int, pledge: bool
) -> None:
    book = ranked(*suits[:count], seen=" ".join(card.name for card in seen), pledge=pledge)
    for answer in book.prompt.answers:
        assert isinstance(answer, LayCard)
        assert typed(book, book.spell(answer)) == answer
        whole = f"{'D' * answer.alternate}{'ABC'[SUITS.index(answer.card.suit)]}{answer.card.rank}"
        half = typed(book, whole)
        assert answer == (typed(book, f"{whole}#") if half == whole else half)
    for letter in "ABCD":
        assert not isinstance(book.press("", letter), CompleteAnswer)
        assert not isinstance(book.press("D", letter), CompleteAnswer)


def test_a_one_waits_while_ten_to_fourteen_may_come() -> None:
    assert typed(cards(led=SEA), "1") == "1"
    assert typed(cards(led=SEA), "1#") == LayCard(CARD["sea-1"])


def test_a_one_is_complete_when_everything_above_nine_was_seen() -> None:
    seen = "sea-10 sea-11 sea-12 sea-13 sea-14"
    assert typed(cards(led=SEA, seen=seen), "1") == LayCard(CARD["sea-1"])


def test_a_suits_letter_alone_is_never_a_card_though_only_one_is_left() -> None:
    seen = " ".join(f"sky-{rank}" for rank in range(1, 15) if rank != 5)
    assert typed(cards(led=SEA, seen=seen), "B") == "B"
    assert typed(cards(led=SEA, seen=seen), "B5") == LayCard(CARD["sky-5"])
    assert typed(cards(led=SEA, seen=seen), "B#") == LayCard(CARD["sky-5"])


def test_a_one_goes_on_waiting_for_the_only_card_above_nine() -> None:
    seen = "sea-1 sea-10 sea-11 sea-13 sea-14"
    assert typed(cards(led=SEA, seen=seen), "1") == "1"
    assert typed(cards(led=SEA, seen=seen), "12") == LayCard(CARD["sea-12"])
    assert typed(cards(led=SEA, seen=seen), "1#") == LayCard(CARD["sea-1"])  # the game then refuses it with a reason


def test_another_suits_letter_takes_the_place_of_the_first() -> None:
    book = cards(led=SEA, pledge=True)
    assert typed(book, "AB7") == LayCard(CARD["sky-7"])
    assert typed(book, "DAB7") == LayCard(CARD["sky-7"], True)


def test_what_all_cards_share_is_not_typed() -> None:
    suits = [Suit(name, name) for name in "nwse"]
    monarchs = [Card(f"{suit}-{rank}", suit, rank, 1, (f"{rank}6",)) for suit in suits for rank in (1, 2)]
    book = AnswerCodes(Prompt(Text("?"), tuple(map(LayCard, monarchs)), deck=tuple(monarchs), suits=tuple(suits)))
    assert typed(book, "B2") == LayCard(monarchs[3])


def test_a_card_that_was_seen_can_be_typed_so_that_it_is_refused_with_its_reason() -> None:
    assert typed(cards(led=SEA, seen="sea-7"), "7") == LayCard(CARD["sea-7"])
    assert typed(cards(led=SEA, seen="sea-1"), "1#") == LayCard(CARD["sea-1"])


def test_a_wrong_key_changes_nothing() -> None:
    book = cards()
    assert book.press("A1", "A") == Invalid()
    assert book.press("", "#") == Invalid()


def test_seats_are_digits_and_a_suit_begins_a_card_where_both_are_asked() -> None:
    book = AnswerCodes(
        Prompt(
            Text("who won?"),
            (ChooseSeat(0), ChooseSeat(2), *EVERY_PLEDGE),
            deck=DECK.cards,
            suits=SUITS,
            alternate=AlternateLay(Text("pledge"), Glyph("pledge")),
        )
    )
    assert typed(book, "3") == ChooseSeat(2)
    assert typed(book, "A7") == LayCard(CARD["sea-7"], True)
    assert typed(book, "2") == "wrong: 2"


def test_a_number_is_complete_unless_a_longer_one_could_follow() -> None:
    book = AnswerCodes(Prompt(Text("how many?"), tuple(EnterNumber(value) for value in range(12))))
    assert typed(book, "7") == EnterNumber(7)
    assert typed(book, "1#") == EnterNumber(1)
    assert typed(book, "11") == EnterNumber(11)


def test_ok_goes_on_where_nothing_need_be_said_and_d_is_the_other_thing() -> None:
    book = AnswerCodes(Prompt(Text("?"), (*EVERY_CARD, Skip(), TakeAlternative()), deck=DECK.cards, suits=SUITS))
    assert typed(book, "#") == Skip()
    assert typed(book, "D") == TakeAlternative()


def test_ok_is_enough_where_only_one_answer_is_left() -> None:
    assert typed(AnswerCodes(Prompt(Text("who?"), (ChooseSeat(1),))), "#") == ChooseSeat(1)


@pytest.mark.parametrize("pledge", [False, True])
def test_every_answer_is_typed_by_the_keys_it_is_spelt_with(pledge: bool) -> None:
    book = cards(led=SEA, pledge=pledge, seen="sea-1 sea-12 sky-3 earth-10")
    for answer in book.prompt.answers:
        assert typed(book, book.spell(answer)) == answer


def sheet(column: int, *figures: int, by_row: bool = True) -> Prompt:
    """Return the question for a figure of a sheet with two rows and two columns."""
    rows = ((None, None), (None, None))
    asked = TallySheet(Text("R1"), (Text("tricks"), Text("trees")), rows, (0, column), by_row=by_row)
    return Prompt(Text("?"), tuple(map(EnterNumber, figures)), sheet=asked)


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
    book = AnswerCodes(prompt)
    assert {key: figure.value for key, figure in book.rows.items()} == keys
    for key, figure in keys.items():
        assert book.press("", key) == CompleteRow(EnterNumber(figure))


@pytest.mark.parametrize(
    ("figures", "keys"),
    [((2, 0), ["B", ""]), ((2, 1), ["2", "1"]), ((4, 0), ["4", "0"]), ((1, 0), ["A", ""]), ((0, 0), ["0", "0"])],
)
def test_a_row_is_spelt_by_its_letter_where_that_is_shorter(figures: tuple[int, int], keys: list[str]) -> None:
    prompts = [sheet(0, *range(13)), sheet(1, *range(3))]
    assert [*spelled(prompts, [*map(EnterNumber, figures)])] == keys


def test_nothing_is_spelt_longer_than_it_must_be() -> None:
    book = cards(led=SEA, pledge=True)
    assert book.spell(LayCard(CARD["sea-7"])) == "7"
    assert book.spell(LayCard(CARD["sea-10"])) == "0"
    assert book.spell(LayCard(CARD["sky-1"], True)) == "DB1#"


def test_what_is_not_offered_cannot_be_spelt() -> None:
    with pytest.raises(KeyError):
        cards(seen="sea-7").spell(LayCard(CARD["sea-7"]))


def test_two_cards_of_a_number_are_their_suits_and_the_number() -> None:
    pair = LayPair(CARD["sky-7"], CARD["sea-7"])
    twins = LayPair(CARD["sea-8"], CARD["sea-8"])
    book = AnswerCodes(Prompt(Text("?"), (*EVERY_CARD, pair, twins), deck=DECK.cards, suits=SUITS))
    assert typed(book, "AB7") == pair
    assert typed(book, "AA8") == twins
    assert typed(book, "A7") == LayCard(CARD["sea-7"])


def test_where_both_orders_of_two_cards_can_be_meant_they_are_typed_in_order() -> None:
    sea, sky = CARD["sea-7"], CARD["sky-7"]
    book = AnswerCodes(Prompt(Text("?"), (LayPair(sky, sea), LayPair(sea, sky)), deck=DECK.cards, suits=SUITS))
    assert typed(book, "AB7") == LayPair(sea, sky)
    assert typed(book, "BA7") == LayPair(sky, sea)
    alone = AnswerCodes(Prompt(Text("?"), (*EVERY_CARD, LayPair(sky, sea)), deck=DECK.cards, suits=SUITS))
    assert typed(alone, "AB7") == typed(alone, "BA7") == LayPair(sky, sea)


def test_where_two_cards_are_laid_a_bare_rank_means_a_pair_like_the_led_one() -> None:
    pairs = tuple(LayPair(one, other) for one in DECK for other in DECK if one.rank == other.rank != 7)
    seven = LayCard(CARD["sea-7"])  # the only 7, but its rank alone does not mean it
    book = AnswerCodes(Prompt(Text("?"), (*pairs, seven), deck=DECK.cards, suits=SUITS, combination=(SKY, SEA)))
    assert typed(book, "8") == LayPair(CARD["sky-8"], CARD["sea-8"])
    assert typed(book, "AB8") == LayPair(CARD["sea-8"], CARD["sky-8"])
    assert typed(book, "CC8") == LayPair(CARD["earth-8"], CARD["earth-8"])
    assert typed(book, "A7") == seven
    assert book.spell(LayPair(CARD["sky-8"], CARD["sea-8"])) == "8"


def test_two_cards_that_cannot_be_can_be_typed_so_that_they_are_refused_with_their_reason() -> None:
    pairs = tuple(LayPair(card, card) for card in DECK if card.rank != 7)
    book = AnswerCodes(Prompt(Text("?"), (*EVERY_CARD, *pairs), deck=DECK.cards, suits=SUITS))
    assert typed(book, "AA7") == LayPair(CARD["sea-7"], CARD["sea-7"])
    bare = AnswerCodes(Prompt(Text("?"), EVERY_CARD, deck=DECK.cards, suits=SUITS, combination=(SEA, SEA)))
    assert typed(bare, "7") == LayPair(CARD["sea-7"], CARD["sea-7"])


def test_a_pick_has_its_own_number() -> None:
    book = AnswerCodes(Prompt(Text("?"), (ChooseItem(2, Text("two suns")), ChooseItem(7, Text("an earth")))))
    assert typed(book, "7") == ChooseItem(7, Text("an earth"))
    assert typed(book, "1") == "wrong: 1"


def test_where_all_four_letters_are_suits_nought_lays_aside_and_nine_is_the_other_thing() -> None:
    suits = tuple(Suit(name, name) for name in "nwse")
    deck = Deck.ranked(suits, range(1, 6))
    laid = tuple(LayCard(card, alternate) for card in deck for alternate in (False, True))
    outputs = AlternateLay(Text("from the front"), Glyph("turn"))
    book = AnswerCodes(
        Prompt(Text("?"), (*laid, TakeAlternative()), deck=deck.cards, suits=suits, bare=suits[3:], alternate=outputs)
    )
    assert typed(book, "5") == LayCard(deck.cards[-1])
    assert typed(book, "D5") == LayCard(deck.cards[-1])
    assert typed(book, "05") == LayCard(deck.cards[-1], True)
    assert typed(book, "0A1") == LayCard(deck.cards[0], True)
    assert typed(book, "9") == TakeAlternative()


def test_a_card_of_no_suit_on_the_table_is_typed_by_its_own_keys() -> None:
    stray = Deck.ranked([Suit("stray", "stray")], [20]).cards[0]
    book = AnswerCodes(
        Prompt(Text("?"), (*EVERY_CARD, LayCard(stray)), deck=(*DECK.cards, stray), suits=SUITS, bare=(SEA,))
    )
    assert typed(book, "20") == LayCard(stray)
    assert book.spell(LayCard(stray)) == "20"
    assert typed(book, "2#") == LayCard(CARD["sea-2"])


@pytest.mark.parametrize(
    ("keys", "value"), [("A5", -5), ("A12", -12), ("A1#", -1), ("5", 5), ("0", 0), ("A20", -20), ("A2#", -2)]
)
def test_the_sign_of_a_number_below_zero_is_typed_with_a(keys: str, value: int) -> None:
    book = AnswerCodes(Prompt(Text("points?"), tuple(map(EnterNumber, range(-20, 10)))))
    assert typed(book, keys) == EnterNumber(value)
    assert book.spell(EnterNumber(value)) == keys


@pytest.mark.parametrize(("keys", "value"), [("5000#", 5000), ("9999#", 9999), ("1000#", 1000), ("A9999#", -9999)])
def test_a_number_of_many_may_begin_with_digits_that_are_less_than_the_least(keys: str, value: int) -> None:
    numbers = range(1000, 10000) if value > 0 else range(-9999, -999)
    book = AnswerCodes(Prompt(Text("points?"), tuple(map(EnterNumber, numbers[:2001])), open_numbers=numbers))
    assert typed(book, keys) == EnterNumber(value)
    assert book.spell(EnterNumber(value)) == keys


def test_a_question_without_numbers_below_zero_has_no_sign() -> None:
    assert AnswerCodes(Prompt(Text("points?"), tuple(map(EnterNumber, range(10))))).press("", "A") == Invalid()
