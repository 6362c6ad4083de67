"""The press, hold and repeat state machine.

It only computes from the pressed keys and the time: no pins, no threads, no clock.

- An ordinary key counts when it goes down.
- A holdable key counts when it comes up, or as held once it has been down for ``HOLD``.
- An arrow counts when it goes down, and repeats while it stays down: lists can be long.
- The menu key (``#`` if there is one, else ``o``) also gives ``POWER``, once, when it has been down for ``LONG``.
- When another key goes down, all waiting and repeating ends. A holdable key that has not counted then counts before
  the new key, so the order is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from msgspec import Struct

from companion.ui.keys import HOLDABLE, POWER, TWICE, Key, QuickSecondPress

HOLD = 0.6
LONG = 5.0
REPEAT_AFTER = 0.5
REPEAT_EVERY = 0.15
JAMMED = 30.0  # seconds after which an arrow stops repeating: it is probably jammed
ARROWS = "<>^v"


class _Press(Struct):
    """A key that is down."""

    name: str  # the key
    since: float  # when it went down
    counted: bool  # whether it has counted
    due: float  # when it next counts by staying down


class PressDetector:
    """Turns keys going down and up into presses, holds and repeats.

    `names` has the key of each bit, lowest first.

    >>> presses = PressDetector("12#")
    >>> presses.update(0b100, time=0.0), presses.update(0b100, time=0.7)
    ([], [Key(name='#', held=True)])
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._menu = "#" if "#" in self._names else "o"
        self._down: dict[int, _Press] = {}
        self._unsure = 0
        self._latest: dict[str, float] = {}  # when each key last counted

    def update(self, down: int, time: float, unsure: int = 0) -> list[Key]:
        """Process the keys that are down at a time; return the resulting keys.

        Times never decrease. Keys that are `unsure`, as they may have come up unnoticed, neither hold nor repeat.
        """
        self._unsure = unsure
        keys = self._seen(down, time, unsure)
        pressed = [QuickSecondPress(*key) if self._again(key, time) else key for key in keys]
        self._latest |= {key.name: time for key in keys}
        return pressed

    def _again(self, key: Key, time: float) -> bool:
        """Return whether a key was pressed just before; a held key, or an arrow that repeats, was not."""
        return not key.held and key.name not in ARROWS and time < self._latest.get(key.name, -inf) + TWICE

    def _seen(self, down: int, time: float, unsure: int) -> list[Key]:
        keys: list[Key] = []
        for bit in [bit for bit in self._down if not down >> bit & 1]:
            press = self._down.pop(bit)
            if not press.counted:
                keys.append(Key(press.name))
        for bit, press in self._down.items():
            if press.due <= time and not unsure >> bit & 1:
                keys.append(self._stay(press, time))
        for bit, name in enumerate(self._names):
            if down >> bit & 1 and bit not in self._down:
                keys += self._hurry()
                self._down[bit] = press = _begin(name, time)
                if press.counted:
                    keys.append(Key(name))
        return keys

    def tap(self, name: str) -> list[Key]:
        """Process a key that goes down and up at once; return the resulting keys."""
        return [*self._hurry(), Key(name)]

    def due(self) -> float | None:
        """Return when a key next counts by staying down."""
        due = min((press.due for bit, press in self._down.items() if not self._unsure >> bit & 1), default=inf)
        return None if due == inf else due

    def _hurry(self) -> list[Key]:
        """Count the waiting keys and end all repeating, because another key goes down."""
        waiting = [press for press in self._down.values() if not press.counted]
        for press in self._down.values():
            press.counted, press.due = True, inf
        return [Key(press.name) for press in waiting]

    def _stay(self, press: _Press, time: float) -> Key:
        """Return the key that results from a press that has lasted until it was due."""
        if press.name in ARROWS:
            press.due = time + REPEAT_EVERY if time - press.since < JAMMED else inf
            return Key(press.name)
        if not press.counted:
            press.counted = True
            press.due = press.since + LONG if press.name == self._menu else inf
            return Key(press.name, held=True)
        press.due = inf
        return POWER


def _begin(name: str, time: float) -> _Press:
    if name in HOLDABLE:
        return _Press(name, time, counted=False, due=time + HOLD)
    return _Press(name, time, counted=True, due=time + REPEAT_AFTER if name in ARROWS else inf)
