"""Setting clock and time zone, with a real process in place of busctl."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from zoneinfo import available_timezones

import pytest

from companion.app.ports import DeviceError
from hardware import timedated
from hardware.timedated import TimedatedClock, timedated_clock
from tests.hardware.test_power import busctl, calls
from tests.waiting import LAST_RESORT

ANSWERS = """
if sys.argv[-1] == 'NTP':
    print('b true')
elif 'get-property' in sys.argv:
    print('s "Europe/Paris"'); print('b false')
"""
BY_HAND = ANSWERS.replace("b true", "b false")
PREFIX = "--system --allow-interactive-authorization=no"
OBJECT = "org.freedesktop.timedate1 /org/freedesktop/timedate1 org.freedesktop.timedate1"


def test_looking_tells_zone_and_clock(tmp_path: Path) -> None:
    known = clock(tmp_path).read()
    assert known.now is not None
    assert (known.zone, known.by_network) == ("Europe/Paris", False)
    assert set(known.zones) <= available_timezones()
    assert "Asia/Tokyo" in known.zones
    assert calls(tmp_path) == [f"{PREFIX} get-property {OBJECT} Timezone NTPSynchronized"]


def test_a_time_zone_is_used_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[None] = []
    monkeypatch.setattr(time, "tzset", lambda: read.append(None))
    TimedatedClock(busctl(tmp_path, ANSWERS), LAST_RESORT).set_zone("Asia/Tokyo")
    assert calls(tmp_path)[0] == f"{PREFIX} call {OBJECT} SetTimezone sb Asia/Tokyo false"
    assert len(read) == 1


ASKED = f"{PREFIX} get-property {OBJECT} NTP"
HELD, RELEASED = (f"--no-ask-password {verb} companion-clock.service" for verb in ("start", "stop"))


def clock(folder: Path, answers: str = ANSWERS) -> TimedatedClock:
    """Return a clock; one program stands for busctl and for systemctl."""
    program = busctl(folder, answers)
    return TimedatedClock(program, LAST_RESORT, program)


def test_the_clock_is_moved_while_the_network_does_not_set_it(tmp_path: Path) -> None:
    clock(tmp_path).move(60)
    asked, off, moved, on = calls(tmp_path)
    assert (asked, off, on) == (ASKED, HELD, RELEASED)
    assert moved == f"{PREFIX} call {OBJECT} SetTime xbb -- 60000000 true false"


def test_after_a_move_back_the_network_waits_for_the_next_boot(tmp_path: Path) -> None:
    """At its start timesyncd would set the clock on again, to the latest time it has been."""
    clock(tmp_path).move(-60)
    _asked, off, moved = calls(tmp_path)
    assert off == HELD
    assert moved == f"{PREFIX} call {OBJECT} SetTime xbb -- -60000000 true false"


def test_where_the_network_does_not_set_the_clock_nothing_is_switched(tmp_path: Path) -> None:
    clock(tmp_path, BY_HAND).move(60)
    assert [call for call in calls(tmp_path) if "companion-clock" in call] == []


@pytest.mark.parametrize("seconds", [60, -60])
def test_a_refusal_lets_the_network_set_the_clock_again(tmp_path: Path, seconds: int) -> None:
    refuses = f"if 'SetTime' in sys.argv: sys.exit('Call failed: Access denied'){ANSWERS}"
    with pytest.raises(DeviceError, match=r"^The clock cannot be set: Access denied\.$"):
        clock(tmp_path, refuses).move(seconds)
    assert calls(tmp_path)[-1] == RELEASED


def test_an_answer_in_another_form_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="answers something else"):
        TimedatedClock(busctl(tmp_path, "print('x')"), LAST_RESORT).read()


def test_a_machine_without_timedated_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timedated, "PROGRAM", Path("/nowhere"))
    assert timedated_clock() is None
    monkeypatch.setattr(timedated, "PROGRAM", Path(sys.executable))
    assert timedated_clock() is not None
