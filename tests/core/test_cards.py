"""Decks: every card once, and sets of cards as bit masks."""

from __future__ import annotations

from companion.core.cards import Card, Deck, Suit
from companion.core.text import Text, tell

RED = Suit("red", "Red", (255, 0, 0))
BLACK = Suit("black", "Black")
DECK = Deck.ranked((RED, BLACK), (1, 2, 3))


def test_a_deck_is_in_the_order_of_its_suits_and_ranks() -> None:
    assert [card.name for card in DECK] == ["red-1", "red-2", "red-3", "black-1", "black-2", "black-3"]
    assert len(DECK) == 6
    assert [(card.suit, card.rank) for card in DECK] == [(suit, rank) for suit in (RED, BLACK) for rank in (1, 2, 3)]


def test_ranks_that_can_be_counted_only_once_serve_every_suit() -> None:
    assert len(Deck.ranked((RED, BLACK), iter((1, 2, 3)))) == 6


def test_a_card_is_found_by_its_name_in_the_log() -> None:
    assert all(DECK.by_name[card.name] is card for card in DECK)
    assert len(DECK.by_name) == len(DECK)


def test_every_card_is_one_bit_of_its_own() -> None:
    assert sum(card.bit for card in DECK) == 0b111111
    assert all(card.bit.bit_count() == 1 for card in DECK)


def test_the_cards_outside_a_set_come_in_the_decks_order() -> None:
    seen = DECK.by_name["red-2"].bit | DECK.by_name["black-3"].bit
    assert [card.name for card in DECK.outside(seen)] == ["red-1", "red-3", "black-1", "black-2"]
    assert DECK.outside(0) == DECK.cards
    assert DECK.outside(0b111111) == ()


def test_a_card_is_read_as_its_suit_and_rank() -> None:
    assert tell(DECK.by_name["black-3"]) == "Black 3"
    words = {"{suit} {rank}": "{rank} {suit}", "Black": "noir"}
    assert tell(DECK.by_name["black-3"], (), lambda template, _count: words[template]) == "3 noir"


def test_cards_and_suits_show_their_names_in_a_log() -> None:
    assert repr(DECK.by_name["black-3"]) == "black-3"
    assert repr(RED) == "red"


def test_a_suit_lights_the_lamp_in_its_colour_and_white_without_one() -> None:
    assert RED.colour == (255, 0, 0)
    assert BLACK.colour == (255, 255, 255)


def test_a_ten_is_typed_in_two_ways_the_plain_one_first() -> None:
    assert [card.keys for card in Deck.ranked((RED,), (9, 10, 11))] == [("9",), ("10", "0"), ("11",)]


def test_a_card_is_shown_short_by_its_suits_sign() -> None:
    assert tell(DECK.by_name["red-2"].sign) == "<red>2"


def test_a_card_may_have_a_name_of_its_own() -> None:
    joker = Card("joker", RED, 0, 1, ("0",), Text("the joker"))
    assert tell(joker) == "the joker"
