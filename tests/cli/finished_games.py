"""Journal folders with finished games, for tests of exports and imports."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from pathlib import Path

from companion.cli.imports import FoundLog, read_log
from companion.journal import Journal
from tests.games.seeds import deal

EVENING = 1_795_372_200.5


@cache
def random_log(game: str, seed: int) -> bytes:
    """Return the log of a random game that was played to its end."""
    return deal(game, seed, coarse=0.0, misplay=0.0, edits=0.0, stop=0.0, most_rounds=60).bytes()


def dated(log: FoundLog, begun: float = EVENING) -> list[tuple[str, dict[str, object]]]:
    """Return the lines of a log with a time each, half a minute apart."""
    return [(text, {**note, "at": begun + 30 * place}) for place, (text, note) in enumerate(log.lines)]


def played(folder: Path, *logs: bytes) -> list[str]:
    """Add games to a journal, one a day; return their names."""
    names = []
    with closing(Journal(folder)) as journal:
        journal.keep_setting("language", "en")
        for day, data in enumerate(logs):
            log = read_log("log", data)
            names.append(journal.name_for(log.header.game.name))
            journal.add_game(names[-1], dated(log, EVENING + day * 86400))
    return names
