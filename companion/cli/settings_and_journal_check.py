"""``companion doctor --reads``: tries to read the settings and the journal, and changes nothing.

An installation runs it with the new version and with the current one before it chooses. A finding is wrong only if it
keeps the box from playing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.app.terminal import say
from companion.journal import Journal, JournalError
from companion.ui.translations import languages
from hardware.board import BoardError
from hardware.findings import Finding, Verdict
from hardware.owner_settings import SettingsError, load


def main(config: Path | None, data: Path) -> int:
    """Print what can be read, and return the exit status: 0 if the box can play with it, else 1."""
    found = [*_settings(config), _journal(data)]
    for finding in found:
        say(str(finding))
    return int(any(finding.status is Verdict.WRONG for finding in found))


def _settings(config: Path | None) -> Iterator[Finding]:
    try:
        settings = load(config, languages)
    except (SettingsError, BoardError) as fault:
        yield Finding(Verdict.WRONG, f"Settings: {fault}.")
        return
    yield Finding(Verdict.OK, f"Settings: the board is {settings.board.name}.")


def _journal(data: Path) -> Finding:
    if not data.exists():
        return Finding(Verdict.OK, f"Games: there are none in {data} yet.")
    try:
        journal = Journal(data, writes=False)
        games = journal.games()
    except (JournalError, OSError) as fault:
        return Finding(Verdict.WRONG, f"Games: {str(fault).rstrip('.')}.")
    return Finding(Verdict.OK, f"Games: {len(games)} in {data}.")
