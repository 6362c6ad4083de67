"""Keys whose contacts have a GPIO line each: buttons, joysticks, and a knob with its push button."""

from __future__ import annotations

from collections.abc import Mapping

from companion.ui.keys import Key
from hardware.keys.contacts import ContactReader, DetentCounter, with_contact
from hardware.keys.lines import Edge, Pull


class ButtonKeys:
    """Buttons, joysticks.

    `lines` has the GPIO number of each key, `pull` is the level of a line while its key is up.
    """

    rows: tuple[int, ...] = ()

    def __init__(self, lines: Mapping[str, int], pull: Pull = "up") -> None:
        self.contacts: dict[int, Pull] = dict.fromkeys(lines.values(), pull)
        self._names = tuple(lines)
        self.begin()

    def begin(self) -> None:
        """Begin anew: all contacts count as open."""
        self._reader = ContactReader(self._names)

    def follow(self, edge: Edge, time: float) -> list[Key]:
        """Process an edge at a time, which never decreases; that of the edge itself may. Return the resulting keys."""
        return self._reader.follow(with_contact(self._reader.closed, edge.contact, edge.closed), time)

    def wait(self, time: float) -> list[Key]:
        """Process that nothing has changed until now."""
        return self._reader.update(self._reader.closed, time)

    def due(self) -> float | None:
        """Return when to look again even without an edge; None if only an edge can bring news."""
        return self._reader.due()


class KnobKeys(ButtonKeys):
    """A rotary encoder: ``<`` and ``>`` when turned, ``o`` when pushed.

    In a turn to the right, contact `a` closes first.
    """

    def __init__(self, a: int, b: int, push: int) -> None:
        super().__init__({"o": push})
        self.contacts = dict.fromkeys((push, a, b), "up")

    def begin(self) -> None:
        super().begin()
        self._detents = DetentCounter()

    def follow(self, edge: Edge, time: float) -> list[Key]:
        if edge.contact == 0:
            return super().follow(edge, time)
        detents = self._detents.follow(edge.time, edge.contact - 1, edge.closed)
        return [key for detent in detents for key in self._reader.tap(">" if detent > 0 else "<")]
