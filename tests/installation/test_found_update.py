"""What root found is read by the service: whole, or as a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.installation.found_update import LARGEST, FoundUpdate, read_found, write_found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "run" / "found"


@pytest.mark.parametrize(
    "found",
    [
        FoundUpdate(),
        FoundUpdate("0.3.0", "/media/pi/A STICK\nwith \udcff lines/tabletop-companion_0.3.0_arm64.deb"),
        FoundUpdate("0.3.0", "https://example.org/x.deb", "install"),
    ],
)
def test_what_is_written_is_read_again(file: Path, found: FoundUpdate) -> None:
    write_found(found, file)
    assert read_found(file) == found
    assert [path.name for path in file.parent.iterdir()] == ["found"]


def test_everybody_may_read_it_and_only_its_owner_may_write(file: Path) -> None:
    write_found(FoundUpdate(), file)
    assert file.stat().st_mode & 0o777 == 0o644


def test_a_later_look_replaces_the_one_before(file: Path) -> None:
    write_found(FoundUpdate("0.3.0", "/media/stick/x.deb"), file)
    write_found(FoundUpdate(fault="nowhere"), file)
    assert read_found(file) == FoundUpdate(fault="nowhere")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"7", b"null", b"\xff", b'{"version": 3}', b'{"other": ""}', b'{"version": "' + b"9" * LARGEST],
)
def test_a_damaged_file_is_a_fault(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    assert read_found(file) == FoundUpdate(fault="other")


def test_a_missing_file_is_a_fault(file: Path) -> None:
    assert read_found(file) == FoundUpdate(fault="other")
