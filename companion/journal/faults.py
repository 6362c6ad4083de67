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


def why(error: Exception) -> Text:
    """Return what went wrong in the database, in words."""
    words = {
        sqlite3.SQLITE_FULL: N_("the disk is full"),
        sqlite3.SQLITE_IOERR: N_("the disk is full or failing"),
        sqlite3.SQLITE_READONLY: N_("it can only be read"),
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
