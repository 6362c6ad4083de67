"""Setting clock and time zone, with a real process in place of busctl."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from zoneinfo import available_timezones

import pytest

from companion.app.ports import DeviceFault
from hardware import timedated
from hardware.timedated import TimedatedClock, timedated_clock
from tests.hardware.test_power import busctl, calls
from tests.waiting import LAST_RESORT

ANSWERS = """
if 'get-property' in sys.argv:
    print('s "Europe/Paris"'); print('b false')
"""
PREFIX = "--system --allow-interactive-authorization=no"
OBJECT = "org.freedesktop.timedate1 /org/freedesktop/timedate1 org.freedesktop.timedate1"


def test_looking_tells_zone_and_clock(tmp_path: Path) -> None:
    clock = TimedatedClock(busctl(tmp_path, ANSWERS), LAST_RESORT)
    before = clock.known
    clock.look()
    known = clock.known
    assert (before.now is None, known.now is None) == (True, False)
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


def test_the_clock_is_moved_while_the_network_does_not_set_it(tmp_path: Path) -> None:
    TimedatedClock(busctl(tmp_path, ANSWERS), LAST_RESORT).move(-60)
    off, moved, on, _look = calls(tmp_path)
    assert off == f"{PREFIX} call {OBJECT} SetNTP bb false false"
    assert moved == f"{PREFIX} call {OBJECT} SetTime xbb -- -60000000 true false"
    assert on == f"{PREFIX} call {OBJECT} SetNTP bb true false"


def test_a_refusal_lets_the_network_set_the_clock_again(tmp_path: Path) -> None:
    refuses = "if 'SetTime' in sys.argv: sys.exit('Call failed: Access denied')"
    with pytest.raises(DeviceFault, match=r"^The clock cannot be set: Access denied\.$"):
        TimedatedClock(busctl(tmp_path, refuses), LAST_RESORT).move(60)
    assert "SetNTP bb true" in calls(tmp_path)[-1]


def test_an_answer_in_another_form_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(DeviceFault, match="answers something else"):
        TimedatedClock(busctl(tmp_path, "print('x')"), LAST_RESORT).look()


def test_a_machine_without_timedated_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timedated, "PROGRAM", Path("/nowhere"))
    assert timedated_clock() is None
    monkeypatch.setattr(timedated, "PROGRAM", Path(sys.executable))
    assert timedated_clock() is not None
