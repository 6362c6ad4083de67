"""Switches the machine off through logind.

It calls systemd's `busctl`, so no D-Bus library is needed.
"""

from __future__ import annotations

from companion.app.ports import DeviceError

from .system_command import output_of

_LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")


class LogindPower:
    """Switches the machine off, if logind allows it without a password."""

    def __init__(self, busctl: str = "busctl", patience: float = 5.0) -> None:
        self._busctl = busctl
        self._patience = patience

    def may(self) -> bool:
        """Return whether this program may switch off; False if logind cannot be asked."""
        try:
            return self._call("CanPowerOff").strip() == 's "yes"'
        except DeviceError:
            return False

    def off(self) -> None:
        """Start the shutdown. The service manager will then stop this program. Raises DeviceError if logind refused."""
        self._call("PowerOff", "b", "false")  # false: no password dialogue

    def _call(self, method: str, *arguments: str) -> str:
        command = (self._busctl, "--system", "--allow-interactive-authorization=no", "call", *_LOGIND, method)
        return output_of((*command, *arguments), "The machine cannot be switched off", "logind", self._patience)
