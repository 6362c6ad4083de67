"""Switches the machine off through logind.

It calls systemd's `busctl`, so no D-Bus library is needed.
"""

from __future__ import annotations

from companion.app.ports import DeviceError

from .system_command import output_of

_LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")


class LogindPower:
    """Switches the machine off, if logind allows it without a password."""

    def may(self) -> bool:
        """Return whether this program may switch off; False if logind cannot be asked."""
        try:
            return _call("CanPowerOff").strip() == 's "yes"'
        except DeviceError:
            return False

    def off(self) -> None:
        """Start the shutdown. The service manager will then stop this program. Raises DeviceError if logind refused."""
        _call("PowerOff", "b", "false")  # false: no password dialogue


def _call(method: str, *arguments: str) -> str:
    command = ("busctl", "--system", "--allow-interactive-authorization=no", "call", *_LOGIND, method, *arguments)
    return output_of(command, "The machine cannot be switched off", "logind")
