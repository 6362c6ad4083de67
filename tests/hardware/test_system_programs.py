"""What the box asks of systemd and NetworkManager: switching off, clock and time zone, its own Wi-Fi.

Real processes stand in for their programs.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
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

ROOT = Path(__file__).parents[2]
ASKED = "--system --allow-interactive-authorization=no"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    return Programs(tmp_path / "bin", monkeypatch)


# Switching off

LOGIND = "org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager"


@pytest.mark.parametrize(
    ("answer", "allowed"), [("yes", True), ("no", False), ("challenge", False), ("na", False), ("", False)]
)
def test_it_may_switch_off_only_where_logind_says_yes(programs: Programs, answer: str, allowed: bool) -> None:
    programs.put("busctl", f"echo 's \"{answer}\"'")
    assert LogindPower().may() is allowed
    assert programs.calls("busctl") == [f"{ASKED} call {LOGIND} CanPowerOff"]


def test_off_asks_logind_to_switch_off_without_a_password(programs: Programs) -> None:
    programs.put("busctl")
    LogindPower().off()
    assert programs.calls("busctl") == [f"{ASKED} call {LOGIND} PowerOff b false"]


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (
            "echo 'Call failed: Interactive authentication required.' >&2; exit 1",
            r"switched off: Interactive authentication required\.$",
        ),
        ("exit 1", r"switched off: logind refused\.$"),
        ("sleep 60", "does not answer"),
        (None, "cannot be run"),
    ],
)
def test_what_logind_refuses_or_cannot_be_asked_is_a_fault(
    programs: Programs, monkeypatch: pytest.MonkeyPatch, script: str | None, says: str
) -> None:
    if script is None:
        monkeypatch.setenv("PATH", str(programs.folder))
    else:
        programs.put("busctl", script)
    if script == "sleep 60":
        monkeypatch.setattr(system, "PATIENCE", 0.05)
    assert not LogindPower().may()
    with pytest.raises(DeviceError, match=says):
        LogindPower().off()


# Clock and time zone

TIMEDATED = "org.freedesktop.timedate1 /org/freedesktop/timedate1 org.freedesktop.timedate1"
READ = f"{ASKED} get-property {TIMEDATED} Timezone NTPSynchronized"
ANSWERS = """
case "$*" in
*NTP) echo 'b true' ;;
*get-property*) printf 's "Europe/Paris"\\nb false\\n' ;;
esac"""


@pytest.fixture
def clock(programs: Programs) -> TimedatedClock:
    programs.put("busctl", ANSWERS)
    programs.put("systemctl", 'echo "systemctl $*" >>"${0%/*}/busctl.calls"')
    return TimedatedClock()


def test_reading_tells_zone_and_clock(clock: TimedatedClock, programs: Programs) -> None:
    assert clock.status == ClockStatus()
    clock.do(ReadClock())
    assert clock.status.now is not None
    assert (clock.status.zone, clock.status.by_network) == ("Europe/Paris", False)
    assert set(clock.status.zones) <= available_timezones()
    assert "Asia/Tokyo" in clock.status.zones
    assert programs.calls("busctl") == [READ]


def test_a_time_zone_is_used_at_once(
    clock: TimedatedClock, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[None] = []
    monkeypatch.setattr(time, "tzset", lambda: read.append(None))
    clock.do(SetZone("Asia/Tokyo"))
    assert programs.calls("busctl") == [f"{ASKED} call {TIMEDATED} SetTimezone sb Asia/Tokyo false", READ]
    assert len(read) == 1


NETWORK = f"{ASKED} get-property {TIMEDATED} NTP"
HELD, RELEASED = (f"systemctl --no-ask-password {verb} companion-clock.service" for verb in ("start", "stop"))


def moved(seconds: int) -> str:
    return f"{ASKED} call {TIMEDATED} SetTime xbb -- {seconds}000000 true false"


@pytest.mark.parametrize(
    ("by_network", "seconds", "calls"),
    [
        ("true", 60, [HELD, moved(60), RELEASED]),
        # at its start timesyncd would set the clock on again, to the latest time it has been
        ("true", -60, [HELD, moved(-60)]),
        ("false", 60, [moved(60)]),
    ],
)
def test_the_network_does_not_set_a_clock_while_it_is_moved_nor_after_a_move_back(
    clock: TimedatedClock, programs: Programs, by_network: str, seconds: int, calls: list[str]
) -> None:
    programs.put("busctl", ANSWERS.replace("b true", f"b {by_network}"))
    clock.do(MoveClock(seconds))
    assert programs.calls("busctl") == [NETWORK, *calls, READ]


@pytest.mark.parametrize("seconds", [60, -60])
def test_a_refusal_lets_the_network_set_the_clock_again(
    clock: TimedatedClock, programs: Programs, seconds: int
) -> None:
    refuses = "case \"$*\" in *SetTime*) echo 'Call failed: Access denied' >&2; exit 1 ;; esac"
    programs.put("busctl", f"{refuses}{ANSWERS}")
    with pytest.raises(DeviceError, match=r"^The clock cannot be set: Access denied\.$"):
        clock.do(MoveClock(seconds))
    assert programs.calls("busctl")[-1] == RELEASED


def test_an_answer_in_another_form_is_a_fault(clock: TimedatedClock, programs: Programs) -> None:
    programs.put("busctl", "echo x")
    with pytest.raises(DeviceError, match="answers something else"):
        clock.do(ReadClock())


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
