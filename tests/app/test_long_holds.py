"""OK and switching off on boards with few keys, where a long hold has an effect before it ends."""

from __future__ import annotations

import pytest
from msgspec import structs
from msgspec.structs import replace

from companion.app import step as step_module
from companion.app.app_state import AppState
from companion.app.box import Box
from companion.app.managed_panel import PanelTimeouts
from companion.app.memory_panel import MemoryPanel
from companion.app.output_devices import Outputs
from companion.app.step_reads import Known
from companion.journal import Journal
from companion.ui.keys import BUTTONS, POWER, Key
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.saved_games_list import GameListScreen
from tests import raised_errors
from tests.app.boxes import begin, hush, press, says
from tests.app.test_looking import finished
from tests.fakes.clock import FixedClock


class Power:
    """A power switch that may be used, or not."""

    def __init__(self, may: bool) -> None:
        self._may, self.on = may, True

    def may(self) -> bool:
        return self._may

    def off(self) -> None:
        self.on = False


def few_keys(journal: Journal | None = None, may: bool = True, clock: FixedClock | None = None) -> Box:
    """Return an application with few keys."""
    clock = clock or FixedClock()
    outputs = Outputs(MemoryPanel(), clock, timeouts=PanelTimeouts())
    return Box(journal or Journal(), outputs, clock, power=Power(may), board=BUTTONS)


def test_ok_chooses_the_row_that_was_turned_to() -> None:
    box, turned, other = (press(begin(few_keys()), "h# >") for _ in range(3))
    press(box, "#")
    press(turned, "o")
    press(other, "< o")
    assert says(box) == says(turned) != says(other)


def test_ok_says_what_it_says_where_there_is_nothing_to_choose() -> None:
    box, turned = begin(few_keys()), begin(few_keys())
    press(box, "1 A3 B9 D > #")
    press(turned, "1 A3 B9 D #")
    assert box.message == turned.message
    assert box.lines == turned.lines


@pytest.mark.parametrize("may", [True, False])
@pytest.mark.parametrize("keys", ["1 A3 B9", "1 A3 B9 A", "1 A3"])
def test_choose_held_on_until_the_box_switches_off_steps_nowhere(keys: str, may: bool) -> None:
    journal = Journal()
    box, reference = begin(few_keys(journal, may)), begin(few_keys())
    for one in (box, reference):
        press(one, keys)
        hush(one)
    box.press(Key("o", held=True))
    box.press(POWER)
    hush(box)
    assert structs.replace(box.view(), choice="", short="") == structs.replace(
        reference.view(), choice="", short=""
    )  # the alternative is only selected
    again = few_keys(journal)
    assert says(again) == says(press(begin(few_keys()), keys))


def test_a_game_that_held_choose_left_for_its_set_up_is_open_again_for_the_next_start_too() -> None:
    journal = Journal()
    box = begin(few_keys(journal, may=False))
    opened = journal.open_game()
    for key in (Key("o", held=True), POWER, Key("o", held=True)):  # the second hold chooses the way to the set-up
        box.press(key)
    assert journal.open_game() is None
    box.press(POWER)
    assert journal.open_game() == opened
    assert says(few_keys(journal)) == says(begin(few_keys()))


def test_choose_held_on_after_a_correction_of_several_entries_leaves_it_as_it_is() -> None:
    box = begin(few_keys(may=False))
    press(box, "1 A3 B9 A4 DB11 9 C5 A7 A8 h* 5# 1 A1# #")
    assert box.game is not None
    corrected = box.game.session.state
    box.press(Key("o", held=True))
    assert box.game.session.state == corrected
    box.press(POWER)
    assert box.game.session.state == corrected
    press(box, "o")
    assert "Took back: correction from 5 on" in says(box)


