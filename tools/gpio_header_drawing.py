"""Draws the Pi's header, with the parts wired to it, as SVG.

Holds the header's 40 pins and the drawing; `draw_wiring` decides which wire goes where.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

_ODD = (
    *("3V3", "GPIO2", "GPIO3", "GPIO4", "GND", "GPIO17", "GPIO27", "GPIO22", "3V3", "GPIO10"),
    *("GPIO9", "GPIO11", "GND", "GPIO0", "GPIO5", "GPIO6", "GPIO13", "GPIO19", "GPIO26", "GND"),
)
_EVEN = (
    *("5V", "5V", "GND", "GPIO14", "GPIO15", "GPIO18", "GND", "GPIO23", "GPIO24", "GND"),
    *("GPIO25", "GPIO8", "GPIO7", "GPIO1", "GND", "GPIO12", "GND", "GPIO16", "GPIO20", "GPIO21"),
)

HEADER = dict(enumerate((name for both in zip(_ODD, _EVEN, strict=True) for name in both), 1))
"""The name of each pin of the 40-pin header."""

POWERS = {power: tuple(pin for pin, name in HEADER.items() if name == power) for power in ("3V3", "GND")}
"""The pins of each kind of power."""

INKS = {
    "red": "#d62828",
    "black": "#222222",
    "yellow": "#c99700",
    "orange": "#ef7d1a",
    "green": "#2a9d4a",
    "blue": "#2468c9",
    "violet": "#8a4fc4",
    "brown": "#8a5a33",
    "grey": "#7d8790",
    "turquoise": "#169c9c",
}

WIDTH = 880
PITCH = 30
TOP = 92
GAP = 15
"""The distance from the middle of the header to the middle of a column of pins."""

TAG = (34, 60)
"""A pin's tag: its distance from the middle, and its width."""

BOX = (230, 170)
"""A part's box: its distance from the middle, and its width."""

LINE = 24
"""The height of a line in a box."""

HEAD = 30
"""The height of a box's title."""


class Wire(NamedTuple):
    """A wire: the part's pin, the header's pin, and its colour."""

    label: str
    pin: int
    colour: str


class DrawnPart(NamedTuple):
    """A part with its wires; without ``wired`` they are tracks on its own board."""

    title: str
    wires: tuple[Wire, ...]
    wired: bool = True


def row(pin: int) -> int:
    """Return the row of a pin of the header, counted from 0."""
    return (pin - 1) // 2


def side(pin: int) -> int:
    """Return the side of the header that a pin is on: -1 left, 1 right."""
    return -1 if pin % 2 else 1


def draw(title: str, boxes: tuple[DrawnPart, ...]) -> str:
    """Return a picture of the header and its parts; a part with pins on both sides is drawn on both."""
    height = TOP + 20 * PITCH + 40
    tracks = "" if all(box.wired for box in boxes) else "; what is dashed is on the board itself"
    body = [*_header({wire.pin: wire for box in boxes for wire in box.wires})]
    for which in (-1, 1):
        halves = [box._replace(wires=wires) for box in boxes if (wires := _on(which, box))]
        body += _side(which, halves, height)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
            ' font-family="DejaVu Sans, Verdana, Arial, sans-serif" font-size="13">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{height}" rx="12" fill="#f7f5ef"/>',
            _text(WIDTH / 2, 34, title, size=20, weight="bold"),
            _text(WIDTH / 2, 58, f"the Pi's header from above, SD card at the top{tracks}", ink="#666666"),
            *body,
            "</svg>\n",
        )
    )


def _on(which: int, box: DrawnPart) -> tuple[Wire, ...]:
    """Return a box's wires on one side, from the top."""
    return tuple(sorted((wire for wire in box.wires if side(wire.pin) == which), key=lambda wire: row(wire.pin)))


def _y(pin: int) -> float:
    return TOP + PITCH / 2 + row(pin) * PITCH


