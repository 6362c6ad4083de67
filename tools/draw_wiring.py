"""Writes how each board is wired, as tables and pictures: ``python -m tools.draw_wiring``.

Holds the parts, the wires and the words; `header_picture` draws the pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hardware.board import BOARDS, BUZZER, DC, LAMP, RESET, Board, Buttons, Encoder, Matrix, load, names

from .gpio_header_drawing import HEADER, POWERS, DrawnPart, Wire, draw, row, side

COLOURS = ("yellow", "orange", "green", "blue", "violet", "brown", "grey", "turquoise")
"""The colours of a part's wires, in order; red and black are reserved for 3V3 and ground."""

KEYS = {
    "<": "left ◀",
    "o": "choose ●",
    ">": "right ▶",
    "^": "up ▲",
    "v": "down ▼",
    "#": "OK #",
    "*": "back *",
    "D": "D",
}
"""The labels of keys that have none printed on them."""

PHYSICAL = {line: pin for pin, name in HEADER.items() if name.startswith("GPIO") for line in [int(name[4:])]}
"""The header pin of each GPIO line."""

OTHER_SIDE = 8
"""The number of rows that the other side of the header counts as, so that power comes from the part's side."""

INTRODUCTION = """\
# Wiring

*Made from the boards' files by `python -m tools.draw_wiring`; change those, not this.*

The settings, `/etc/companion.toml`, name the board: `board = "{first}"`. Single pins are moved under `[pins]`. A
table's "pin" is the place on the Pi's header, seen from above with the slot of the SD card at the top: pin 1 is beside
it, and even pins lie at the edge of the Pi. Wire with the plug pulled, and compare with `companion doctor` afterwards.

- Every part runs on **3V3**. A part on 5V puts 5V on the Pi's lines, and they do not survive it.
- 3V3 and ground come out of the header in several places: take another where one is taken. Colours but red and black
  are free.
- LED and buzzer may be left out; `[lamp]` and `[sounds]` say which there are.
- An LED needs a resistor in each colour's wire: 330 Ω is right for most. With a common anode the long leg goes to 3V3
  instead of ground (`common = "anode"`).
- A passive piezo buzzer needs 100 Ω in its wire; an active one that asks for more than 10 mA needs a transistor.
"""


class PowerPin(NamedTuple):
    """A power pin of a part that has no pin of the header yet."""

    label: str
    power: str


class SignalPin(NamedTuple):
    """A pin of a part: its GPIO line and its wire's colour; None takes the next colour."""

    label: str
    line: int
    colour: str | None = None


class Part(NamedTuple):
    """A part: its pins, whether it is wired by hand, and whether it is optional."""

    title: str
    ends: tuple[SignalPin | PowerPin, ...]
    wired: bool = True
    optional: bool = False


def parts(board: Board) -> Iterator[Part]:
    """Yield the parts of a board; parts of a HAT need no power wires."""
    yield _panel(board)
    red, green, blue = board.lines(LAMP)
    colours = (SignalPin("red", red, "orange"), SignalPin("green", green, "green"), SignalPin("blue", blue, "blue"))
    yield Part("RGB LED, if fitted", (*colours, PowerPin("long leg", "GND")), optional=True)
    yield Part("Buzzer, if fitted", (SignalPin("+", board.pins[BUZZER]), PowerPin("−", "GND")), optional=True)
    for keys in board.keys:
        ends = tuple(map(SignalPin, _labels(keys), board.lines(keys.pins())))
        match keys:
            case Matrix():
                yield Part("Keypad", ends, wired=not board.hat)
            case Encoder():
                yield Part("Encoder", (*ends, PowerPin("+", "3V3"), PowerPin("GND", "GND")), wired=not board.hat)
            case Buttons() if board.hat:
                yield Part("Joystick and keys" if "^" in keys.keys else "Keys", ends, wired=False)
            case Buttons():
                legs = "other leg" if len(ends) == 1 else "other legs"
                power = PowerPin(legs, "GND" if keys.pull == "up" else "3V3")
                yield Part("Button" if len(ends) == 1 else "Buttons", (*ends, power))


