"""An evening on the virtual Pi: enters the script's game and checks the panel and the journal."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from PIL import Image

from companion.ui.keys import Key

from .machine import PROJECT, Machine
from .script import Script

PICTURES = PROJECT / "build" / "lab"
LATE = 60.0
"""Seconds after which a missing picture counts as never shown."""


class Evening:
    """A game under way on the machine.

    Attributes:
        machine: The virtual Pi.
        script: The game to enter.
        pressed: How many of the script's keys have been pressed.
    """

    def __init__(self, machine: Machine, script: Script) -> None:
        self.machine = machine
        self.script = script
        self.pressed = 0

    @property
    def entered(self) -> int:
        """Return how many lines have been entered; -1 while there is no game."""
        return self.script.entered(self.pressed)

    @property
    def picture(self) -> Image.Image:
        """Return the picture that the panel should show."""
        return self.script.pictures[self.pressed]

    def kept(self) -> int:
        """Return how many lines the machine's journal holds, -1 for no game; check that they are the script's."""
        log = self.machine.exported()
        assert log is None or log == self.script.log[: len(log)], f"the machine's game is another: {log[-3:]}"
        return -1 if log is None else len(log) - 1

    def take_up(self) -> None:
        """Continue where the machine's journal ends."""
        kept = self.kept()
        self.pressed = 0 if kept < 0 else self.script.ends[kept]

    def all_is_kept(self) -> None:
        """Check that the machine's journal holds every line entered."""
        kept = self.kept()
        assert kept == self.entered, f"{self.entered} lines were entered, {kept} are kept"

    def entries(self, count: int) -> Iterator[tuple[Key, ...]]:
        """Yield the keys of each of the next entries; they must be pressed before the next is asked for."""
        for _entry in range(count):
            end = self.script.ends[self.entered + 1]
            yield self.script.keys[self.pressed : end]
            self.pressed = end

    def enter(self, count: int) -> None:
        """Enter so many lines, and check the picture after each."""
        for keys in self.entries(count):
            self.machine.press(keys)
            self.sees(self.script.pictures[self.pressed + len(keys)])

    def sees(self, picture: Image.Image, within: float = LATE) -> float:
        """Wait until the panel shows a picture; return the seconds it took."""
        return self.sees_one_of((picture,), within)

    def sees_one_of(self, pictures: Iterable[Image.Image], within: float = LATE) -> float:
        """Wait until the panel shows one of some pictures; return the seconds it took."""
        began = time.monotonic()
        meant = list(pictures)
        while (seen := self.machine.glass()) not in meant:
            if time.monotonic() - began > within:
                kept = [self.keep(seen, "seen"), *(self.keep(one, f"meant-{n}") for n, one in enumerate(meant))]
                raise AssertionError(f"the glass shows another picture: {', '.join(map(str, kept))}")
        return time.monotonic() - began

    def keep(self, picture: Image.Image, name: str) -> Path:
        """Save an enlarged picture; return its path."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        path = PICTURES / f"{name}.png"
        picture.resize((4 * picture.width, 4 * picture.height), Image.Resampling.NEAREST).save(path)
        return path.relative_to(PROJECT)
