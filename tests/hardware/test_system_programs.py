"""What the box asks of systemd and NetworkManager: switching off, clock and time zone, its own Wi-Fi.

Real processes stand in for their programs.
"""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import available_timezones

import pytest

from companion.app.ports import DeviceError
from hardware import system
from hardware.machine import own_wifi
from hardware.machine.clock import ClockStatus, MoveClock, ReadClock, SetZone, TimedatedClock
from hardware.machine.own_wifi import STARTS, UNIT, OwnWifi, SwitchWifi, names_in
from hardware.system import LogindPower
from tests.fakes.clock import FixedClock
from tests.fakes.programs import Programs
from tests.line_tables import Row, cases, given, says

ROOT = Path(__file__).parents[2]
ASKED = "--system --allow-interactive-authorization=no"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    return Programs(tmp_path / "bin", monkeypatch)


# Switching off, clock and time zone

SERVICES = {
    "org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager": "logind",
    "org.freedesktop.timedate1 /org/freedesktop/timedate1 org.freedesktop.timedate1": "timedated",
}
ANSWERS = """
case "$*" in
*NTP) echo 'b true' ;;
*get-property*) printf 's "Europe/Paris"\\nb false\\n' ;;
esac"""


def system_calls(given: str | bytes) -> str:
    """Return what comes of an action, and the calls to the system for it.

    Before the action, parted by `` ; ``: ``busctl SCRIPT`` is what it does, ``busctl gone`` that it cannot be run,
    ``refuses WORD`` that calls with a word are refused. Else the network sets the clock, and everything is granted.
    """
    *facts, action = str(given).split(" ; ")
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patches:
        programs, script = Programs(Path(folder), patches), ANSWERS
        for fact in facts:
            verb, _space, rest = fact.partition(" ")
            refuses = f"case \"$*\" in *{rest}*) echo 'Call failed: Access denied' >&2; exit 1 ;; esac{ANSWERS}"
            script = refuses if verb == "refuses" else rest
        programs.put("systemctl", 'echo "systemctl $*" >>"${0%/*}/busctl.calls"')
        if script == "gone":
            patches.setenv("PATH", folder)
        else:
            programs.put("busctl", script)
        if "sleep" in script:
            patches.setattr(system, "PATIENCE", 0.05)
        patches.setattr(time, "tzset", lambda: subprocess.run(["systemctl", "(tzset)"], check=True))
        clock, told = TimedatedClock(), ""
        try:
            match action.split():
                case ["may"]:
                    told = str(LogindPower().may())
                case ["off"]:
                    LogindPower().off()
                case ["zone", zone]:
                    clock.do(SetZone(zone))
                case ["move", seconds]:
                    clock.do(MoveClock(int(seconds)))
                case _:
                    clock.do(ReadClock())
        except DeviceError as fault:
            told = str(fault)
        if clock.status != ClockStatus():
            told = f"{clock.status.zone}{', by the network' * clock.status.by_network}"
        slow = "sleep" in script  # it is ended before or after it has written down the call
        calls = "" if slow else "\n".join(programs.calls("busctl")).replace(f"{ASKED} ", "")
    for name, short in SERVICES.items():
        calls = calls.replace(name, short)
    return " | ".join((told, *calls.splitlines()))


@pytest.mark.parametrize(("name", "rows"), cases("system-calls"))
def test_the_system_is_called_as_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


def test_reading_tells_zones_and_clock(programs: Programs) -> None:
    programs.put("busctl", ANSWERS)
    clock = TimedatedClock()
    clock.do(ReadClock())
    assert clock.status.now is not None
    assert set(clock.status.zones) <= available_timezones()
    assert "Asia/Tokyo" in clock.status.zones


# The own Wi-Fi

NAMES = "Companion-7F3A\nkx4973mqpt\n"
WHOLE = f"{NAMES}40517a68fc1b8830\n"


