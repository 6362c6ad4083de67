"""The command ``import``: shows what was found in logs or plays of BG Stats, asks, and takes it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from companion.app.terminal import say
from companion.cli.log_import import FoundLog, beginning_of, new_logs, read_log, take_log
from companion.core.games import GameFaultError
from companion.history import renamed_and_hidden
from companion.history.bgstats_import import BgStatsError, BgStatsPlays, read_bgstats
from companion.history.days import known_time, written
from companion.history.game_titles import title
from companion.history.imported import ImportedGame, is_stored, stored
from companion.history.play_ids import log_id
from companion.history.results import written_points
from companion.journal import Journal

from .common import WRONG, CommandError, confirmed, find_added_games, folder, journal_in, read_input, with_data


class _Found(NamedTuple):
    """What files hold that the journal has not, or has otherwise, and how many games and plays they hold in all."""

    logs: list[FoundLog]
    plays: dict[str, ImportedGame]
    corrected: int  # how many of the plays the journal has otherwise
    in_all: int


def import_files_arguments(one: ArgumentParser) -> None:
    with_data(one)
    one.add_argument("--yes", action="store_true", help="take them without asking")
    files = "logs, files from the folder games of another box, BGStatsExport.json or .bgsplay"
    one.add_argument("files", metavar="FILE", nargs="+", type=Path, help=files)


def import_files(arguments: Namespace) -> int:
    """Look files over, say what they would add, and add it if that is wanted."""
    find_added_games(arguments)
    logs, plays, anonymous = _looked_over(arguments.files)
    with journal_in(folder(arguments)) as journal:
        found = _new(journal, logs, plays)
        _print_found(journal, found)
        if not (found.logs or found.plays) or not (
            arguments.yes or confirmed("Take these?", "nothing taken; --yes takes it")
        ):
            return 0
        for log in found.logs:
            take_log(journal, log)
        if found.plays:
            journal.keep_imported({source_id: stored(play) for source_id, play in found.plays.items()})
            _hide(journal, anonymous)
        if not journal.save():
            say(f"companion: not saved: {journal.fault}", error=True)
            return WRONG
    say("taken")
    return 0


def _looked_over(files: Iterable[Path]) -> tuple[list[FoundLog], dict[str, ImportedGame], list[str]]:
    """Return the logs, plays and anonymous players of files; nothing of them is taken if one is damaged."""
    logs: list[FoundLog] = []
    plays: dict[str, ImportedGame] = {}
    anonymous: list[str] = []
    for file in files:
        data = read_input(str(file), pipes=False)
        if data[:2] == b"PK":
            raise CommandError(f"{file}: this is a zip file: companion restore takes a backup; unpack logs")
        if not _is_bgstats(data):
            try:
                logs.append(read_log(str(file), data))
            except GameFaultError as fault:
                raise CommandError(f"{file}: {fault}") from None
            if logs[-1].cut:
                say(f"{file}: the last line is cut off, and is left out")
            continue
        try:
            export = read_bgstats(data)
        except BgStatsError as fault:
            raise CommandError(f"{file}: no export of BG Stats: {fault}") from None
        plays |= export.plays
        for reason, count in export.left_out.items():
            say(f"{file}: {_counted(count, 'play')} left out: {reason}")
        for line in _changes(export):
            say(f"{file}: {line}")
        anonymous += export.anonymous
    return logs, plays, anonymous


def _changes(export: BgStatsPlays) -> Iterator[str]:
    """Yield what differs from the file in the plays that are taken from it."""
    if export.rounded:
        yield f"{_counted(export.rounded, 'score')} rounded to whole points"
    if export.unreadable:
        yield f"{_counted(export.unreadable, 'score')} cannot be read, and counted as unknown"
    for name, here in export.renamed:
        yield f"{name or '?'} is called {here} here"
    if export.anonymous:
        yield f"anonymous, and hidden from lists: {', '.join(export.anonymous)}"


def _hide(journal: Journal, names: Iterable[str]) -> None:
    """Hide people of imported plays from lists."""
    people = before = renamed_and_hidden.read(journal.setting("roster"))
    for name in names:
        people = people.hide(people.now(name, 0), True)
    if people != before:
        journal.keep_setting("roster", renamed_and_hidden.written(people))


def _is_bgstats(data: bytes) -> bool:
    """Return whether a file is one JSON object with plays; a log has its header alone in the first line."""
    return b'"plays"' in data and b'"format"' not in data.split(b"\n", 1)[0]


def _new(journal: Journal, logs: list[FoundLog], plays: dict[str, ImportedGame]) -> _Found:
    """Return what the journal has not yet, and the plays that it has otherwise, as of an earlier version."""
    if plays:
        journal.check_all()
    own = {log_id(game.name, known_time(game.begun)) for game in journal.games()} if plays else set()
    existing = journal.imported()
    fresh = {
        source_id: play
        for source_id, play in plays.items()
        if source_id not in own and not is_stored(existing.get(source_id), play)
    }
    return _Found(new_logs(journal, logs), fresh, len(fresh.keys() & existing.keys()), len(logs) + len(plays))


def _print_found(journal: Journal, found: _Found) -> None:
    """Print what would be added: games, dates, people."""
    for log in found.logs:
        begun = beginning_of(journal, log)
        state = ("over" if log.over else "open") + ("" if begun is None else ", goes on with the game that is there")
        game, players = log.header.game.title, ", ".join(log.header.players)
        say(f"{_day(log.begun)}  {game:10}  {state}  {len(log.lines) - 1:>3} entries  {players}")
    for play in sorted(found.plays.values(), key=lambda play: play.begun):
        players = ", ".join(
            f"{name} {written_points(own)}" for name, own in zip(play.players, play.scores, strict=True)
        )
        say(f"{_day(play.begun)}  {title(play.game)}  {players}")
    known = renamed_and_hidden.read(journal.setting("roster"))
    names = {known.now(name, 0) for play in found.plays.values() for name in play.players}
    names |= {name for log in found.logs for name in log.header.players}
    added = len(found.logs) + len(found.plays)
    corrected = f"to correct: {found.corrected}; " if found.corrected else ""
    say(f"to add: {added - found.corrected}; {corrected}already there: {found.in_all - added}")
    if names:
        say(f"people: {', '.join(sorted(names))}")


def _day(time: float) -> str:
    return written(time, "%Y-%m-%d") or f"{'?':10}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
