"""Names of people: today's name of everybody in the journal, and who is hidden from lists.

May live here: names and what was changed about them. The games themselves are never touched: an old game keeps
the names it was played with.
"""

from __future__ import annotations

import msgspec

from companion.core.game import Header
from companion.gamelog import LogError, check_names, decode_header, encode, name_key


class NameChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody got another name.

    Attributes:
        old: The name until then.
        new: The name since.
        games: How many games there were; in a later one the old name is somebody else's.
    """

    old: str
    new: str
    games: int


class People(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Renamed and hidden people.

    Attributes:
        renamed: Who was renamed, in the order it was done.
        hidden: The present names that are not offered.
    """

    renamed: tuple[NameChange, ...] = ()
    hidden: tuple[str, ...] = ()

    def now(self, name: str, game: int) -> str:
        """Return what somebody is called now who was called so in a game of the journal."""
        for change in self.renamed:
            if game <= change.games and is_same_name(name, change.old):
                name = change.new
        return name

    def renamed_since(self, game: int) -> int:
        """Return how many of the changes hold for the names in a game of the journal."""
        return sum(game <= change.games for change in self.renamed)

    def hides(self, name: str) -> bool:
        """Tell whether a name is not to be offered."""
        return any(is_same_name(name, hidden) for hidden in self.hidden)

    def rename(self, old: str, new: str, games: int) -> People:
        """Return the list after somebody was renamed, while there were so many games in the journal."""
        hidden = tuple(new if is_same_name(name, old) else name for name in self.hidden)
        return People((*self.renamed, NameChange(old, new, games)), hidden)

    def hide(self, name: str, hidden: bool) -> People:
        """Return the list after somebody was hidden, or is to be seen again."""
        others = tuple(other for other in self.hidden if not is_same_name(other, name))
        return People(self.renamed, (*others, name) if hidden else others)


def is_same_name(one: str, other: str) -> bool:
    """Tell whether two names mean the same person: case and invisible differences do not count."""
    return name_key(one) == name_key(other)


def written(people: People) -> str:
    """Write a list down, as JSON."""
    return msgspec.json.encode(people).decode()


def read(line: str | None) -> People:
    """Read a list that was written down; what cannot be read of it is no change, and no game is lost by it."""
    if line is None:
        return People()
    try:
        people = msgspec.json.decode(line, type=People)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return People()
    renamed = (change for change in people.renamed if _is_name(change.new))
    return People(tuple(renamed), tuple(filter(_is_name, people.hidden)))


def _is_name(name: str) -> bool:
    """Tell whether somebody can be called so."""
    try:
        return check_names([name]) == (name,)
    except LogError:
        return False


def with_current_names(header: Header, players: tuple[str, ...]) -> Header:
    """Return a header with the same rules for people of these names.

    Raises:
        LogError: Two of them are called the same.
    """
    if players == header.players:
        return header
    return decode_header(encode({**msgspec.json.decode(header.written), "players": players}))
