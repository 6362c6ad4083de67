"""After three failures in ten minutes the service goes back to the version before, in one step."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from companion.installation.places import Places, version_of
from companion.installation.switching import switch
from tests.waiting import LAST_RESORT

SCRIPT = Path(__file__).parents[2] / "systemd" / "roll-back.sh"


class Box:
    """A folder that stands for a box with installed versions, and its clock since the last start."""

    def __init__(self, root: Path, *versions: str) -> None:
        self.places = Places(root)
        for name in ("proc", "run", "var/lib/companion"):
            (root / name).mkdir(parents=True)
        for version in versions:
            folder = self.places.versions / version
            (folder / "bin").mkdir(parents=True)
            (folder / "bin/python").touch(0o755)
            switch(self.places, folder)

    def end(self, at: float, **how: str) -> str:
        """End the service at a time, in seconds since the machine started; return what the script prints."""
        (self.places.root / "proc/uptime").write_text(f"{at:.2f} 99.99\n")
        world = {"PATH": os.environ["PATH"], "COMPANION_ROOT": str(self.places.root), **how}
        done = subprocess.run(
            ["sh", str(SCRIPT)], env=world, capture_output=True, text=True, timeout=LAST_RESORT, check=True
        )
        assert done.stderr == ""
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
    ],
)
def test_three_failures_lead_back(box: Box, how: dict[str, str]) -> None:
    assert box.end(5, **how) == box.end(65, **how) == ""
    assert version_of(box.places.current) == "0.3.0"
    assert box.end(125, **how) == "companion: 0.3.0 failed three times in ten minutes: back to 0.2.0\n"
    assert version_of(box.places.current) == "0.2.0"
    assert box.places.went_back.read_text() == "0.3.0 0.2.0\n"


@pytest.mark.parametrize(
    "how",
    [{"SERVICE_RESULT": "success"}, {"SERVICE_RESULT": "exit-code", "EXIT_CODE": "exited", "EXIT_STATUS": "78"}, {}],
)
def test_a_wanted_end_and_wrong_settings_are_no_failures(box: Box, how: dict[str, str]) -> None:
    for at in range(10):
        box.end(at, **how)
    assert version_of(box.places.current) == "0.3.0"
    assert not box.places.went_back.exists()


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
    assert not box.places.went_back.exists()


def test_it_does_not_go_back_to_a_version_whose_python_is_gone(box: Box) -> None:
    (box.places.previous / "bin/python").unlink()
    assert box.fail(1, 2, 3) == "0.3.0"


def test_a_note_that_a_power_cut_left_half_written_is_no_fault(box: Box) -> None:
    box.places.went_back.with_name("went-back.new").write_text("0.")
    (box.places.current.with_name("current.new")).symlink_to("versions/nowhere")
    assert box.fail(1, 2, 3) == "0.2.0"


def test_a_link_in_the_folder_of_the_service_does_not_lead_root_elsewhere(box: Box, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("as it was")
    for name in ("went-back", "went-back.new"):
        box.places.went_back.with_name(name).symlink_to(other)
    assert box.fail(1, 2, 3) == "0.2.0"
    assert other.read_text() == "as it was"
    assert box.places.went_back.read_text() == "0.3.0 0.2.0\n"


def test_the_unit_runs_it_after_every_end() -> None:
    unit = SCRIPT.with_name("companion.service").read_text(encoding="utf-8")
    assert "\nExecStopPost=+-/usr/lib/tabletop-companion/roll-back\n" in unit
