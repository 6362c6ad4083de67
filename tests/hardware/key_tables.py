"""What presses of keys come to, for the tables `presses` and `matrix-keys` in `tests/transcripts/tables`."""

from __future__ import annotations

from companion.ui.keys import Key
from hardware.keys.matrix import MatrixDecoder
from hardware.keys.presses import PressDetector

COLUMNS = 2
KEYS = "1245"


def presses(given: str | bytes) -> str:
    """Return which keys count, and when the next one does by itself.

    After the names of the keys and a colon stand readings, parted by commas: the keys that are down (``-`` is none),
    the time, ``unsure`` if those may have come up; ``tap`` and a key is one that goes down and up at once.
    """
    names, _colon, readings = str(given).partition(": ")
    detector, said = PressDetector(names), list[str]()
    for reading in readings.split(", "):
        down, time, *unsure = reading.split()
        if down == "tap":
            said.append(_told(detector.tap(time)))
            continue
        mask = 0 if down == "-" else sum(1 << names.index(name) for name in down)
        said.append(_told(detector.update(mask, float(time), mask if unsure else 0)))
    due = detector.due()
    return ", ".join(said) + ("" if due is None else f"; due {due:g}")


def matrix_keys(given: str | bytes) -> str:
    """Return which keys of a matrix count: 1 and 2 above 4 and 5.

    The steps are parted by commas: ``low COLUMNS TIME`` is an edge, ``scan KEYS COLUMNS BEGAN ENDED`` a scan, ``wait
    TIME`` that nothing changed. ``-`` is none.
    """
    decoder, said = MatrixDecoder(KEYS, COLUMNS), list[str]()
    for step in str(given).split(", "):
        match step.split():
            case ["low", columns, time]:
                keys = decoder.follow(_columns(columns), float(time))
            case ["scan", down, columns, began, ended]:
                closed = sum(1 << KEYS.index(key) for key in down.strip("-"))
                keys = decoder.scan(closed, _columns(columns), float(began), float(ended))
            case ["wait", time]:
                keys = decoder.wait(float(time))
        said.append(_told(keys))
    due = decoder.due()
    return ", ".join(said) + ("" if due is None else f"; due {due:g}") + "; scan again" * decoder.unscanned


def _columns(numbers: str) -> int:
    return sum(1 << int(number) - 1 for number in numbers.strip("-"))


def _told(keys: list[Key]) -> str:
    return " ".join(map(str, keys)) or "-"
