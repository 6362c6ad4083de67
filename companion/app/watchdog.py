"""Pings systemd's watchdog while loop and keys are healthy."""

from __future__ import annotations

from collections.abc import Callable

from .ports import Clock


class Watchdog:
    """A timed task that pings the service manager. If the loop hangs, no ping is sent and systemd restarts the program.

    Args:
        clock: Supplies the monotonic time.
        period: Seconds between two pings.
        alive: Returns whether the key thread, which runs outside the loop, is healthy.
        beat: Sends one ping.
    """

    def __init__(self, clock: Clock, period: float, alive: Callable[[], bool], beat: Callable[[], None]) -> None:
        self._clock = clock
        self._period = period
        self._alive = alive
        self._beat = beat
        self._due = clock.passed()

    @property
    def due(self) -> float | None:
        """Return when the next ping is due."""
        return self._due

    def tick(self) -> None:
        """Send a ping if the keys are healthy."""
        self._due = self._clock.passed() + self._period
        if self._alive():
            self._beat()
