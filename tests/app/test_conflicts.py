"""Corrections: any entry, with few keys; nothing is written before all later entries fit again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli.log_to_keys import ENTRIES
from companion.core.game import Event, tracking_of
from companion.core.prompt import DetailLevel, Prompt
from companion.core.session import Session
from companion.games import GAMES
from companion.ui.keys import AnswerCodes, parse
from companion.ui.screens.corrections import (
    ending,
    way,
)
from companion.ui.translations import Translator
from tests.app.boxes import playing, press, says
from tests.example_counts import examples
from tests.games.seeds import Dealt, deal, events, games

# Selecting an entry


@pytest.mark.parametrize(
    ("count", "typed", "number"),
    [(57, "7", 57), (57, "8", 48), (57, "48", 48), (57, "58", None), (57, "0", 50), (57, "05", 5), (7, "8", None)],
)
def test_digits_lead_to_the_latest_entry_whose_number_ends_so(count: int, typed: str, number: int | None) -> None:
    assert ending(count, typed) == number


@pytest.mark.unmeasured
@pytest.mark.parametrize("count", [1, 2, 4, 9, 10, 11, 30])
def test_the_shortest_way_to_every_entry_leads_there(count: int) -> None:
    box = playing("h#53" + "31#31#31#1#2" * count, ending={"target": 999})
    for number in range(1, count + 1):
        assert f"correction R{number}: " in says(press(box, f"{ENTRIES}{way(count, number)}#"))
        press(box, "*")


@given(st.integers(1, 100), st.data())
def test_the_last_ten_entries_are_two_keys_away_and_the_last_hundred_three(back: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(back, 500))
    assert len(way(count, count - back + 1)) <= (1 if back <= 10 else 2)


# Counting keys


def plays(game: str, seats: int, seed: int) -> Dealt:
    """Play a random game with this number of players, entering every card."""
    while True:
        dealt = deal(game, seed, coarse=0.0, edits=0.0, misplay=0.1, most_rounds=3)
        if len(dealt.header["players"]) == seats:
            return dealt
        seed += 1


def longest_correction(session: Session, number: int) -> str:
    """Return the longest keys that replace an entry with another card."""
    game = session.header.game
    before, was = session.before(number), session.step(number).event
    assert was is not None
    tracking = tracking_of(game, DetailLevel.FULL, before, was)
    prompt = game.ask(before, tracking, ())
    assert isinstance(prompt, Prompt)
    book = AnswerCodes(prompt)
    cards = (answer for answer in prompt.answers if isinstance(game.ask(before, tracking, (answer,)), Event))
    return max(map(book.spell, cards), key=lambda keys: len(parse(keys)), default="")


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    ("game", "seats"), [(name, seats) for name, game in GAMES.items() for seats in game.seats], ids=str
)
def test_any_card_of_the_last_three_tricks_is_mended_in_eight_keys(game: str, seats: int) -> None:
    trick = max(4, seats)
    for seed in range(examples(1)):
        session = plays(game, seats, seed * 1000).session()
        for number in range(1, session.head.number + 1):
            keys = longest_correction(session, number)
            for stand in range(number, min(number + 4 * trick - 1, session.head.number + 1)):  # three tricks and a half
                spelt = f"{ENTRIES}{way(stand, number)}#{keys}"
                assert len(parse(spelt)) <= 8, (session.header.written, stand, number, spelt)


def test_a_sheet_whose_rows_are_changed_for_ever_is_entered_again() -> None:
    box = playing("33 22 54 1#", tracking="round")
    for _ in range(120):
        press(box, "D 2 # 2")
        if "enter the sheet again" in says(box):
            break
    assert box.view().question == "Tricks: Aki"
    assert "R: 3/3 2/2 5/4 0/1" in says(press(box, "33 22 54 1# 3 h*"))


@settings(max_examples=examples(20, 1200))
@given(games())
def test_whose_entry_it_was_is_said_of_every_entry_that_is_somebodys(dealt: Dealt) -> None:
    session = dealt.session()
    words = Translator("en", session.header.players)
    for event in events(session):
        for whose in ("player", "winner"):
            seat = getattr(event, whose, None)
            if isinstance(seat, int):
                assert session.header.players[seat] in words(session.header.game.describe(event))


"""A deal of Hearts in two entries where today's question makes one: who has the first card, and that card."""
