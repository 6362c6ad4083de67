"""What presses come to: for the tables `presses`, `matrix-keys` and `key-moves` in `tests/transcripts/tables`."""

from __future__ import annotations

from contextlib import ExitStack

from companion.ui.keys import Key
from hardware.keys.matrix import MatrixDecoder
from hardware.keys.presses import PressDetector
from tests.hardware.key_rigs import virtual_keys
from tests.hardware.virtual_time import VirtualTime

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


def key_moves(given: str | bytes) -> str:
    """Return the keys that a board puts, move by move, in virtual time; with ``!`` if outputs were joined.

    After the board's name in `key_rigs` and a colon stand moves: ``+KEY`` is pressed, ``-KEY`` let go, a number of
    milliseconds goes by, ``late MS`` is how late the thread comes from now on, ``deaf`` and ``hears`` whether edges are
    lost, ``ping`` wakes the thread. At ``|`` it is told which keys were put since, once no more are coming.
    """
    board, _colon, moves = str(given).partition(": ")
    late, told = 0.0, list[str]()
    with virtual_keys(board, VirtualTime(lambda: late)) as rig, ExitStack() as deaf:
        rig.start()
        words = iter(moves.split())
        for word in words:
            match word:
                case "late":
                    late = float(next(words)) / 1000
                case "deaf":
                    deaf.enter_context(rig.virtual.gpio.deaf())
                case "hears":
                    deaf.close()
                case "ping":
                    rig.virtual.ring()
                case "|":
                    told.append(_told(rig.take()))
                case _ if word[0] == "+":
                    rig.press(word[1:])
                case _ if word[0] == "-":
                    rig.release(word[1:])
                case _:
                    rig.wait(float(word) / 1000)
        return ", ".join(told) + " !" * rig.virtual.gpio.shorts
