"""The kernel's list of mounts: drives for backups, and whether a folder is gone with the power."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest

from companion.cli.start_notices import start_notices
from hardware.owner_settings import defaults
from hardware.system import drives, is_in_memory
from tests.line_tables import Row, cases, given, says


def drives_of_mounts(mounts: str | bytes) -> str:
    """Return the drives that can be written to; the lines of mounts are parted by `` ; ``, and all may be written."""
    with TemporaryDirectory() as folder, patch("os.access", lambda path, _mode: str(path) != "/mnt/locked"):
        file = Path(folder, "mounts")
        file.write_text(str(mounts).replace(" ; ", "\n") + "\n")
        return ", ".join(map(str, drives(file))) or "none"


def folders_in_memory(place: str | bytes) -> str:
    """Return whether a folder, which stands after the mounts and ``: ``, is gone with the power."""
    mounts, _colon, folder = str(place).rpartition(": ")
    with TemporaryDirectory() as top:
        file = Path(top, "mounts")
        file.write_text(mounts.replace(" ; ", "\n"))
        return "in memory" if is_in_memory(Path(folder), file) else "on a disk, or not known"


@pytest.mark.parametrize(("name", "rows"), cases("drives-of-mounts", "folders-in-memory"))
def test_mounts_are_read_as_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


def test_without_the_kernels_list_nothing_is_claimed(tmp_path: Path) -> None:
    assert not is_in_memory(tmp_path, tmp_path / "none")
    assert drives(tmp_path / "none") == []
    assert isinstance(drives(), list)


@pytest.mark.needs("root")
@pytest.mark.parametrize("kind", ["tmpfs", "overlay"])
def test_a_real_mount_in_memory_is_noticed(tmp_path: Path, kind: str) -> None:
    there = tmp_path / "there"
    there.mkdir()
    memory = tmp_path / "memory"
    memory.mkdir()
    layers = f"lowerdir={tmp_path / 'lower'},upperdir={memory}/upper,workdir={memory}/work"
    (tmp_path / "lower").mkdir()
    mount = {
        "tmpfs": f"mount -t tmpfs none {there}",
        "overlay": f"mount -t tmpfs none {memory} && mkdir {memory}/upper {memory}/work && "
        f"mount -t overlay -o {layers} none {there}",
    }[kind]
    script = tmp_path / "ask.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfrom hardware.system import is_in_memory\n"
        "print(is_in_memory(Path(sys.argv[1])))\n"
    )
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", f"{mount} && exec {sys.executable} {script} {there}"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr}")
    assert done.stdout == "True\n"


def test_the_service_says_so_on_the_panel_and_others_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Games are in memory only: they are gone with the power"
    for memory, service, notices in ((True, False, []), (True, True, [said]), (False, True, [])):
        monkeypatch.setattr("hardware.system.is_in_memory", lambda _folder, memory=memory: memory)
        monkeypatch.delenv("STATE_DIRECTORY", raising=False)
        if service:
            monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
        assert [*map(str, start_notices(tmp_path, defaults()))] == notices
