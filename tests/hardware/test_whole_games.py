"""Whole games, key by key, on simulated panels whose bus fails: the panel must show the right picture."""

from __future__ import annotations

import errno
import random
from collections.abc import Iterator

import pytest
from PIL import Image

from companion.app.ports import DeviceError
from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.core.prompt import DetailLevel
from companion.gamelog import replay
from companion.games import GAMES
from companion.ui.keys import parse
from hardware.panel import pages
from tests.app.boxes import new_box
from tests.games.seeds import deal
from tests.hardware.panel_rigs import BENCHES, Bench

SEED = 20
CHIPS = ("ssd1306", "sh1106")
_CODES = (errno.EIO, errno.EREMOTEIO, errno.ETIMEDOUT)


def pictures(game: str, seed: int, **timeouts: float) -> Iterator[Image.Image]:
    """Yield the pictures of a random game: at the start and after each key."""
    box = new_box()
    yield box.picture
    keys_of_log: LogToKeys | None = None
    for reading in replay(deal(game, seed, **timeouts).bytes()):
        if keys_of_log is None or reading.line is None:
            box.begin(reading.session.header, DetailLevel.FULL)
            keys_of_log = LogToKeys(reading.session)
            yield box.picture
            continue
        for key in parse(keys_of_log.spell(reading.line)):
            box.take(PANEL, key)
            yield box.picture


def trouble(bench: Bench, rng: random.Random) -> bool:
    """Disturb panel or bus at random. Return whether the panel notices only at the next refresh."""
    match rng.choice(["message", "message", "message", "unplugged", "loose", "power", "nothing"]):
        case "message":
            bench.bus.fail_every(rng.randint(1, 6), after=rng.randint(0, 40), code=rng.choice(_CODES))
        case "unplugged":
            bench.bus.unplug()
        case "loose":
            bench.bus.unplug(powered=True)
        case "power":
            bench.chip.power_cut()
            return True
    return False


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("game", GAMES)
def test_the_glass_equals_the_picture_after_every_key_once_a_fault_is_over(game: str, chip: str) -> None:
    rng = random.Random(SEED)
    faults = shown = 0
    with BENCHES[chip]() as bench:
        for picture in pictures(game, SEED, edits=0.1, stop=0, most_rounds=1):
            lost = rng.random() < 0.2 and trouble(bench, rng)
            try:
                bench.panel.show(picture)
            except DeviceError:
                faults += 1
                bench.bus.fail_every(0)
                bench.bus.plug()
                bench.panel.show(picture)
            else:
                bench.bus.fail_every(0)
                bench.bus.plug()
            if lost:
                bench.panel.refresh()
            assert bench.seen() == picture
            shown += 1
    assert shown > 20
    assert faults > 0


@pytest.mark.parametrize("chip", CHIPS)
def test_whole_games_cost_at_most_half_as_much_again_as_the_bytes_that_change(chip: str) -> None:
    changed = sent = 0
    with BENCHES[chip]() as bench:
        for game in GAMES:
            bench.panel.show(Image.new("1", (128, 64)))
            begun, before = bench.bus.sent, bytes(1024)
            for picture in pictures(game, SEED, edits=0, stop=0, misplay=0, coarse=0, most_rounds=1):
                bench.panel.show(picture)
                held = pages(picture)
                changed += sum(old != new for old, new in zip(before, held, strict=True))
                before = held
            sent += bench.bus.sent - begun
    assert sent <= 1.5 * changed
