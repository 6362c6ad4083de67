"""The drafts: which game is open, and the unfinished entry of each game.

They can be lost without harm: a draft that cannot be written never delays a game's line.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec import MsgspecError, Struct, to_builtins

from companion.core.text import Text, why
from companion.decoding import convert

from .folder import Folder, StoredGame
from .mirrored_chain import MOST_SUPERSEDED, NamedValues

LATEST = 20  # the latest values, kept in the new file
MOST_BEGUN = 100  # the latest drafts that hold something, kept there however long ago it was begun
NEW = "new"  # the draft without a game on the table has this in the place of a game's name
OPEN = "open game"  # what the value is called that names the open game
_DRAFT = "draft "  # what the name of a draft begins with


class Draft(Struct, frozen=True, omit_defaults=True):
    """The draft of a game: its unfinished entry."""

    lines: int = 0  # how many lines the game had below its header
    given: Any = ""  # the unfinished entry, as JSON values; empty for none
    keys: str = ""  # the keys that earlier versions kept instead
    tracking: str | None = None  # the level of detail, if it was changed after that line


class Drafts:
    """The drafts in two files: one synced at the end of each answer, one for every key, in memory if possible.

    Args:
        folder: Where the files are.
        saved: Every known game, by its name; it grows while the journal is used.
    """

    def __init__(self, folder: Folder, saved: Mapping[str, StoredGame]) -> None:
        self._games = saved
        # the two files, the synced one first
        self.chains = (folder.named_values("draft"), folder.named_values("typed"))

    def use_typed(self, typed: NamedValues) -> None:
        """Use a file of typed keys that was read: take what is newer there."""
        saved = self.chains[0]
        self.chains = saved, typed
        for slot, generation in typed.generations.items():
            if generation > saved.generations.get(slot, 0):
                saved.values[slot], saved.generations[slot] = typed.values[slot], generation

    @property
    def fault(self) -> Text | None:
        """Return why drafts are not on the disk; None if they are."""
        return next((why(error) for each in self.chains for error in each.failing.values() if each.unsaved), None)

    @property
    def open_game(self) -> str | None:
        """Return the name of the game that was open last; None if none was."""
        game = self.chains[0].values.get(OPEN)
        return game if isinstance(game, str) else None

    def of(self, game: str) -> Draft:
        """Return the draft of a game, or of a set-up (`NEW`)."""
        kept = self.chains[0].values.get(_DRAFT + game)
        if kept is not None:  # most games have none
            with suppress(MsgspecError):
                return convert(kept, Draft)
        return Draft()

    def keep(self, name: str, value: Draft | str | None, *, sync: bool) -> tuple[NamedValues, ...]:
        """Keep the draft of a game, or which game is open (`OPEN`), in memory; return the files to be written."""
        slot, kept = (_DRAFT + name if isinstance(value, Draft) else name), to_builtins(value)
        saved, typed = self.chains
        chains = (typed, saved) if sync else (typed,)
        values = saved.values
        generation = 1 + max((*saved.generations.values(), *typed.generations.values()), default=0)
        values.pop(slot, None)
        values[slot], saved.generations[slot] = kept, generation  # the latest last
        for each in chains:
            if len(each.rows) > MOST_SUPERSEDED:
                each.replace_values({OPEN: self.open_game} | self._lasting(values), generation)
            each.keep(slot, kept, generation)
        return chains

    def _lasting(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that a new file keeps, the latest last: a file that grew too long is replaced by one."""
        begun = [slot for slot, value in values.items() if isinstance(value, dict) and self._unfinished(slot, value)]
        kept = {*begun[-MOST_BEGUN:], *[*values][-LATEST:]}
        return {slot: value for slot, value in values.items() if slot in kept}

    def _unfinished(self, slot: str, value: Mapping[str, Any]) -> bool:
        """Return whether a draft holds something that has not been entered since, as its game's length tells."""
        game = self._games.get(slot.removeprefix(_DRAFT))
        return bool(value.keys() - {"lines"}) and (game is None or game.lines <= value.get("lines", 0))
