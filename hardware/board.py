"""Boards: which keys and panel are wired to which GPIO lines; a file for each in boards/.

The files are checked by a test. What is checked here is what owners can spoil: they choose a board, move its pins and
connect another panel. The devices are opened elsewhere. This module has no ``from __future__ import annotations``:
msgspec would evaluate each string at the start.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self

import msgspec

from companion.core.text import SentenceError
from companion.decoding import convert
from companion.ui.keys import KeyLayout

from .panel_bus import PanelSpec

BOARDS = Path(__file__).parent / "boards"
USUAL = "keypad-4x4"  # the default board

Pin = str  # the name that a board gives to one of its lines, so that settings can assign another line to it
LINES = range(28)  # the GPIOs of the Pi's 40-pin header, by their BCM numbers
LAMP = ("red", "green", "blue")  # the pins of an RGB LED, if one is fitted
BUZZER = "buzzer"  # the pin of a buzzer, if one is fitted
DC, RESET = "dc", "reset"  # the pins of a panel on SPI: data/command, and reset if it is wired

OPERABLE = ("<", "o", ">")  # the smallest set of keys that can answer every prompt without a keypad
I2C_LINES = {0: (0, 1), 1: (2, 3)}  # data and clock lines of the I2C buses that cannot be moved to other lines
SPI_LINES = {0: (7, 8, 9, 10, 11), 1: (16, 17, 18, 19, 20, 21)}  # including all chip selects of a bus

REMARKS = {
    **dict.fromkeys((0, 1), "where the Pi looks for a HAT while it starts"),
    **dict.fromkeys((14, 15), "which the serial console uses where it is switched on"),
}
"""Lines that some Pis use for something else."""


class BoardError(SentenceError):
    """There is no such board, or its pins or panel cannot work; the message is a sentence for the owner."""


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="matrix"):
    """A matrix keypad: the pins of its rows and columns."""

    rows: tuple[Pin, ...]
    columns: tuple[Pin, ...]
    keys: tuple[str, ...]  # the names of the keys, one string for each row

    def names(self) -> tuple[str, ...]:
        return tuple("".join(self.keys))

    def pins(self) -> tuple[Pin, ...]:
        return (*self.rows, *self.columns)


class Buttons(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="buttons"):
    """Buttons, each on a line of its own."""

    keys: dict[str, Pin]  # the pin of each key, by the key's name
    # The level of a line while its key is up. A pressed key connects it to the opposite level.
    pull: Literal["up", "down"] = "up"

    def names(self) -> tuple[str, ...]:
        return tuple(self.keys)

    def pins(self) -> tuple[Pin, ...]:
        return tuple(self.keys.values())


class Encoder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="encoder"):
    """A rotary encoder: turning gives ``<`` and ``>``, pushing ``o``."""

    a: Pin  # the pin that changes first in a turn to the right
    b: Pin  # the pin that changes first in a turn to the left
    push: Pin  # the pin of the push button

    def names(self) -> tuple[str, ...]:
        return OPERABLE

    def pins(self) -> tuple[Pin, ...]:
        return (self.a, self.b, self.push)


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board's name, its keys, and its wiring."""

    title: str
    about: str
    source: tuple[str, ...]  # where the pins were looked up
    pins: dict[Pin, int]
    keys: tuple[Matrix | Buttons | Encoder, ...]
    panel: PanelSpec
    hat: bool = False  # whether it is a HAT, which needs no wiring
    notes: tuple[str, ...] = ()  # further building instructions, one sentence each
    name: str = ""  # the name of its file; settings choose the board by it

    def lines(self, pins: Iterable[Pin]) -> tuple[int, ...]:
        return tuple(self.pins[pin] for pin in pins)

    def key_names(self) -> tuple[str, ...]:
        return tuple(name for source in self.keys for name in source.names())

    def keyed(self) -> KeyLayout:
        return KeyLayout.of(self.key_names(), knob=any(isinstance(source, Encoder) for source in self.keys))

    def bus_lines(self) -> tuple[int, ...]:
        """Return the lines of the panel's bus."""
        return (I2C_LINES if self.panel.bus == "i2c" else SPI_LINES).get(self.panel.bus_number, ())

    def used(self, *, lamp: bool = True, buzzer: bool = True) -> dict[Pin, int]:
        """Return the pins in use with their lines, without the lines of the panel's bus.

        Raises BoardError if one is missing.
        """
        pins = [pin for source in self.keys for pin in source.pins()]
        pins += [pin for pin in (DC, RESET) if self.panel.bus == "spi" and pin in self.pins]
        pins += [*(LAMP if lamp else ()), *([BUZZER] if buzzer else [])]
        missing = next((pin for pin in pins if pin not in self.pins), None)
        if missing is not None:
            raise BoardError(f"board {self.name}: {missing} is not in [pins]{nearest(missing, self.pins)}")
        return {pin: self.pins[pin] for pin in pins}

    def with_pins(self, pins: Mapping[Pin, Any]) -> Self:
        """Return the board with some pins on other lines; raise BoardError if there is no such pin or line."""
        for pin, line in pins.items():
            if pin not in self.pins:
                known = ", ".join(self.pins)
                raise BoardError(
                    f"pins.{shown(pin)} is unknown{nearest(pin, self.pins)}; the board {self.name} has {known}"
                )
            if type(line) is not int or line not in LINES:
                raise BoardError(f"pins.{pin} has to be a GPIO from 0 to {LINES[-1]}")
        return msgspec.structs.replace(self, pins={**self.pins, **pins})


