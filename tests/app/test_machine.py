"""The features of the machine, beside `settings.txt`, `updates.txt`, `test-picture.txt` and `phones.txt`."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.app.machine import Machine
from companion.app.outputs import MemoryPanel, Outputs, PanelTimeouts
from companion.app.ports import DeviceError
from companion.core.text import IllegalEventError
from companion.journal import Journal
from companion.ui.screens.context import MachineAction, MachineStatus, ScreenContext, Status
from companion.ui.screens.home import HomeScreen
from companion.ui.translations import Translator
from companion.ui.view import TextBody
from hardware.machine.clock import ClockStatus, ReadClock, title
from hardware.machine.panel_test import TryOtherController
from hardware.machine.update import (
    UpdateScreen,
    UpdateStatus,
)
from hardware.machine.usb_drive import DriveStatus
from tests.app.boxes import key_of, new_box, press, says, view_of
from tests.fakes.clock import FixedClock
from tests.fakes.machine import MemoryClockSetter, MemoryControllers, MemoryDrive, MemoryUpdater
from tests.raised_errors import expected


def test_a_status_is_found_by_its_kind_and_an_action_reaches_its_feature_alone() -> None:
    machine = Machine((MemoryClockSetter(), MemoryDrive(FixedClock())))
    machine.do(ReadClock())
    clock = machine.status.get(ClockStatus)
    assert clock is not None
    assert clock.zone == "Europe/London"
    assert machine.status.get(DriveStatus) == DriveStatus()
    machine.remove(machine.features[0])
    assert machine.status.get(ClockStatus) is None


def test_an_action_reaches_every_feature_also_if_one_before_it_fails() -> None:
    class Failing(MemoryDrive):
        def do(self, action: MachineAction) -> None:
            raise DeviceError("The drive is gone.")

    machine = Machine((Failing(FixedClock()), MemoryClockSetter()))
    with pytest.raises(IllegalEventError, match="The drive is gone"):
        machine.do(ReadClock())
    clock = machine.status.get(ClockStatus)
    assert clock is not None
    assert clock.zone == "Europe/London"


@pytest.mark.parametrize("fault", [DeviceError("The drive is gone."), OSError("no such device")])
def test_a_feature_that_cannot_look_at_the_machine_keeps_nobody_from_the_settings(fault: Exception) -> None:
    class Failing(MemoryDrive):
        def do(self, action: MachineAction) -> None:
            raise fault

    box = new_box()
    box.fit([Failing(FixedClock()), MemoryClockSetter()])
    with expected() as logged:
        press(box, "2")  # New game, Settings
    assert says(box).startswith("Settings | ")
    assert logged == [fault]


def test_a_feature_without_anything_to_choose_has_no_row_in_the_settings() -> None:
    assert Status().row(HomeScreen()) is None


def test_screens_know_a_feature_once_it_is_fitted() -> None:
    box = new_box()
    assert box.state.table.machine.get(ClockStatus) is None
    box.fit([MemoryClockSetter()])
    assert box.state.table.machine.get(ClockStatus) is not None
    assert "Clock" in says(press(box, key_of(box, "Settings")))


def test_before_it_was_looked_at_a_clock_has_no_time_and_an_update_only_its_version() -> None:
    assert str(title(ClockStatus())) == "Clock"
    machine = MachineStatus((UpdateStatus("0.2.0"),))
    context = ScreenContext(Translator(), machine=machine)
    screen = UpdateScreen(HomeScreen())
    told = view_of(screen, context).body
    assert isinstance(told, TextBody)
    assert told.sentences[0] == "This box has 0.2.0"
    assert str(screen.show(context).labels["#"]) == "install"


def test_a_box_that_is_no_longer_installed_shows_the_screen_before() -> None:
    context = ScreenContext(Translator("en"))
    assert view_of(UpdateScreen(HomeScreen()), context) == view_of(HomeScreen(), context)


def test_a_system_that_cannot_be_asked_for_updates_is_a_fault() -> None:
    class Deaf(MemoryUpdater):
        def start(self) -> None:
            raise DeviceError("systemctl cannot be run.")

    clock = FixedClock()
    box = Box(Journal(), Outputs(MemoryPanel(), clock), clock, machine=(Deaf(clock=clock),))
    for label in ("Settings", "Update"):
        press(box, key_of(box, label))
    press(box, "#")
    assert "systemctl cannot be run." in says(box)


def test_no_panel_is_exchanged_that_is_not_tested() -> None:
    controllers = MemoryControllers(FixedClock())
    controllers.do(TryOtherController())
    assert controllers.used == "SSD1306"


def test_the_test_picture_is_not_shifted_against_burn_in() -> None:
    clock, panel = FixedClock(), MemoryPanel()
    outputs = Outputs(panel, clock, timeouts=PanelTimeouts(0, 0, 10, 0))
    box = Box(Journal(), outputs, clock, machine=(MemoryControllers(clock),))

    def whole_after_a_shift() -> bool:
        clock.let_pass(10)
        outputs.tick()
        assert panel.picture is not None
        return all(map(panel.picture.getpixel, ((0, 0), (127, 0), (0, 63), (127, 63))))

    for label in ("Settings", "Test picture"):
        press(box, key_of(box, label))
        assert not whole_after_a_shift()
    press(box, "#")
    assert whole_after_a_shift()
    press(box, "1")
    assert not whole_after_a_shift()
