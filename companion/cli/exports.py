"""What ``companion export`` writes: logs, or results as CSV, JSON or for BG Stats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.printing import say

from .common import WRONG, CommandError, standard_output, why

if TYPE_CHECKING:
    from companion.history.results import GameResult
    from companion.journal import Journal


def finished(journal: Journal, folder: Path) -> list[GameResult]:
    """Return the results of all finished games, oldest first, and of imported plays. Unreadable games are left out."""
    from companion.history.history import History

    while journal.check_next():  # adds the games missing from the index
        pass
    return History(journal, folder).results()


def content_of(journal: Journal, folder: Path, form: str, game: str | None) -> bytes:
    """Return an export of all games or of one.

    Args:
        journal: The journal, open for reading.
        folder: Its folder.
        form: ``log``, ``csv``, ``json`` or ``bgstats``.
        game: The name of a game; None for all.

    Raises:
        CommandError: The game is not finished, so there is no result.
    """
    if form == "log":
        return logs_zip(journal) if game is None else log_of(journal, game)
    from companion.history import bgstats, csv_export, json_export, renamed_and_hidden

    forms = {"csv": csv_export.csv_of, "json": json_export.json_of, "bgstats": bgstats.bgsplay}
    results = [result for result in finished(journal, folder) if game in (None, result.name)]
    if game is not None and not results:
        raise CommandError(f"game {journal.saved(game).number} is not finished, so it has no result yet")
    if form == "bgstats" and (undated := sum(not (each.begun or each.ended) for each in results)):
        games = "game was" if undated == 1 else "games were"
        say(f"companion: BG Stats wants dates: {undated} {games} played with the clock not set", error=True)
    return forms[form](results, renamed_and_hidden.read(journal.setting("roster")))


def log_of(journal: Journal, game: str) -> bytes:
    lines = (journal.saved(game).header, *journal.lines(game))
    return "".join(f"{line}\n" for line in lines).encode()


def logs_zip(journal: Journal) -> bytes:
    """Return a zip file with the logs of all readable games; the same games give the same bytes."""
    from io import BytesIO
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    from companion.journal import JournalError

    written = BytesIO()
    with ZipFile(written, "w") as archive:
        for name in journal.names():
            member = ZipInfo(f"{name}.jsonl")
            member.compress_type, member.create_system, member.external_attr = ZIP_DEFLATED, 3, 0o644 << 16
            try:
                archive.writestr(member, log_of(journal, name))
            except JournalError:  # said by `left_out`
                continue
    return written.getvalue()


def write_out(content: bytes, out: Path | None, journal: Path) -> None:
    """Print an export, or write it to a file that is not in the journal's folder."""
    if out is None:
        if content[:2] == b"PK" and sys.stdout is not None and sys.stdout.isatty():
            raise CommandError("the logs of all games are a zip file: choose its name with --out FILE, or one game")
        stream = standard_output()
        stream.flush()
        stream.buffer.write(content)
        stream.flush()
        return
    if out.resolve().is_relative_to(journal.resolve()):
        raise CommandError(f"{out}: the journal is kept in this folder; write the export into another")
    from companion.journal.disk import written_beside

    try:
        with written_beside(out) as writing:
            writing.write(content)
    except OSError as error:
        raise CommandError(f"{out}: {why(error)}") from None


def left_out(journal: Journal, game: str | None) -> int:
    """Say which games are not in an export, or not with all their entries; return the exit status.

    Args:
        journal: The journal that was exported.
        game: The only game that was asked for; None if all were.
    """
    missing = [fault for name, fault in sorted(journal.left_out.items()) if game in (None, name)]
    for fault in missing:
        say(f"companion: {fault}", error=True)
    return WRONG if missing else 0
