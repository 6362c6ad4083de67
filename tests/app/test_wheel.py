"""With left, right and choose alone everything can be entered that the keypad can enter."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.box import Box
from companion.app.clock import StandingClock
from companion.app.front import Front
from companion.app.panel import MemoryPanel
from companion.app.spell import Speller
from companion.core.prompt import Tracking
from companion.journal.memory import MemoryJournal
from companion.log import decode_header, replay
from companion.ui.keys import Key, parse
from companion.ui.view import Rows
from tests.app.boxes import new_box, playing, press, says

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
LONGEST = 24
"""No wheel has more to turn to."""


def shown(box: Box) -> str:
    return box.view().hint


def turned_to(box: Box, key: str) -> None:
    """Turn the wheel until choosing would press a key of the keypad, and choose it."""
    if key == "*":
        box.press(Key("o", held=True))
        return
    for _turn in range(LONGEST):
        view = box.view()
        labels = box.frame.labels
        if isinstance(view.body, Rows) and view.body.chosen >= 0:
            there = key == str((view.body.chosen + 1) % 10)
        else:
            there = shown(box).strip("<>") == labels.get(key) and key in labels
        if there:
            press(box, "o")
            return
        press(box, ">")
    raise AssertionError(f"{key} cannot be turned to: {says(box)}")


@pytest.mark.parametrize("game", ["eternity", "gear", "hipparchus", "east-rune"])
def test_a_whole_game_is_entered_with_three_keys(game: str) -> None:
    log = min((TRANSCRIPTS / game).glob("*.jsonl"), key=lambda path: (path.stat().st_size < 1500, path.stat().st_size))
    journal = MemoryJournal()
    box, reference = few_keys(journal), new_box(MemoryJournal())
    speller = None
    for reading in replay(log.read_bytes()):
        if speller is None or reading.line is None:
            for one in (box, reference):
                one.begin(reading.session.header, Tracking.FULL)
            speller = Speller(reading.session)
            continue
        keys = speller.spell(reading.line)
        press(reference, keys)
        for key in parse(keys):
            turned_to(box, str(key))
        assert box.lines == reference.lines, (log.name, reading.number, keys, says(box))


def test_a_game_is_set_up_and_begun_with_three_keys() -> None:
    journal = MemoryJournal()
    box = few_keys(journal)
    for key in [*"11C2D2#C3#C5###"]:  # a new game, Eternity; three names; the rules as they are
        turned_to(box, key)
    assert [decode_header(saved.header).players for saved in journal.games()] == [("Aa", "D", "J")]


def test_a_list_is_walked_through_and_chosen_from() -> None:
    box = few_keys()
    press(box, "o >>")
    assert "> Hipparchus" in says(box)
    press(box, "o")
    assert "Seat 1: who?" in says(box)


def test_holding_choose_steps_back() -> None:
    box = few_keys()
    press(box, "o o ho ho")
    assert "Tabletop Companion" in says(box)


def test_a_text_is_scrolled() -> None:
    box = playing("h# 0 ><")
    top = box.frame.words
    press(box, ">")
    assert box.frame.words != top
    press(box, "<")
    assert box.frame.words == top


def test_a_joystick_moves_with_up_and_down_as_with_left_and_right() -> None:
    sideways, upright = few_keys(), few_keys()
    press(sideways, "o > > < o")
    press(upright, "o v v ^ o")
    assert says(sideways) == says(upright)


def test_a_box_with_a_keypad_shows_no_wheel() -> None:
    assert "<" not in says(playing("1"))


def few_keys(journal: MemoryJournal | None = None) -> Box:
    """A box whose board has few keys."""
    clock = StandingClock()
    return Box(journal or MemoryJournal(), Front(MemoryPanel(), clock), clock, few=True)
