"""An update from the settings of the box: looked for, asked about, installed; never by itself."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import DeviceError
from companion.installation.found_update import FoundUpdate
from companion.journal import Journal
from companion.ui.keys import BUTTONS, KEYPAD, KeyLayout
from companion.ui.screens.context import MachineStatus, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.machine.update import FAULTS, InstallUpdate, UpdateScreen, UpdateStatus
from companion.ui.translations import Translator
from companion.ui.view import TextBody
from hardware.update_starter import WAIT
from tests.app.boxes import begin, key_of, new_box, press, run_due, says
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


def test_the_row_tells_the_version_of_an_installed_box() -> None:
    box = WithUpdates()
    press(box.box, key_of(box.box, "Settings"))
    assert "Update 0.2.0" in box.says
    assert box.system.asked == []


def test_a_program_that_was_not_installed_from_the_package_has_no_such_row() -> None:
    box = new_box()
    press(box, key_of(box, "Settings"))
    assert "Update" not in says(box)


def test_it_looks_and_asks_and_installs_only_what_was_agreed_to() -> None:
    box = WithUpdates().look()
    assert "Looking at USB drives and at the address of the settings" in box.says
    assert box.system.asked == ["look"]
    box.wait()
    assert "Looking" in box.says
    box.finds(ON_STICK)
    assert "0.3.0 is on the USB drive STICK | This box has 0.2.0. Install it?" in box.says
    assert box.feature.due is None
    assert box.system.asked == ["look"]
    press(box.box, "#")
    assert box.system.asked == ["look", "install"]
    assert "Installing 0.3.0 takes some minutes | You can play on meanwhile" in box.says


@pytest.mark.parametrize("keys", ["*", "h*", "7"])
def test_any_other_key_installs_nothing(keys: str) -> None:
    box = WithUpdates().look().finds(ON_STICK)
    press(box.box, keys)
    assert box.system.asked == ["look"]


def test_a_package_at_an_address_names_the_host() -> None:
    box = WithUpdates().look().finds(FoundUpdate("0.3.0", f"https://example.org/box/{DEB}"))
    assert "0.3.0 is at example.org" in box.says


@pytest.mark.parametrize(
    ("name", "shown"), [("A" * 50, "A" * 13 + "…"), ("two\nlines\x07\udcff", "twolines"), ("日本語", "日本語")]
)
def test_a_drive_with_a_strange_name_is_shown_as_far_as_it_can_be(name: str, shown: str) -> None:
    box = WithUpdates().look().finds(FoundUpdate("0.3.0", f"/media/{name}/{DEB}"))
    assert f"0.3.0 is on the USB drive {shown} |" in box.says


def test_nothing_newer_is_said_and_can_be_looked_for_again() -> None:
    box = WithUpdates().look().finds(FoundUpdate())
    assert "Nothing newer was found | This box has 0.2.0" in box.says
    press(box.box, "5")
    assert "# looks again, * goes back" in box.says
    press(box.box, "#")
    assert box.system.asked == ["look", "look"]
    assert "Looking" in box.says
    assert "0.3.0" in box.finds(ON_STICK).says


@pytest.mark.parametrize("kind", sorted(FAULTS))
def test_each_fault_has_its_sentence(kind: str) -> None:
    box = WithUpdates().look().finds(FoundUpdate(fault=kind))
    assert str(FAULTS[kind]) in box.says


@pytest.mark.parametrize("kind", ["other", "of a newer version"])
def test_a_fault_without_a_sentence_of_its_own_says_where_its_reason_is(kind: str) -> None:
    assert "sudo companion update" in WithUpdates().look().finds(FoundUpdate(fault=kind)).says


def test_an_update_that_fails_is_told_wherever_the_box_is() -> None:
    box = WithUpdates().look().finds(ON_STICK)
    press(box.box, "# *")
    press(box.box, "*")
    assert "New game" in box.says
    box.finds(ON_STICK._replace(fault="signature"))
    assert "Not updated: It is damaged, or not signed by a release key" in box.says
    assert box.feature.due is None


def test_a_look_that_ends_elsewhere_says_nothing_and_is_seen_on_return() -> None:
    box = WithUpdates().look()
    press(box.box, "* *")
    shown = box.says
    box.finds(ON_STICK)
    assert box.says == shown


def test_a_system_that_does_not_restart_the_program_has_it_said() -> None:
    box = WithUpdates().look().finds(ON_STICK)
    press(box.box, "#")
    box.finds(ON_STICK)
    assert "0.3.0 is installed. It runs from the next start on" in box.says
    press(box.box, "9")
    assert "0.3.0 is installed" in box.says


def test_it_is_asked_once_while_the_system_is_at_work() -> None:
    box = WithUpdates().look()
    press(box.box, "* *")
    box.look()
    assert box.system.asked == ["look"]
    box.finds(ON_STICK)
    press(box.box, "# * *")
    assert "Installing 0.3.0" in box.look().says
    assert box.system.asked == ["look", "install"]
    press(box.box, "#")
    assert "* goes back" in box.says


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


def test_a_game_goes_on_meanwhile_and_an_unfinished_answer_stays() -> None:
    box = WithUpdates()
    begin(box.box, tracking="round")
    press(box.box, "32")
    before = box.says
    press(box.box, "h#")
    box.look().finds(ON_STICK)
    press(box.box, "# * * *")
    assert box.says == before
    press(box.box, "5 3")
    shown = box.says
    box.finds(ON_STICK._replace(fault="space"))
    assert "Not updated: The card has no room for it" in box.says
    press(box.box, "*")
    press(box.box, "3")
    assert box.says == shown


def test_few_keys_do_the_same() -> None:
    box = WithUpdates(BUTTONS).look().finds(ON_STICK)
    press(box.box, key_of(box.box, "install"))
    assert box.system.asked == ["look", "install"]
    box.finds(ON_STICK._replace(fault="install"))
    press(box.box, "ho")
    assert "Settings" in box.says


def test_the_power_key_leaves_an_update_at_work_as_it_is() -> None:
    box = WithUpdates().look().finds(ON_STICK)
    press(box.box, "#")
    state = box.feature.status
    press(box.box, "h#")
    assert box.feature.status is state


def test_a_box_that_is_no_longer_installed_shows_the_screen_before() -> None:
    context = ScreenContext(Translator("en"))
    assert UpdateScreen(HomeScreen()).show(context).view == HomeScreen().show(context).view


def test_before_a_look_only_the_version_is_known() -> None:
    context = ScreenContext(Translator("en"), machine=MachineStatus((UpdateStatus("0.2.0"),)))
    shown = UpdateScreen(HomeScreen()).show(context)
    assert shown.view.body == TextBody("Update", ("This box has 0.2.0",))
    assert shown.labels["#"] == "look"
