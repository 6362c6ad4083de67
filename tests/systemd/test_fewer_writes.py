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
        ("findmnt", f'case "$*" in *OPTIONS*) echo "{options}" ;; *MAJ:MIN*) echo 179:2 ;; *) echo "/a card" ;; esac'),
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


def share_of(root: Path, disk: str, percent: str = "0") -> Path:
    """Make a card with a partition that holds the journal, as the kernel shows them; return the file of a share.

    ``disk`` is which of the two has a share: "." for what the journal is on, ".." for the disk around it.
    """
    partition = root / "sys/devices/mmcblk0/mmcblk0p2"
    partition.mkdir(parents=True)
    by_number = root / "sys/dev/block"
    by_number.mkdir(parents=True)
    (by_number / "179:2").symlink_to(partition)
    share = (partition / disk).resolve() / "bdi/min_ratio"
    share.parent.mkdir()
    share.write_text(f"{percent}\n")
    return share


@pytest.mark.parametrize("disk", [".", ".."])
def test_the_disk_of_the_journal_keeps_a_share_of_memory_for_what_is_not_synced(tmp_path: Path, disk: str) -> None:
    share = share_of(tmp_path, disk)
    assert mounted(tmp_path, "rw,noatime")
    assert share.read_text() == "50\n"


def test_a_share_that_somebody_has_set_stays(tmp_path: Path) -> None:
    share = share_of(tmp_path, "..", "3")
    assert mounted(tmp_path, "rw,noatime")
    assert share.read_text() == "3\n"


def test_the_service_runs_it_for_the_folder_of_the_journal() -> None:
    unit = SCRIPT.with_name("companion.service").read_text("utf-8")
    assert "\nExecStartPre=+-/usr/lib/tabletop-companion/fewer-writes %S/companion\n" in unit
