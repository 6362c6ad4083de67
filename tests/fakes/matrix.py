"""Simulated GPIO lines with wires between them: matrix keypads, buttons, encoders, on gpiozero's mock factory.

Connected lines have one level. An output drives it (low wins over high, and the conflict is counted), else a pull
sets it, else it stays as it was. So three keys in the corners of a rectangle show the fourth one, as in a matrix
without diodes. A change of level calls back on a separate thread, like a real factory, and an exception in a
callback does not stop later ones.

gpiozero's own mock pins know no wires, call back on the caller's thread, and are set instead of read. So only the
interface of its mock factory is used.
"""

from __future__ import annotations

import errno
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from threading import Condition, Thread
from typing import Any, Literal

from gpiozero.exc import PinFixedPull, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

Node = int | Literal["gnd", "vcc"]
"""A line by its GPIO number, ground, or the supply."""

_SUPPLIES: dict[Node, bool] = {"gnd": False, "vcc": True}
_LOG = logging.getLogger(__name__)


class Board:
    """Lines, the wires between them, and the pin factory for the lines.

    Args:
        clock: A monotonic clock in seconds; it stamps the edges.
        spend: Called before every operation on a line, to let it take time.

    Attributes:
        factory: The gpiozero pin factory.
        shorts: How often outputs drove against each other.
        operations: How often a line was read, driven or configured.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, spend: Callable[[], None] = lambda: None) -> None:
        self.clock = clock
        self.shorts = 0
        self.operations = 0
        self._spend = spend
        self._wires: set[frozenset[Node]] = set()
        self._broken: set[int] = set()
        self._fighting: set[frozenset[int]] = set()
        self._changed = Condition()  # its lock guards all of the following
        self._calls: list[tuple[WiredPin, float, bool]] = []
        self._calling = False
        self._closed = False
        self.factory = _Factory(self)
        self._thread = Thread(target=self._call_back, name="fake edges", daemon=True)
        self._thread.start()

    def __enter__(self) -> Board:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release every line and end the thread."""
        self._broken.clear()
        self.factory.close()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def join(self, a: Node, b: Node) -> None:
        """Connect two nodes by a wire, if they are not connected yet."""
        with self._changed:
            self._wires.add(frozenset((a, b)))
            self.propagate()

    def part(self, a: Node, b: Node) -> None:
        """Remove the wire between two nodes, if there is one."""
        with self._changed:
            self._wires.discard(frozenset((a, b)))
            self.propagate()

    def lose(self, *lines: int) -> None:
        """Make every operation on these lines fail."""
        self._broken.update(lines)

    def restore(self) -> None:
        """Make all lines work again; the failed ones have lost their configuration."""
        with self._changed:
            for pin in self.factory.pins.values():
                if pin.number_ in self._broken:
                    pin.forget()
            self._broken.clear()
            self.propagate()

    def settle(self, seconds: float = 120.0) -> None:
        """Wait until all edges so far have been delivered.

        Raises:
            TimeoutError: A callback does not return.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: not self._calls and not self._calling, seconds):
                raise TimeoutError("A callback does not return.")

    @property
    def quiet(self) -> bool:
        """Whether all edges so far have been delivered."""
        with self._changed:
            return not self._calls and not self._calling

    def operate(self, number: int) -> Condition:
        """Begin an operation on a line; return the lock to hold during it.

        Raises:
            OSError: The line is lost.
        """
        self._spend()
        self.operations += 1
        if number in self._broken:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return self._changed

    def renew(self) -> None:
        """Compute all levels again."""
        with self._changed:
            self.propagate()

    def propagate(self) -> None:
        """Compute the levels from the wires and queue the edges; the lock is held."""
        net = self._nets()
        joined: dict[Node, list[WiredPin]] = {}
        for pin in list(self.factory.pins.values()):
            joined.setdefault(net(pin.number_), []).append(pin)
        fighting = set()
        for root, pins in joined.items():
            driven = {pin.latch for pin in pins if pin.drives}
            driven |= {level for node, level in _SUPPLIES.items() if net(node) == root}
            pulls = {pin.draws for pin in pins if not pin.drives} - {"floating"}
            if len(driven) == 2:
                fighting.add(frozenset(pin.number_ for pin in pins if pin.drives))
            for pin in pins:
                if driven:
                    self._set(pin, False not in driven)
                elif len(pulls) == 1:
                    self._set(pin, pulls == {"up"})
        self.shorts += len(fighting - self._fighting)
        self._fighting = fighting

    def _nets(self) -> Callable[[Node], Node]:
        """Return a function that maps a node to a representative of its net."""
        parent: dict[Node, Node] = {}

        def net(node: Node) -> Node:
            while node in parent:
                node = parent[node]
            return node

        for wire in self._wires:
            a, b = (net(node) for node in wire)
            if a != b:
                parent[a] = b
        return net

    def _set(self, pin: WiredPin, level: bool) -> None:
        if pin.level is level:
            return
        pin.level = level
        if pin.watched(level):
            self._calls.append((pin, self.clock(), level))
            self._changed.notify_all()

    def _call_back(self) -> None:
        """Deliver the edges one by one, until the board is closed."""
        while True:
            with self._changed:
                self._calling = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._calls or self._closed)
                if self._closed:
                    return
                pin, since, level = self._calls.pop(0)
                self._calling = True
            try:
                pin.call(since, level)
            except Exception:
                _LOG.exception("A callback of GPIO%d failed.", pin.number_)


class Matrix:
    """The keys of a matrix on a board: a pressed key connects its row to its column."""

    def __init__(self, board: Board, rows: Sequence[int], columns: Sequence[int], keys: Sequence[str]) -> None:
        self._board = board
        self._ends = {
            name: (row, column)
            for row, names in zip(rows, keys, strict=True)
            for column, name in zip(columns, names, strict=True)
        }

    def press(self, name: str) -> None:
        """Close a key's contact."""
        self._board.join(*self._ends[name])

    def release(self, name: str) -> None:
        self._board.part(*self._ends[name])


