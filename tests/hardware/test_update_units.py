"""Updates are asked of systemd: one unit looks, another installs; root's file says what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.app.ports import DeviceError
from companion.installation.found_update import FoundUpdate, write_found
from companion.installation.places import InstallationPaths
from hardware.update_starter import INSTALL, LOOK, SystemdUpdater, system_updater
from tests.fakes.clock import FixedClock
from tests.fakes.machine import MemoryUpdater

FOUND = FoundUpdate("0.3.0", "/media/stick/tabletop-companion_0.3.0_arm64.deb")


@pytest.fixture
def found(tmp_path: Path) -> Path:
    return tmp_path / "run" / "found"


def systemctl(folder: Path, status: int = 0) -> str:
    """Make a stand-in for systemctl, which writes down how it was called, and ends when a file says so."""
    made = folder / "systemctl"
    made.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(folder / 'calls')!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\n"
        f"open({str(folder / 'go')!r}).read()\nsys.exit({status})\n",
        encoding="utf-8",
    )
    made.chmod(0o755)
    return str(made)


class Stand:
    """An updater with a stand-in for systemctl that waits at a pipe."""

    def __init__(self, folder: Path, found: Path, status: int = 0) -> None:
        self.go, self.folder = folder / "go", folder
        os.mkfifo(self.go)
        self.updater = SystemdUpdater(FixedClock(), "0.2.0", found, systemctl(folder, status))

    def end(self) -> FoundUpdate:
        self.go.write_text("")  # waits until the stand-in reads
        running = self.updater._running
        assert running is not None
        running.wait(60)
        outcome = self.updater.outcome()
        assert outcome is not None
        return outcome

    @property
    def calls(self) -> list[str]:
        return (self.folder / "calls").read_text().splitlines()


def test_looking_starts_its_unit_and_reads_what_it_found(tmp_path: Path, found: Path) -> None:
    stand = Stand(tmp_path, found)
    assert stand.updater.status.here == "0.2.0"
    assert stand.updater.outcome() is None
    stand.updater.look()
    assert stand.updater.outcome() is None
    write_found(FOUND, found)
    assert stand.end() == FOUND
    assert stand.calls == [f"--no-ask-password start {LOOK}"]
    assert stand.updater.outcome() is None


def test_installing_starts_the_other_unit(tmp_path: Path, found: Path) -> None:
    write_found(FOUND, found)
    stand = Stand(tmp_path, found)
    stand.updater.install()
    assert stand.end() == FOUND
    assert stand.calls == [f"--no-ask-password start {INSTALL}"]


def test_an_installation_that_fails_has_the_kind_of_its_fault(tmp_path: Path, found: Path) -> None:
    write_found(FOUND._replace(fault="signature"), found)
    stand = Stand(tmp_path, found, status=1)
    stand.updater.install()
    assert stand.end() == FoundUpdate(fault="signature")


@pytest.mark.parametrize("asked", ["look", "install"])
def test_a_unit_that_could_not_start_is_another_fault_whatever_was_found_before(
    tmp_path: Path, found: Path, asked: str
) -> None:
    write_found(FOUND if asked == "install" else FOUND._replace(fault="space"), found)
    stand = Stand(tmp_path, found, status=1)
    getattr(stand.updater, asked)()
    assert stand.end() == FoundUpdate(fault="other")


def test_a_machine_without_systemctl_is_a_fault(tmp_path: Path, found: Path) -> None:
    updater = SystemdUpdater(FixedClock(), "0.2.0", found, str(tmp_path / "nothing"))
    with pytest.raises(DeviceError, match="cannot be run"):
        updater.look()
    assert updater.outcome() is None


# what every updater does


def in_memory(_folder: Path, _found: Path) -> tuple[SystemdUpdater, Callable[[], None]]:
    updater = MemoryUpdater(None)

    def end() -> None:
        updater.found = FOUND

    return updater, end


def through_systemd(folder: Path, found: Path) -> tuple[SystemdUpdater, Callable[[], None]]:
    stand = Stand(folder, found)

    def end() -> None:
        write_found(FOUND, found)
        stand.go.write_text("")
        assert stand.updater._running is not None
        stand.updater._running.wait(60)

    return stand.updater, end


@pytest.mark.parametrize("made", [in_memory, through_systemd])
@pytest.mark.parametrize("asked", ["look", "install"])
def test_nothing_is_told_before_the_work_is_done(
    tmp_path: Path, found: Path, made: Callable[[Path, Path], tuple[SystemdUpdater, Callable[[], None]]], asked: str
) -> None:
    updater, end = made(tmp_path, found)
    getattr(updater, asked)()
    assert updater.outcome() is None
    end()
    assert updater.outcome() == FOUND
    assert updater.status.here == "0.2.0"


# which boxes can be updated


@pytest.fixture
def installed(tmp_path: Path) -> InstallationPaths:
    places = InstallationPaths(tmp_path)
    (places.versions / "0.2.0").mkdir(parents=True)
    places.current.symlink_to("versions/0.2.0")
    for unit in (LOOK, INSTALL):
        (tmp_path / unit).touch()
    return places


def test_an_installed_box_can_be_updated(installed: InstallationPaths) -> None:
    updater = system_updater(FixedClock(), installed, installed.root)
    assert updater is not None
    assert updater.status.here == "0.2.0"


def test_a_box_without_the_units_or_without_a_version_cannot(installed: InstallationPaths, tmp_path: Path) -> None:
    assert system_updater(FixedClock(), InstallationPaths(tmp_path / "none"), installed.root) is None
    (installed.root / INSTALL).unlink()
    assert system_updater(FixedClock(), installed, installed.root) is None
