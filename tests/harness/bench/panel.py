"""The bytes that whole games send on the panel's bus, beside luma's full frames and the changed bytes alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from statistics import median

from PIL import Image

from hardware.panel import pages
from tests.games.seeds import deal
from tests.hardware.panel_rigs import BENCHES

from .games import shown
from .table import Limit, Row

FULL_FRAME = {"ssd1306": 1034, "sh1106": 1080}
"""Bytes on the wire for luma's display() of one picture, addresses included."""

HERTZ = 400_000
CLOCKS = 9
"""A byte on I2C takes eight clocks, and one for its acknowledgement."""

SEED = 0
WHOLE, SHORT = 12, 1
"""The most rounds of the games."""

PLANNED = (Limit(1.55, "the controllers allow no less than 1.36 to 1.50 for these pictures", ratio=True),)
GAMES = ("eternity", "gear", "hipparchus", "east-rune")


def traffic(chip: str, pictures: list[Image.Image]) -> list[int]:
    """Return the bytes that each picture after the first takes on the bus."""
    with BENCHES[chip]() as bench:
        bench.panel.show(pictures[0])
        costs = []
        for picture in pictures[1:]:
            before = bench.bus.sent
            bench.panel.show(picture)
            assert bench.seen() == picture
            costs.append(bench.bus.sent - before)
    return costs


def rows(rounds: int) -> Iterator[Row]:
    for game in GAMES:
        pictures = list(shown(deal(game, SEED, coarse=0, misplay=0, edits=0, stop=0, most_rounds=rounds).bytes()))
        packed = [pages(picture) for picture in pictures]
        changed = sum(old != new for before, after in pairwise(packed) for old, new in zip(before, after, strict=True))
        frames = sum(before != after for before, after in pairwise(packed))
        for chip, frame in FULL_FRAME.items():
            costs = [cost for cost in traffic(chip, pictures) if cost]
            name = f"{chip}, {game}"
            yield Row(f"bus, {name}", sum(costs), "B", "luma's full frames", frames * frame)
            yield Row(f"bus, {name}", sum(costs), "B", "the bytes that changed", changed, PLANNED)
            if game == "eternity":
                each = frame * CLOCKS / HERTZ * 1000
                for what, cost in (("median", median(costs)), ("worst", max(costs))):
                    time = cost * CLOCKS / HERTZ * 1000
                    yield Row(f"  a picture at 400 kHz, {what}", time, "ms", "luma's full frame", each)
