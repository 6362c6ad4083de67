"""Finished games of earlier evenings, for pictures of the history."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from companion.gamelog import decode_header
from companion.journal import Journal

MINUTES = 7
"""Minutes between two entries."""

AKI, BEA, CYR, HARUNA = NAMES = ("Aki", "Béatrice", "Cyr", "はるな")


class PastGame(Struct, frozen=True):
    """A finished game.

    Attributes:
        game: The name of the game.
        begun: When it began: year, month, day, hour, minute.
        players: The players.
        lines: Its entries.
        rules: Its rules.
    """

    game: str
    begun: tuple[int, int, int, int, int]
    players: tuple[str, ...]
    lines: tuple[str, ...]
    rules: dict[str, Any] = {}


def _round(tricks: tuple[int, ...], trees: tuple[int, ...]) -> str:
    return json.dumps({"type": "round", "tricks": tricks, "trees": trees})


ETERNITY = (
    _round((3, 2, 5, 0), (3, 2, 4, 1)),
    _round((1, 4, 2, 3), (1, 2, 2, 4)),
    _round((2, 2, 2, 4), (2, 1, 2, 4)),
)
ETERNITY_LONG = (
    _round((1, 2, 4, 3), (1, 3, 4, 3)),
    _round((6, 2, 0, 2), (6, 2, 0, 2)),
    _round((3, 2, 1, 4), (2, 2, 1, 4)),
    _round((1, 6, 3, 0), (1, 6, 2, 1)),
    _round((1, 4, 5, 0), (1, 4, 5, 0)),
    _round((4, 2, 4, 0), (4, 2, 4, 0)),
    _round((6, 1, 1, 2), (6, 1, 2, 2)),
)
STARS = (
    '{"type":"start","player":0}',
    '{"type":"round","captured":[{"sun":1,"moon":2,"earth":7},{"sun":6,"moon":4,"earth":3}],"second":1}',
    '{"type":"round","captured":[{"sun":3,"moon":3,"earth":5},{"sun":4,"moon":3,"earth":5}],"second":0}',
)
RUNES = (
    '{"type":"start","player":0}',
    '{"type":"result","chairs":[3,2,1],"monarchs":[1,2,3],"hand":[2,0,1]}',
)

PAST = (
    PastGame("hipparchus", (2026, 10, 30, 19, 5), (AKI, BEA), STARS),
    PastGame("eternity", (2026, 10, 30, 20, 10), NAMES, ETERNITY),
    PastGame("eternity", (2026, 11, 6, 20, 15), (BEA, AKI, HARUNA, CYR), ETERNITY),
    PastGame("hipparchus", (2026, 11, 6, 21, 50), (BEA, AKI), STARS),
    PastGame("east-rune", (2026, 11, 13, 20, 30), (AKI, BEA, HARUNA), RUNES),
    PastGame("eternity", (2026, 11, 13, 21, 40), (CYR, HARUNA, AKI, BEA), ETERNITY),
    PastGame("hipparchus", (2026, 11, 20, 19, 20), (BEA, AKI), STARS),
    PastGame("eternity", (2026, 11, 20, 20, 5), NAMES, ETERNITY_LONG, {"ending": {"target": 25}}),
    PastGame("east-rune", (2026, 11, 20, 22, 45), (HARUNA, CYR, BEA), RUNES),
)
"""The games of four Fridays."""


def play(journal: Journal) -> None:
    """Enter the games in a journal."""
    for past in PAST:
        header = decode_header(
            json.dumps({"format": 1, "game": past.game, "players": past.players, "rules": past.rules})
        )
        name, moment = journal.name_for(past.game), datetime(*past.begun)
        journal.begin(name, header.written, "round", moment.timestamp())
        for count, line in enumerate(past.lines, 1):
            moment += timedelta(minutes=MINUTES)
            over = count == len(past.lines)
            journal.append(name, line, now=moment.timestamp(), tracking="round", over=over)
