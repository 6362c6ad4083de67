"""An entry that was begun waits while an earlier one is corrected."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.app.input_types import ChosenOption
from companion.app.request_types import Source
from companion.journal import Journal
from tests.app.boxes import begin, new_box, press, says


def half_entered(keys: str, journal: Journal | None = None) -> Box:
    """Return a round of Eternity whose two first open cards of ten were entered, after more keys."""
    return press(begin(new_box(journal), ("Aki", "Bea", "Cyr")), f"1 B9 A9 A3 B7 {keys}")


def asks(box: Box) -> str:
    return box.view().question


@pytest.mark.parametrize(
    "keys",
    [
        "h* # *",  # it is opened and left
        "h* # 1",  # it is entered as it was
        "h* # 2",  # another player begins
    ],
)
def test_an_entry_that_was_begun_is_there_again_after_another_was_corrected(keys: str) -> None:
    box = half_entered(keys)
    assert asks(box) == "Open 3/10:", says(box)
    press(box, "B1# B2")
    assert asks(box) == "Open 5/10:"


@pytest.mark.parametrize("cut", [False, True])
def test_the_keys_of_an_answer_that_was_begun_are_there_again(cut: bool) -> None:
    journal = Journal()
    box = half_entered("B 1 h* #", journal)
    box = press(new_box(journal) if cut else box, "2")
    assert asks(box) == "Open 3/10:"
    assert box.view().typed.endswith("1 …")


def test_it_is_there_again_after_a_power_cut_in_the_middle_of_the_correction() -> None:
    journal = Journal()
    half_entered("h* #", journal)
    box = new_box(journal)
    assert asks(box) != "Open 3/10:"
    press(box, "2")
    assert asks(box) == "Open 3/10:"


def test_one_that_no_longer_fits_is_gone_and_says_so() -> None:
    box = half_entered("h* D")  # nobody begins any more
    assert asks(box) == "Who starts?"
    assert "Entry 1 is removed. What was half entered is gone: enter it again" in says(box)
    assert asks(press(box, "2")) == "Column card 1:"


def declared(game: str, level: str, keys: str) -> Box:
    """Return a game of a file of four players after some keys."""
    return press(begin(new_box(), tracking=level, game=game), keys)


def test_one_that_is_asked_of_other_players_is_gone_too() -> None:
    box = declared("oh-hell", "full", "1 1 1 0")
    assert asks(box) == "Bid: Dai"
    press(box, "h* A # 2")  # Bea deals, so that Cyr bids first
    assert asks(box) == "Bid: Cyr"
    assert "What was half entered is gone" in says(box)


def test_what_is_brought_back_takes_no_answers_of_an_entry_that_was_begun() -> None:
    box = declared("euchre", "round", "1 2 0 3 3 1 4 *")
    press(box, "3 1")
    assert asks(box) == "Tricks of the makers:"
    press(box, "h# 4")
    assert asks(box) == "Maker?", says(box)


def test_an_entry_that_waited_for_a_phone_is_everybody_s() -> None:
    box = half_entered("h* #")
    box.answer(ChosenOption("seat 2", Source(1, "Zoe's phone")))
    assert asks(box) == "Open 3/10:"
    assert box._state.begun_by is None  # the phone has not begun it
