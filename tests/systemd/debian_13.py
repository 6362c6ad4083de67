"""Boots the systemd, D-Bus and polkit of Debian 13 in namespaces of their own, for tests of rights.

The root folder is made by ``.ci/debian-13``; it is only read: what a test writes is in memory. Network, processes,
mounts and control groups are apart from this machine's, and it may not set the clock, load modules or reboot.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.needed import DEBIAN_13, need, required
from tests.waiting import LAST_RESORT, until

_BOOT = """
set -eu
echo $$ >"$3/cgroup.procs"
exec unshare --pid --fork --kill-child --mount --uts --ipc --net --cgroup --propagation private sh -euc '
    mount -t tmpfs none "$2"
    mkdir "$2/upper" "$2/work" "$2/root"
    mount -t overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" none "$2/root"
    cd "$2/root"
    mount -t proc proc proc
    mount --bind -o ro proc/sys proc/sys
    mount -o remount,bind,ro proc/sys
    mount -t sysfs -o ro sys sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    mount -t tmpfs -o mode=755 none run
    mount -t tmpfs none tmp
    mount -t tmpfs -o mode=755 none dev
    for name in null zero full random urandom; do touch dev/$name; mount --bind /dev/$name dev/$name; done
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
    mount -t tmpfs none dev/shm
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    pivot_root . mnt
    cd /
    umount -l /mnt
    exec env -i container=other PATH=/usr/sbin:/usr/bin setpriv \\
        --bounding-set=-sys_time,-sys_module,-sys_boot,-sys_rawio,-syslog,-mknod \\
        /usr/lib/systemd/systemd --system --unit=basic.target
' sh "$1" "$2"
"""
"""Arguments: the root folder, an empty folder, the control group."""


class BootedDebian:
    """A running systemd of Debian 13.

    Attributes:
        root: Its root folder, as this process sees it.
    """

    def __init__(self, process: int) -> None:
        """Enter the namespaces of a process, the systemd."""
        self._process = process
        self.root = Path(f"/proc/{process}/root")

    def run(self, *command: str, user: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command there, as root or as another user."""
        enter = ("nsenter", "--target", str(self._process), "--all", "env", "-i", "PATH=/usr/sbin:/usr/bin")
        change = () if user is None else ("setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups")
        return subprocess.run(
            (*enter, *change, *command),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LAST_RESORT, check=False,
        )  # fmt: skip

    def write(self, path: str, text: str) -> None:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _control_groups() -> Path | None:
    lines = (line.split() for line in Path("/proc/self/mountinfo").read_text("utf-8").splitlines())
    mounted = (fields[4] for fields in lines if fields[fields.index("-") + 1] == "cgroup2")
    return next((Path(folder) for folder in mounted if os.access(folder, os.W_OK)), None)


@contextmanager
def booted(folder: Path) -> Iterator[BootedDebian]:
    """Boot it; skip the test where that is impossible, or fail it if Debian 13 is required (``tests.needed``).

    Args:
        folder: An empty folder.
    """
    need("debian-13")
    above = _control_groups()
    if above is None:
        why = "Debian 13 cannot be booted: no control groups (version 2) can be written."
        (pytest.fail if "debian-13" in required() else pytest.skip)(why)
    group = above / f"companion-debian-13-{os.getpid()}"
    group.mkdir()
    log = folder.with_name(f"{folder.name}.log")
    try:
        with (
            log.open("wb") as output,
            subprocess.Popen(
                ("sh", "-c", _BOOT, "sh", str(DEBIAN_13), str(folder), str(group)), stdout=output, stderr=output
            ) as unshare,
        ):
            try:
                debian = BootedDebian(_first_child(unshare, log))
                until(lambda: debian.run("busctl", "status").returncode == 0 or unshare.poll() is not None, "D-Bus")
                assert unshare.poll() is None, log.read_text()
                yield debian
            finally:
                (group / "cgroup.kill").write_text("1")
    finally:
        _remove(group)


def _first_child(unshare: subprocess.Popen[bytes], log: Path) -> int:
    """Return the process that is the first one in the new namespace."""
    children = Path(f"/proc/{unshare.pid}/task/{unshare.pid}/children")
    until(lambda: unshare.poll() is not None or children.read_text(), "the namespace")
    assert unshare.poll() is None, log.read_text()
    return int(children.read_text())


def _remove(group: Path) -> None:
    """Remove a control group and all below it, once their processes have ended."""
    until(lambda: "populated 0" in (group / "cgroup.events").read_text(), "the end of Debian 13")
    for folder, _below, _files in os.walk(group, topdown=False):
        Path(folder).rmdir()