@pytest.fixture
def box(tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root folder of a box that can have a Wi-Fi of its own."""
    for program in ("nmcli", "systemctl"):
        programs.put(program)
    for name in ("INSTALLED", "RUNNING", "NETWORK"):
        place = tmp_path / str(getattr(own_wifi, name)).lstrip("/")
        place.parent.mkdir(parents=True)
        monkeypatch.setattr(own_wifi, name, place)
    own_wifi.INSTALLED.touch()
    own_wifi.NETWORK.write_text(WHOLE)
    return tmp_path


def is_on(wifi: OwnWifi) -> bool:
    status = wifi.status
    assert status is not None
    assert (status.name, status.password) == ("Companion-7F3A", "kx4973mqpt")
    return status.on


@pytest.mark.parametrize("missing", ["unit", "names", "NetworkManager"])
def test_a_box_without_the_unit_the_names_or_networkmanager_has_no_own_wifi(
    box: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    assert OwnWifi(FixedClock()).status is not None
    match missing:
        case "unit":
            own_wifi.INSTALLED.unlink()
        case "names":
            own_wifi.NETWORK.unlink()
        case _:
            monkeypatch.setenv("PATH", str(box))
    assert OwnWifi(FixedClock()).status is None


@pytest.mark.usefixtures("box")
def test_it_is_switched_through_systemd_and_counts_as_switched_at_once(programs: Programs) -> None:
    wifi = OwnWifi(FixedClock())
    assert not is_on(wifi)
    wifi.do(SwitchWifi(True))
    assert is_on(wifi)
    own_wifi.RUNNING.mkdir()  # systemd makes it as the unit starts, and removes it once it has stopped
    assert is_on(OwnWifi(FixedClock()))  # of a program that was started again
    wifi.do(SwitchWifi(False))
    assert not is_on(wifi)
    calls = [f"--no-ask-password --no-block {verb} {UNIT}" for verb in ("start", "stop")]
    assert programs.calls("systemctl") == calls


@pytest.mark.usefixtures("box")
@pytest.mark.parametrize(
    ("on", "runs", "says"), [(True, False, True), (True, True, False), (False, True, False), (False, False, False)]
)
def test_once_the_unit_has_had_its_time_it_is_told_if_the_network_did_not_open(
    on: bool, runs: bool, says: bool
) -> None:
    clock = FixedClock()
    wifi = OwnWifi(clock)
    wifi.do(SwitchWifi(on))
    if runs:
        own_wifi.RUNNING.mkdir()
    assert wifi.tick() is None
    unit = (ROOT / "systemd" / UNIT).read_text()
    assert int(re.findall("^TimeoutStartSec=(.+)$", unit, re.MULTILINE)[0]) < STARTS
    looks_at = wifi.due
    assert looks_at == clock.passed() + STARTS
    clock.let_pass(STARTS)
    news = wifi.tick()
    assert (news is not None and str(news.message) == "The own Wi-Fi did not start") is says
    assert (is_on(wifi), wifi.due) == (runs, None)


@pytest.mark.usefixtures("box")
def test_a_refusal_of_systemd_is_a_fault_with_its_reason(programs: Programs) -> None:
    programs.put("systemctl", "echo 'Access denied' >&2; exit 1")
    wifi = OwnWifi(FixedClock())
    with pytest.raises(DeviceError, match=r"^The own Wi-Fi cannot be started: Access denied\.$"):
        wifi.do(SwitchWifi(True))
    assert wifi.due is None
    assert not is_on(wifi)


@pytest.mark.parametrize("damaged", ["", "\0\0\0", WHOLE[:-1], NAMES, WHOLE.replace("-", "_"), f"\udcff{WHOLE}"])
def test_damaged_names_are_none(tmp_path: Path, damaged: str) -> None:
    file = tmp_path / "network"
    file.write_text(WHOLE)
    assert names_in(file) == ("Companion-7F3A", "kx4973mqpt")
    file.write_text(damaged, "utf-8", errors="surrogateescape")
    assert names_in(file) is None
