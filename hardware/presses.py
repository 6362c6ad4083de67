"""The press, hold and repeat state machine.

Here lives a pure function of the keys that are down and the time: no pins, no threads, no clock.

- An ordinary key counts when it goes down.
- A holdable key counts when it comes up again, or as held once it has been down for ``HOLD``.
- An arrow counts when it goes down, and again and again while it stays down: lists can be long.
- The menu key, held for ``LONG``, also says ``POWER``, once.
- Another key that goes down meanwhile ends all waiting and repeating: a holdable key that has not counted counts now,
  so that keys count in the order in which they were pressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from companion.ui.keys import HOLDABLE, POWER, Key

HOLD = 0.6
LONG = 5.0
REPEAT_AFTER = 0.5
REPEAT_EVERY = 0.15
JAMMED = 30.0
"""Seconds after which nobody is taken to be holding an arrow any more."""

ARROWS = "<>^v"


@dataclass(slots=True)
class _Press:
    """A key that is down.

    Attributes:
        name: The key.
        since: When it went down.
        told: Whether it has counted.
        due: When it next says something by being down.
    """

    name: str
    since: float
    told: bool
    due: float


class Presses:
    """Turns keys going down and up into presses, holds and repeats.

    Args:
        names: The key of each bit, lowest first.
        menu: The key that says ``POWER``; None is ``#`` where there is one, else ``o``.

    >>> presses = Presses("12#")
    >>> presses.see(0b100, time=0.0), presses.see(0b100, time=0.7)
    ([], [Key(name='#', held=True)])
    """

    def __init__(self, names: Sequence[str], menu: str | None = None) -> None:
        self._names = tuple(names)
        self._menu = menu or ("#" if "#" in self._names else "o")
        self._down: dict[int, _Press] = {}
        self._unsure = 0

    def see(self, down: int, time: float, unsure: int = 0) -> list[Key]:
        """Take the keys that are down at a time, and return what they say.

        Args:
            down: The keys that are down.
            time: Never less than the time before.
            unsure: The keys that may have come up unseen; they say nothing by staying down.
        """
        self._unsure = unsure
        said: list[Key] = []
        for bit in [bit for bit in self._down if not down >> bit & 1]:
            press = self._down.pop(bit)
            if not press.told:
                said.append(Key(press.name))
        for bit, press in self._down.items():
            if press.due <= time and not unsure >> bit & 1:
                said.append(self._stay(press, time))
        for bit, name in enumerate(self._names):
            if down >> bit & 1 and bit not in self._down:
                said += self._hurry()
                self._down[bit] = press = _begin(name, time)
                if press.told:
                    said.append(Key(name))
        return said

    def tap(self, name: str) -> list[Key]:
        """Take a key that is down and up at once, and return what is said."""
        return [*self._hurry(), Key(name)]

    def due(self) -> float | None:
        """Return when a key next says something by staying down."""
        due = min((press.due for bit, press in self._down.items() if not self._unsure >> bit & 1), default=inf)
        return None if due == inf else due

    def _hurry(self) -> list[Key]:
        """Let the keys that are down give way to another: those that were waiting count, and none goes on."""
        waiting = [press for press in self._down.values() if not press.told]
        for press in self._down.values():
            press.told, press.due = True, inf
        return [Key(press.name) for press in waiting]

    def _stay(self, press: _Press, time: float) -> Key:
        """Say what a key says by having stayed down until it was due."""
        if press.name in ARROWS:
            press.due = time + REPEAT_EVERY if time - press.since < JAMMED else inf
            return Key(press.name)
        if not press.told:
            press.told = True
            press.due = press.since + LONG if press.name == self._menu else inf
            return Key(press.name, held=True)
        press.due = inf
        return POWER


def _begin(name: str, time: float) -> _Press:
    """Make the press of a key that goes down."""
    if name in HOLDABLE:
        return _Press(name, time, told=False, due=time + HOLD)
    return _Press(name, time, told=True, due=time + REPEAT_AFTER if name in ARROWS else inf)
