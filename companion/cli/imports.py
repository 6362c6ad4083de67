"""The command ``import``: shows what was found in logs or plays of BG Stats, asks, and takes it.

A log is either what ``companion export`` prints, or a file from the folder ``games`` of another box. Only the latter
tells when and how each line was entered, and keeps its id: under another number it is still the same game.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import MsgspecError, Struct, to_builtins

from companion.app.terminal import say
from companion.core.game import LogHeader
from companion.core.games import GameFaultError
from companion.core.text import tell
from companion.decoding import from_json
from companion.gamelog import InvalidLineError, ReplayStep, encode_line, replay
from companion.history import renamed_and_hidden
from companion.history.bgstats import BgStatsError, BgStatsPlays, read_bgstats
from companion.history.days import known_time, written
from companion.history.plays import ImportedGame, is_stored, log_id
from companion.history.results import written_points
from companion.history.selection import title
from companion.journal import Journal, StoredGame, chain
from companion.journal.backup import MOST_BYTES, MOST_LINES
from companion.journal.chain import note_of, note_of_state

from .common import WRONG, CommandError, agreed, counted, folder, journal_in, read_input, with_data

# Logs

_ID = re.compile("(?<![0-9a-f])[0-9a-f]{8}(?![0-9a-f])")
_HAS_CHECKS = re.compile(rb"[^\t\n]*\t[^\t\n]*\t[0-9a-f]{16}\n")


class FoundLog(Struct, frozen=True):
    """A log that was checked."""

    header: LogHeader  # its header, with the names that count
    lines: tuple[tuple[str, dict[str, Any]], ...]  # its header and lines, each with its note
    id: str  # the id of its chain; empty if it is a plain log
    begun: float  # when it began, in seconds since 1970; 0 if it is not known
    over: bool  # whether the game is finished
    cut: bool = False  # whether the file ends inside a line, which is left out


def read_log(file: str, data: bytes) -> FoundLog:
    """Look over a log: prove its chain, if it is one, and replay it.

    Args:
        file: The file's name; the id of the chain is in it.
        data: The file's content.

    Raises:
        CommandError: It is damaged, no log of one of our games, or longer than a game that a backup takes.
    """
    if len(data) > MOST_BYTES or data.count(b"\n") > MOST_LINES:
        raise CommandError(f"{file}: too large for a game's log")
    is_chain = _HAS_CHECKS.match(data) is not None
    rows, chain_id, cut = _proved(file, data) if is_chain else ([], "", False)
    texts = [chain.text(row) for row in rows]
    log = "".join(f"{text}\n" for text in texts).encode() if is_chain else data
    try:
        steps = list(replay(log))
    except InvalidLineError as error:
        raise CommandError(f"{file}, line {error.number}: {tell(error.text, error.players)}") from None
    first, last = steps[0].session, steps[-1].session
    if is_chain:
        notes = [_note(row) for row in rows]
    else:
        texts = [first.header.written if step.line is None else encode_line(step.line) for step in steps]
        tracking = next(iter(first.header.game.trackings)).value
        notes = [{"at": 0, "tracking": tracking, **_note_after(step)} for step in steps]
    begun = note_of(rows[0]).at if is_chain else 0.0
    lines = tuple(zip(texts, notes, strict=True))
    return FoundLog(last.header, lines, chain_id, known_time(begun), last.progress.over, cut)


def _note_after(step: ReplayStep) -> dict[str, Any]:
    """Return what the note of a line says of the game after it."""
    session = step.session
    empty = step.line is not None and not session.head.number
    return note_of_state(over=session.progress.over, empty=empty, players=session.seat_names or ())


def _note(row: bytes) -> dict[str, Any]:
    """Return the note of a line as it is written; an empty one if it is in an unknown form."""
    with suppress(MsgspecError):
        return from_json(row.split(b"\t")[1], dict[str, Any])
    return {}


def _proved(file: str, data: bytes) -> tuple[chain.Rows, str, bool]:
    """Return the lines of a chained file, its id, and whether it ends inside a line."""
    content = data.rstrip(b"\0")
    rows, cut = chain.rows(content), not content.endswith(b"\n")
    ids = [found for found in _ID.findall(Path(file).name) if chain.is_valid(found.encode(), rows[0])]
    if not ids:
        raise CommandError(f"{file}: its first line was changed, or its name is not the one it had in the folder games")
    before = ids[0].encode()
    for number, row in enumerate(rows, 1):
        if not chain.is_valid(before, row):
            if number == len(rows) and chain.unfinished(row):
                return rows[:-1], ids[0], True
            raise CommandError(f"{file}, line {number}: changed, or a line before it is lost")
        before = chain.check(row)
    return rows, ids[0], cut


def saved_as(journal: Journal, log: FoundLog) -> StoredGame | None:
    """Return the journal's game of a log: it has all lines of the log, or the same id and only the first of them.

    Of two games with the same lines, both with known times, it is the same if these are equal.

    Raises JournalError if a game that may be the same cannot be read.
    """
    texts = [text for text, _ in log.lines]
    found = []
    for saved in journal.games():
        whole = saved.lines >= len(texts) - 1
        is_candidate = _same_time(saved.begun, log) if whole else log.id and saved.name.endswith(log.id)
        count = min(saved.lines, len(texts) - 1)
        if is_candidate and saved.header == texts[0] and journal.lines(saved.name)[:count] == texts[1 : count + 1]:
            found.append(saved)
    return max(found, key=lambda saved: saved.lines, default=None)


def _same_time(begun: float, log: FoundLog) -> bool:
    return not log.begun or not known_time(begun) or begun == log.begun


def take_log(journal: Journal, log: FoundLog) -> str:
    """Add a log that the journal lacks, with its times; return the game's name: a new one, or that it goes on with."""
    saved = saved_as(journal, log)
    if saved is not None:
        journal.add_lines(saved.name, log.lines[saved.lines + 1 :])
        return saved.name
    name = journal.name_for(log.header.game.name)
    name = name[: -len(log.id)] + log.id if log.id else name
    journal.add_game(name, log.lines)
    return name