def _panel(board: Board) -> Part:
    panel = board.panel
    if panel.bus == "i2c":
        bus = tuple(map(SignalPin, ("SDA", "SCL"), board.bus_lines()))
    else:
        lines = {"DIN": 10, "CLK": 11, "CS": (8, 7)[panel.device]}
        given = {"DC": DC, "RST": RESET}
        lines.update({label: board.pins[pin] for label, pin in given.items() if pin in board.pins})
        bus = tuple(SignalPin(label, line) for label, line in lines.items())
    power = () if board.hat else (PowerPin("VCC", "3V3"), PowerPin("GND", "GND"))
    return Part(f"Panel ({panel.chip.upper()})", (*power, *bus), wired=not board.hat)


def _labels(keys: Matrix | Buttons | Encoder) -> tuple[str, ...]:
    """Return the label at each of a part's pins."""
    match keys:
        case Encoder():
            return ("CLK (a)", "DT (b)", "SW (push)")
        case Buttons():
            return tuple(KEYS.get(name, name) for name in keys.names())
    ends = ("row", keys.rows), ("column", keys.columns)
    return tuple(f"{end} {number}" for end, pins in ends for number in range(1, len(pins) + 1))


def boxes(board: Board) -> tuple[DrawnPart, ...]:
    """Return the parts of a board, each wire with its pin of the header; optional parts last."""
    free = {power: list(pins) for power, pins in POWERS.items()}
    every = [(part, DrawnPart(part.title, tuple(_wires(part, free)), part.wired)) for part in parts(board)]
    return tuple(box for _part, box in sorted(every, key=lambda each: each[0].optional))


def _wires(part: Part, free: dict[str, list[int]]) -> Iterator[Wire]:
    """Yield a part's wires; power comes from the nearest pin that is still free."""
    pins = [PHYSICAL[end.line] for end in part.ends if isinstance(end, SignalPin)]
    middle = sum(map(row, pins)) / len(pins)
    left = sum(side(pin) < 0 for pin in pins) * 2 >= len(pins)
    colours = iter(COLOURS)
    for end in part.ends:
        if isinstance(end, SignalPin):
            yield Wire(end.label, PHYSICAL[end.line], end.colour or next(colours))
        else:
            pin = min(free[end.power], key=lambda pin: _far(pin, middle, left))
            free[end.power].remove(pin)
            yield Wire(end.label, pin, {"3V3": "red", "GND": "black"}[end.power])


def _far(pin: int, middle: float, left: bool) -> float:
    """Return the distance of a power pin from a part's other pins, in rows."""
    return abs(row(pin) - middle) + OTHER_SIDE * ((side(pin) < 0) is not left)


def readme(boards: tuple[Board, ...]) -> str:
    """Return the page about all boards."""
    return "\n".join((INTRODUCTION.format(first=boards[0].name), *map(_section, boards)))


def _section(board: Board) -> str:
    chosen = f'`board = "{board.name}"`'
    text = [f"## {board.title}", "", f"{chosen} · {board.about}", ""]
    text += [f"- {note}" for note in board.notes]
    every = boxes(board)
    taken = [f"{wire.label} {HEADER[wire.pin]} ({wire.pin})" for box in every if not box.wired for wire in box.wires]
    if taken:
        text += [f"- It takes these lines of the header (pins): {', '.join(taken)}."]
    text += ["", f"![{board.title}: its wires on the header]({board.name}.svg)", ""]
    text += ["| part | its pin | wire | pin | on the Pi |", "|---|---|---|---|---|"]
    for box in every:
        for number, wire in enumerate(box.wires if box.wired else ()):
            title = "" if number else f" {box.title}"
            text.append(f"|{title} | {wire.label} | {wire.colour} | {wire.pin} | {HEADER[wire.pin]} |")
    text += ["", "Looked up at " + ", ".join(f"<{source}>" for source in board.source) + ".", ""]
    return "\n".join(text)


def files() -> dict[str, str]:
    """Return the content of every file by its name."""
    order = sorted(names(), key=lambda name: (name != "keypad-4x4", load(name).hat, name))
    boards = tuple(map(load, order))
    pictures = {f"{board.name}.svg": draw(board.title, boxes(board)) for board in boards}
    return {"README.md": readme(boards), **pictures}


def write(folder: Path) -> None:
    """Write the page and the pictures into a folder."""
    for name, text in files().items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write(BOARDS)
