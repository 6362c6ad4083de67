"""The registry of games by name, the checks of a game when it is registered, and the guard at its border.

A game is opened when somebody asks for it. The four games that the suite proves are not guarded; every other game is,
as soon as it is one of `Games`: every value that it gives is checked, and a game that fails is put aside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from msgspec.structs import FieldInfo, fields, replace

from .game import Best, Event, Game, GameView, Progress, RuleOption, RuleValue, Start, Table
from .prompt import Prompt
from .text import N_, GameDeclarationError, GameValueError, IllegalEventError, SentenceError, Text, tell

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

    def begin(self, call: str) -> object:
        """Note that a call begins; return a token for `end`."""

    def end(self, token: object) -> None:
        """Note that the call has ended: it is not interrupted any more.

        Raises TooSlowError if the call ended as it was interrupted; then it is to be told once more.
        """


class NoTimer:
    """Measures nothing."""

    def begin(self, call: str) -> object:
        """Do nothing."""

    def end(self, token: object) -> None:
        """Do nothing."""


class GuardState:
    """What is known of a guarded game: its faults, and the latest state that was checked."""

    def __init__(self, game: Game[Any]) -> None:
        """Take the game as it was given."""
        self.game = game
        self.faults = 0
        self.checked: object = None  # the state that `progress` belongs to
        self.progress: Any = None

    @property
    def aside(self) -> bool:
        """Return whether the game is put aside."""
        return self.faults >= MOST_FAULTS

    def fault(self, wrong: object) -> GameFaultError:
        self.faults += 1
        self.checked = None
        return GameFaultError(self.game.title, wrong)


class HoldsCallTimer(Protocol):
    """An object that holds the time limit for calls of games; another timer may take its place while it runs."""

    timer: CallTimer


def guarded(game: Game[Any], state: GuardState, games: HoldsCallTimer) -> Game[Any]:
    """Return a game whose functions are called under guard."""
    from . import returned_value_checks as values

    def guard(function: Callable[..., Any] | None, name: str, check: Callable[..., None] | None = None) -> Any:
        """Return a function under guard; ``check`` gets the value, and then the arguments."""
        return None if function is None else partial(_called, state, games, function, name, check)

    def seats_in(at: Any) -> int:
        return len(progress(at).totals)

    def for_state(check: Callable[..., None]) -> Callable[..., None]:
        """Return a check that also gets the number of seats, from the first argument, a state."""
        return lambda value, at, *_rest: check(value, seats_in(at))

    inner = guard(game.progress, "progress", lambda value, _state: values.progress(value, game.seats))

    def progress(at: Any) -> Any:
        if at is None or state.checked is not at:
            state.progress = inner(at)
            state.checked = at
        return state.progress

    optional = game.optional
    events: tuple[type[Event], ...] = (Start, *game.events)
    rounds, declared = optional.round_points, optional.sides
    return replace(
        game,
        start=guard(game.start, "start"),
        apply=guard(game.apply, "apply"),
        ask=guard(game.ask, "ask", lambda value, at, *_rest: values.asked(value, seats_in(at), events)),
        answers=guard(
            game.answers,
            "answers",
            lambda value, at, _event: values.each_of(lambda each: values.answer(each, seats_in(at)), value),
        ),
        progress=progress,
        snapshot=guard(game.snapshot, "snapshot", lambda value, _state: values.kind(value, dict)),
        view=guard(game.view, "view", for_state(values.view)),
        outcome=guard(game.outcome, "outcome", lambda value, at, *_rest: values.outcome(value, seats_in(at))),
        score_sheet=guard(game.score_sheet, "score_sheet", for_state(values.table)),
        describe=guard(game.describe, "describe", lambda value, _event: values.text(value)),
        moment=guard(game.moment, "moment", lambda value, _state: values.text(value)),
        options=tuple(_guarded_option(option, guard) for option in game.options),
        optional=replace(
            optional,
            alerts=guard(optional.alerts, "alerts", lambda value, _state: values.texts(value)),
            short_moment=guard(optional.short_moment, "short_moment", lambda value, _state: values.text(value)),
            keys=guard(optional.keys, "keys", lambda value, *_of: values.texts(value)),
            rules_card=guard(optional.rules_card, "rules_card", lambda value, *_of: values.each_of(values.page, value)),
            finished_rounds=guard(
                optional.finished_rounds,
                "finished_rounds",
                lambda value, _state: values.whole(value, 0, values.MOST_ROUNDS, "rounds"),
            ),
            round_points=guard(rounds, "round_points", for_state(values.rounds)),
            winners_so_far=guard(optional.winners_so_far, "winners_so_far", for_state(values.winners)),
            counted_actions=guard(
                lambda *of: tuple(optional.counted_actions(*of)),
                "counted_actions",
                lambda value, at, *_rest: values.actions(value, seats_in(at), optional.action_names),
            ),
            sides=guard(declared, "sides", lambda value, seats, _rules: values.partition(value, seats)),
            declarers=guard(optional.declarers, "declarers", for_state(values.some_seats)),
            refit=guard(optional.refit, "refit"),
            log_likelihood=guard(
                optional.log_likelihood, "log_likelihood", lambda value, *_of: values.probability(value)
            ),
        ),
    )


def _guarded_option(option: RuleOption, guard: Callable[..., Any]) -> RuleOption:
    choices = tuple(_guarded_choice(choice, guard) for choice in option.choices)
    return replace(option, choices=choices, proposed=guard(option.proposed, f"option {option.name}"))


def _guarded_choice(choice: RuleValue, guard: Callable[..., Any]) -> RuleValue:
    return replace(choice, number=guard(choice.number, "option"))


def _called(
    state: GuardState,
    games: HoldsCallTimer,
    function: Callable[..., Any],
    name: str,
    check: Callable[..., None] | None,
    *arguments: Any,
) -> Any:
    """Return what a function of a game returns, once it is checked; raise GameFaultError if it is wrong."""
    if state.aside:
        raise GameFaultError(state.game.title, Text(N_("it has failed three times")))
    token = games.timer.begin(f"{state.game.title}: {name}")
    try:
        try:
            value = function(*arguments)
        finally:
            games.timer.end(token)
    except IllegalEventError as refused:
        raise _refusal(state, name, refused) from refused
    except TooSlowError:
        games.timer.end(token)  # it may have been raised in there
        raise state.fault(Text(N_("{function} takes too long"), function=name)) from None
    except (Exception, SystemExit, GeneratorExit) as error:
        raise state.fault(Text(N_("{function} failed ({error})"), function=name, error=_short(error))) from error
    if check is not None:
        try:
            check(value, *arguments)
        except GameValueError as wrong:
            raise state.fault(f"{name} {wrong}") from None
    return value


def _refusal(state: GuardState, name: str, refused: IllegalEventError) -> Exception:
    """Return a refusal as it is, or a fault if its sentence cannot be shown."""
    from . import returned_value_checks as values

    try:
        values.text(refused.text)
    except GameValueError as wrong:
        return state.fault(f"{name} {wrong}")
    return refused


def _short(error: BaseException) -> str:
    written = "".join(letter if letter.isprintable() else " " for letter in f"{type(error).__name__}: {error}"[:120])
    return written.strip()


# The registry


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
        GameDeclarationError: It is no `Progress`, or names seats or numbers of players that the game does not have.
    """
    progress = game.progress(state)
    if not isinstance(progress, Progress):
        raise GameDeclarationError(game.name, f"progress returns {type(progress).__name__}")
    seats = len(progress.totals)
    if seats not in game.seats or players not in (None, seats):
        raise GameDeclarationError(game.name, f"progress has totals of {seats} seats")
    named = (progress.turn, progress.leader, *(progress.winners or ()), *(progress.may_start or ()))
    if not all(seat is None or 0 <= seat < seats for seat in named):
        raise GameDeclarationError(game.name, f"progress names a seat that {seats} players do not have")
    if progress.winners == ():
        raise GameDeclarationError(game.name, "progress has no winners, though the game is over")
    return progress


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
    checked(game, state)
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
        sides = game.optional.sides(seats, {})
        if sorted(seat for side in sides for seat in side) != [*range(seats)] or not all(sides):
            yield f"sides: not each of {seats} seats is on one side"
