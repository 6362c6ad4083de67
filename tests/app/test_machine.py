"""The features of the machine, in one list: what screens know of them, and what they ask."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from companion.app.box import Box
from companion.app.machine import Feature, Machine
from companion.app.machine.phones import PhonePairing
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import DeviceError
from companion.core.errors import IllegalEventError
from companion.journal import Journal
from companion.ui.screens.context import MachineAction, Status
from companion.ui.screens.devices import ClockStatus, DriveStatus, ReadClock
from companion.ui.screens.home import HomeScreen
from tests.app.boxes import begin, key_of, press, says
from tests.fakes.clock import FixedClock
from tests.fakes.machine import MemoryClockSetter, MemoryControllers, MemoryDrive, MemoryUpdater

ROWS = ("Phones", "Clock", "Back up to USB", "Test picture", "Update")


def started(journal: Journal) -> Box:
    """Start an application on a machine that has every feature."""
    clock = FixedClock()
    features: tuple[Feature, ...] = (
        MemoryClockSetter(),
        MemoryDrive(clock),
        MemoryControllers(clock),
        MemoryUpdater(None, clock=clock),
    )
    pairing = PhonePairing(journal, clock, "http://192.168.1.7:8080")
    return Box(journal, Outputs(MemoryPanel(), clock), clock, pairing=pairing, machine=features)


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


@pytest.mark.parametrize("row", ROWS)
def test_machine_actions_leave_an_unfinished_entry_as_it_is(row: str, tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal")) as journal:
        box = begin(started(journal), tracking="round")
        press(box, "32")
        before = says(box)
        press(box, "h#")
        press(box, key_of(box, "Settings"))
        press(box, key_of(box, row))
        press(box, "1")  # an action of that screen
        press(box, "9")
    with closing(Journal(tmp_path / "journal")) as journal:
        assert says(started(journal)) == before


def test_a_feature_without_anything_to_choose_has_no_row_in_the_settings() -> None:
    assert Status().row(HomeScreen()) is None