def names() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in BOARDS.glob("*.toml")))


def load(name: str) -> Board:
    """Read a board; raise BoardError if there is none of that name, or its file is wrong.

    >>> load("three-buttons").title
    'Three buttons'
    """
    known = names()
    if name not in known:
        raise BoardError(f"board is {name!r}{nearest(name, known)}, but there are {', '.join(known)}")
    file = BOARDS / f"{name}.toml"
    try:
        board = convert(tomllib.loads(file.read_text()), Board)
    except (msgspec.MsgspecError, ValueError) as error:
        raise BoardError(f"{file}: {error}") from None
    board = msgspec.structs.replace(board, name=name)
    board.used()
    return board.with_pins(board.pins)


def shown(key: str) -> str:
    """Return a key as a TOML file has it: in quotes, unless it is a bare one."""
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else repr(key)


def nearest(name: object, known: Iterable[str]) -> str:
    """Return ``(did you mean that?)`` if a known name is similar, else an empty string."""
    import difflib  # only when something is wrong

    close = difflib.get_close_matches(str(name).lower(), list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""


def check(board: Board, *, lamp: bool = True, buzzer: bool = True) -> None:
    """Raise BoardError if the panel cannot be reached, or a line is used twice; the sentence names the conflict."""
    panel = board.panel
    if panel.bus == "spi" and DC not in board.pins:
        raise BoardError('panel.bus is "spi", but the board has no pin for the panel\'s data/command')
    if panel.bus == "i2c" and panel.chip == "ssd1322":
        raise BoardError('panel.chip is "ssd1322", which speaks SPI alone: it needs panel.bus = "spi"')
    taken: dict[int, Pin] = {}
    for pin, line in board.used(lamp=lamp, buzzer=buzzer).items():
        if line in board.bus_lines():
            bus = f"{panel.bus.upper()} bus {panel.bus_number}"
            raise BoardError(f"pins.{pin} is GPIO {line}, which {bus} of the panel needs")
        if (other := taken.setdefault(line, pin)) != pin:
            raise BoardError(f"pins.{other} and pins.{pin} are both GPIO {line}")


def remarks(board: Board, *, lamp: bool = True, buzzer: bool = True) -> Iterator[str]:
    """Yield a sentence for each pin on a line that some Pis use for something else."""
    for pin, line in board.used(lamp=lamp, buzzer=buzzer).items():
        if line in REMARKS:
            yield f"pins.{pin} is GPIO {line}, {REMARKS[line]}"
