"""Switches the machine off through logind.

logind is asked with systemd's own `busctl`, so that no D-Bus library has to be there.
"""

from __future__ import annotations

import subprocess

from companion.app.ports import DeviceFault

_LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")


class LogindPower:
    """Switches the machine off, if logind allows it without a password.

    Args:
        busctl: The program that speaks to logind.
        patience: Seconds it may take to answer.
    """

    def __init__(self, busctl: str = "busctl", patience: float = 5.0) -> None:
        self._busctl = busctl
        self._patience = patience

    def may(self) -> bool:
        """Tell whether this program is allowed to; not, where there is nobody to ask."""
        try:
            return self._call("CanPowerOff").strip() == 's "yes"'
        except DeviceFault:
            return False

    def off(self) -> None:
        """Begin to switch off; the service manager then tells this program to stop.

        Raises:
            DeviceFault: It cannot be done.
        """
        self._call("PowerOff", "b", "false")  # false: nobody is there to type a password

    def _call(self, method: str, *arguments: str) -> str:
        command = (self._busctl, "--system", "--allow-interactive-authorization=no", "call", *_LOGIND, method)
        try:
            done = subprocess.run(
                (*command, *arguments),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=self._patience,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise DeviceFault("The machine cannot be switched off: logind does not answer.") from error
        except OSError as error:
            raise DeviceFault(f"The machine cannot be switched off: {self._busctl} cannot be run.") from error
        if done.returncode != 0:
            why = " ".join(done.stderr.split()).removeprefix("Call failed: ").rstrip(".")
            raise DeviceFault(f"The machine cannot be switched off: {why or 'logind refused'}.")
        return done.stdout
