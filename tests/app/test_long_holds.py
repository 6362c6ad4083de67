"""OK and switching off on boards with few keys, where a long hold has an effect before it ends."""

from __future__ import annotations

import pytest
from msgspec import structs
from msgspec.structs import replace

from companion.app import step as step_module
from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs, PanelTimeouts
from companion.app.state import PANEL
from companion.journal import Journal
from companion.ui.keys import BUTTONS, POWER, Key
from companion.ui.screens.home import GameListScreen, HomeScreen
from tests import raised_errors
from tests.app.boxes import begin, finished, press, says
from tests.fakes.clock import FixedClock


class Power:
    """A power switch that may be used, or not."""

    def __init__(self, may: bool) -> None:
        self._may, self.on = may, True

    def may(self) -> bool:
        return self._may

    def off(self) -> None:
        self.on = False


def test_choose_held_in_a_finished_game_that_is_looked_at_still_switches_off() -> None:
    journal = Journal()
    finished(journal)
    machine = Power(may=True)
    outputs = Outputs(MemoryPanel(), FixedClock(), timeouts=PanelTimeouts())
    box = Box(journal, outputs, FixedClock(), power=machine, board=BUTTONS)
    game = box.game
    assert game is not None
    table = replace(box.state.table, game=None)
    looks = structs.replace(box.state.panel, reading=replace(game, listed=GameListScreen(HomeScreen())))
    box.state = structs.replace(box.state.having(PANEL, looks), table=table)
    press(box, "ho")  # selects it
    box.take(PANEL, Key("o", held=True))
    assert "All games" in says(box)
    box.take(PANEL, POWER)
    assert not machine.on
    assert "Aki wins the game" in says(box)
    assert box.state.panel.reading is not None


def test_a_fault_of_going_back_to_before_a_held_key_does_not_keep_the_machine_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    machine = Power(may=True)
    box = begin(Box(Journal(), Outputs(MemoryPanel(), FixedClock()), FixedClock(), power=machine, board=BUTTONS))
    press(box, "h#")
    monkeypatch.setattr(step_module, "_gone_back", fail)
    with raised_errors.expected() as logged:
        box.take(PANEL, POWER)
    assert len(logged) == 1
    assert not machine.on
