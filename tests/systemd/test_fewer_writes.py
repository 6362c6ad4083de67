"""The file system of the journal writes the times of files seldom, with all its other options as they were."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "systemd" / "fewer-writes.sh"


def mounted(root: Path, options: str) -> str:
    """Run the script where a file system has some options; return what it gives to mount."""
    for name, lines in (
        ("findmnt", f'case $3 in OPTIONS) echo "{options}" ;; *) echo "/a card" ;; esac'),
        ("mount", f'printf "%s|" "$@" >"{root}/given"'),
    ):
        (root / name).write_text(f"#!/bin/sh\n{lines}\n")
        (root / name).chmod(0o755)
    world = {**os.environ, "PATH": f"{root}:{os.environ['PATH']}"}
    subprocess.run(["/bin/sh", str(SCRIPT), "/a card/games"], env=world, check=True)
    return (root / "given").read_text()


def test_the_interval_comes_before_the_options_so_that_one_of_theirs_stays(tmp_path: Path) -> None:
    given = mounted(tmp_path, "rw,noatime,commit=30")
    assert given == "-o|remount,commit=120,rw,noatime,commit=30|/a card|"


def test_the_service_runs_it_for_the_folder_of_the_journal() -> None:
    unit = SCRIPT.with_name("companion.service").read_text("utf-8")
    assert "\nExecStartPre=+-/usr/lib/tabletop-companion/fewer-writes %S/companion\n" in unit
