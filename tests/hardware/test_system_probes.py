"""The probes, on this machine and on a simulated bus."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.journal import Journal
from hardware.system_probes import ADDRESSES, SystemProbes


class Bus:
    """The part of smbus2's SMBus that is used; each address answers or fails as configured."""

    def __init__(self, behaviour: dict[int, int | None]) -> None:
        self.behaviour = behaviour
        self.asked: list[tuple[str, int]] = []
        self.closed = False

    def __call__(self, bus: int) -> Bus:
        assert bus == 1
        return self

    def __enter__(self) -> Bus:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True

    def write_quick(self, address: int) -> None:
        self._ask("write", address)

    def read_byte(self, address: int) -> int:
        self._ask("read", address)
        return 0

    def _ask(self, how: str, address: int) -> None:
        self.asked.append((how, address))
        number = self.behaviour.get(address, errno.EREMOTEIO)
        if number is not None:
            raise OSError(number, os.strerror(number))


def test_what_answers_on_a_bus_is_listed_with_what_the_kernel_holds() -> None:
    bus = Bus({0x3C: None, 0x51: None, 0x68: errno.EBUSY, 0x20: errno.EIO})
    with patch("smbus2.SMBus", bus):
        assert SystemProbes().answering(1) == [0x3C, 0x51, 0x68]
    assert bus.closed


def test_every_address_is_asked_once_and_memories_are_only_read() -> None:
    bus = Bus({})
    with patch("smbus2.SMBus", bus):
        assert SystemProbes().answering(1) == []
    assert [address for _, address in bus.asked] == list(ADDRESSES)
    assert {address for how, address in bus.asked if how == "read"} == {*range(0x30, 0x38), *range(0x50, 0x60)}


def test_a_bus_that_hangs_is_not_waited_for_at_every_address() -> None:
    bus = Bus(dict.fromkeys(ADDRESSES, errno.ETIMEDOUT))
    with patch("smbus2.SMBus", bus), pytest.raises(TimeoutError):
        SystemProbes().answering(1)
    assert len(bus.asked) == 1
    assert bus.closed


def test_a_bus_that_is_not_there_is_an_error_with_its_reason() -> None:
    with pytest.raises(FileNotFoundError):
        SystemProbes().answering(250)


def test_a_text_of_the_device_tree_has_no_zero_at_its_end(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert SystemProbes().text(str(tmp_path / "model")) == "Raspberry Pi 5 Model B Rev 1.0"
    assert SystemProbes().text(str(tmp_path / "nothing")) is None


def test_a_device_is_opened_and_let_go_of() -> None:
    before = len(os.listdir("/proc/self/fd"))
    SystemProbes().open("/dev/null")
    with pytest.raises(FileNotFoundError):
        SystemProbes().open("/dev/spidev9.9")
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(("module", "there"), [("json", True), ("luma.core", True), ("no.such", False)])
def test_a_module_is_found_without_being_there(module: str, there: bool) -> None:
    assert SystemProbes().has(module) is there


def test_a_program_is_heard_only_if_it_succeeds() -> None:
    assert SystemProbes().output_of(sys.executable, "-c", "print('yes')") == "yes"
    assert SystemProbes().output_of(sys.executable, "-c", "print('no'); raise SystemExit(1)") is None
    assert SystemProbes().output_of("no-such-program") is None


def test_room_is_that_of_the_disk_a_folder_would_be_on(tmp_path: Path) -> None:
    assert SystemProbes().room(tmp_path / "not" / "yet") > 0
    with pytest.raises(OSError, match="File name too long"):
        SystemProbes().room(tmp_path / ("x" * 300))


def test_a_full_disk_has_no_room_and_one_that_can_only_be_read_is_told_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = list(os.statvfs(tmp_path))
    fields[4] = 0  # blocks that are free for others than root
    monkeypatch.setattr(os, "statvfs", lambda _path: os.statvfs_result(fields))
    assert SystemProbes().room(tmp_path) == 0
    fields[8] |= os.ST_RDONLY
    with pytest.raises(OSError, match="Read-only") as told:
        SystemProbes().room(tmp_path)
    assert told.value.errno == errno.EROFS


def test_numbers_of_the_device_tree_are_read(tmp_path: Path) -> None:
    (tmp_path / "frequency").write_bytes((400_000).to_bytes(4, "big"))
    assert SystemProbes().number(str(tmp_path / "frequency")) == 400_000
    (tmp_path / "frequency").write_bytes(b"x")
    assert SystemProbes().number(str(tmp_path / "frequency")) is None
    assert SystemProbes().number(str(tmp_path / "none")) is None
    assert [SystemProbes().exists(str(tmp_path / name)) for name in ("frequency", "none")] == [True, False]


def test_the_owner_of_a_link_is_not_that_of_its_target(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    assert SystemProbes().owner(tmp_path / "link") == SystemProbes().owner(tmp_path)


@pytest.mark.needs("root")
def test_an_owner_without_a_name_is_told_by_number(tmp_path: Path) -> None:
    os.chown(tmp_path, 54321, -1)
    assert SystemProbes().owner(tmp_path) == "54321"


def test_a_folder_that_is_not_there_hides_nothing(tmp_path: Path) -> None:
    assert SystemProbes().may_read(tmp_path)
    assert SystemProbes().may_read(tmp_path / "nothing")
    assert SystemProbes().may_write(tmp_path)
    assert not SystemProbes().may_write(tmp_path / "nothing")


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="this system tells of no locks")
def test_the_process_that_holds_a_lock_on_a_folder_is_found(tmp_path: Path) -> None:
    assert SystemProbes().locker(tmp_path) == ""
    with closing(Journal(tmp_path)):
        assert SystemProbes().locker(tmp_path).startswith(f"process {os.getpid()}, ")
    assert SystemProbes().locker(tmp_path) == ""


def test_the_command_of_a_process_is_shown_without_signs_that_cannot_be_printed(tmp_path: Path) -> None:
    class Told(SystemProbes):
        def text(self, path: str) -> str | None:
            lock = f"1: FLOCK  ADVISORY  WRITE 42 fe:00:{tmp_path.stat().st_ino} 0 EOF\n"
            return {"/proc/locks": lock, "/proc/42/cmdline": "python\0-m\0comp\x1b[2J\0" + "x" * 200 + "\0"}.get(path)

    assert Told().locker(tmp_path) == "process 42, python -m comp?[2J " + "x" * 61 + "…"
