"""The rows of suits on the live page."""

from __future__ import annotations

from companion.core.prompt import LayCard, Prompt
from companion.core.text import Text
from companion.games.eternity.cards import DECK, EARTH, SEA, SUITS
from companion.ui.live_page.suit_rows import suit_rows
from companion.ui.translations import Translator


def test_a_suit_of_which_no_card_can_be_laid_in_front_has_no_row_of_its_own() -> None:
    answers = tuple(LayCard(card, True) for card in DECK if card.suit is not SEA)
    rows = [*suit_rows(Translator("en"), Prompt(Text("Which?"), answers, suits=SUITS, deck=tuple(DECK)))]
    assert [(row.cards, len(row.other)) for row in rows] == [((), 14), ((), 14)]
    assert len([*suit_rows(Translator("en"), Prompt(Text("Which?"), answers[-1:], suits=(EARTH,)))]) == 1
