"""A USB drive: the kernel's own, plugged into an emulated port. A newer version on it is found and installed."""

from __future__ import annotations

from collections.abc import Iterator

from .evening import Evening
from .machine import Machine
from .packages import signed
from .power_cuts import NEW, OLD, current, install

OUTCOME = "/run/companion-update/outcome"
DRIVE = "/srv/stick/tabletop-companion"
MOUNTED = "/media/usb-sda1"

# A drive is a file with a partition, and the kernel's module for gadgets shows it as a USB drive.
_TOOLS = """
apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends polkitd dosfstools fdisk udisks2 >/dev/null
modprobe -a dummy_hcd libcomposite usb_f_mass_storage usb-storage loop vfat
cat >/usr/local/bin/plug <<'END'
set -e
label=$1; shift
truncate -s 64M /srv/drive
echo 2048,,c | sfdisk -q /srv/drive
loop=$(losetup --find --show --offset 1048576 /srv/drive)
mkfs.vfat -n "$label" "$loop" >/dev/null 2>&1
mount "$loop" /mnt
[ $# = 0 ] || cp -r "$@" /mnt
umount /mnt
losetup -d "$loop"
cd /sys/kernel/config/usb_gadget
mkdir drive drive/configs/c.1 drive/strings/0x409 drive/functions/mass_storage.0
echo 0x1d6b >drive/idVendor; echo 0x0104 >drive/idProduct; echo 123456789012 >drive/strings/0x409/serialnumber
echo 1 >drive/functions/mass_storage.0/lun.0/removable
echo /srv/drive >drive/functions/mass_storage.0/lun.0/file
ln -s drive/functions/mass_storage.0 drive/configs/c.1
ls /sys/class/udc >drive/UDC
until [ -e /dev/sda1 ]; do sleep .2; done
udevadm settle
END
cat >/usr/local/bin/unplug <<'END'
cd /sys/kernel/config/usb_gadget
echo >drive/UDC
rm drive/configs/c.1/mass_storage.0
rmdir drive/functions/mass_storage.0 drive/configs/c.1 drive/strings/0x409 drive
while [ -e /dev/sda1 ]; do sleep .2; done
END
chmod 755 /usr/local/bin/plug /usr/local/bin/unplug
"""


def usb_drive(evening: Evening) -> Iterator[str]:
    """Plug drives in, and let the box look for a newer version on them and install it."""
    machine = evening.machine
    install(machine, OLD)
    machine.wait_for_service()
    evening.take_up()
    evening.enter(1)
    machine.run(_TOOLS, patience=1800)
    machine.bring(signed(NEW), DRIVE)
    machine.run(f"plug bootfs {DRIVE}; sleep 3; ! findmnt {MOUNTED}; unplug")
    yield "a partition that the system starts from is not mounted"
    machine.run(f"plug DRIVE; until findmnt {MOUNTED}; do sleep .2; done; runuser -u companion -- touch {MOUNTED}/x")
    machine.run(f"unplug; while findmnt {MOUNTED}; do sleep .2; done")
    yield "another drive is mounted, the service's user may write there, and it is gone when it is pulled out"
    machine.run(
        f"cp -r {DRIVE} /srv/right; echo >>{DRIVE}/debian-12/InRelease; sed -i s/0/1/ {DRIVE}/debian-12/Packages"
    )
    machine.run(f"plug DRIVE {DRIVE}; until findmnt {MOUNTED}; do sleep .2; done")
    assert _update(machine) in ("address", "signature"), "a repository that was changed is taken"
    assert current(machine) == OLD
    machine.run(f"unplug; rm -r {DRIVE}; mv /srv/right {DRIVE}")
    yield "a repository that was changed is not taken"
    machine.run(f"plug DRIVE {DRIVE}; until findmnt {MOUNTED}; do sleep .2; done")
    assert _update(machine) == "installed"
    machine.wait_for_service()
    evening.take_up()
    evening.sees(evening.script.updated(evening.pressed, NEW))
    evening.enter(1)
    evening.all_is_kept()
    machine.run("unplug")
    yield f"{NEW} is found on it and installed by the unit that the menu starts; the panel says so"
    install(machine, OLD)
    machine.wait_for_service()


def _update(machine: Machine) -> str:
    """Start the unit as the service's user, who may start this one; return the word that it leaves."""
    command = "runuser -u companion -- systemctl --no-ask-password start companion-update.service || true"
    machine.run(command, patience=1800)
    return machine.run(f"cat {OUTCOME}").strip()