def _header(used: dict[int, Wire]) -> Iterator[str]:
    """Draw the header with the tags of its pins."""
    middle = WIDTH / 2
    yield f'<rect x="{middle - 32}" y="{TOP - 8}" width="64" height="{20 * PITCH + 16}" rx="8" fill="#2f6b4f"/>'
    yield f'<rect x="{middle - 28}" y="{TOP - 2}" width="56" height="{20 * PITCH + 4}" rx="3" fill="#1d1f21"/>'
    for pin, name in HEADER.items():
        x, y = middle + side(pin) * GAP, _y(pin)
        wire = used.get(pin)
        fill = INKS[wire.colour] if wire else "#c9b458"
        corner = 1 if pin == 1 else 10
        yield (
            f'<rect x="{x - 10:g}" y="{y - 10:g}" width="20" height="20" rx="{corner}" fill="{fill}"'
            f' stroke="{"#ffffff" if wire else "#857532"}" stroke-width="{2 if wire else 1}"/>'
        )
        yield _text(x, y + 4, str(pin), size=10, ink="#ffffff" if wire else "#1d1f21", weight="bold")
        begin, wide = TAG
        at = middle + begin if side(pin) > 0 else middle - begin - wide
        if wire:
            yield f'<rect x="{at + 2:g}" y="{y - 10:g}" width="{wide - 4}" height="20" rx="5" fill="{fill}"/>'
        yield _text(at + wide / 2, y + 4, name, size=11, ink="#ffffff" if wire else "#a09a88")


def _side(which: int, boxes: list[DrawnPart], height: float) -> Iterator[str]:
    """Draw the parts of one side with their wires, each as near to its pins as there is room."""
    boxes = sorted(boxes, key=_middle)
    tops = [_middle(box) - _tall(box) / 2 for box in boxes]
    for at in range(1, len(tops)):
        tops[at] = max(tops[at], tops[at - 1] + _tall(boxes[at - 1]) + 14)
    floor = height - 16.0
    for at in reversed(range(len(tops))):
        tops[at] = min(tops[at], floor - _tall(boxes[at]))
        floor = tops[at] - 14
    for box, top in zip(boxes, tops, strict=True):
        yield from _box(which, box, top)


def _middle(box: DrawnPart) -> float:
    return sum(_y(wire.pin) for wire in box.wires) / len(box.wires) - HEAD / 2


def _tall(box: DrawnPart) -> float:
    return HEAD + LINE * len(box.wires) + 8


def _box(which: int, box: DrawnPart, top: float) -> Iterator[str]:
    middle = WIDTH / 2
    begin, wide = BOX
    left = middle + begin if which > 0 else middle - begin - wide
    yield (
        f'<rect x="{left:g}" y="{top:g}" width="{wide}" height="{_tall(box):g}" rx="8" fill="#ffffff"'
        ' stroke="#b9b39f" stroke-width="1.5"/>'
    )
    yield _text(left + wide / 2, top + 21, box.title, weight="bold")
    for at, wire in enumerate(box.wires):
        y = top + HEAD + LINE * at + LINE / 2
        end = middle + which * begin
        start = middle + which * (TAG[0] + TAG[1] - 2)
        bend = middle + which * (TAG[0] + TAG[1] + begin) / 2
        dashes = "" if box.wired else ' stroke-dasharray="2 7"'
        yield (
            f'<path d="M{start:g} {_y(wire.pin):g} C{bend:g} {_y(wire.pin):g} {bend:g} {y:g} {end:g} {y:g}" fill="none"'
            f' stroke="{INKS[wire.colour]}" stroke-width="3.5" stroke-linecap="round"{dashes}/>'
        )
        yield f'<circle cx="{end:g}" cy="{y:g}" r="5" fill="{INKS[wire.colour]}" stroke="#ffffff" stroke-width="1.5"/>'
        anchor = "start" if which > 0 else "end"
        yield _text(end + which * 14, y + 4.5, wire.label, anchor=anchor)


def _text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 13,
    ink: str = "#222222",
    weight: str = "normal",
    anchor: str = "middle",
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{ink}" font-weight="{weight}" text-anchor="{anchor}">'
        f"{escape(words)}</text>"
    )
