"""The guard at the border of a game, the registry of games by name, and the checks of a game when it is registered.

A game is opened when somebody asks for it. The four games that the suite proves are not guarded; every other game is,
as soon as it is one of `Games`: a function that fails or takes too long is told in a sentence, and a game that fails
three times is put aside. What it returns is not checked, but for its progress: the results are made of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from functools import partial
from threading import RLock
from typing import Any, Protocol, TypeVar

from msgspec import Struct, ValidationError
from msgspec.structs import FieldInfo, asdict, fields, replace

from companion.decoding import convert

from .game import Best, Game, GameView, Progress, Table
from .prompt import Prompt
from .text import N_, NC_, GameDeclarationError, IllegalEventError, SentenceError, Text, tell

T = TypeVar("T")
S = TypeVar("S", bound=Struct)


# The guard


MOST_FAULTS = 3
"""Faults after which a game is put aside, until somebody asks for it."""


class GameFaultError(SentenceError):
    """A game failed, was too slow, or gave a wrong value. Other games are not concerned."""

    def __init__(self, title: str, wrong: object) -> None:
        self.wrong = wrong
        self.text = Text(N_("{game} cannot be shown: {wrong}"), game=Text(title), wrong=wrong)
        super().__init__(tell(self.text))


class TooSlowError(BaseException):
    """A game's function took too long. The timer raises it there; it is no Exception, so that no game catches it."""


class CallTimer(Protocol):
    """Measures the calls of games, and interrupts those that take too long."""

    def call(self, what: str, function: Callable[..., T], *arguments: Any) -> T:
        """Return what a function returns; raise TooSlowError if it takes too long."""


class NoTimer:
    """Measures nothing."""

    def call(self, _what: str, function: Callable[..., T], *arguments: Any) -> T:
        """Return what a function returns."""
        return function(*arguments)


