"""The buzzer on mock pins: its sounds, replaced motifs, and failures."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import active_count, enumerate
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.app.ports import DeviceError, Motif
from companion.app.sounds import ALERT, HIGHEST, KEY, LOWEST, REFUSED, TRICK
from hardware.buzzer import Kind, LatestOnlyQueue, PinBuzzer
from tests.fakes.signals import PATIENCE, Sandglass, SignalPin, pins_with_pwm, pins_without_pwm

LINE = 18
notes = st.tuples(st.just(0) | st.integers(LOWEST, HIGHEST), st.floats(0.01, 1))
some_motifs = st.lists(notes, min_size=1, max_size=6).map(tuple)


@dataclass
class Bench:
    """A buzzer whose pin is recorded, in virtual time."""

    buzzer: PinBuzzer
    pin: SignalPin
    time: Sandglass

    def play(self, motif: Motif) -> None:
        self.buzzer.play(motif)
        self.time.settle()


@contextmanager
def bench(kind: Kind = "passive", running: bool = True) -> Iterator[Bench]:
    factory = pins_with_pwm()
    time = Sandglass(running)
    made = PinBuzzer(factory, LINE, kind, time)
    try:
        time.settle()
        yield Bench(made, factory.pin(LINE), time)
    finally:
        made.close()


def changes(motif: Motif) -> list[int]:
    """Return the changes of pitch in a motif, with the silence after it."""
    heard = [0]
    for hertz, _ in (*motif, (0, 0.0)):
        if hertz != heard[-1]:
            heard.append(hertz)
    return heard[1:]


@given(some_motifs)
@example(ALERT)
def test_a_motif_is_heard_note_by_note_and_then_there_is_silence(motif: Motif) -> None:
    with bench() as on:
        on.play(motif)
        assert on.pin.heard == changes(motif)
        assert on.time.waits == [seconds for _, seconds in motif]


def test_pwm_runs_only_while_a_note_is_heard() -> None:
    with bench(running=False) as on:
        running = [on.pin.frequency is not None]
        on.play(REFUSED)
        for _ in range(3):
            running.append(on.pin.frequency is not None)
            on.time.turn()
        assert [*running, on.pin.frequency is not None] == [False, True, False, True, False]


def test_the_line_is_low_whenever_nothing_is_heard() -> None:
    with bench(running=False) as on:
        assert on.pin.state == 0
        on.play(REFUSED)
        on.time.turn()
        assert (on.pin.sounding, on.pin.state) == (0, 0)
        on.time.turn()
        on.time.turn()
        assert (on.pin.sounding, on.pin.state) == (0, 0)


def test_a_new_motif_replaces_the_one_being_played_at_once() -> None:
    with bench(running=False) as on:
        on.play(ALERT)
        on.play(KEY)
        assert on.pin.sounding == KEY[0][0]
        on.time.turn()
        assert on.pin.heard == [ALERT[0][0], 0, KEY[0][0], 0]


def test_of_motifs_that_come_faster_than_they_can_begin_only_the_last_is_played() -> None:
    with bench() as on:
        on.pin.free.clear()
        on.buzzer.play(KEY)
        assert on.pin.hangs.wait(PATIENCE)
        for motif in (REFUSED, ALERT, TRICK):
            on.buzzer.play(motif)  # returns although the device hangs
        on.pin.free.set()
        on.time.settle()
        assert on.pin.heard == changes(KEY) + changes(TRICK)


def test_a_motif_without_notes_changes_nothing() -> None:
    with bench(running=False) as on:
        on.play(TRICK)
        on.buzzer.play(())
        on.time.turn()
        on.time.turn()
        assert on.pin.sounding == TRICK[2][0]


def test_closing_silences_a_note_that_lasts_and_ends_the_thread() -> None:
    before = active_count()
    with bench(running=False) as on:
        on.play(ALERT)
        assert active_count() == before + 1
        on.buzzer.close()
        assert on.pin.heard == [ALERT[0][0], 0]
        assert on.pin.frequency is None
        assert active_count() == before


def test_a_device_that_fails_is_logged_once_and_told_by_the_next_motif(caplog: pytest.LogCaptureFixture) -> None:
    with bench() as on:
        on.pin.broken = True
        on.play(KEY)
        for _ in range(3):
            with pytest.raises(DeviceError, match="does not sound"):
                on.buzzer.play(TRICK)
            on.time.settle()
        on.pin.broken = False
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert caplog.records[0].exc_info is not None


def test_a_device_that_works_again_is_heard_again_and_may_fail_again(caplog: pytest.LogCaptureFixture) -> None:
    with bench() as on:
        on.pin.broken = True
        on.play(KEY)
        on.pin.broken = False
        with pytest.raises(DeviceError):
            on.buzzer.play(TRICK)  # tried nevertheless
        on.time.settle()
        assert on.pin.heard == changes(TRICK)
        on.play(KEY)
        assert on.pin.heard == changes(TRICK) + changes(KEY)
        on.pin.broken = True
        on.play(KEY)
        on.pin.broken = False
    assert len(caplog.records) == 2


def test_a_device_that_fails_within_a_motif_falls_silent_and_takes_the_motif_that_waits() -> None:
    with bench(running=False) as on:
        on.play(ALERT)
        on.pin.broken = True
        on.time.turn()
        on.pin.broken = False
        with pytest.raises(DeviceError):
            on.buzzer.play(KEY)
        on.time.settle()
        assert on.pin.sounding == KEY[0][0]


def test_a_device_that_stumbles_when_a_note_is_over_is_silenced_all_the_same() -> None:
    with bench(running=False) as on:
        on.play(ALERT)
        on.pin.stumbles = 1
        on.time.turn()
        assert (on.pin.sounding, on.pin.state) == (0, 0)


def test_closing_never_raises() -> None:
    with bench() as on:
        on.pin.broken = True
        on.play(KEY)
        on.buzzer.close()
        on.pin.broken = False
        assert "buzzer" not in [thread.name for thread in enumerate()]


@pytest.mark.parametrize(
    ("factory", "line", "sentence"),
    [
        (pins_without_pwm, LINE, "These pins cannot play notes"),
        (pins_with_pwm, 99, "The buzzer's line, GPIO 99, cannot be had"),
    ],
)
def test_a_line_that_cannot_be_had_is_a_fault_of_the_device(factory: Any, line: int, sentence: str) -> None:
    threads = active_count()
    with pytest.raises(DeviceError, match=sentence):
        PinBuzzer(factory(), line)
    assert active_count() == threads


def test_a_slot_waits_no_longer_than_told_and_keeps_the_newest() -> None:
    slot = LatestOnlyQueue()
    assert slot.take(0) is None
    slot.put(KEY)
    slot.put(TRICK)
    assert slot.take(PATIENCE) == TRICK
    assert slot.take(0) is None
