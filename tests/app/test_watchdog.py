"""The watchdog's pings."""

from __future__ import annotations

from companion.app.idle import Watchdog
from tests.fakes.clock import FixedClock


def beats(alive: list[bool]) -> list[float]:
    """Return when pings are sent, given the state of the keys every ten seconds."""
    clock, told, looks = FixedClock(), list[float](), iter(alive)
    pulse = Watchdog(clock, 10, lambda: next(looks), lambda: told.append(clock.run))
    for _look in alive:
        assert pulse.due is not None
        clock.let_pass(pulse.due - clock.run)
        pulse.tick()
    return told


def test_it_beats_at_once_and_then_every_period() -> None:
    assert beats([True, True, True]) == [0, 10, 20]


def test_it_does_not_beat_while_the_keys_are_dead_and_beats_again_when_they_are_back() -> None:
    assert beats([True, False, False, True]) == [0, 30]
