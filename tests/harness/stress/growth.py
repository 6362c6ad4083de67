"""The time to read a log grows in proportion to its length: with a factor close to 1, not with its square."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

from companion.gamelog import read
from tests.games.seeds import deal

from . import time_limits

LARGER = 4
"""The ratio of the sizes of two logs."""

ALLOWED = 7.0
"""The highest ratio of their times, including caches and garbage collection; quadratic time would give 16."""

ALLOWED_AT_MOST = 10.0
"""The same for logs that hold more in memory the longer they are, where garbage collection takes longer."""

ROUNDS: dict[str, dict[str, object]] = {
    "eternity": {"tricks": [7, 0], "trees": [0, 0]},
    "gear": {"tricks": [4, 4], "aces": [0, 0], "last": 0, "prices": [0, 0]},
}


def grown(size: int) -> Iterator[str]:
    """Replay some kinds of logs at two sizes, and report the ratio of the times.

    Raises:
        AssertionError: A log's time grows faster than its length.
    """
    for name, allowed, smaller, larger in _pairs(size):
        short, long = _seconds(smaller), _seconds(larger)
        times = long / short
        assert times <= allowed or not time_limits.promised, (
            f"{name}: {LARGER} times as many take {times:.1f} times as long"
        )
        each = long / larger.count(b"\n")
        yield (
            f"{larger.count(b'%c' % 10):,} lines, {name}: {long * 1000:.0f} ms, {each * 1e6:.0f} µs each; "
            f"{LARGER} times as many took {times:.1f} times as long"
        )


def _seconds(data: bytes) -> float:
    """Return the least processor time of three replays of a log."""
    took = []
    for _ in range(3):
        began = time.process_time()
        read(data)
        took.append(time.process_time() - began)
    return min(took)


def _line(line: object) -> bytes:
    return json.dumps(line).encode() + b"\n"


def _pairs(size: int) -> Iterator[tuple[str, float, bytes, bytes]]:
    game = deal("eternity", 5, coarse=0.0, edits=0.0, stop=0.0, misplay=0.0, most_rounds=9)
    first = _line({"type": "amend", "event": 1, "to": game.lines[0]})
    recent = _line({"type": "amend", "event": len(game.lines) - 20, "to": game.lines[-21]})
    steps = b'{"type":"undo"}\n{"type":"redo"}\n'
    for name, allowed, line, count in (
        ("corrections of the first entry of a whole game", ALLOWED_AT_MOST, first, size // 40),
        ("corrections of an entry of twenty entries ago", ALLOWED, recent, size // 4),
        ("steps back and again", ALLOWED, steps, size),
    ):
        yield name, allowed, game.bytes() + line * count, game.bytes() + line * (count * LARGER)
    last = _line({"type": "amend", "event": len(game.lines), "to": game.lines[-1]})
    back, again = b'{"type":"undo"}\n', b'{"type":"redo"}\n'
    small, large = (game.bytes() + last * count + back * count + again * count for count in (size, size * LARGER))
    yield "corrections of the last entry, all taken back and brought again", ALLOWED, small, large
    for name, tally in ROUNDS.items():
        header = {"format": 1, "game": name, "players": ["Aki", "Bea"], "rules": {"ending": {"target": 10**9}}}
        top = _line(header) + _line({"type": "start", "player": 0})
        line = _line({"type": "round", **tally})
        yield (
            f"rounds of {name} that end no game",
            ALLOWED_AT_MOST,
            top + line * (size // 16),
            top + line * (size // 16 * LARGER),
        )
