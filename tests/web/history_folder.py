"""A journal's folder with finished games of people with unusual names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from companion.gamelog import encode_line
from companion.games import shipped
from companion.history.history import History
from companion.journal import Journal
from tests.games.seeds import Dealt, deal
from tests.games.toml_games.files import ROUND, random_event
from tests.harness.slips.honest import HABITS

NAMES = ("Aki", "Zoë-Maria", "李", "<b>Bo & Co", '"/?#..')
FIRST = datetime(2026, 9, 4, 19, 30)
GAMES = (("eternity", 106), ("gear", 107), ("hipparchus", 105), ("east-rune", 102), ("eternity", 100))


def fill(folder: Path, games: Sequence[tuple[str, int]] = GAMES) -> list[str]:
    """Fill a folder, and return the names of the games; the first three are of one evening."""
    journal = Journal(folder)
    journal.keep_setting("language", "en")
    names = [
        add(journal, finished(game, seed), FIRST + timedelta(days=7 * (place // 3), hours=place % 3))
        for place, (game, seed) in enumerate(games)
    ]
    journal.update_index()
    [*History(journal, folder, writes=True).each()]
    journal.close()
    return names


def add(journal: Journal, dealt: Dealt, begun: datetime, name: str | None = None) -> str:
    """Add a game to a journal, with an entry every 20 seconds; return its name."""
    game, moment = str(dealt.header["game"]), begun.timestamp()
    name = name or journal.name_for(game)
    header = {**dealt.header, "players": NAMES[: len(dealt.header["players"])]}
    journal.begin(name, json.dumps(header), "full", moment)
    for place, line in enumerate(dealt.lines, 1):
        over = place == len(dealt.lines)
        journal.append(name, json.dumps(line), now=moment + 20 * place, tracking="full", over=over)
    return name


def fill_declared(folder: Path) -> None:
    """Fill a folder with a random game of each text file that ends within 40 rounds."""
    journal = Journal(folder)
    for name in shipped.titles():
        game, rng = shipped.game(name), Random(1)
        seats = min(game.seats)
        state, lines = game.start(seats, game.rules()), list[dict[str, Any]]()
        while not game.progress(state).over and len(lines) < 40:
            event = random_event(game, state, ROUND, rng)
            assert event is not None
            state = game.apply(state, event)
            lines.append(json.loads(encode_line(event)))
        if not game.progress(state).over:
            continue
        add(journal, Dealt(1, {"format": 1, "game": name, "players": NAMES[:seats]}, lines, rng), FIRST)
    journal.update_index()
    [*History(journal, folder, writes=True).each()]
    journal.close()


def finished(game: str, seed: int) -> Dealt:
    """Return the first finished game from a seed on."""
    while True:
        dealt = deal(game, seed, **{**HABITS, "most_rounds": 2})
        session = dealt.session()
        if session.progress.over:
            return dealt
        seed += 1000
