"""A real ext4 on a loop device, to damage and to measure: needs root, loop devices and e2fsprogs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

BLOCK, SECTOR = 4096, 512
_WRITTEN = 6  # the field of /sys/block/X/stat with the number of sectors written
_LAYOUT = f"-q -b {BLOCK} -O metadata_csum -E lazy_itable_init=0,lazy_journal_init=0"


class NoLoopDisk(Exception):
    """There can be no such disk here; the message says why."""


@dataclass(frozen=True, slots=True)
class LoopDisk:
    """A disk with a file system.

    Attributes:
        device: Its path in /dev.
        place: The folder where it is mounted.
        options: The mount options.
    """

    device: str
    place: Path
    options: str

    def mount(self) -> None:
        """Mount it; nothing of it is in memory before."""
        run("mount", "-o", self.options, self.device, str(self.place))

    def unmount(self) -> None:
        run("umount", str(self.place))

    def flip_in_inode(self, inode: int, byte: int) -> None:
        """Flip a bit in a byte of an inode of the unmounted disk; its checksum is then wrong."""
        told = run("debugfs", "-R", f"imap <{inode}>", self.device)
        found = re.search(r"located at block (\d+), offset (0x[0-9a-f]+)", told)
        assert found is not None, told
        place = int(found[1]) * BLOCK + int(found[2], 16) + byte
        with open(self.device, "r+b", buffering=0) as device:
            device.seek(place // SECTOR * SECTOR)
            sector = bytearray(device.read(SECTOR))
            sector[place % SECTOR] ^= 1
            device.seek(-SECTOR, os.SEEK_CUR)
            device.write(sector)
            os.fsync(device.fileno())

    def written(self) -> int:
        """Return how many bytes were ever written to the device."""
        fields = Path("/sys/block", Path(self.device).name, "stat").read_text("ascii").split()
        return SECTOR * int(fields[_WRITTEN])


@contextmanager
def loop_disk(options: str = "defaults", megabytes: int = 64) -> Iterator[LoopDisk]:
    """Make a disk with a new ext4 for a block, mounted at first.

    Raises:
        NoLoopDisk: There can be none here.
    """
    lacking = [program for program in ("losetup", "mkfs.ext4", "debugfs") if shutil.which(program) is None]
    if os.geteuid() != 0 or lacking:
        raise NoLoopDisk(
            f"it needs root, losetup, mkfs.ext4 and debugfs{', but lacks ' * bool(lacking)}{lacking or ''}"
        )
    with TemporaryDirectory(dir="/var/tmp") as folder:
        image, place = Path(folder, "image"), Path(folder, "disk")
        place.mkdir()
        with image.open("wb") as file:
            file.truncate(megabytes * 1024 * 1024)
        run("mkfs.ext4", *_LAYOUT.split(), str(image))
        try:
            disk = LoopDisk(run("losetup", "--find", "--show", str(image)).strip(), place, options)
        except subprocess.CalledProcessError as error:
            raise NoLoopDisk(f"losetup: {error.stderr.strip()}") from error
        try:
            try:
                disk.mount()
            except subprocess.CalledProcessError as error:
                raise NoLoopDisk(f"mount: {error.stderr.strip()}") from error
            yield disk
        finally:
            if os.path.ismount(place):
                disk.unmount()
            run("losetup", "--detach", disk.device)


def run(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout
