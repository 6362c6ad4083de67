"""What key sources on GPIO lines share: starting, closing, handing keys over, retrying lost lines.

What the lines say is the business of the kinds: `hardware.keypad`, `hardware.buttons`, `hardware.encoder`.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from companion.app.backoff import Backoff
from companion.app.ports import DeviceFault, KeySource
from companion.ui.keys import Key
from hardware.gpio_errors import line_errors, reason
from hardware.input_thread import InputThread, LinePoll, WakeEvent

RETRY = 1.0
"""Seconds between two tries to get failing lines back."""

BROKEN = 10.0
"""Seconds of failing after which the source says that it is not alive."""

_LOG = logging.getLogger(__name__)


class GpioKeys(ABC):
    """A key source on GPIO lines.

    A kind of keys says how its lines are opened, looked at and let go of; all but the first opening is done on the
    thread of the factory, or where it has none for others, on one of the source's own.

    Args:
        what: What people call it, as in "the keypad".
        factory: The gpiozero pin factory that has the lines.
        lines: The GPIO numbers it takes.
        clock: Seconds that only grow.
        bell: What a thread of its own waits at; None shares the factory's thread, if it has one.
    """

    def __init__(
        self, what: str, factory: Any, lines: Iterable[int], clock: Callable[[], float], bell: WakeEvent | None
    ) -> None:
        self._what = what
        self._factory = factory
        self._numbers = tuple(lines)
        self._clock = clock
        self._bell = bell
        self._losses = line_errors()
        self._put: Callable[[Key], None] | None = None  # None: not started
        self._thread: InputThread | None = None
        self._lost: float | None = None  # since when the lines fail
        self._retry = Backoff(RETRY, RETRY)

    def __repr__(self) -> str:
        return f"the {self._what}"  # gpiozero says it of a line that is wanted twice

    def start(self, put: Callable[[Key], None]) -> None:
        """Put every key from now on, on a thread of its own.

        Raises:
            DeviceFault: A line cannot be had; it can be tried again.
        """
        if self._put is not None:
            raise RuntimeError(f"{self!r} has been started already.")
        self._thread = self._shared() or InputThread(self._bell or LinePoll(), self._clock)
        try:
            self._factory.reserve_pins(self, *self._numbers)
            self._open()
        except self._losses as error:
            self._leave()
            raise DeviceFault(f"The {self._what} cannot be used: {reason(error)}.") from error
        self._lost = None
        self._retry.worked()
        self._put = put
        self._thread.add(self)

    def alive(self) -> bool:
        """Tell whether it would still notice a key: asked now and then, and answered at once."""
        if self._put is None or self._thread is None or not self._thread.alive():
            return False
        lost = self._lost
        broken = lost is not None and self._clock() - lost > BROKEN
        ask_factory = getattr(self._factory, "alive", None)
        return not broken and (ask_factory is None or bool(ask_factory()))

    def close(self) -> None:
        """Let go of the lines; never raises."""
        if self._put is not None and self._thread is not None:
            self._put = None
            self._thread.remove(self)
            self._leave()

    def turn(self, now: float) -> float | None:
        """Hand over the keys that came, and return when to look again though no edge rings."""
        keys, due = self._try(now)
        for key in keys:
            self._hand(key)
        return due

    def _ring(self) -> None:
        """Have a turn soon."""
        if self._thread is not None:
            self._thread.bell.wake()

    def _shared(self) -> InputThread | None:
        return None if self._bell else getattr(self._factory, "inputs", None)

    @abstractmethod
    def _open(self) -> None:
        """Prepare the lines and have their edges ring; begin with every key up."""

    @abstractmethod
    def _look(self, now: float) -> tuple[list[Key], float | None]:
        """Return the keys that came, and when to look again though no edge rings; None is not before one does."""

    @abstractmethod
    def _release(self) -> None:
        """Let go of the lines that were prepared; never raises."""

    def _try(self, now: float) -> tuple[list[Key], float | None]:
        """Look, and where the lines fail, open them anew after a while."""
        if self._retry.due is not None and not self._retry.ready(now):
            return [], self._retry.due
        try:
            if self._lost is not None:
                self._release()
                self._open()
            looked = self._look(now)
        except self._losses as error:
            if self._lost is None:
                _LOG.warning("The %s fails, and is tried again: %s.", self._what, reason(error))
                self._lost = now
            self._retry.failed(now)
            return [], self._retry.due
        if self._lost is not None:
            _LOG.warning("The %s works again.", self._what)
            self._lost = None
            self._retry.worked()
        return looked

    def _hand(self, key: Key) -> None:
        """Hand a key over; a taker that fails does not end all input."""
        try:
            if self._put is not None:
                self._put(key)
        except Exception:
            _LOG.exception("A key of the %s was not taken: %s", self._what, key)

    def _leave(self) -> None:
        """Let go of the lines and of the right to them, and end a thread of its own."""
        self._release()
        self._factory.release_all(self)
        thread, self._thread = self._thread, None
        if thread is not None and thread is not self._shared():
            thread.close()

    def _conflicts_with(self, other: object) -> bool:
        """Tell gpiozero that a line of this source is nobody else's."""
        return other is not self


class CombinedKeys:
    """Several key sources as one."""

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
