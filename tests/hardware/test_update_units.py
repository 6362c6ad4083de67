"""An update is asked of systemd: its unit does it, and leaves a word about what came of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.app.inputs import Notice
from companion.app.ports import DeviceError
from companion.installation.places import InstallationPaths
from hardware.machine.update import AT_WORK, UNIT, WAIT, InstallUpdate, SystemdUpdater, system_updater
from tests.fakes.clock import FixedClock
from tests.fakes.programs import Programs


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    return Programs(tmp_path / "bin", monkeypatch)


class Stand:
    """An updater with a stand-in for systemctl, which ends when a file says so."""

    def __init__(self, folder: Path, programs: Programs) -> None:
        self.clock, self.outcome, self._go = FixedClock(), folder / "outcome", folder / "go"
        os.mkfifo(self._go)
        programs.put("systemctl", f"cat {self._go}")
        self.updater = SystemdUpdater(self.clock, "0.2.0", self.outcome)

    def end(self, word: str | None) -> Notice | None:
        """Let the unit leave a word and end; return what the updater says."""
        if word is not None:
            self.outcome.write_text(word)
        self._go.write_text("")  # waits until the stand-in reads
        running = self.updater._running
        assert running is not None
        running.wait(60)
        self.clock.let_pass(WAIT)
        return self.updater.tick()


@pytest.fixture
def stand(tmp_path: Path, programs: Programs) -> Stand:
    return Stand(tmp_path, programs)


@pytest.mark.parametrize(
    ("word", "told"),
    [("newest\n", "newest"), ("installed\n", ""), ("signature\n", "signature"), (None, "other"), ("\udcff", "other")],
)
def test_it_starts_the_unit_once_and_reads_its_word_when_it_has_ended(
    stand: Stand, programs: Programs, word: str | None, told: str
) -> None:
    updater = stand.updater
    updater.do(InstallUpdate())
    updater.do(InstallUpdate())
    assert (updater.status.here, updater.status.word, updater.due) == ("0.2.0", AT_WORK, WAIT)
    assert updater.tick() is None
    if word == "\udcff":
        stand.outcome.write_bytes(b"\xff")
        word = None
    assert stand.end(word) is not None
    assert (updater.status.word, updater.due) == (told, None)
    assert programs.calls("systemctl") == [f"--no-ask-password start {UNIT}"]


@pytest.mark.parametrize("word", ["newest", "installed", "signature"])
def test_a_unit_that_does_not_start_is_not_told_as_the_update_before(
    tmp_path: Path, programs: Programs, word: str
) -> None:
    (tmp_path / "outcome").write_text(f"{word}\n")
    programs.put("systemctl", "exit 4")
    updater = SystemdUpdater(FixedClock(), "0.2.0", tmp_path / "outcome")
    updater.do(InstallUpdate())
    assert updater._running is not None
    updater._running.wait(60)
    updater.tick()
    assert updater.status.word == "other"


def test_a_machine_without_systemctl_is_a_fault_and_can_be_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    updater = SystemdUpdater(FixedClock(), "0.2.0", tmp_path)
    for _again in range(2):
        with pytest.raises(DeviceError, match=r"^systemctl cannot be run\.$"):
            updater.do(InstallUpdate())
    assert (updater.status.word, updater.due) == ("", None)


def test_only_a_box_with_the_unit_and_a_version_can_be_updated(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    (places.versions / "0.2.0").mkdir(parents=True)
    places.current.symlink_to("versions/0.2.0")
    assert system_updater(FixedClock(), places, tmp_path) is None
    (tmp_path / UNIT).touch()
    updater = system_updater(FixedClock(), places, tmp_path)
    assert updater is not None
    assert updater.status.here == "0.2.0"
    assert system_updater(FixedClock(), InstallationPaths(tmp_path / "none"), tmp_path) is None
