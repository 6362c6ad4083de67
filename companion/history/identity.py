"""Resolves players to persons: a renamed person is one person, and spellings of a name do not matter."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from companion.gamelog import name_key

from .renamed_and_hidden import People
from .results import GameResult


class Persons:
    """Resolves the players of games to persons. A person is named by a key, the same for every spelling and old name.

    >>> result = GameResult("", 1, "", ("Zoë", "Bo"), "", 0, 0, 0, "", 0, (5, 9), (1,), (), (), {}, 0)
    >>> Persons(People().rename("Bo", "Bob", 3)).of(result)
    ('zoë', 'bob')
    """

    def __init__(self, people: People) -> None:
        """Use the renamed and hidden people."""
        self.people = people
        self._hidden = frozenset(map(name_key, people.hidden))
        self._keys: dict[tuple[bool, ...], _Keys] = {}

    def of(self, result: GameResult) -> tuple[str, ...]:
        """Return the persons of a game by seat."""
        return tuple(map(self._keys_of(result).__getitem__, result.players))

    def of_name(self, name: str, result: GameResult) -> str:
        """Return the person of a name in a game."""
        return self._keys_of(result)[name]

    def _keys_of(self, result: GameResult) -> _Keys:
        renamed = self.people.renamed
        renamings = tuple([result.number <= change.games for change in renamed]) if renamed else ()
        keys = self._keys.get(renamings)
        if keys is None:
            keys = self._keys[renamings] = _Keys(self.people, result.number)
        return keys

    def names(self, result: GameResult) -> tuple[str, ...]:
        """Return the current names of the players of a game by seat."""
        return tuple(self.people.now(name, result.number) for name in result.players)

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
        return {person: name for person, name in self.called(results).items() if person not in self._hidden}

    def similar(self, name: str, results: Sequence[GameResult]) -> list[str]:
        """Return the names of people who may be meant by a name that nobody has."""
        names = self.visible(results)
        return [names[person] for person in get_close_matches(name_key(name), names, cutoff=0.5)]

    def hides(self, person: str) -> bool:
        """Return whether a person is hidden from lists."""
        return person in self._hidden


class _Keys(dict[str, str]):
    """The keys of names in games to which the same renamings apply."""

    def __init__(self, people: People, number: int) -> None:
        super().__init__()
        self._people = people
        self._number = number

    def __missing__(self, name: str) -> str:
        self[name] = key = name_key(self._people.now(name, self._number))
        return key
