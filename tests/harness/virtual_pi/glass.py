"""The virtual Pi's panel, as its kernel reports it: registers in words, and the controller's RAM."""

from __future__ import annotations

from PIL import Image

from tests.hardware.pictures import SIZE, blank

COLUMNS = 132
"""Columns of RAM in a page, used by the controller or not."""


def registers(state: str) -> dict[str, str]:
    """Return the values of the controller's registers, by name."""
    return dict(pair.split("=") for pair in state.split())


def glass(state: str, ram: bytes) -> Image.Image:
    """Return the picture a person sees on the panel."""
    told = registers(state)
    unseen = 2 if told.pop("chip") == "sh1106" else 0
    value = {name: int(told[name], 0) for name in ("on", "remap", "scan", "start", "offset", "inverse", "all_on")}
    seen = blank()
    if not value["on"]:
        return seen
    lit = seen.load()
    assert lit is not None  # a picture in memory always has pixels
    for y in range(SIZE[1]):
        row = ((y if value["scan"] else SIZE[1] - 1 - y) + value["start"] + value["offset"]) % SIZE[1]
        page = row // 8 * COLUMNS
        for x in range(SIZE[0]):
            column = (x if value["remap"] else SIZE[0] - 1 - x) + unseen
            bit = ram[page + column] >> row % 8 & 1
            lit[x, y] = 255 * bool(value["all_on"] or bit ^ value["inverse"])
    return seen
