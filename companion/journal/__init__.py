"""The journal: games and settings in files, line by line. It knows nothing of games."""

from .folder import JournalError, JournalInUseError, StoredGame, number
from .journal import Journal

__all__ = ["Journal", "JournalError", "JournalInUseError", "StoredGame", "number"]