def new_logs(journal: Journal, logs: Sequence[FoundLog]) -> list[FoundLog]:
    """Return the logs that the journal lacks, each once; where one log goes on with another, the longer one."""
    journal.check_all()
    found: dict[tuple[Any, ...], FoundLog] = {}
    for log in logs:
        saved = saved_as(journal, log)
        if saved is None or saved.lines < len(log.lines) - 1:
            found.setdefault((log.begun, *(text for text, _ in log.lines)), log)
    return [log for log in found.values() if not any(_goes_on(other, log) for other in found.values())]


def _goes_on(log: FoundLog, with_log: FoundLog) -> bool:
    """Return whether a log has all lines of another of the same game, and more."""
    ours, theirs = log.lines, with_log.lines
    return bool(log.id) and log.id == with_log.id and len(ours) > len(theirs) and ours[: len(theirs)] == theirs


# The command


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
    logs, plays, anonymous = _looked_over(arguments.files)
    with journal_in(folder(arguments)) as journal:
        found = _new(journal, logs, plays)
        _print_found(journal, found)
        if not (found.logs or found.plays) or not (
            arguments.yes or agreed("Take these?", "nothing taken; --yes takes it")
        ):
            return 0
        for log in found.logs:
            take_log(journal, log)
        if found.plays:
            journal.keep_imported({source_id: to_builtins(play) for source_id, play in found.plays.items()})
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
        data = read_input(file, pipes=False)
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
            say(f"{file}: {counted(count, 'play')} left out: {reason}")
        for line in _changes(export):
            say(f"{file}: {line}")
        anonymous += export.anonymous
    return logs, plays, anonymous


def _changes(export: BgStatsPlays) -> Iterator[str]:
    """Yield what differs from the file in the plays that are taken from it."""
    if export.rounded:
        yield f"{counted(export.rounded, 'score')} rounded to whole points"
    if export.unreadable:
        yield f"{counted(export.unreadable, 'score')} cannot be read, and counted as unknown"
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
    new = new_logs(journal, logs)  # first: it has every game read
    own = {log_id(game.name, known_time(game.begun)) for game in journal.games()} if plays else set()
    existing = journal.imported()
    fresh = {
        source_id: play
        for source_id, play in plays.items()
        if source_id not in own and not is_stored(existing.get(source_id), play)
    }
    return _Found(new, fresh, len(fresh.keys() & existing.keys()), len(logs) + len(plays))


def _print_found(journal: Journal, found: _Found) -> None:
    """Print what would be added: games, dates, people."""
    for log in found.logs:
        goes_on = saved_as(journal, log) is not None
        state = ("over" if log.over else "open") + (", goes on with the game that is there" if goes_on else "")
        game, players = log.header.game.title, ", ".join(log.header.players)
        entries = len(log.lines) - 1
        counted_entries = f"{entries:>3} {'entry' if entries == 1 else 'entries'}"
        say(f"{_day(log.begun)}  {game:10}  {state}  {counted_entries}  {players}")
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
