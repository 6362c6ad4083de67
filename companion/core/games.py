"""The registry of games, by name. A game is opened when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from typing import Any, Protocol

from .game import Game
from .game_guard import CallTimer, GameFaultError, GuardState, NoTimer, guarded


class ClosedGames(Protocol):
    """Games that are opened one by one, when somebody asks for them."""

    def titles(self) -> Mapping[str, str]:
        """Return the titles of the games by their names, without opening them."""

    def game(self, name: str) -> Game[Any]:
        """Open a game; raise KeyError if there is none of this name, or GameFaultError if it cannot be used."""


class FoundGames(ClosedGames, Protocol):
    """Games that are looked for, in files and packages: they may change while the program runs."""

    def fingerprint(self) -> str:
        """Return a text that differs once a game has changed."""

    def changed(self, name: str) -> float:
        """Return when the rules of a game were changed, in seconds since 1970; 0 if they cannot change."""


class Games(MutableMapping[str, Game[Any]]):
    """Games by their names. Those that are added or found are under guard: their faults and slow calls stop nothing.

    A game of a file or package is found when its name is asked for, and again once its file has changed: a game that is
    played keeps its rules as long as it is open. Iterating does not look for any: it goes over the games of the program
    and those that have been added.
    """

    def __init__(
        self, proved: Iterable[Game[Any]] = (), found: FoundGames | None = None, own: ClosedGames | None = None
    ) -> None:
        """Begin with games that are not guarded.

        Args:
            own: More of them, each opened when somebody asks for it: the start does not wait for the rules of all.
        """
        self._own = own
        self._games: dict[str, Game[Any] | None] = dict.fromkeys(() if own is None else own.titles())
        self._games |= {game.name: game for game in proved}
        self.found = found
        self._opened: dict[str, tuple[float, Game[Any]]] = {}  # with the time when its rules were changed
        self.timer: CallTimer = NoTimer()
        self._guards: dict[str, GuardState] = {}

    def __setitem__(self, name: str, game: Game[Any]) -> None:
        if game not in self._games.values():
            self._guards[name] = GuardState(game)
            game = guarded(game, self._guards[name], self)
        self._games[name] = game

    def __delitem__(self, name: str) -> None:
        del self._games[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    def __getitem__(self, name: str) -> Game[Any]:
        game = self._games[name] if name in self._games else self._find(name)
        if game is None:
            assert self._own is not None  # it has the name
            game = self._games[name] = self._own.game(name)
        return game

    def _find(self, name: str) -> Game[Any]:
        if self.found is None:
            raise KeyError(name)
        changed = self.found.changed(name)
        if name not in self._opened or changed not in (self._opened[name][0], 0):
            game = self.found.game(name)
            self._guards[name] = GuardState(game)
            self._opened[name] = changed, guarded(game, self._guards[name], self)
        return self._opened[name][1]

    def __contains__(self, name: object) -> bool:
        if name in self._games:
            return True
        with suppress(KeyError, GameFaultError):
            return isinstance(name, str) and self[name] is not None
        return False

    def holds(self, game: Game[Any]) -> bool:
        """Return whether a game is the one of its name here, as it was given or under guard."""
        known = self.get(game.name)
        given = self._guards[game.name].game if game.name in self._guards else known
        return known is not None and game in (known, given)

    def use(self, found: FoundGames | None) -> None:
        """Look for games there from now on."""
        self.found = found
        self._opened.clear()

    def get(self, name: str, default: Any = None) -> Any:
        """Return a game, or something else if there is none of this name."""
        with suppress(KeyError, GameFaultError):
            return self[name]
        return default

    @property
    def found_titles(self) -> dict[str, str]:
        """Return the titles of the games that are found by their names; none is opened for it."""
        titles = {} if self.found is None else self.found.titles()
        return {name: title for name, title in titles.items() if name not in self._games}

    def changed(self, name: str) -> float:
        """Return when the rules of a game were changed, in seconds since 1970; 0 if they come with the program."""
        return 0 if self.found is None or name in self._games else self.found.changed(name)

    @property
    def fingerprint(self) -> str:
        """Return a text that differs once a game that is found has changed; none is opened for it."""
        return "" if self.found is None else self.found.fingerprint()

    def titles(self) -> dict[str, str]:
        """Return the titles of all games by their names, those that are found last."""
        return {name: self.title(name) for name in self} | self.found_titles

    def title(self, name: str) -> str:
        """Return the title of a game; a game of the program is not opened for it."""
        closed = self._own is not None and name in self._games and self._games[name] is None
        return self._own.titles()[name] if self._own is not None and closed else self[name].title

    @property
    def opened(self) -> tuple[Game[Any], ...]:
        """Return the games that somebody has asked for."""
        return (
            *(game for game in self._games.values() if game is not None),
            *(game for _changed, game in self._opened.values()),
        )

    def aside(self, name: str) -> bool:
        """Return whether a game is put aside."""
        return name in self._guards and self._guards[name].aside

    def ask_for(self, name: str) -> None:
        """Note that somebody asks for a game: one that was put aside is tried again."""
        if name in self._guards:
            self._guards[name].faults = 0
