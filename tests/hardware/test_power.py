"""Switching off, with a real process in place of busctl."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.app.ports import DeviceError
from hardware.power_off import LogindPower
from tests.waiting import LAST_RESORT

LOGIND = "org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager"


def busctl(folder: Path, body: str) -> str:
    """Write a program with a given body; it appends its arguments to the file `calls`."""
    program = folder / "busctl"
    program.write_text(
        f"#!{sys.executable}\nimport sys, time\n"
        f"open({str(folder / 'calls')!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\n{body}\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    return str(program)


def calls(folder: Path) -> list[str]:
    return (folder / "calls").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("answer", "allowed"), [("yes", True), ("no", False), ("challenge", False), ("na", False), ("", False)]
)
def test_it_may_only_where_logind_says_yes(tmp_path: Path, answer: str, allowed: bool) -> None:
    assert LogindPower(busctl(tmp_path, f"print('s \"{answer}\"')"), LAST_RESORT).may() is allowed
    assert calls(tmp_path) == [f"--system --allow-interactive-authorization=no call {LOGIND} CanPowerOff"]


def test_off_asks_logind_to_switch_off_without_a_password(tmp_path: Path) -> None:
    LogindPower(busctl(tmp_path, ""), LAST_RESORT).off()
    assert calls(tmp_path) == [f"--system --allow-interactive-authorization=no call {LOGIND} PowerOff b false"]


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (
            "sys.exit('Call failed: Interactive authentication required.')",
            r"switched off: Interactive authentication required\.$",
        ),
        ("sys.exit(1)", r"switched off: logind refused\.$"),
        ("time.sleep(60)", "does not answer"),
        (None, "cannot be run"),
    ],
)
def test_what_logind_refuses_or_cannot_be_asked_is_a_fault(tmp_path: Path, program: str | None, says: str) -> None:
    asked = str(tmp_path / "nothing") if program is None else busctl(tmp_path, program)
    power = LogindPower(asked, 0.05 if program == "time.sleep(60)" else LAST_RESORT)
    assert not power.may()
    with pytest.raises(DeviceError, match=says):
        power.off()
