"""The notices of damaged and failing files that the journal shows at the table."""

from __future__ import annotations

from pathlib import Path

from companion.core.text import N_, Text, why

from . import disk
from .folder import JournalError, number
from .mirrored_chain import LoadResult

GONE = N_("{what} is gone from the disk")
REWRITTEN = N_("Files were missing or changed. All open games are written again")
NOT_LISTED = N_("The games cannot be listed: {why}")
ONE_FAILS = Text(N_("one of its files fails"))
NO_DRAFT = N_("A half-entered answer is not kept: {why}")
_NOT_MOVED = N_("{what} stays where it is: {why}")
_DEFAULTS = N_("{what} cannot be read: {why}. Those of a new box are used")
_UNREADABLE = N_("{what} cannot be read: {why}")

_REPAIRED = N_("{what}: a damaged file is mended from its copy")
_MISSING = N_("{what}: entries are missing. {count} of {before} are there")
_MORE = N_("{what}: entries that can be read: {count}. Its files hold something else, too, and are kept")
_NOTHING = N_("{what}: damaged, and nothing of it can be read. Its files are kept")
_ONE_FILE = N_("{what}: one of its two files fails: {why}. The other one is used")
_ONE_FOLDER = N_("The folder {folder} fails: {why}. The other one is used")


def named(name: str) -> Text:
    if name[:1].isdecimal():
        return Text(N_("Game {number}"), number=number(name))
    return Text(
        {"settings": N_("Settings"), "imported": N_("Imported games"), "remarks": N_("Places and notes")}.get(
            name, name
        )
    )


def missing(name: str, count: int, before: int) -> Text:
    """Return the notice of a game that had more entries."""
    return Text(_MISSING, what=named(name), count=count, before=before)


def not_moved(name: str, fault: Text) -> JournalError:
    """Return the error of a game that could not be removed or brought back."""
    return JournalError(Text(_NOT_MOVED, what=named(name), why=fault))


def unreadable(name: str, error: OSError) -> Text:
    """Return the notice of a chain of which no file can be read."""
    return Text(_DEFAULTS if name == "settings" else _UNREADABLE, what=named(name), why=why(error))


def damage(name: str, loaded: LoadResult, count: int, before: int, *, repaired: bool) -> Text | None:
    """Return the notice of a chain's damage; None if there is nothing to tell the table.

    ``count`` is how many entries there are, below the header of a game; ``before`` how many are known to have been.
    """
    if loaded.unreadable:
        return Text(_NOTHING, what=named(name))
    if 0 <= count < before:
        return missing(name, count, before)
    if loaded.may_lack_entries:
        return Text(_MORE, what=named(name), count=count)
    return Text(_REPAIRED, what=named(name)) if loaded.damaged and repaired else None


def failing(name: str, file: Path, fault: OSError) -> tuple[str, Text]:
    """Return the file or folder of a chain that fails, and the notice of it."""
    folder = file.parent
    if (error := disk.fault_of(folder)) is not None:
        return str(folder), Text(_ONE_FOLDER, folder=folder.name, why=why(error))
    return str(file), Text(_ONE_FILE, what=named(name), why=why(fault))
