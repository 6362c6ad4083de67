"""A read-only root: everything written goes to memory, the folder of the games too unless it is a mount of its own."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from companion.journal import Journal
from companion.ui.translations import _
from tests.app.boxes import new_box

from .evening import Evening
from .machine import DATA, Machine

MEMORY = "in memory"
"""Words of the doctor's sentence on games that are not on a disk."""

FORGETFUL = _("Games are in memory only: they are gone with the power")

_INIT = f"""#!/bin/sh
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
modprobe overlay
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work overlay /mnt/root
: >/mnt/root/etc/fstab
mount -o remount,rw /
if [ -e /sbin/games-on-disk ]; then mount --bind {DATA} /mnt/root{DATA}; fi
umount /proc
cd /mnt/root
pivot_root . mnt
exec chroot . /lib/systemd/systemd </dev/console >/dev/console 2>&1
"""

_BEGIN = f"""
cat >/sbin/overlay-init <<'END'
{_INIT}END
chmod 755 /sbin/overlay-init
touch /sbin/games-on-disk
ln -s overlay-init /sbin/init.new
mv -T /sbin/init.new /sbin/init
sync
"""

_IN_MEMORY = "mkdir -p /run/disk && mount /dev/vda /run/disk && rm /run/disk/sbin/games-on-disk && sync"

_END = """
mkdir -p /run/disk && mount /dev/vda /run/disk
ln -s /lib/systemd/systemd /run/disk/sbin/init.new
mv -T /run/disk/sbin/init.new /run/disk/sbin/init
umount /run/disk
sync
"""


def read_only_root(evening: Evening) -> Iterator[str]:
    """Play with a read-only root: a power cut keeps the games on a disk, and the box tells of games in memory."""
    machine = evening.machine
    machine.run(_BEGIN)
    machine.reboot()
    try:
        machine.wait_for_service()
        assert machine.run("findmnt -n -o FSTYPE /").strip() == "overlay"
        evening.sees(evening.script.restarted(evening.pressed).picture)
        machine.run("echo x >/etc/forgotten; sync")
        evening.enter(3)
        machine.cut()
        machine.up()
        machine.wait_for_service()
        assert not machine.holds("[ -e /etc/forgotten ]"), "the root is written to"
        evening.all_is_kept()
        evening.sees(evening.script.restarted(evening.pressed).picture)
        told = _of_the_disk(machine)
        assert MEMORY not in told, f"the games are on the disk, but the doctor says: {told}"
        yield f"games on the disk: {evening.entered} entries are kept after a power cut, all else was in memory: {told}"

        machine.run(_IN_MEMORY)
        machine.reboot()
        machine.wait_for_service()
        evening.sees(_told(evening))
        told = _of_the_disk(machine)
        assert MEMORY in told, f"the games are in memory, but the doctor says: {told}"
        yield f"games in memory: the panel says that they go with the power, and the doctor: {told}"
    finally:
        machine.run(_END)
        machine.reboot()
    machine.wait_for_service()
    evening.all_is_kept()


def _told(evening: Evening) -> Image.Image:
    """Return the picture at a start of a box with its games in memory: a sentence over the question."""
    journal = Journal()
    evening.script.box(evening.pressed, journal)
    journal.notices.append(FORGETFUL)
    return new_box(journal).picture


def _of_the_disk(machine: Machine) -> str:
    """Return the doctor's lines about the disk."""
    report = machine.run("companion doctor || true").splitlines()
    return " ".join(line for line in report if "Disk" in line)
