"""Pings systemd's watchdog while loop and keys are healthy."""

from __future__ import annotations

from collections.abc import Callable

from .ports import Clock


class Watchdog:
    """A timed task that pings the service manager; a hanging loop misses the ping.

    Args:
        clock: When to beat.
        period: Seconds between two beats.
        alive: Whether what does not run in the loop is alive: the keys.
        beat: Tells of a beat.
    """

    def __init__(self, clock: Clock, period: float, alive: Callable[[], bool], beat: Callable[[], None]) -> None:
        self._clock = clock
        self._period = period
        self._alive = alive
        self._beat = beat
        self._due = clock.passed()

    @property
    def due(self) -> float | None:
        """Return when the next beat is due."""
        return self._due

    def tick(self) -> None:
        """Beat, if everything is alive."""
        self._due = self._clock.passed() + self._period
        if self._alive():
            self._beat()
