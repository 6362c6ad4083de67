"""Buttons with a GPIO line each; also joysticks."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Literal

from companion.ui.keys import Key
from hardware.contact_reader import ContactReader
from hardware.edge_inputs import EdgeInputs
from hardware.gpio_key_source import GpioKeys
from hardware.input_thread import Waker


class ButtonKeys(GpioKeys):
    """A key source of single buttons.

    `lines` has the GPIO number of each key, `pull` is the level of a line while its key is up.
    """

    what = "buttons"

    def __init__(
        self,
        factory: Any,
        lines: Mapping[str, int],
        *,
        pull: Literal["up", "down"] = "up",
        clock: Callable[[], float] = time.monotonic,
        waker: Waker | None = None,
    ) -> None:
        super().__init__(self.what, factory, lines.values(), clock, waker)
        self._names = tuple(lines)
        self._inputs = EdgeInputs(factory, tuple(lines.values()), pull, clock, self._wake)

    def _open(self) -> None:
        self._contacts = ContactReader(self._names)
        self._inputs.open()

    def _release(self) -> None:
        self._inputs.close()

    def _read(self, now: float) -> tuple[list[Key], float | None]:
        states = self._inputs.changes(now, self._contacts.due())
        keys = [key for closed, since in states for key in self._follow(closed, since)]
        keys += self._contacts.see(self._contacts.closed, self._clock())
        return keys, self._contacts.due()

    def _follow(self, closed: int, since: float) -> list[Key]:
        """Return the keys that result from the contacts' new state."""
        return self._contacts.follow(closed, since)
