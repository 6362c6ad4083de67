"""A rotary encoder with a push button."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from companion.ui.keys import Key
from hardware.debounce import ContactReader, QuadratureDecoder
from hardware.edge_inputs import EdgeInputs
from hardware.gpio_key_source import GpioKeys
from hardware.input_thread import Waker

_KNOB = 0b11  # the lowest bits of the mask: a and b


class EncoderKeys(GpioKeys):
    """A key source of an encoder: ``<`` and ``>`` when turned, ``o`` when pushed.

    Args:
        factory: A gpiozero pin factory.
        a: The GPIO number of the contact that closes first in a turn to the right.
        b: The GPIO number of the other contact.
        push: The GPIO number of the push button, if there is one.
        pull: ``up``, or ``floating`` if the module has its own pull-up resistors.
        menu: The key that switches the machine off when held long; None is ``o``.
        clock: A monotonic clock in seconds.
        waker: See ``GpioKeys``.
    """

    def __init__(
        self,
        factory: Any,
        a: int,
        b: int,
        push: int | None = None,
        *,
        pull: str = "up",
        menu: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        waker: Waker | None = None,
    ) -> None:
        lines = (a, b) if push is None else (a, b, push)
        super().__init__("knob", factory, lines, clock, waker)
        self._menu = menu
        self._inputs = EdgeInputs(factory, lines, pull, True, clock, self._wake)

    def _open(self) -> None:
        self._winding = QuadratureDecoder()
        self._contacts = ContactReader(("o",), menu=self._menu)
        self._inputs.open()

    def _release(self) -> None:
        self._inputs.close()

    def _read(self, now: float) -> tuple[list[Key], float | None]:
        keys: list[Key] = []
        for closed, since in self._inputs.changes(now, self._contacts.due()):
            keys += self._contacts.follow(closed >> 2, since)
            turned = self._winding.see(closed & _KNOB)
            if turned:
                keys += self._contacts.tap(">" if turned > 0 else "<")
        keys += self._contacts.see(self._contacts.closed, self._clock())
        return keys, self._contacts.due()
