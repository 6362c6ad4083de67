"""The file system of the journal writes seldom what nobody syncs, with all its other options as they were."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "systemd" / "fewer-writes.sh"


def mounted(root: Path, options: str) -> str:
    """Run the script where a file system has some options; return what it gives to mount."""
    for name, lines in (
        ("findmnt", f'case $3 in OPTIONS) echo "{options}" ;; *) echo "/a card" ;; esac'),
        ("mount", f'printf "%s|" "$@" >"{root}/given"'),
    ):
        (root / name).write_text(f"#!/bin/sh\n{lines}\n")
        (root / name).chmod(0o755)
    world = {**os.environ, "PATH": f"{root}:{os.environ['PATH']}", "COMPANION_ROOT": str(root)}
    subprocess.run(["/bin/sh", str(SCRIPT), "/a card/games"], env=world, check=True)
    return (root / "given").read_text()


def test_the_interval_comes_before_the_options_so_that_one_of_theirs_stays(tmp_path: Path) -> None:
    given = mounted(tmp_path, "rw,noatime,commit=30")
    assert given == "-o|remount,commit=120,rw,noatime,commit=30|/a card|"


@pytest.mark.parametrize(("before", "after"), [("500", "3000"), ("6000", "6000")])
def test_the_system_looks_for_unsynced_files_every_half_minute_unless_somebody_chose_otherwise(
    tmp_path: Path, before: str, after: str
) -> None:
    looks = tmp_path / "proc/sys/vm/dirty_writeback_centisecs"
    looks.parent.mkdir(parents=True)
    looks.write_text(f"{before}\n")
    assert mounted(tmp_path, "rw,noatime")
    assert looks.read_text() == f"{after}\n"


def test_the_service_runs_it_for_the_folder_of_the_journal() -> None:
    unit = SCRIPT.with_name("companion.service").read_text("utf-8")
    assert "\nExecStartPre=+-/usr/lib/tabletop-companion/fewer-writes %S/companion\n" in unit
