"""A step works out the next state and what is asked, written and heard, and does nothing itself."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.app.inputs import Input, Tap
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.state import PANEL
from companion.app.step import step
from companion.app.viewers import Step
from companion.journal import Journal
from companion.ui.keys import Key, parse
from companion.ui.offered_corrections import OfferedCorrections, SearchReason
from tests.app.boxes import key_of, playing, press
from tests.fakes.clock import FixedClock
from tests.fakes.lamp_and_buzzer import MemoryBuzzer

BEGUN = "1 A3 B9"
"""Who leads, and the first cards of a game of Eternity."""


def after(box: Box, given: Input) -> Step:
    return step(box.state, PANEL, given, box._known)


def written(done: Step) -> list[tuple[object, ...]]:
    """Return what a step writes."""
    return [write.args[1:] for write in done.writes]


def chosen(box: Box, name: str) -> Step:
    return after(box, Tap(box.state.panel.number, name))


@pytest.mark.parametrize(
    ("keys", "key", "typed", "lines"), [("", "A", "A", 0), ("A", "7", "", 1), ("A7", "*", "", 1), ("A7", "h#", "", 0)]
)
def test_a_key_of_a_game_is_kept_in_a_draft_or_writes_a_line(keys: str, key: str, typed: str, lines: int) -> None:
    done = after(playing(f"{BEGUN} {keys}"), parse(key)[0])
    assert (done.state.draft.typed, len(written(done))) == (typed, lines)
    assert done.shows
    assert done.sound is not None


def test_a_search_that_found_nothing_is_shown_because_another_screen_opens_then() -> None:
    box = playing(BEGUN)
    assert box.game is not None
    found = OfferedCorrections(box.game.session, SearchReason(), ())
    done = after(box, found)
    assert (done.shows, done.writes) == (True, ())
    assert done.state.table.offered is found


def test_a_step_leaves_state_journal_and_panel_as_they_are() -> None:
    journal = Journal()
    box = playing(f"{BEGUN} A", journal=journal)
    name = journal.open_game()
    assert name is not None
    state, picture, lines = box.state, box.picture, journal.lines(name)
    done = after(box, Key("7"))
    assert done.state.table.require_game().lines == len(lines) + 1
    assert (box.state, box.picture, journal.lines(name)) == (state, picture, lines)
    assert written(after(box, Key("7"))) == written(done)


def test_typed_keys_and_a_chosen_name_lead_to_the_same_line() -> None:
    typed, tapped = after(playing(f"{BEGUN} A"), Key("7")), chosen(playing(BEGUN), "sea-7")
    assert written(typed) == written(tapped) == [('{"type":"play","player":0,"card":"sea-7"}',)]


def test_the_machine_is_only_asked_once_the_step_is_done() -> None:
    clock = FixedClock()
    buzzer = MemoryBuzzer()
    box = Box(Journal(), Outputs(MemoryPanel(), clock, buzzer=buzzer), clock)
    press(box, key_of(box, "Settings"))
    done = chosen(box, "row 2")
    assert box.outputs.sound_on
    assert done.ask is not None
    done.ask.do()
    assert not box.outputs.sound_on
