"""A rotary encoder with a push button."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from companion.ui.keys import Key
from hardware.buttons import ButtonKeys
from hardware.contact_reader import QuadratureDecoder
from hardware.input_thread import Waker


class EncoderKeys(ButtonKeys):
    """A key source of an encoder: ``<`` and ``>`` when turned, ``o`` when pushed.

    In a turn to the right, contact `a` closes first.
    """

    what = "knob"

    def __init__(
        self,
        factory: Any,
        a: int,
        b: int,
        push: int,
        *,
        clock: Callable[[], float] = time.monotonic,
        waker: Waker | None = None,
    ) -> None:
        super().__init__(factory, {"o": push, "a": a, "b": b}, clock=clock, waker=waker)
        self._names = ("o",)

    def _open(self) -> None:
        self._knob = QuadratureDecoder()
        super()._open()

    def _follow(self, closed: int, since: float) -> list[Key]:
        keys = self._contacts.follow(closed & 1, since)
        turned = self._knob.see(closed >> 1)
        return keys + self._contacts.tap(">" if turned > 0 else "<") if turned else keys
