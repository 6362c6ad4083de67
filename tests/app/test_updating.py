"""An update from the settings of the box: looked for, asked about, installed; never by itself."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import DeviceError
from companion.installation.found_update import FoundUpdate
from companion.journal import Journal
from companion.ui.keys import KEYPAD, KeyLayout
from companion.ui.screens.context import MachineStatus, ScreenContext
from companion.ui.screens.devices import InstallUpdate, UpdateScreen, UpdateStatus
from companion.ui.screens.home import HomeScreen
from companion.ui.translations import Translator
from companion.ui.view import TextBody
from hardware.update_starter import WAIT
from tests.app.boxes import key_of, press, run_due, says, view_of
from tests.fakes.clock import FixedClock
from tests.fakes.machine import MemoryUpdater

DEB = "tabletop-companion_0.3.0_arm64.deb"
ON_STICK = FoundUpdate("0.3.0", f"/media/pi/STICK/{DEB}")


class WithUpdates:
    """An installed box, and the system that is asked for updates."""

    def __init__(self, board: KeyLayout = KEYPAD) -> None:
        self.clock = FixedClock()
        self.system = self.feature = MemoryUpdater(None, clock=self.clock)
        outputs = Outputs(MemoryPanel(), self.clock)
        self.box = Box(Journal(), outputs, self.clock, board=board, machine=(self.feature,))

    def look(self) -> WithUpdates:
        """Choose "Update" in the settings."""
        for label in ("Settings", "Update"):
            press(self.box, key_of(self.box, label))
        return self

    def finds(self, found: FoundUpdate) -> WithUpdates:
        """Let the system end what it does, and the loop look."""
        self.system.found = found
        return self.wait()

    def wait(self) -> WithUpdates:
        assert self.feature.due is not None
        self.clock.let_pass(WAIT)
        run_due(self.box, self.clock)
        return self

    @property
    def says(self) -> str:
        return says(self.box)


def test_a_system_that_cannot_be_asked_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_system: MemoryUpdater) -> None:
        raise DeviceError("systemctl cannot be run.")

    monkeypatch.setattr(MemoryUpdater, "look", refuse)
    box = WithUpdates().look()
    assert "sudo companion update" in box.says
    assert box.feature.due is None


def test_nothing_is_installed_before_it_was_found() -> None:
    system = feature = MemoryUpdater(ON_STICK)
    feature.do(InstallUpdate())
    assert (system.asked, feature.due) == ([], None)


def test_the_system_is_looked_at_now_and_then_only_while_it_is_at_work() -> None:
    box = WithUpdates()
    before = box.feature.due
    assert before is None
    box.look()
    assert box.feature.due == box.clock.passed() + WAIT
    box.wait()
    assert box.feature.due == box.clock.passed() + WAIT


def test_the_power_key_leaves_an_update_at_work_as_it_is() -> None:
    box = WithUpdates().look().finds(ON_STICK)
    press(box.box, "#")
    state = box.feature.status
    press(box.box, "h#")
    assert box.feature.status is state


def test_a_box_that_is_no_longer_installed_shows_the_screen_before() -> None:
    context = ScreenContext(Translator("en"))
    assert view_of(UpdateScreen(HomeScreen()), context) == view_of(HomeScreen(), context)


def test_before_a_look_only_the_version_is_known() -> None:
    context = ScreenContext(Translator("en"), machine=MachineStatus((UpdateStatus("0.2.0"),)))
    shown = UpdateScreen(HomeScreen()).show(context)
    assert context.words.told(shown.view.body) == TextBody("Update", ("This box has 0.2.0",))
    assert str(shown.labels["#"]) == "look"
