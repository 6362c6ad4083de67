"""Making a new journal of what can be read of a damaged one, which is kept as it is under another name.

The plug may be pulled at any moment of it. The new journal is whole before anything is touched, under a name that
says what the old one is to be called; a start that finds such a file goes on from there.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.core.text import N_, Text

from . import files, salvage
from .examining import GONE
from .files import BACKUP, BESIDE, DATABASE, MENDING
from .salvage import Found

_MENDED = "-mended"
_UNFINISHED = f"{DATABASE}{_MENDED}.new"


@dataclass(frozen=True, slots=True)
class Notice:
    """What there is to be said about a journal that was mended.

    Attributes:
        text: For the panel: short.
        details: For standard error: with its reason and the names of files.
    """

    text: Text
    details: str


def mend(folder: Path, trouble: str, now: float) -> Notice:
    """Set a journal aside whole, and put one in its place that holds what can be read of it and its backup."""
    found, copied = salvage.gather(folder / DATABASE), salvage.gather(folder / BACKUP)
    if found.agrees(copied):
        found.fill(copied)
    else:
        set_backup_aside(folder, now)
    aside = _name(folder, now, "")
    try:
        salvage.write(found, folder / _UNFINISHED)
        files.put(folder / _UNFINISHED, folder / (aside + _MENDED))
    except BaseException:
        (folder / _UNFINISHED).unlink(missing_ok=True)  # a disk that is full has no room for half a journal
        raise
    finish(folder)
    return Notice(_text(found, trouble), _details(found, folder, trouble, aside))


def finish(folder: Path) -> Notice | None:
    """Do what is left to do of a mending that the plug was pulled in."""
    notice = None
    for mended in sorted(folder.glob(f"journal-*.db{_MENDED}")):
        aside = mended.name.removesuffix(_MENDED)
        for end in BESIDE:
            with suppress(FileNotFoundError):
                (folder / (DATABASE + end)).rename(folder / (aside + end))
        (folder / MENDING).unlink(missing_ok=True)
        files.sync(folder)  # the new journal must never meet the log of the old one
        mended.rename(folder / DATABASE)
        files.sync(folder)
        notice = Notice(
            Text(N_("Journal damaged: what could be read was kept.")),
            f"the journal in {folder} was damaged: set aside as {aside}, what could be read was kept",
        )
    return notice


def set_backup_aside(folder: Path, now: float) -> Notice:
    """Give a backup that is of no use another name."""
    aside = _name(folder, now, "-backup")
    (folder / BACKUP).rename(folder / aside)
    files.sync(folder)
    return Notice(
        Text(N_("The backup was damaged. The journal is not: nothing is lost.")),
        f"the backup in {folder} could not be read: set aside as {aside}; nothing is missing from the journal",
    )


def _name(folder: Path, now: float, kind: str) -> str:
    """Return a name for a database that nothing in a folder has."""
    date, count = _date(now), 1
    name = f"journal-{date}{kind}.db"
    while any(os.path.lexists(folder / (name + end)) for end in (*BESIDE, _MENDED)):
        count += 1
        name = f"journal-{date}-{count}{kind}.db"
    return name


def _date(now: float) -> str:
    """Return a moment as a name bears it."""
    try:
        return datetime.fromtimestamp(now).strftime("%Y-%m-%d-%H%M%S")
    except (ValueError, OverflowError, OSError):  # the clock is so wrong that no calendar has the day
        return "undated"


def _text(found: Found, trouble: str) -> Text:
    here, known, cut = len(found.games), found.all_games, len(found.cut)
    if not here:
        return Text(N_("Journal damaged: nothing could be read."))
    if trouble == GONE:
        return Text(N_("The journal was gone. Its backup is here: {here} games."), here=here)
    if cut:
        return Text(
            N_("Journal damaged: {here} of {all} games kept, {cut} cut short."),
            here=here,
            all=known,
            cut=cut,
        )
    return Text(N_("Journal damaged: {here} of {all} games kept."), here=here, all=known)


def _details(found: Found, folder: Path, trouble: str, aside: str) -> str:
    start = f"the journal in {folder} could not be read ({trouble}): set aside as {aside}"
    if not found.games:
        return f"{start}, a new one begun"
    cut = _listed([f"game {game} up to line {found.kept(game)}" for game in found.cut])
    return f"{start}, {len(found.games)} of {found.all_games} games kept{cut}"


def _listed(parts: Sequence[str]) -> str:
    return "".join(f", {part}" for part in parts)