class Guard:
    """A game under guard: its functions are timed and their faults counted.

    Args:
        given: The game as it was given.
        games: Its timer measures the calls; another may take its place meanwhile.
        changed: When the rules of the game were changed.
    """

    def __init__(self, given: Game[Any], games: Games, changed: float = 0) -> None:
        self.given, self._games, self.changed = given, games, changed
        self.faults = 0
        options = [replace(self._part(each), choices=(*map(self._part, each.choices),)) for each in given.options]
        self.game = replace(self._part(given), options=(*options,), optional=self._part(given.optional))

    @property
    def aside(self) -> bool:
        """Return whether the game is put aside."""
        return self.faults >= MOST_FAULTS

    def _part(self, declared: S) -> S:
        """Return a part of the declaration whose functions are called under guard."""
        parts = {name: getattr(declared, name) for name in declared.__struct_fields__}
        parts.pop("rules", None)  # a type, which can be called, too
        functions = {name: part for name, part in parts.items() if callable(part)}
        return replace(declared, **{name: partial(self._called, name, each) for name, each in functions.items()})

    def _called(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function of the game returns; raise GameFaultError if it fails, or takes too long."""
        title = self.given.title
        if self.aside:
            raise GameFaultError(title, Text(N_("it has failed three times")))
        try:
            return self._games.timer.call(f"{title}: {name}", _complete, function, *arguments)
        except IllegalEventError:
            raise  # a refusal is an answer
        except TooSlowError:
            self.faults += 1
            raise GameFaultError(title, Text(N_("{function} takes too long"), function=name)) from None
        except (Exception, SystemExit, GeneratorExit) as error:
            self.faults += 1
            why = Text(N_("{function} failed ({error})"), function=name, error=_short(error))
            raise GameFaultError(title, why) from error


def _complete(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function returns; what it would yield later is there at once, while the call is measured."""
    value = function(*arguments)
    return tuple(value) if isinstance(value, Iterator) else value


def _short(error: BaseException) -> str:
    written = "".join(letter if letter.isprintable() else " " for letter in f"{type(error).__name__}: {error}"[:120])
    return written.strip()


# The registry


OTHERS = "others"
"""The family of a game that names none."""
FAMILIES: Mapping[str, str] = {
    "tricks-pairs": N_("Tricks in pairs"),
    "tricks-sides": N_("Tricks, changing sides"),
    "tricks-alone": N_("Tricks on your own"),
    "shedding": N_("Getting rid of cards"),
    "rummy": N_("Rummy"),
    "cards": N_("Other card games"),
    "dice": N_("Dice, tiles, darts"),
    "points": NC_("games", "Points only"),
    OTHERS: NC_("games", "Others"),
}
"""The families of games in the order of lists, with their titles."""


class ClosedGames(Protocol):
    """Games that are opened one by one, when somebody asks for them."""

    def titles(self) -> Mapping[str, str]:
        """Return the titles of the games by their names, without opening them."""

    def game(self, name: str) -> Game[Any]:
        """Open a game; raise KeyError if there is none of this name, or GameFaultError if it cannot be used."""


class FoundGames(ClosedGames, Protocol):
    """Games that are looked for, in files and packages: they may change while the program runs."""

    def families(self) -> Mapping[str, str]:
        """Return the families of games that name one, by the games' names, without opening them."""

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
        self._opened: dict[str, Guard] = {}
        self._opening: dict[str, RLock] = {}  # by game: threads of pages open games, too, and all have the same one
        self.timer: CallTimer = NoTimer()
        self._guards: dict[str, Guard] = {}  # those of the opened games, and of those that were added

    def __setitem__(self, name: str, game: Game[Any]) -> None:
        if game not in self._games.values():
            self._guards[name] = Guard(game, self)
            game = self._guards[name].game
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
            game = self._open(name)
        return game

    def _open(self, name: str) -> Game[Any]:
        assert self._own is not None  # it has the name
        with self._opening.setdefault(name, RLock()):
            opened = self._games[name] = self._games[name] or self._own.game(name)
        return opened

    def _find(self, name: str) -> Game[Any]:
        if self.found is None:
            raise KeyError(name)
        changed = self.found.changed(name)
        if not self._is_opened(name, changed):
            with self._opening.setdefault(name, RLock()):
                if not self._is_opened(name, changed):
                    self._guards[name] = self._opened[name] = Guard(self.found.game(name), self, changed)
        return self._opened[name].game

    def _is_opened(self, name: str, changed: float) -> bool:
        """Return whether a game that is found is open as it was when its rules were changed last."""
        return name in self._opened and changed in (self._opened[name].changed, 0)

    def __contains__(self, name: object) -> bool:
        if name in self._games:
            return True
        with suppress(KeyError, GameFaultError):
            return isinstance(name, str) and self[name] is not None
        return False

    def holds(self, game: Game[Any]) -> bool:
        """Return whether a game is the one of its name here, as it was given or under guard."""
        known = self.get(game.name)
        given = self._guards[game.name].given if game.name in self._guards else known
        return known is not None and game in (known, given)

    def use(self, found: FoundGames | None) -> None:
        """Look for games there from now on."""
        self.found = found
        self._opened.clear()

    def get(self, name: str, default: Any = None) -> Any:
        """Return a game, or something else if there is none of this name."""
        if (opened := self._games.get(name)) is not None:
            return opened
        with suppress(KeyError, GameFaultError):
            return self[name]
        return default

    @property
    def found_titles(self) -> dict[str, str]:
        """Return the titles of the games that are found by their names; none is opened for it."""
        titles = {} if self.found is None else self.found.titles()
        return {name: title for name, title in titles.items() if name not in self._games}

    @property
    def found_families(self) -> dict[str, str]:
        """Return the families of the games that are found by their names; none is opened for it."""
        families = {} if self.found is None else self.found.families()
        return {name: families.get(name, OTHERS) for name in self.found_titles}

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
        own = (game for game in self._games.values() if game is not None)
        return (*own, *(guard.game for guard in self._opened.values()))

    def aside(self, name: str) -> bool:
        """Return whether a game is put aside."""
        return name in self._guards and self._guards[name].aside

    def ask_for(self, name: str) -> None:
        """Note that somebody asks for a game: one that was put aside is tried again."""
        if name in self._guards:
            self._guards[name].faults = 0


# Checks


NAME = "[a-z0-9-]{1,40}"
"""What a game's name may be: it is part of the names of files in the journal."""
LONGEST_TITLE = 30
"""The most characters of a title: a row of the list of games."""


def registered(*games: Game[Any]) -> Games:
    """Return games by their names. They are those that the suite proves; what is added later is guarded.

    Raises:
        GameDeclarationError: A part of a declaration is missing or wrong, or two games have the same name.
    """
    named: dict[str, Game[Any]] = {}
    for game in games:
        wrong = "another game has this name" if game.name in named else next(faults(game), None)
        if wrong is not None:
            raise GameDeclarationError(game.name, wrong)
        named[game.name] = game
    return Games(named.values())


def checked(game: Game[Any], state: Any, players: int | None = None) -> Progress:
    """Return the progress of a game in a state, for so many players if they are known.

    Raises:
        GameFaultError: It is no `Progress`, or names seats or numbers of players that the game does not have.
    """
    return as_declared(game, game.progress(state), players)


def as_declared(game: Game[Any], progress: Any, players: int | None = None) -> Progress:
    """Return how far a game is as it is, or raise GameFaultError: see `checked`."""
    wrong = _wrong_progress(game, progress, players)
    if wrong is not None:
        raise GameFaultError(game.title, f"progress {wrong}")
    declared: Progress = progress
    return declared


def _wrong_progress(game: Game[Any], progress: Any, players: int | None) -> str | None:
    """Return what is wrong with a progress; None if nothing is."""
    if not isinstance(progress, Progress):
        return f"returns {type(progress).__name__}"
    try:
        if convert(asdict(progress), Progress) != progress:
            return "has a list where a tuple belongs"
    except ValidationError as error:
        return f"has another kind of value in {re.findall(r'`[$].([a-z_]+)', str(error))[-1]}"
    seats = len(progress.totals)
    if seats not in game.seats or players not in (None, seats):
        return f"has totals of {seats} seats"
    named = (progress.turn, progress.leader, *(progress.winners or ()), *(progress.may_start or ()))
    if not all(seat is None or 0 <= seat < seats for seat in named):
        return f"names a seat that {seats} players do not have"
    return None


def faults(game: Game[Any]) -> Iterator[str]:
    """Yield what is wrong with a declaration, and with its first state for the fewest players."""
    if not re.fullmatch(NAME, game.name):
        yield "its name may have small letters, digits and hyphens, at most 40"
    if not game.title.strip() or not game.title.isprintable() or len(game.title) > LONGEST_TITLE:
        yield f"its title may have 1 to {LONGEST_TITLE} characters, and no control characters"
    if not game.seats:
        yield "seats is empty"
    if not game.trackings:
        yield "trackings is empty"
    rules = {field.name: field for field in fields(game.rules)}
    yield from (f"rule {name} has no default" for name, field in rules.items() if field.required)
    yield from (f"option {option.name} is no rule" for option in game.options if option.name not in rules)
    yield from (f"option {option.name} has no choices" for option in game.options if not option.choices)
    for name in ("by_turn", "whole_round"):
        others = [kind.__name__ for kind in getattr(game.optional, name) if kind not in game.events]
        yield from (f"{name}: {kind} is not among the events" for kind in others)
    actions = [*game.optional.remarkable, *filter(None, [game.optional.lasting_action])]
    yield from (f"action {what} has no name" for what in actions if what not in game.optional.action_names)
    if game.optional.edition not in (None, *rules):
        yield f"edition: {game.optional.edition} is no rule"
    yield from _faults_of_sides(game, rules)
    seats = game.seats[0]
    state = game.start(seats, game.rules())
    wrong = _wrong_progress(game, game.progress(state), seats)
    if wrong is not None:
        yield f"progress {wrong}"
    view, sheet = game.view(state), game.score_sheet(state)
    if not isinstance(view, GameView) or len(view.seats) != seats:
        yield f"view has no line for each of {seats} seats"
    if not isinstance(sheet, Table) or len(sheet.rows) != seats:
        yield f"score_sheet has no row for each of {seats} seats"
    for tracking in game.trackings:
        if not isinstance(game.ask(state, tracking, ()), Prompt):
            yield f"ask asks nothing at the beginning, tracking {tracking.value}"
    if not isinstance(game.snapshot(state), dict):
        yield "snapshot returns no dict"


def _faults_of_sides(game: Game[Any], rules: Mapping[str, FieldInfo]) -> Iterator[str]:
    """Yield what is wrong with the points that are the best, and with the sides of any number of players."""
    best = game.optional.best
    if not isinstance(best, Best):
        if best not in rules:
            yield f"best: {best} is no rule"
        elif rules[best].default not in [each.value for each in Best]:
            yield f"best: the default of rule {best} is neither highest nor lowest"
    if game.optional.sides is None:
        return
    for seats in game.seats:
        if not is_partition(game.optional.sides(seats, {}), seats):
            yield f"sides: not each of {seats} seats is on one side"


def is_partition(sides: Any, seats: int) -> bool:
    """Return whether each seat is on one side; a game may have given anything."""
    with suppress(TypeError):
        return sorted(seat for side in sides for seat in side) == [*range(seats)] and all(sides)
    return False
