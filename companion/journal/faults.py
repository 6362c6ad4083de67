"""What SQLite and the system say when the journal fails, as sentences for people."""

from __future__ import annotations

import errno
import sqlite3

from companion.core.text import N_, Text

ERRORS = (sqlite3.Error, UnicodeError)  # the second comes from sqlite3 too, for damaged text and for bad text


def code(error: Exception) -> int:
    """Return SQLite's primary code of an error."""
    if isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error):
        return sqlite3.SQLITE_CORRUPT  # what the module says about damaged text has no code
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE)
    return code & 0xFF


def damage(what: str) -> sqlite3.Error:
    """Return an error for damage that SQLite itself cannot see."""
    error = sqlite3.DatabaseError(f"{what} is damaged")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def is_damage(error: Exception) -> bool:
    """Tell whether an error means that the bytes in the files are not those that were written."""
    return code(error) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def is_unreadable(error: Exception) -> bool:
    """Tell whether an error means that what is in the files makes no sense."""
    return is_damage(error) or code(error) == sqlite3.SQLITE_ERROR


def of_the_disk(error: Exception) -> bool:
    """Tell whether an error is one of the disk and the files on it, not of what was asked."""
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}
    return code(error) in {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    }


def why(error: Exception) -> Text:
    """Return what went wrong in the database, in words."""
    words = {
        sqlite3.SQLITE_FULL: N_("the disk is full"),
        sqlite3.SQLITE_IOERR: N_("the disk is full or failing"),
        sqlite3.SQLITE_READONLY: N_("the disk can only be read"),
        sqlite3.SQLITE_BUSY: N_("another program holds it"),
        sqlite3.SQLITE_CANTOPEN: N_("its files cannot be opened"),
        sqlite3.SQLITE_CORRUPT: N_("it is damaged"),
        sqlite3.SQLITE_NOTADB: N_("it is not a database"),
    }
    known = words.get(code(error))
    return Text("{error}", error=str(error)) if known is None else Text(known)


def why_not(error: OSError) -> str:
    """Return what went wrong with a file or folder, in words."""
    words = {
        errno.EACCES: "there is no permission",
        errno.EPERM: "there is no permission",
        errno.EROFS: "the disk can only be read",
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk is full",
        errno.EEXIST: "that is not a folder",
        errno.ENOTDIR: "that is not a folder",
    }
    return words.get(error.errno or 0, error.strerror or str(error))
