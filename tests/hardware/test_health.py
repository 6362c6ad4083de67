"""The doctor's findings on the program: its version, the one before, its Python."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.installation.places import InstallationPaths
from hardware.doctor import Verdict, python, version


@pytest.fixture
def places(tmp_path: Path) -> InstallationPaths:
    made = InstallationPaths(tmp_path)
    for name in ("0.2.0", "0.3.0~2"):
        (made.versions / name).mkdir(parents=True)
    made.current.symlink_to("versions/0.3.0~2")
    return made


def test_the_version_is_told_and_what_it_was_before(places: InstallationPaths) -> None:
    (found,) = version(places, "0.3.0")
    assert str(found) == "✓ Version: 0.3.0; there is none to go back to."
    places.previous.symlink_to("versions/0.2.0")
    (found,) = version(places, "0.3.0")
    assert str(found) == "✓ Version: 0.3.0; before it was 0.2.0."


def test_a_doctor_of_another_version_says_so(places: InstallationPaths, tmp_path: Path) -> None:
    _found, other = version(places, "0.4.0")
    assert "of 0.4.0" in other.what
    for own, said in ((None, "from its sources"), ("0.4.0", "0.4.0, not installed as a package")):
        (found,) = version(InstallationPaths(tmp_path / "none"), own)
        assert (found.status, said in found.what) == (Verdict.UNKNOWN, True)


def test_a_roll_back_is_told(places: InstallationPaths) -> None:
    places.failed_versions.mkdir()
    places.failed("0.4.0").write_text("2026-11-23\nwatchdog killed ABRT\nStarted.\nNo answer.\n")
    _found, back = version(places, None)
    assert "0.4.0 failed three times in ten minutes on 2026-11-23 (watchdog killed ABRT)" in back.what
    assert "its last line: No answer." in back.remedy
    places.failed("0.4.0").write_text("2026-11-23\nwatchdog killed ABRT\n")
    _found, back = version(places, None)
    assert back.remedy == f"why: {places.failed('0.4.0')}"
    places.failed("0.4.0").write_text("")
    assert len(list(version(places, None))) == 1


def test_another_python_of_the_system_is_told(places: InstallationPaths) -> None:
    own = ".".join(map(str, sys.version_info[:2]))
    inside = places.current.resolve()
    for system, prefix, status in (
        (None, inside, Verdict.OK),
        (own, inside, Verdict.OK),
        ("3.99", inside, Verdict.UNKNOWN),
        ("3.99", Path("/usr"), Verdict.OK),
    ):
        with patch("hardware.doctor.answer", lambda *_command, system=system: system):
            (found,) = python(places, prefix)
        assert found.status is status
        assert system in (None, own) or "the system's is 3.99" in found.what
