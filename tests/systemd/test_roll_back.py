"""After three failures in ten minutes the service goes back to the version before, in one step."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from companion.installation.__main__ import switch
from companion.installation.places import InstallationPaths, version_of
from tests.waiting import LAST_RESORT

SCRIPT = Path(__file__).parents[2] / "systemd" / "roll-back.sh"


LOG = "\n".join(("Started.", *(f"line {number}" for number in range(30)))) + "\n"


class Box:
    """A folder that stands for a box with installed versions, its clock since the last start, and systemd."""

    def __init__(self, root: Path, *versions: str) -> None:
        self.places = InstallationPaths(root)
        self.job = "0"
        self.is_full = False
        for name in ("proc", "run", "etc", "programs"):
            (root / name).mkdir(parents=True)
        (root / "log").write_text(LOG)
        for name, what in (("systemctl", f"cat {root}/job"), ("journalctl", f"cat {root}/log")):
            (root / "programs" / name).write_text(f"#!/bin/sh\n{what}\n")
            (root / "programs" / name).chmod(0o755)
        self.settings = root / "etc/companion.toml"
        self.settings.touch()
        for version in versions:
            folder = self.places.versions / version
            (folder / "bin").mkdir(parents=True)
            (folder / "bin/python").touch(0o755)
            switch(self.places, folder)
        os.utime(self.settings, (0, 0))  # as it was when the version was chosen

    def end(self, at: float, **how: str) -> str:
        """End the service at a time, in seconds since the machine started; return what the script prints."""
        (self.places.root / "proc/uptime").write_text(f"{at:.2f} 99.99\n")
        (self.places.root / "job").write_text(f"{self.job}\n")
        path = f"{self.places.root}/programs:{os.environ['PATH']}"
        world = {"PATH": path, "COMPANION_ROOT": str(self.places.root), **how}
        done = subprocess.run(
            ["sh", str(SCRIPT)], env=world, capture_output=True, text=True, timeout=LAST_RESORT, check=True
        )
        assert self.is_full or done.stderr == ""
        return done.stdout

    def fail(self, *times: float) -> str | None:
        """Let it fail at some times; return the version that is started next."""
        for at in times:
            self.end(at, SERVICE_RESULT="exit-code", EXIT_CODE="exited", EXIT_STATUS="1")
        return version_of(self.places.current)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path, "0.2.0", "0.3.0~2")


@pytest.mark.parametrize(
    "how",
    [
        {"SERVICE_RESULT": "exit-code", "EXIT_CODE": "exited", "EXIT_STATUS": "1"},
        {"SERVICE_RESULT": "exit-code", "EXIT_CODE": "exited", "EXIT_STATUS": "203"},
        {"SERVICE_RESULT": "timeout", "EXIT_CODE": "killed", "EXIT_STATUS": "TERM"},
        {"SERVICE_RESULT": "watchdog", "EXIT_CODE": "killed", "EXIT_STATUS": "ABRT"},
        {"SERVICE_RESULT": "protocol"},
        {"SERVICE_RESULT": "success", "EXIT_CODE": "exited", "EXIT_STATUS": "0"},
        {"SERVICE_RESULT": "success", "EXIT_CODE": "killed", "EXIT_STATUS": "TERM"},
        {"SERVICE_RESULT": "exit-code", "EXIT_CODE": "exited", "EXIT_STATUS": "78"},
    ],
)
def test_three_failures_lead_back(box: Box, how: dict[str, str]) -> None:
    assert box.end(5, **how) == box.end(65, **how) == ""
    assert version_of(box.places.current) == "0.3.0"
    assert box.end(125, **how) == "companion: 0.3.0 failed three times in ten minutes: back to 0.2.0\n"
    assert version_of(box.places.current) == "0.2.0"
    assert re.fullmatch(rf"0\.3\.0 0\.2\.0 {how['SERVICE_RESULT']} [0-9]+\n", box.places.roll_back_note.read_text())


@pytest.mark.parametrize(
    "how",
    [
        {"SERVICE_RESULT": "exit-code", "EXIT_CODE": "exited", "EXIT_STATUS": "69"},
        {"SERVICE_RESULT": "exit-code", "EXIT_CODE": "exited", "EXIT_STATUS": "75"},
        {},
    ],
)
def test_a_device_that_is_missing_and_a_journal_that_is_in_use_are_no_failures(box: Box, how: dict[str, str]) -> None:
    for at in range(10):
        box.end(at, **how)
    assert version_of(box.places.current) == "0.3.0"
    assert not box.places.roll_back_note.exists()


def test_an_end_that_was_asked_for_is_no_failure(box: Box) -> None:
    box.job = "1234"
    for at in range(10):
        box.end(at, SERVICE_RESULT="success", EXIT_CODE="exited", EXIT_STATUS="0")
    assert version_of(box.places.current) == "0.3.0"


def test_without_an_answer_of_systemd_an_end_counts_as_asked_for(box: Box) -> None:
    (box.places.root / "programs/systemctl").write_text("#!/bin/sh\nexit 1\n")
    for at in range(10):
        box.end(at, SERVICE_RESULT="success", EXIT_CODE="exited", EXIT_STATUS="0")
    assert version_of(box.places.current) == "0.3.0"


def test_settings_that_were_changed_after_the_version_was_chosen_are_not_its_failure(box: Box) -> None:
    later = box.places.current.lstat().st_mtime + 60
    os.utime(box.settings, (later, later))
    for at in range(10):
        box.end(at, SERVICE_RESULT="exit-code", EXIT_CODE="exited", EXIT_STATUS="78")
    assert version_of(box.places.current) == "0.3.0"


def test_the_version_that_failed_is_remembered_with_the_reason(box: Box) -> None:
    assert box.fail(1, 2, 3) == "0.2.0"
    day, how, *log = box.places.failed("0.3.0").read_text().splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", day)
    assert how == "exit-code exited 1"
    assert log == LOG.splitlines()


def test_a_log_that_cannot_be_read_holds_nothing_up(box: Box) -> None:
    (box.places.root / "programs/journalctl").write_text("#!/bin/sh\nexit 1\n")
    assert box.fail(1, 2, 3) == "0.2.0"
    assert len(box.places.failed("0.3.0").read_text().splitlines()) == 2


def test_it_never_goes_back_to_a_version_that_failed(box: Box) -> None:
    box.places.failed("0.2.0").parent.mkdir()
    box.places.failed("0.2.0").touch()
    assert box.fail(1, 2, 3) == "0.3.0"


def test_a_second_build_of_the_same_version_is_left_but_the_version_is_not_marked(tmp_path: Path) -> None:
    box = Box(tmp_path, "0.3.0", "0.3.0~2")
    assert str(box.places.current.readlink()) == "versions/0.3.0~2"
    box.fail(1, 2, 3)
    assert str(box.places.current.readlink()) == "versions/0.3.0"
    assert not box.places.failed("0.3.0").exists()


@pytest.mark.parametrize(
    ("times", "version"),
    [
        ((0, 1), "0.3.0"),
        ((0, 300, 600), "0.2.0"),
        ((0, 300, 601), "0.3.0"),
        ((0, 300, 601, 650), "0.2.0"),
        ((0, 700, 1400, 2100), "0.3.0"),
    ],
)
def test_only_the_failures_of_ten_minutes_count(box: Box, times: tuple[float, ...], version: str) -> None:
    assert box.fail(*times) == version


def test_it_goes_back_once_and_not_to_and_fro(box: Box) -> None:
    assert box.fail(1, 2, 3) == "0.2.0"
    assert box.fail(4, 5, 6, 7, 8, 9) == "0.2.0"


def test_without_a_version_before_it_goes_on_trying(tmp_path: Path) -> None:
    box = Box(tmp_path, "0.3.0")
    assert box.fail(1, 2, 3, 4) == "0.3.0"
    assert not box.places.roll_back_note.exists()


def test_it_does_not_go_back_to_a_version_whose_python_is_gone(box: Box) -> None:
    (box.places.previous / "bin/python").unlink()
    assert box.fail(1, 2, 3) == "0.3.0"


def test_a_note_that_a_power_cut_left_half_written_is_no_fault(box: Box) -> None:
    box.places.roll_back_note.with_name("went-back.new").write_text("0.")
    box.places.failed("0.3.0").parent.mkdir()
    box.places.failed("0.3.0").with_name("0.3.0.new").write_text("20")
    (box.places.current.with_name("current.new")).symlink_to("versions/nowhere")
    assert box.fail(1, 2, 3) == "0.2.0"


def test_root_writes_nothing_into_the_folder_of_the_service(box: Box) -> None:
    service = box.places.root / "var/lib/companion"
    service.mkdir(parents=True)
    assert box.fail(1, 2, 3) == "0.2.0"
    assert list(service.iterdir()) == []
    assert "/var/lib/companion" not in SCRIPT.read_text()


def test_the_unit_runs_it_after_every_end() -> None:
    unit = SCRIPT.with_name("companion.service").read_text(encoding="utf-8")
    assert "\nExecStopPost=+-/usr/lib/tabletop-companion/roll-back\n" in unit


def test_a_disk_that_takes_no_note_does_not_keep_the_box_on_a_version_that_fails(tmp_path: Path) -> None:
    box = Box(tmp_path, "0.2.0", "0.3.0")
    box.is_full = True
    (tmp_path / "opt/companion/failed").touch()  # in place of the folder
    (tmp_path / "opt/companion/went-back.new").mkdir()
    assert box.fail(10, 20, 30) == "0.2.0"
