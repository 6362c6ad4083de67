"""The doctor's checks of the disk: room, a file system that has become read-only, errors in the kernel's log."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from pathlib import Path

from hardware.findings import AGAIN, Finding, Verdict
from hardware.mount_table import IN_MEMORY, Mount, holding, parsed
from hardware.system_probes import SystemProbes

ROOM = 50_000_000  # bytes that are enough for thousands of games, and for what the system needs to run

ERROR = re.compile(
    r"(?i)(?:I/O error, dev |I/O error on dev |EXT4-fs error \(device |F2FS-fs error \(device |BTRFS error \(device "
    r"|FAT-fs \()(?P<device>[a-z0-9]+)|(?P<card>mmcblk[0-9]+): (?:error -|timed out)"
)
"""A line of the kernel's log on a disk that fails."""
_REMOUNTED = re.compile(r"(?i)(?:EXT4-fs|F2FS-fs|BTRFS|FAT-fs)[^(]*\((?:device )?([a-z0-9]+).*read-only")

_COPY = "copy the games at once: sudo companion backup --data {data} FILE; then take another card"
_NOT_DISKS = ("loop", "fd", "sr", "ram", "zram")


def disk(machine: SystemProbes, data: Path) -> Iterator[Finding]:
    """Check the room, and the health of the disk that the games are on."""
    there = parsed(machine.text("/proc/self/mounts") or "")
    place = holding(there, data)
    if place is not None and place.kind in IN_MEMORY:
        what = f"Disk: {place.folder}, where the games are, is kept in memory: they are gone with the power."
        yield Finding(Verdict.WRONG, what, 'give them a place on a disk: docs/operate.md, "Read-only root"')
    elif place is not None and "ro" in place.options:
        what = f"Disk: {place.folder}, where the games are, can only be read; nothing can be written on it."
        yield Finding(Verdict.WRONG, what, f"sudo dmesg may say why; {_COPY.format(data=data)}")
    else:
        yield from _room(machine, data)
    yield from _counted(machine, there, data)
    yield from _kernel_log(machine, there, data)


def _room(machine: SystemProbes, data: Path) -> Iterator[Finding]:
    try:
        room = machine.room(data)
    except OSError as error:
        if error.errno == errno.EROFS:
            what = "Disk: it can only be read; nothing can be written on it."
            yield Finding(Verdict.WRONG, what, "sudo dmesg may say why; a card that fails is best copied at once")
            return
        yield Finding(Verdict.UNKNOWN, f"Disk: it does not say how much room there is: {error.strerror}.")
        return
    remedy = "make room: sudo apt clean; sudo journalctl --vacuum-size=50M"
    if room == 0:
        yield Finding(Verdict.WRONG, "Disk: it is full; nothing more can be saved.", remedy)
    elif room < ROOM:
        yield Finding(Verdict.WRONG, f"Disk: there is room for {room // 1_000_000} MB only.", remedy)
    else:
        yield Finding(Verdict.OK, f"Disk: there is room for {room // 1_000_000} MB.")


def _counted(machine: SystemProbes, there: list[Mount], data: Path) -> Iterator[Finding]:
    """Tell the errors that ext4 has counted since the disk was last repaired."""
    for name in dict.fromkeys(Path(mount.device).name for mount in there if mount.kind == "ext4"):
        count = machine.text(f"/sys/fs/ext4/{name}/errors_count") or "0"
        if count.isdecimal() and int(count):
            what = f"Disk: the file system on {name} had {count} errors since it was last repaired."
            yield Finding(Verdict.WRONG, what, f"{_COPY.format(data=data)}, or repair this one: sudo fsck {name}")


def _kernel_log(machine: SystemProbes, there: list[Mount], data: Path) -> Iterator[Finding]:
    """Tell the errors of disks in the kernel's log since the start."""
    log = machine.output_of("journalctl", "-k", "-b", "-o", "cat", "--no-pager") or machine.output_of("dmesg")
    if not log or log == "-- No entries --":
        yield Finding(Verdict.UNKNOWN, "Disk: the kernel's log may not be read by this user.", AGAIN)
        return
    failing: dict[str, list[str]] = {}
    for line in log.splitlines():
        found = ERROR.search(line)
        if found is not None:
            device = _disk_of(found["device"] or found["card"])
        else:
            remounted = _REMOUNTED.search(line)
            if remounted is None:
                continue
            device = _disk_of(remounted[1])
        if not device.startswith(_NOT_DISKS):
            failing.setdefault(device, []).append(line)
    ours = {_disk_of(Path(mount.device).name) for mount in there}
    for device, lines in failing.items():
        what = (
            f"Disk: the kernel tells {len(lines)} errors of {device} since the start, such as: {lines[0].strip()[:120]}"
        )
        if device in ours or ("root" in ours and not device.startswith("sd")):
            yield Finding(Verdict.WRONG, what, _COPY.format(data=data))
        else:
            yield Finding(Verdict.UNKNOWN, what, "a drive was pulled out while it was written, or fails")
    if not failing:
        yield Finding(Verdict.OK, "Disk: the kernel tells no errors of a disk since the start.")


def _disk_of(partition: str) -> str:
    """Return the disk of a partition.

    >>> [_disk_of(name) for name in ("mmcblk0p2", "sda1", "nvme0n1p2", "root")]
    ['mmcblk0', 'sda', 'nvme0n1', 'root']
    """
    numbered = re.fullmatch(r"(mmcblk[0-9]+|nvme[0-9]+n[0-9]+)p[0-9]+", partition)
    return numbered[1] if numbered else re.sub(r"^([a-z]d[a-z]+)[0-9]+$", r"\1", partition)
