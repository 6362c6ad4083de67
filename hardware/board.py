"""Boards: which keys, panel, lamp and buzzer are wired to which GPIO lines; a file for each in boards/.

This module defines the content of board files and checks it. The devices are opened elsewhere. It has no
``from __future__ import annotations``: msgspec would evaluate each string at the start.
"""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

import msgspec

from companion.ui.keys import FEW, NAMES
from companion.ui.keys import KeyLayout as Keyed

from .panel_spec import Bus, Chip
from .strict_toml import TomlError, as_written, key_path, listed, nearest, read

BOARDS = Path(__file__).parent / "boards"

Line = Annotated[int, msgspec.Meta(ge=0, le=27, description="a GPIO from 0 to 27")]
"""A GPIO of the Pi's 40-pin header, by its BCM number."""

Pin = str  # the name that a board gives to one of its lines, so that settings can assign another line to it
Port = Annotated[int, msgspec.Meta(ge=0, le=9)]
Address = Annotated[
    int,
    msgspec.Meta(ge=0x08, le=0x77, description="an address from 0x08 to 0x77 (0x78 on a panel is 0x3C, 0x7A is 0x3D)"),
]
Device = Annotated[int, msgspec.Meta(ge=0, le=2)]
Level = Annotated[int, msgspec.Meta(ge=0, le=255)]
Rotation = Literal[0, 180]

OPERABLE = ("<", "o", ">")  # the smallest set of keys that can answer every prompt without a keypad
I2C_LINES = {0: (0, 1), 1: (2, 3)}  # data and clock lines of the I2C buses that cannot be moved to other lines
SPI_LINES = {0: (7, 8, 9, 10, 11), 1: (16, 17, 18, 19, 20, 21)}  # including all chip selects of a bus

EEPROM_LINES = (0, 1)
CONSOLE_LINES = (14, 15)


class BoardError(TomlError):
    """A board file is wrong; the message is a sentence for the owner."""


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="matrix"):
    """A matrix keypad: the lines of its rows and columns."""

    rows: tuple[Pin, ...]
    columns: tuple[Pin, ...]
    keys: tuple[str, ...]  # the names of the keys, one string for each row

    def names(self) -> tuple[str, ...]:
        return tuple("".join(self.keys))

    def pins(self) -> dict[str, Pin]:
        rows = {f"row {number}": pin for number, pin in enumerate(self.rows, 1)}
        return {**rows, **{f"column {number}": pin for number, pin in enumerate(self.columns, 1)}}


class Buttons(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="buttons"):
    """Buttons, each on a line of its own."""

    keys: dict[str, Pin]  # the pin of each key, by the key's name
    # The level of a line while its key is up. A pressed key connects it to the opposite level.
    pull: Literal["up", "down"] = "up"

    def names(self) -> tuple[str, ...]:
        return tuple(self.keys)

    def pins(self) -> dict[str, Pin]:
        return {f"key {name}": pin for name, pin in self.keys.items()}


class Encoder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="encoder"):
    """A rotary encoder: turning gives ``<`` and ``>``, pushing ``o``."""

    a: Pin  # the pin that changes first in a turn to the right
    b: Pin  # the pin that changes first in a turn to the left
    push: Pin  # the pin of the push button

    def names(self) -> tuple[str, ...]:
        return OPERABLE

    def pins(self) -> dict[str, Pin]:
        return {"encoder a": self.a, "encoder b": self.b, "encoder push": self.push}


class PanelWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the panel is connected."""

    chip: Chip
    bus: Bus = "i2c"
    port: Port | None = None  # the number of the bus; None is the usual one, 1 for I2C and 0 for SPI
    address: Address = 0x3C
    device: Device = 0  # the SPI chip select
    dc: Pin | None = None  # the data/command pin, on SPI
    reset: Pin | None = None  # the reset pin, on SPI
    contrast: Level = 255  # contrast at full brightness, 0 to 255
    rotation: Rotation = 0  # rotation of the picture in degrees

    @property
    def size(self) -> tuple[int, int]:
        return (256, 64) if self.chip == "ssd1322" else (128, 64)

    @property
    def bus_number(self) -> int:
        return self.port if self.port is not None else {"i2c": 1, "spi": 0}[self.bus]

    def pins(self) -> dict[str, Pin]:
        """Return the pins by their function; only those that the bus uses."""
        named = {"panel's data/command": self.dc, "panel's reset": self.reset}
        return {use: pin for use, pin in named.items() if pin is not None and self.bus == "spi"}

    def bus_lines(self) -> tuple[int, ...]:
        return (I2C_LINES if self.bus == "i2c" else SPI_LINES).get(self.bus_number, ())


class LampWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lines of an RGB LED."""

    red: Pin
    green: Pin
    blue: Pin

    def pins(self) -> dict[str, Pin]:
        return {"lamp's red": self.red, "lamp's green": self.green, "lamp's blue": self.blue}


class BuzzerWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line of a buzzer."""

    pin: Pin

    def pins(self) -> dict[str, Pin]:
        return {"buzzer": self.pin}


class LineUse(msgspec.Struct, frozen=True):
    """What a GPIO line is used for."""

    what: str
    pin: Pin
    line: int


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board's name, its keys, and its wiring."""

    title: str
    about: str
    source: tuple[str, ...]  # where the pins were looked up
    pins: dict[Pin, Line]
    keys: tuple[Matrix | Buttons | Encoder, ...]
    panel: PanelWiring
    lamp: LampWiring  # the pins for an RGB LED, if one is fitted
    buzzer: BuzzerWiring  # the pin for a buzzer, if one is fitted
    hat: bool = False  # whether it is a HAT, which needs no wiring
    notes: tuple[str, ...] = ()  # further building instructions, one sentence each
    name: str = ""  # the name of its file; settings choose the board by it

    def lines(self, pins: Iterable[Pin]) -> tuple[int, ...]:
        return tuple(self.pins[pin] for pin in pins)

    def key_names(self) -> tuple[str, ...]:
        return tuple(name for source in self.keys for name in source.names())

    def keyed(self) -> Keyed:
        return Keyed.of(self.key_names(), knob=any(isinstance(source, Encoder) for source in self.keys))

    def uses(self, *, lamp: bool = True, buzzer: bool = True) -> tuple[LineUse, ...]:
        """Return what each line is used for, without the lines of the panel's bus."""
        parts = (*self.keys, self.panel, *([self.lamp] * lamp), *([self.buzzer] * buzzer))
        return tuple(LineUse(what, pin, self.pins[pin]) for part in parts for what, pin in part.pins().items())

    def with_pins(self, pins: Mapping[Pin, int]) -> Self:
        """Return the board with some pins on other lines; raise BoardError if the board has no such pin."""
        for pin in pins:
            if pin not in self.pins:
                unknown = f"{key_path('pins', pin)} is unknown{nearest(pin, self.pins)}"
                raise BoardError(f"{unknown}; the board {self.name} has {listed(self.pins)}")
        return msgspec.structs.replace(self, pins={**self.pins, **pins})


def names() -> tuple[str, ...]:
    files = map(os.path.splitext, os.listdir(BOARDS))
    return tuple(sorted(name for name, ending in files if ending == ".toml"))


def load(name: str) -> Board:
    """Read a board.

    Raises:
        BoardError: There is no board of that name, or it cannot work.
        TomlError: The file has errors.

    >>> load("three-buttons").title
    'Three buttons'
    """
    known = names()
    if name not in known:
        raise BoardError(f"board is {as_written(name)}{nearest(name, known)}, but there are {listed(known)}")
    board = msgspec.structs.replace(read(BOARDS / f"{name}.toml", Board), name=name)
    check(board)
    return board


def check(board: Board, *, lamp: bool = True, buzzer: bool = True) -> None:
    """Check that a board can work.

    Raises BoardError if it cannot; the sentence names the conflict.
    """
    fault = next(_faults(board, lamp, buzzer), None)
    if fault is not None:
        raise BoardError(fault)


