"""Runs a command of the system, and waits for its answer."""

from __future__ import annotations

import subprocess

from companion.app.ports import DeviceError

PATIENCE = 5.0
"""Seconds in which the system's programs answer."""


def output_of(command: tuple[str, ...], failed: str, asked: str, patience: float | None = None) -> str:
    """Return what a command prints.

    `failed` is what does not work then, as the beginning of a sentence; `asked` is the program that answers, within
    `patience` seconds or the usual ones.

    Raises DeviceError if it cannot be run, does not answer in time, or fails.
    """
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE if patience is None else patience,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DeviceError(f"{failed}: {asked} does not answer.") from error
    except OSError as error:
        raise DeviceError(f"{failed}: {command[0]} cannot be run.") from error
    if done.returncode != 0:
        why = " ".join(done.stderr.split()).removeprefix("Call failed: ").rstrip(".")
        raise DeviceError(f"{failed}: {why or f'{asked} refused'}.")
    return done.stdout
