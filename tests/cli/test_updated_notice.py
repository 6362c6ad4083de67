"""The first start of a newer version says so once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.cli import start_notices
from companion.cli.start_notices import update_notice


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "version"


@pytest.fixture(autouse=True)
def compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare versions without dpkg where it is missing."""
    if shutil.which("dpkg") is None:
        monkeypatch.setattr(start_notices, "_is_newer", lambda version, than: version > than)


def test_the_first_start_of_a_newer_version_is_told_once(file: Path) -> None:
    assert update_notice(file, "0.2.0") is None
    assert str(update_notice(file, "0.3.0")) == "Updated to 0.3.0"
    assert update_notice(file, "0.3.0") is None


def test_a_new_box_says_nothing(file: Path) -> None:
    assert update_notice(file, "0.2.0") is None
    assert file.read_text() == "0.2.0\n"


def test_an_older_version_is_no_update(file: Path) -> None:
    update_notice(file, "0.3.0")
    assert update_notice(file, "0.2.0") is None
    assert str(update_notice(file, "0.3.0")) == "Updated to 0.3.0"


@pytest.mark.parametrize("damaged", [b"", b"\0" * 20, b"0.2.0", b"\xff\xfe\n", b"0.2.0\n0.1.0\n", b"9" * 500, b"{}\n"])
def test_a_damaged_file_says_nothing_and_is_written_anew(file: Path, damaged: bytes) -> None:
    file.write_bytes(damaged)
    assert update_notice(file, "0.3.0") is None
    assert file.read_text() == "0.3.0\n"


def test_a_file_that_cannot_be_read_or_written_is_no_fault(file: Path, tmp_path: Path) -> None:
    file.mkdir()
    assert update_notice(file, "0.3.0") is None
    assert update_notice(tmp_path / "missing" / "version", "0.3.0") is None