def remarks(board: Board, *, lamp: bool = True, buzzer: bool = True) -> tuple[str, ...]:
    """Return conflicts that a board may have on some Pis, one sentence each."""
    sentences = {
        **dict.fromkeys(CONSOLE_LINES, "which the serial console uses where it is switched on"),
        **dict.fromkeys(EEPROM_LINES, "where the Pi looks for a HAT while it starts"),
    }
    return tuple(
        f"{key_path('pins', use.pin)} is GPIO {use.line}, {sentences[use.line]}"
        for use in board.uses(lamp=lamp, buzzer=buzzer)
        if use.line in sentences
    )


def _faults(board: Board, lamp: bool, buzzer: bool) -> Iterator[str]:
    """Yield the errors of a board. An error that may result from another one comes after it."""
    for keys in board.keys:
        if isinstance(keys, Matrix):
            yield from _misshapen(keys)
    yield from _unknown_keys(board.key_names())
    yield from _unnamed(board)
    yield from _inoperable(board.key_names())
    yield from _unreachable(board.panel)
    yield from _clashing(board, board.uses(lamp=lamp, buzzer=buzzer))


def _misshapen(matrix: Matrix) -> Iterator[str]:
    rows, columns = len(matrix.rows), len(matrix.columns)
    if len(matrix.keys) != rows:
        yield f"a matrix has {rows} rows, but its keys stand in {len(matrix.keys)}"
    for row in matrix.keys:
        if len(row) != columns:
            yield f"a matrix has {columns} columns, but there are {len(row)} keys in its row {as_written(row)}"


def _unnamed(board: Board) -> Iterator[str]:
    """Yield errors for functions with an unknown pin, and for pins without a function."""
    panel = msgspec.structs.replace(board.panel, bus="spi")  # to include the pins that only SPI uses
    parts = (*board.keys, panel, board.lamp, board.buzzer)
    spoken = {pin: what for part in parts for what, pin in part.pins().items()}
    for pin, what in spoken.items():
        if pin not in board.pins:
            yield f"the pin of the {what}, {as_written(pin)}{nearest(pin, board.pins)}, is not among [pins]"
    for pin in board.pins:
        if pin not in spoken:
            yield f"{key_path('pins', pin)} is used for nothing"


def _unknown_keys(keys: Collection[str]) -> Iterator[str]:
    for key in keys:
        if len(key) != 1 or key not in NAMES + FEW:
            yield f"there is no key {as_written(key)}; there are {' '.join(NAMES)} and {' '.join(FEW)}"
    for key, count in Counter(keys).items():
        if count > 1:
            yield f"there are {count} keys {as_written(key)}"


def _inoperable(keys: Collection[str]) -> Iterator[str]:
    whole = set(NAMES) <= set(keys)
    if not whole and not set(OPERABLE) <= set(keys):
        missing = listed(key for key in OPERABLE if key not in keys)
        yield f"nobody could work it: it has neither the whole keypad nor {missing}"


def _unreachable(panel: PanelWiring) -> Iterator[str]:
    if panel.bus == "spi" and panel.dc is None:
        yield 'panel.bus is "spi", but the board has no pin for the panel\'s data/command'
    if panel.bus == "i2c" and panel.chip == "ssd1322":
        yield 'panel.chip is "ssd1322", which speaks SPI alone: it needs panel.bus = "spi"'


def _clashing(board: Board, uses: Iterable[LineUse]) -> Iterator[str]:
    taken: dict[int, LineUse] = {}
    reserved = board.panel.bus_lines()
    bus = f"{'I2C' if board.panel.bus == 'i2c' else 'SPI'} bus {board.panel.bus_number}"
    for use in uses:
        other = taken.setdefault(use.line, use)
        if other is not use:
            if other.pin == use.pin:
                yield f"{key_path('pins', use.pin)} cannot be two things, the {other.what} and the {use.what}"
            yield f"{key_path('pins', other.pin)} and {key_path('pins', use.pin)} are both GPIO {use.line}"
        if use.line in reserved:
            yield f"{key_path('pins', use.pin)} is GPIO {use.line}, which {bus} of the panel needs"
