"""Starts of a box: what a start finds in a journal and reports, compared with what the journal was told."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.journal import Journal

from .folders import Files, taken, texts
from .recorded import SETTINGS, Half, Told, half_of

_LOG = logging.getLogger("companion.journal")


@dataclass(frozen=True, slots=True)
class Start:
    """What a start finds in a journal.

    Attributes:
        games: The header and the lines of each game, by its name.
        settings: The values of the settings asked for.
        open_game: The game that was open.
        halves: The drafts, by game.
        trackings: The tracking of each game.
        notices: The notices to the table.
        logged: The messages in the log.
        files: The files after the start.
    """

    games: dict[str, list[str]]
    settings: dict[str, str | None]
    open_game: str | None
    halves: dict[str | None, str]
    trackings: dict[str, str]
    notices: list[str]
    logged: list[str]
    files: Files


def started(folder: Path, settings: Sequence[str] = SETTINGS) -> Start:
    """Start on a folder as a box does: read every game, and repair damaged files."""
    with logged() as log, closing(Journal(folder)) as journal:
        assert journal.fault is None, str(journal.fault)
        listed = {saved.name: saved for saved in journal.games()}
        journal.check_all()
        games = {saved.name: [saved.header, *journal.lines(saved.name)] for saved in journal.games()}
        assert listed.keys() <= games.keys() or journal.notices, f"games are gone: {listed.keys() - games.keys()}"
        halves = {name: journal.draft(name) for name in (None, *games)}
        trackings = {name: journal.saved(name).tracking for name in games}
        chosen = {name: journal.setting(name) for name in settings}
        assert journal.unsaved() == 0
        assert journal.fault is None, str(journal.fault)
        notices = list(map(str, journal.notices))
    return Start(games, chosen, journal.open_game(), halves, trackings, notices, log, taken(folder))


def check(start: Start, told: Told, *, killed: bool = True, sound: bool = True) -> None:
    """Check that a start found everything that was safe, and nothing that was never told.

    Args:
        start: What it found.
        told: What was told.
        killed: Whether there was only a kill, so that no key may be lost.
        sound: Whether the files must be undamaged now.
    """
    for name, lines in told.games.items():
        found = start.games.get(name, [])
        least = told.saved_lines.get(name, 0)
        assert found == lines[: len(found)], f"{name} is not as it was entered: {found}"
        assert len(found) >= least, f"{name} has {len(found)} of {least} lines that were saved"
    assert start.games.keys() <= told.games.keys(), f"never begun: {start.games.keys() - told.games.keys()}"
    for name, values in told.settings.items():
        least = told.saved_settings.get(name, 0)
        assert start.settings[name] in values[least:], f"{name} is {start.settings[name]!r}, not {values[least:]}"
    moments = range(1 + (told.killed_half if killed else told.saved_half), 1 + len(told.halves))
    opens = told.opens[told.saved_open :]
    assert start.open_game in opens, f"the box was left in {start.open_game}, not {opens}"
    for game, keys in start.halves.items():
        at = 0 if game is None else len(start.games[game]) - 1
        possible = (half_of(told.halves[:moment], game) for moment in moments)
        there = [each if each.lines == at else Half(game, at) for each in possible]
        assert keys in {each.keys for each in there}, f"{keys!r} is half entered in {game}, not {there}"
        if game in told.trackings:
            then = told.trackings[game][at]
            wanted = {then if each.tracking is None else each.tracking for each in there}
            assert start.trackings[game] in wanted, f"{game} is followed {start.trackings[game]}, not {wanted}"
    if sound:
        whole(start.files, start.games)


def whole(files: Files, games: dict[str, list[str]]) -> None:
    """Check that both copies of every game hold all of its lines, with the independent reader."""
    for name, lines in games.items():
        for folder in ("games", "copies"):
            file = f"{folder}/{name}.jsonl"
            assert file in files, f"{file} is missing"
            assert texts(files[file], name[-8:].encode()) == lines, f"{file} holds something else"
    for name in ("settings.jsonl", "copies/settings.jsonl"):
        if name in files:
            texts(files[name], b"settings")


@contextmanager
def logged() -> Iterator[list[str]]:
    """Yield the log messages of journals within the block, and keep them out of the log."""
    said: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    handler, propagate = Keeping(), _LOG.propagate
    _LOG.addHandler(handler)
    _LOG.propagate = False
    try:
        yield said
    finally:
        _LOG.propagate = propagate
        _LOG.removeHandler(handler)
