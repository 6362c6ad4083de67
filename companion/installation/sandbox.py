"""Runs a program in a sandbox: as the user of the service, with a read-only disk, without network or other processes.

A version that is not chosen yet checks itself there. It takes root's rights, and two programs that every Debian has:
unshare and setpriv.
"""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .wheel_store import InstallationError

SERVICE_USER = "companion"

PATIENCE = 300.0  # seconds a version may take to check itself, on the slowest Pi

ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONNOUSERSITE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""The environment of such a program: no code is read from the user's home."""

_READ_ONLY = """
while read -r _ place _; do
    mount -o remount,bind,ro "$(printf %b "$place")" 2>/dev/null || true
done </proc/self/mounts
exec setpriv "$@"
"""
"""Makes every mount read-only, in a list of mounts of its own, and gives root's rights away."""


def sandboxed(command: Sequence[str], user: pwd.struct_passwd) -> list[str]:
    """Return the command that runs another one in the sandbox."""
    # Unchanged: in a root folder in which an image is made, "/" is no mount point, and so has no propagation to change.
    namespaces = ["unshare", "--mount", "--propagation=unchanged", "--net", "--ipc", "--pid"]
    namespaces += ["--fork", "--kill-child", "--mount-proc"]
    rights = [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "--no-new-privs"]
    rights += ["--bounding-set=-all", "--inh-caps=-all"]
    return [*namespaces, "sh", "-c", _READ_ONLY, "sh", *rights, "--", *command]


def run_checked(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run the program of a version in the sandbox; return its exit status and what it printed.

    Without root's rights, as in a test, there is no sandbox.

    Raises InstallationError if it cannot be started, or does not end.
    """
    command, user = [str(folder / "bin/companion"), *arguments], service_user()
    if not os.access(command[0], os.X_OK):
        raise InstallationError(f"{command[0]} is missing or cannot be started")
    if user is not None:
        command = sandboxed(command, user)
    try:
        done = run_as(None, command, PATIENCE)
    except subprocess.TimeoutExpired:
        raise InstallationError(f"it did not check itself within {PATIENCE:.0f} seconds") from None
    except OSError as error:
        raise InstallationError(f"it cannot be started: {error.strerror}") from None
    return done.returncode, (done.stdout + done.stderr).strip()


def run_as(
    user: pwd.struct_passwd | None, command: Sequence[str], timeout: float, groups: Sequence[int] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a command in the environment above, as a user with further groups; None stays the user who runs this."""
    return subprocess.run(
        command,
        env=ENVIRONMENT,
        cwd="/",
        user=None if user is None else user.pw_uid,
        group=None if user is None else user.pw_gid,
        extra_groups=None if user is None else groups,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )


def service_user() -> pwd.struct_passwd | None:
    """Return the user of the service, if this program may act for it."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(SERVICE_USER)
    except KeyError:
        return None
