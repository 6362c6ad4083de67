"""The thread of every key source on GPIO lines: it sleeps until a contact moves, and outlives what fails.

Here lives what all of them have in common: being started and closed, handing keys over, being asked whether it is
alive, and trying again when a line fails. What the lines say is the business of the kinds: `hardware.keypad`,
`hardware.buttons`, `hardware.encoder`.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from threading import Event, Thread, current_thread
from typing import Any, Protocol

from companion.app.ports import DeviceFault, KeySource
from companion.ui.keys import Key
from hardware.gpio_errors import line_errors, reason

RETRY = 1.0
"""Seconds between two tries to get failing lines back."""

BROKEN = 10.0
"""Seconds of failing after which the source says that it is not alive."""

PATIENCE = 2.0
"""Seconds in which the thread must take note of a ping."""

_LEAVE = 1.0  # seconds the thread has to end in
_LOG = logging.getLogger(__name__)


class WakeEvent(Protocol):
    """What a thread waits at."""

    def ring(self) -> None:
        """End the waiting that is going on, or else the next."""

    def wait(self, seconds: float | None) -> None:
        """Return when it has rung since the last return, or after so many seconds; None is for ever."""


class LockWakeEvent:
    """A bell on a lock: whoever waits for ever never wakes by itself."""

    def __init__(self) -> None:
        self._rung = Event()

    def ring(self) -> None:
        """End the waiting that is going on, or else the next."""
        self._rung.set()

    def wait(self, seconds: float | None) -> None:
        """Return when it has rung since the last return, or after so many seconds; None is for ever."""
        self._rung.wait(seconds)
        self._rung.clear()


class GpioKeys(ABC):
    """Keys on GPIO lines.

    A kind of keys says how its lines are opened, looked at and let go of; all but the first opening is done on the
    thread.

    Args:
        what: What people call it, as in "the keypad".
        factory: The gpiozero pin factory that has the lines.
        lines: The GPIO numbers it takes.
        clock: Seconds that only grow.
        bell: What the thread waits at.
    """

    def __init__(
        self, what: str, factory: Any, lines: Iterable[int], clock: Callable[[], float], bell: WakeEvent | None
    ) -> None:
        self._what = what
        self._factory = factory
        self._numbers = tuple(lines)
        self._clock = clock
        self._bell: WakeEvent = bell or LockWakeEvent()
        self._losses = line_errors()
        self._thread: Thread | None = None
        self._lost: float | None = None  # since when the lines fail
        self._retry = 0.0
        self._asked = self._answered = 0
        self._asked_at = 0.0

    def __repr__(self) -> str:
        return f"the {self._what}"  # gpiozero says it of a line that is wanted twice

    def start(self, put: Callable[[Key], None]) -> None:
        """Put every key from now on, on a thread of its own.

        Raises:
            DeviceFault: A line cannot be had; it can be tried again.
        """
        if self._thread is not None:
            raise RuntimeError(f"{self!r} has been started already.")
        try:
            self._factory.reserve_pins(self, *self._numbers)
            self._open()
        except self._losses as error:
            self._leave()
            raise DeviceFault(f"The {self._what} cannot be used: {reason(error)}.") from error
        self._lost = None
        self._thread = Thread(target=self._run, args=(put,), name=self._what, daemon=True)
        self._thread.start()

    def alive(self) -> bool:
        """Tell whether it would still notice a key: asked now and then, and answered at once."""
        if self._thread is None or not self._thread.is_alive():
            return False
        now = self._clock()
        stuck = False
        if self._answered == self._asked:
            self._asked, self._asked_at = self._asked + 1, now
            self._bell.ring()
        else:
            stuck = now - self._asked_at > PATIENCE
        lost = self._lost
        broken = lost is not None and now - lost > BROKEN
        ask_factory = getattr(self._factory, "alive", None)
        return not stuck and not broken and (ask_factory is None or bool(ask_factory()))

    def close(self) -> None:
        """End the thread and let go of the lines; never raises."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._bell.ring()
        if thread is not current_thread():
            thread.join(_LEAVE)
        self._leave()

    @abstractmethod
    def _open(self) -> None:
        """Prepare the lines and have the bell rung by their edges; begin with every key up."""

    @abstractmethod
    def _look(self, now: float) -> tuple[list[Key], float | None]:
        """Return the keys that came, and when to look again though no edge rings; None is not before one does."""

    @abstractmethod
    def _release(self) -> None:
        """Let go of the lines that were prepared; never raises."""

    def _run(self, put: Callable[[Key], None]) -> None:
        """Look whenever the bell rings, or it is time, until the source is closed."""
        while self._thread is current_thread():
            self._answered = self._asked
            now = self._clock()
            keys, due = self._try(now)
            for key in keys:
                self._hand(put, key)
            self._bell.wait(None if due is None else max(0.0, due - self._clock()))

    def _try(self, now: float) -> tuple[list[Key], float | None]:
        """Look, and where the lines fail, open them anew after a while."""
        if self._lost is not None and now < self._retry:
            return [], self._retry
        try:
            if self._lost is not None:
                self._release()
                self._open()
            looked = self._look(now)
        except self._losses as error:
            if self._lost is None:
                _LOG.warning("The %s fails, and is tried again: %s.", self._what, reason(error))
                self._lost = now
            self._retry = now + RETRY
            return [], self._retry
        if self._lost is not None:
            _LOG.warning("The %s works again.", self._what)
            self._lost = None
        return looked

    def _hand(self, put: Callable[[Key], None], key: Key) -> None:
        """Hand a key over; a taker that fails does not end all input."""
        try:
            put(key)
        except Exception:
            _LOG.exception("A key of the %s was not taken: %s", self._what, key)

    def _leave(self) -> None:
        """Let go of the lines and of the right to them."""
        self._release()
        self._factory.release_all(self)

    def _conflicts_with(self, other: object) -> bool:
        """Tell gpiozero that a line of this source is nobody else's."""
        return other is not self


class CombinedKeys:
    """Several key sources as one: a knob and a button beside it."""

    def __init__(self, *sources: KeySource) -> None:
        self._sources = sources

    def start(self, put: Callable[[Key], None]) -> None:
        """Start all of them, or none.

        Raises:
            DeviceFault: One of them cannot be had.
        """
        try:
            for source in self._sources:
                source.start(put)
        except DeviceFault:
            self.close()
            raise

    def alive(self) -> bool:
        """Tell whether all of them are; each is asked."""
        answers = [source.alive() for source in self._sources]
        return all(answers)

    def close(self) -> None:
        """Let go of all of them; never raises."""
        for source in self._sources:
            source.close()
