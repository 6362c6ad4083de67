"""Base class of key sources on GPIO lines: starting, closing, delivering keys, retrying failed lines.

Reading the lines is up to the subclasses: `hardware.keypad`, `hardware.buttons`, `hardware.encoder`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from companion.app.failures import Backoff
from companion.app.ports import DeviceError
from companion.core.program_log import ProgramLog
from companion.ui.keys import Key
from hardware.gpio_errors import line_errors, reason
from hardware.input_thread import EdgePoller, InputThread, Waker

RETRY = 1.0  # seconds between two attempts to open failing lines again
BROKEN = 10.0  # seconds of failure after which the source is reported as not alive
_LOG = ProgramLog(__name__)


class GpioKeys(ABC):
    """A key source on GPIO lines.

    Subclasses open, read and release the lines. Except for the first opening, this happens on the factory's thread. If
    the factory does not share one, the source starts its own.

    `what` is its name for people, as in "the keypad". With a `waker`, it starts a thread of its own in any case.
    """

    def __init__(
        self, what: str, factory: Any, lines: Iterable[int], clock: Callable[[], float], waker: Waker | None
    ) -> None:
        self._what = what
        self._factory = factory
        self._numbers = tuple(lines)
        self._clock = clock
        self._waker = waker
        self._errors = line_errors()
        self._put: Callable[[Key], None] | None = None  # None: not started
        self._thread: InputThread | None = None
        self._lost: float | None = None  # since when the lines have failed
        self._retry = Backoff(RETRY, RETRY)

    def __repr__(self) -> str:
        return f"the {self._what}"  # gpiozero shows it in the error for a line used twice

    def start(self, put: Callable[[Key], None]) -> None:
        """Start to pass every key to `put`, on another thread.

        Raises DeviceError if a line is not available; `start` may be called again.
        """
        if self._put is not None:
            raise RuntimeError(f"{self!r} has been started already.")
        self._thread = self._shared() or InputThread(self._waker or EdgePoller(), self._clock)
        try:
            self._factory.reserve_pins(self, *self._numbers)
            self._open()
        except self._errors as error:
            self._leave()
            raise DeviceError(f"The {self._what} cannot be used: {reason(error)}.") from error
        self._lost = None
        self._retry.worked()
        self._put = put
        self._thread.add(self)

    def alive(self) -> bool:
        """Return whether key presses are still noticed. Called now and then; returns at once."""
        if self._put is None or self._thread is None or not self._thread.alive():
            return False
        lost = self._lost
        broken = lost is not None and self._clock() - lost > BROKEN
        ask_factory = getattr(self._factory, "alive", None)
        return not broken and (ask_factory is None or bool(ask_factory()))

    def close(self) -> None:
        """Release the lines; never raises."""
        if self._put is not None and self._thread is not None:
            self._put = None
            self._thread.remove(self)
            self._leave()

    def turn(self, now: float) -> float | None:
        """Deliver new keys. Return when the next turn is due even without an edge."""
        keys, due = self._try(now)
        for key in keys:
            self._hand(key)
        return due

    def _wake(self) -> None:
        if self._thread is not None:
            self._thread.waker.wake()

    def _shared(self) -> InputThread | None:
        return None if self._waker else getattr(self._factory, "inputs", None)

    @abstractmethod
    def _open(self) -> None:
        """Set up the lines and their edge callbacks; all keys count as up."""

    @abstractmethod
    def _read(self, now: float) -> tuple[list[Key], float | None]:
        """Return new keys, and when to look again even without an edge; None waits for one."""

    @abstractmethod
    def _release(self) -> None:
        """Release the lines; never raises."""

    def _try(self, now: float) -> tuple[list[Key], float | None]:
        """Look for keys. If the lines fail, open them again later."""
        if self._retry.due is not None and not self._retry.ready(now):
            return [], self._retry.due
        try:
            if self._lost is not None:
                self._release()
                self._open()
            found = self._read(now)
        except self._errors as error:
            if self._lost is None:
                _LOG.warning("The %s fails, and is tried again: %s.", self._what, reason(error))
                self._lost = now
            self._retry.failed(now)
            return [], self._retry.due
        if self._lost is not None:
            _LOG.warning("The %s works again.", self._what)
            self._lost = None
            self._retry.worked()
        return found

    def _hand(self, key: Key) -> None:
        """Deliver a key; an error of the receiver does not stop the input."""
        try:
            if self._put is not None:
                self._put(key)
        except Exception:
            _LOG.exception("A key of the %s was not taken: %s", self._what, key)

    def _leave(self) -> None:
        """Release the lines and their reservation, and end the source's own thread."""
        self._release()
        self._factory.release_all(self)
        thread, self._thread = self._thread, None
        if thread is not None and thread is not self._shared():
            thread.close()

    def _conflicts_with(self, other: object) -> bool:
        """Let gpiozero report a conflict for every other device on these lines."""
        return other is not self


class CombinedKeys:
    """Several key sources as one."""

    def __init__(self, *sources: GpioKeys) -> None:
        self._sources = sources

    def start(self, put: Callable[[Key], None]) -> None:
        """Start all of them, or none; raise DeviceError if one of them is not available."""
        try:
            for source in self._sources:
                source.start(put)
        except DeviceError:
            self.close()
            raise

    def alive(self) -> bool:
        """Return whether all of them are alive; every one is asked."""
        answers = [source.alive() for source in self._sources]
        return all(answers)

    def close(self) -> None:
        """Close all of them; never raises."""
        for source in self._sources:
            source.close()
