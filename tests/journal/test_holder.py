"""Which process holds the journal, where the system tells."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal import holder as module
from companion.journal.holder import LONGEST, holder


@pytest.fixture
def lock(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT)
    yield descriptor
    os.close(descriptor)


@pytest.fixture
def proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a /proc of our own, empty."""
    monkeypatch.setattr(module, "PROC", tmp_path)
    return tmp_path


def locked(proc: Path, *held: tuple[int, int]) -> None:
    """Write down processes and the files they hold."""
    lines = [f"{n}: FLOCK  ADVISORY  WRITE {pid} fe:00:{inode} 0 EOF\n" for n, (pid, inode) in enumerate(held, 1)]
    posix = "9: POSIX  ADVISORY  READ 77 fe:00:12 128 128\n9: -> FLOCK  ADVISORY  WRITE 78 fe:00:12 0 EOF\n"
    (proc / "locks").write_text("".join(lines) + posix)


def commanded(proc: Path, pid: int, command: bytes) -> None:
    (proc / str(pid)).mkdir()
    (proc / str(pid) / "cmdline").write_bytes(command)


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="Only Linux tells who holds a lock.")
def test_the_process_that_holds_a_file_is_named_with_its_command(lock: int) -> None:
    assert holder(lock) == ""
    fcntl.flock(lock, fcntl.LOCK_EX)
    command = Path("/proc/self/cmdline").read_text().replace("\0", " ").rstrip()
    assert holder(lock).removesuffix("…") == f"process {os.getpid()}, {command[:LONGEST]}"


def test_a_command_is_shown_as_far_as_it_can_be_read(lock: int, proc: Path) -> None:
    inode = os.fstat(lock).st_ino
    locked(proc, (41, inode + 1), (42, inode))
    commanded(proc, 42, b"python\0-m\0comp\xff\x1b[2J\0" + b"x" * 200 + b"\0")
    shown = "python -m comp\ufffd?[2J " + "x" * 200
    assert holder(lock) == f"process 42, {shown[:LONGEST]}…"


def test_a_process_that_the_system_does_not_tell_is_not_named(lock: int, proc: Path) -> None:
    inode = os.fstat(lock).st_ino
    assert holder(lock) == ""  # no Linux
    locked(proc)
    assert holder(lock) == ""  # a process of somebody else, that is hidden from us
    locked(proc, (42, inode), (43, inode))
    assert holder(lock) == ""  # on two disks
    locked(proc, (42, inode))
    assert holder(lock) == ""  # gone in the meantime
