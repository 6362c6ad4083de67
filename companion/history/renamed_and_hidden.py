"""People of the history: their current names, who is hidden from lists, and who sat where under which name.

Old games in the journal are never changed: each keeps the names it was played with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from companion.core.game import LogHeader
from companion.decoding import from_json
from companion.gamelog import are_names, decode_header, encode, name_key

if TYPE_CHECKING:
    from .results import GameResult


class NameChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The renaming of a person."""

    old: str  # the name before
    new: str  # the name after
    # The number of games in the journal at that time. In later games the old name means somebody else.
    games: int


class People(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Renamed and hidden people. A person is named by a key, the same for every spelling and old name.

    >>> from companion.history.results import GameResult
    >>> result = GameResult("", 1, "", ("Zoë", "Bo"), "", 0, 0, 0, "", 0, (5, 9), (1,), (), (), {}, 0)
    >>> People().rename("Bo", "Bob", 3).of(result)
    ('zoë', 'bob')
    """

    renamed: tuple[NameChange, ...] = ()  # the renamings, oldest first
    hidden: tuple[str, ...] = ()  # the current names that lists do not offer

    def now(self, name: str, game: int) -> str:
        """Return the current name of a person, given the name in a game of the journal."""
        for change in self.renamed:
            if game <= change.games and is_same_name(name, change.old):
                name = change.new
        return name

    def all_now(self, names: Iterable[str], game: int) -> tuple[str, ...]:
        """Return the current names of people, given those in a game of the journal; see `now`."""
        return tuple(self.now(name, game) for name in names) if self.renamed else tuple(names)

    def renamed_since(self, game: int) -> int:
        """Return how many renamings apply to the names in a game of the journal."""
        return sum(game <= change.games for change in self.renamed)

    def hides(self, name: str) -> bool:
        """Return whether a name, or a person's key, is hidden from lists."""
        return any(is_same_name(name, other) for other in self.hidden)

    def rename(self, old: str, new: str, games: int) -> People:
        """Return the people after a renaming; ``games`` is the number of games in the journal now."""
        hidden = tuple(new if is_same_name(name, old) else name for name in self.hidden)
        return People((*self.renamed, NameChange(old, new, games)), hidden)

    def hide(self, name: str, hidden: bool) -> People:
        """Return the people after a name was hidden or shown again."""
        others = tuple(other for other in self.hidden if not is_same_name(other, name))
        return People(self.renamed, (*others, name) if hidden else others)

    # The persons of a game's players

    def of(self, result: GameResult) -> tuple[str, ...]:
        """Return the persons of a game by seat."""
        return tuple(map(name_key, self.names(result)))

    def of_name(self, name: str, result: GameResult) -> str:
        """Return the person of a name in a game."""
        return name_key(self.now(name, result.number))

    def names(self, result: GameResult) -> tuple[str, ...]:
        """Return the current names of the players of a game by seat."""
        return self.all_now(result.players, result.number)

    def called(self, results: Sequence[GameResult]) -> dict[str, str]:
        """Return everybody's name by person, as spelt in the latest of some games; latest players first."""
        found: dict[str, str] = {}
        for result in reversed(results):
            for seat, person in enumerate(self.of(result)):
                if person not in found:
                    found[person] = self.names(result)[seat]
        return found

    def visible(self, results: Sequence[GameResult]) -> dict[str, str]:
        """Return the names of everybody who is not hidden; see `called`."""
        return {person: name for person, name in self.called(results).items() if not self.hides(person)}

    def similar(self, name: str, results: Sequence[GameResult]) -> list[str]:
        """Return the names of people who may be meant by a name that nobody has."""
        from difflib import get_close_matches  # nothing at the start needs it

        names = self.visible(results)
        return [names[person] for person in get_close_matches(name_key(name), names, cutoff=0.5)]


def is_same_name(one: str, other: str) -> bool:
    """Return whether two names mean the same person. Case and invisible differences are ignored."""
    return name_key(one) == name_key(other)


def written(people: People) -> str:
    """Return the people as JSON."""
    return msgspec.json.encode(people).decode()


def read(line: str | None) -> People:
    """Return the people decoded from JSON. Damaged JSON gives an empty list and invalid names are left out."""
    if line is None:
        return People()
    try:
        people = from_json(line, People)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return People()
    renamed = (change for change in people.renamed if are_names([change.new]))
    return People(tuple(renamed), tuple(name for name in people.hidden if are_names([name])))


def with_current_names(header: LogHeader, players: tuple[str, ...]) -> LogHeader:
    """Return a header with the same rules and these players' names; raise LogError if two are the same."""
    if players == header.players:
        return header
    return decode_header(encode({**from_json(header.written), "players": players}))
