"""The journal: games and settings in files, line by line. It knows nothing of games."""

from .folder import JournalFault, JournalInUse, StoredGame, number
from .journal import Journal

__all__ = ["Journal", "JournalFault", "JournalInUse", "StoredGame", "number"]
