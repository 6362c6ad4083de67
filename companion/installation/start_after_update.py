"""Waits until the new version runs, or the box has returned to the old one, and says which one runs."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import NamedTuple

from .places import InstallationPaths, version_of

LONGEST = 600.0
"""The most seconds to wait. In this time a version that does not start fails three times, and the box goes back."""

STEADY = 40.0
"""Seconds that the service has to run without a new start.

Longer than it shows a sentence about settings it cannot read (30), and than systemd's watchdog waits (24).
"""

ABSENT = 3.0
"""Seconds that the service has to be off: it is for a moment, too, when systemd starts it again by itself."""

FAILURES = 3  # starts after which a version without one before it is given up
PAUSE = 1.0  # seconds between two questions


class Service(NamedTuple):
    """The state of the service, as systemd tells it."""

    ready: bool  # whether it has said that it plays
    process: str  # the number of its process; 0 if there is none
    status: str  # its own sentence
    restarts: int = 0  # how often systemd has started it again
    off: bool = False  # whether it is neither running nor about to start


def service_state() -> Service | None:
    """Return what systemd says; None where it does not run, as in an image."""
    command = ["systemctl", "show", "--property=ActiveState,MainPID,StatusText,NRestarts", "companion.service"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError:
        return None
    properties = dict(line.partition("=")[::2] for line in done.stdout.splitlines())
    if done.returncode or "ActiveState" not in properties:
        return None
    state, restarts = properties["ActiveState"], int(properties.get("NRestarts") or 0)
    process, status = properties.get("MainPID", "0"), properties.get("StatusText", "")
    return Service(state == "active", process, status, restarts, off=state == "inactive")


def outcome(
    places: InstallationPaths,
    version: str,
    read_service: Callable[[], Service | None] = service_state,
    wait: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[bool, str]:
    """Wait for the start of a version; return False if it failed or the box went back, and a sentence."""
    here = version_of(places.current)
    if here != version and not places.built.exists():  # with it, this installation has chosen the version
        return True, f"{version} was not chosen; {here} runs"
    end, steady, process = clock() + LONGEST, clock() + STEADY, ""
    seen = clock()  # when the service was last seen to be on
    while clock() < end:
        service = read_service()
        if service is not None and service.off:
            if clock() < seen + ABSENT:
                wait(PAUSE)
                continue
            service = None
        seen = clock()
        here = version_of(places.current)
        if here == version and service is None:
            return True, f"{version} is installed, and runs from the next start on"
        if service is None or (here != version and service.ready):
            return False, f"{version} failed three times, and {here} runs again; why: {places.failed(version)}"
        if here == version and service.restarts >= FAILURES and not places.previous.is_symlink():
            return False, f"{version} does not start, and there is none to go back to; why: journalctl -u companion"
        if not service.ready or service.process != process:
            process, steady = service.process, clock() + STEADY
        elif clock() >= steady:
            return True, f"{version} runs. {service.status}".rstrip()
        wait(PAUSE)
    return False, f"{version} did not start within {LONGEST / 60:.0f} minutes; why: journalctl -u companion"
