"""The rows of suits on the live page."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.prompt import LayCard, Prompt
from companion.core.text import Text
from companion.games.eternity.rules import DECK, EARTH, SEA, SUITS
from companion.ui.live_page.build import suit_rows
from companion.ui.live_page.content import Button


def test_a_suit_of_which_no_card_can_be_laid_in_front_has_no_row_of_its_own() -> None:
    answers = tuple(LayCard(card, True) for card in DECK if card.suit is not SEA)
    rows = [*suit_rows(Prompt(Text("Which?"), answers, suits=SUITS, deck=tuple(DECK)))]
    assert [(row.cards, len(row.other)) for row in rows] == [((), 14), ((), 14)]
    assert len([*suit_rows(Prompt(Text("Which?"), answers[-1:], suits=(EARTH,)))]) == 1


def test_cards_that_are_alike_are_one_choice_with_the_number_left() -> None:
    prompt = Prompt(Text("Which?"), (LayCard(DECK.by_name["sea-3"]),), suits=SUITS, deck=tuple(DECK))
    rows = [*suit_rows(replace(prompt, alike=((SEA, 4), (EARTH, 0))))]
    shown = [(row.alike, [choice.name for choice in row.deck][:2], row.cards[:1]) for row in rows]
    assert shown == [
        (True, ["sea-3"], (Button("sea-3", "3", value="×4"),)),
        (False, ["sky-1", "sky-2"], (None,)),
        (True, ["earth-1"], (None,)),
    ]
