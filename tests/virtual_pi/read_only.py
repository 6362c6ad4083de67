"""A read-only root: everything written goes to memory, but for the folder of the games, which is a mount of its own."""

from __future__ import annotations

from collections.abc import Iterator

from .evening import Evening
from .machine import DATA

_INIT = f"""#!/bin/sh
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
modprobe overlay
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work overlay /mnt/root
: >/mnt/root/etc/fstab
mount -o remount,rw /
mount --bind {DATA} /mnt/root{DATA}
umount /proc
cd /mnt/root
pivot_root . mnt
exec chroot . /lib/systemd/systemd </dev/console >/dev/console 2>&1
"""

_BEGIN = f"""
cat >/sbin/overlay-init <<'END'
{_INIT}END
chmod 755 /sbin/overlay-init
ln -s overlay-init /sbin/init.new
mv -T /sbin/init.new /sbin/init
sync
"""

_END = """
mkdir -p /run/disk && mount /dev/vda /run/disk
ln -s /lib/systemd/systemd /run/disk/sbin/init.new
mv -T /run/disk/sbin/init.new /run/disk/sbin/init
umount /run/disk
sync
"""


def read_only_root(evening: Evening) -> Iterator[str]:
    """Play with a read-only root, and cut the power: the game is kept, all else is forgotten."""
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
        told = machine.run("companion doctor || true")
        yield f"read-only root: {evening.entered} entries are kept after a power cut; all else was in memory"
        yield "; ".join(line for line in told.splitlines() if "Games" in line or "Disk" in line)
    finally:
        machine.run(_END)
        machine.reboot()
    machine.wait_for_service()
    evening.all_is_kept()