@pytest.mark.parametrize(
    ("keys", "entry"),
    [
        ("1 A3 B9 A4", "Sea 4, Aki"),
        ("1 A3 B9 A4 DB11 9 C5 h* 5# 1 A8", "correction 5: Sea 8, Cyr"),
        ("1 A3 B9 A4 DB11 9 C5 A7 A8 h* 5# 1 A1# #", "correction from 5 on"),
    ],
)
@pytest.mark.parametrize("restarted", [False, True])
def test_what_choose_held_took_back_is_there_again_when_the_box_switches_off(
    keys: str, entry: str, restarted: bool
) -> None:
    journal = Journal()
    box = press(begin(few_keys(journal, may=False)), keys)
    assert box.game is not None
    lines, state = box.lines, box.game.session.state
    if restarted:
        box = press(few_keys(journal, may=False), "ho o")  # first announces what it would undo
    else:
        press(box, "ho")  # selects it
    box.press(Key("o", held=True))
    assert f"Took back: {entry}" in says(box)
    box.press(POWER)
    assert box.lines == lines + 2
    assert box.game is not None
    assert (box.game.session.state, box.game.resumed) == (state, restarted)


def test_the_menu_key_held_on_until_the_box_switches_off_opens_no_menu() -> None:
    box, reference = begin(few_keys(may=False)), begin(few_keys())
    press(box, "h#")
    box.press(POWER)
    hush(box)
    assert box.view() == reference.view()


def test_a_step_back_before_the_box_slept_is_no_matter_of_switching_off() -> None:
    clock = FixedClock()
    box = press(begin(few_keys(clock=clock)), "1 A3 B9 ho")
    stepped = box.lines
    clock.let_pass(301)
    box.outputs.tick()
    assert box.outputs.asleep
    box.press(Key("o", held=True))
    box.press(POWER)
    assert box.lines == stepped


def test_what_was_written_while_choose_was_held_stays() -> None:
    box = press(begin(few_keys()), "1 A3 B9 ho")
    box.write("Eve")
    stepped = box.lines
    box.press(POWER)
    assert box.lines == stepped


def test_choose_held_in_a_finished_game_that_is_looked_at_still_switches_off() -> None:
    journal = Journal()
    finished(journal)
    machine = Power(may=True)
    outputs = Outputs(MemoryPanel(), FixedClock(), timeouts=PanelTimeouts())
    box = Box(journal, outputs, FixedClock(), power=machine, board=BUTTONS)
    game = box.game
    assert game is not None
    box._runner.state = structs.replace(
        box._runner.state, context=replace(box._context, game=replace(game, listed=GameListScreen(HomeScreen())))
    )
    press(box, "ho")  # selects it
    box.press(Key("o", held=True))
    assert "All games" in says(box)
    box.press(POWER)
    assert not machine.on
    assert "Aki wins the game" in says(box)
    assert box.game is not None
    assert box.game.read_only


def test_a_fault_of_going_back_to_before_a_held_key_does_not_keep_the_machine_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(state: AppState, before: AppState, known: Known) -> step_module.Step:
        raise RuntimeError

    machine = Power(may=True)
    box = begin(Box(Journal(), Outputs(MemoryPanel(), FixedClock()), FixedClock(), power=machine, board=BUTTONS))
    press(box, "h#")
    monkeypatch.setattr(step_module, "_gone_back", fail)
    with raised_errors.expected() as logged:
        box.press(POWER)
    assert len(logged) == 1
    assert not machine.on


@pytest.mark.parametrize(("keys", "kept"), [("h#", True), ("h# h*", True), ("h# B", False), ("B", False), ("", False)])
def test_only_the_state_before_the_key_that_is_held_is_kept(keys: str, kept: bool) -> None:
    box = press(begin(few_keys()), keys)
    assert (box._state.before is not None) is kept
    assert box._state.before is None or box._state.before.before is None


def test_a_written_answer_ends_the_way_back_to_before_a_held_key() -> None:
    box = press(begin(few_keys()), "h#")
    box.write("Aki")
    assert box._state.before is None