class Buttons:
    """Buttons on a board: a pressed one connects its line to ground, or to the supply."""

    def __init__(self, board: Board, lines: Mapping[str, int], to: Literal["gnd", "vcc"] = "gnd") -> None:
        self._board = board
        self._lines = dict(lines)
        self._to = to

    def press(self, name: str) -> None:
        self._board.join(self._lines[name], self._to)

    def release(self, name: str) -> None:
        self._board.part(self._lines[name], self._to)


class _Factory(MockFactory):  # type: ignore[misc]  # gpiozero has no types, so its classes are Any
    """gpiozero's mock factory with the pins of a board."""

    def __init__(self, board: Board) -> None:
        super().__init__(pin_class=WiredPin)
        self.board = board

    def pin(self, name: Any, pin_class: Any = None, **others: Any) -> Any:
        """Return a line; a new one takes the level of its net."""
        known = len(self.pins)
        pin = super().pin(name, pin_class, **others)
        if len(self.pins) > known:
            self.board.renew()
        return pin

    def ticks(self) -> float:
        """Return the board's time."""
        return self.board.clock()


class WiredPin(MockPin):  # type: ignore[misc]  # gpiozero has no types, so its classes are Any
    """A line of a board; configuring it is one operation, as in the kernel."""

    def __init__(self, factory: _Factory, info: Any) -> None:
        super().__init__(factory, info)
        self.board = factory.board
        self.number_ = int(info.name.removeprefix("GPIO"))
        self.drives = False
        self.latch = False
        self.draws: str = info.pull or "floating"
        self.level = self.draws == "up"
        self._armed = False
        self.board.operate(self.number_)

    def close(self) -> None:
        """Become an input again, without edges, and without a pull unless the board has a resistor for it."""
        self.when_changed = None
        self._prepare(drives=False, draws=self.info.pull or "floating")

    def output_with_state(self, state: bool) -> None:
        """Become an output that drives a level from the start."""
        self._drive(bool(state))

    def input_with_pull(self, pull: str) -> None:
        if pull not in ("up", "down", "floating"):
            raise PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        if self.info.pull not in (pull, ""):
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        self._prepare(drives=False, draws=pull)

    def watched(self, level: bool) -> bool:
        """Return whether an edge to this level is awaited."""
        return self._armed and not self.drives and self._edges in ("both", "rising" if level else "falling")

    def call(self, since: float, level: bool) -> None:
        """Call the callback for an edge, if there still is one."""
        if self._get_when_changed() is not None:
            PiPin._call_when_changed(self, since, level)

    def forget(self) -> None:
        """Return to the unconfigured state; the lock is held."""
        self.drives, self._armed, self.draws = False, False, self.info.pull or "floating"

    def _drive(self, level: bool) -> None:
        self._prepare(drives=True, latch=level)
        self._change_state(level)  # so that `states` lists driven levels, as for every mock pin

    def _prepare(self, drives: bool, latch: bool = False, draws: str | None = None) -> None:
        with self.board.operate(self.number_):
            self.drives, self.latch, self.draws = drives, latch, draws or self.draws
            self.board.propagate()

    def _get_function(self) -> str:
        return "output" if self.drives else "input"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction("function must be input or output")
        self._prepare(drives=value == "output")

    def _get_state(self) -> bool:
        with self.board.operate(self.number_):
            return self.level

    def _set_state(self, value: bool) -> None:
        if not self.drives:
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._drive(bool(value))

    def _get_pull(self) -> str:
        return self.draws

    def _set_pull(self, value: str) -> None:
        self.input_with_pull(value)

    def _enable_event_detect(self) -> None:
        with self.board.operate(self.number_):
            self._armed = True

    def _disable_event_detect(self) -> None:
        with self.board.operate(self.number_):
            self._armed = False
