"""Measures what a bridge costs its box: the processor time of a key, with a bridge that follows the journal or none.

The bridge sends to a real broker, as a club's box does. Both ways take turns in the same box.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.bridge.mosquitto import Mosquitto, Onlooker
from tests.harness.bench.phone_clients import PageBox, page_box
from tests.harness.bench.phones import a_moment, begun

TURNS = 7  # times with a bridge and times without


def measure(pairs: int = 150) -> None:
    """Print the processor time of a key; each pair is a card and its undo."""
    moment, times = a_moment(), {True: list[float](), False: list[float]()}
    with tempfile.TemporaryDirectory() as folder, page_box(moment.dealt, 0) as box:
        broker = Mosquitto(Path(folder))
        hub = Onlooker(broker)
        try:
            begun(box, moment)
            pressed(box, moment.key, pairs)  # until it is warm
            for turn in range(2 * TURNS):
                if turn % 2:
                    times[False].append(pressed(box, moment.key, pairs))
                else:
                    with bridge(box.folder, broker, Path(folder)):
                        hub.wait_for(lambda messages: any("/lines" in topic for topic, _content in messages))
                        times[True].append(pressed(box, moment.key, pairs))
        finally:
            hub.close()
            broker.stop()
    ratios = [beside / alone for beside, alone in zip(times[True], times[False], strict=True)]
    alone, beside = (1e6 * median(times[way]) for way in (False, True))
    print(f"a key of the box: {alone:.0f} µs of processor without a bridge, {beside:.0f} µs beside one: ", end="")
    print(f"{median(ratios):.2f} × ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)


def pressed(box: PageBox, key: str, pairs: int) -> float:
    """Return the processor time of one key."""
    before = box.processor
    for _pair in range(pairs):
        box.press(key)
        box.press("*")
    return (box.processor - before) / (2 * pairs)


@contextmanager
def bridge(journal: Path, broker: Mosquitto, folder: Path) -> Iterator[None]:
    """Run a bridge of a club's box while the block runs."""
    config = folder / "companion.toml"
    config.write_text(f'[bridge]\nbroker = "mqtt://127.0.0.1:{broker.port}"\nclub = true\n', encoding="utf-8")
    command = ("bridge", "--data", str(journal), "--config", str(config), "--state", str(folder / "bridge"))
    with subprocess.Popen((sys.executable, "-m", "companion", *command), stdout=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()
