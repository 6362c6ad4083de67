"""A step works out the next state and its effects, and does nothing itself."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.app.effect_types import Act, Show, WriteLine, WriteSetting
from companion.app.input_types import ChosenOption
from companion.app.memory_panel import MemoryPanel
from companion.app.output_devices import Outputs
from companion.app.step import Step, step
from companion.journal import Journal
from companion.ui.keys import Key, parse
from companion.ui.screens.machine.sound_switch import SetSound
from companion.ui.screens.suggestion_texts import OfferedCorrections
from companion.ui.suggestions import SearchReason
from tests.app.boxes import key_of, playing, press
from tests.fakes.clock import FixedClock
from tests.fakes.lamp_and_buzzer import MemoryBuzzer

BEGUN = "1 A3 B9"
"""Who leads, and the first cards of a game of Eternity."""


@pytest.mark.parametrize(
    ("keys", "key", "kinds_of_effects"),
    [
        ("", "A", ["Show", "Sound", "WriteDraft"]),
        ("A", "7", ["WriteLine", "Show", "Sound"]),
        ("A7", "*", ["WriteLine", "Show", "Sound"]),
        ("A7", "h#", ["Show", "Sound"]),
    ],
)
def test_a_key_of_a_game_leads_to_effects(keys: str, key: str, kinds_of_effects: list[str]) -> None:
    box = playing(f"{BEGUN} {keys}")
    done = step(box._state, parse(key)[0], box._known)
    assert [type(effect).__name__ for effect in done.effects] == kinds_of_effects


def test_a_search_that_found_nothing_is_shown_because_another_screen_opens_then() -> None:
    box = playing(BEGUN)
    assert box.game is not None
    found = OfferedCorrections(box.game.session, SearchReason(), ())
    done = step(box._state, found, box._known)
    assert done.effects == (Show(),)
    assert done.state.context.offered is found


def test_what_a_step_writes_is_written_without_a_picture_of_its_own() -> None:
    journal = Journal()
    box = playing(BEGUN, journal=journal)
    box._runner.run(Step(box._state, (WriteSetting("sounds", "off"),)))
    assert journal.setting("sounds") == "off"


def test_a_step_leaves_state_journal_and_panel_as_they_are() -> None:
    journal = Journal()
    box = playing(f"{BEGUN} A", journal=journal)
    name = journal.open_game()
    assert name is not None
    state, picture, lines = box._state, box.picture, journal.lines(name)
    done = step(box._state, Key("7"), box._known)
    assert done.state.context.require_game().lines == len(lines) + 1
    assert (box._state, box.picture, journal.lines(name)) == (state, picture, lines)
    assert step(box._state, Key("7"), box._known).effects == done.effects


def test_typed_keys_and_a_chosen_name_lead_to_the_same_line() -> None:
    box = playing(f"{BEGUN} A")
    typed = step(box._state, Key("7"), box._known)
    chosen = step(playing(BEGUN)._state, ChosenOption("sea-7"), box._known)
    lines = [effect.line for done in (typed, chosen) for effect in done.effects if isinstance(effect, WriteLine)]
    assert lines == ['{"type":"play","player":0,"card":"sea-7"}'] * 2


def test_the_machine_is_asked_by_an_effect_alone() -> None:
    clock = FixedClock()
    buzzer = MemoryBuzzer()
    box = Box(Journal(), Outputs(MemoryPanel(), clock, buzzer=buzzer), clock)
    press(box, key_of(box, "Settings"))
    done = step(box._state, ChosenOption("row 2"), box._known)
    assert Act(SetSound(on=False), box._state.screen) in done.effects
    assert box.outputs.sound_on
