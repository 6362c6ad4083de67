"""Faults for a version of the program: the text that is put at the end of one of its files, and how it fails then."""

from __future__ import annotations

from typing import NamedTuple

_DEVICE = "companion/cli/device.py"
_NOTIFY = "hardware/system.py"

_AFTER_READY = """
_notify = notify
def notify(*states):
    _notify(*states)
    if READY in states:
        import os
        import threading
        threading.Timer({seconds}, os._exit, ({status},)).start()
"""


class Fault(NamedTuple):
    """A change of the program.

    Attributes:
        file: The file that is changed.
        text: What is put at its end.
        result: How the service ends, in systemd's words; empty if the installation notices the fault before.
    """

    file: str
    text: str
    result: str = ""


FAULTS = {
    "syntax": Fault(_DEVICE, "\ndef broken(:\n"),
    "import": Fault(_DEVICE, "\ndef run(wanted):\n    import no_such_module\n", "exit-code"),
    "crash": Fault(_NOTIFY, _AFTER_READY.format(seconds=5, status=3), "exit-code"),
    "ends": Fault(_NOTIFY, _AFTER_READY.format(seconds=8, status=0), "success"),
    "refuses": Fault(
        _DEVICE, '\n_load = _settings\ndef _settings(file):\n    return _load(file)[0], "refused"\n', "exit-code"
    ),
    "silent": Fault(
        _NOTIFY,
        "\n_notify = notify\ndef notify(*states):\n    _notify(*(state for state in states if state != ALIVE))\n",
        "watchdog",
    ),
    "hang": Fault(_DEVICE, "\ndef run(wanted):\n    time.sleep(100_000)\n", "timeout"),
}
"""An error of syntax, an import that fails, a crash five seconds after the start, an end with status 0 after eight,
refused settings (status 78), a watchdog that is never fed, a start that never ends. A version's check of itself notices
the first one only."""
