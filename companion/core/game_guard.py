"""The guard at a game's border: every value that a game gives is checked, and a game that fails is put aside.

The four games that the suite proves are not guarded. Every other game is, as soon as it is one of `games.Games`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from msgspec.structs import replace

from .errors import GameValueError, IllegalEventError, SentenceError
from .events import Event, Start
from .game import Game, RuleOption, RuleValue
from .text import N_, Text, tell

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
    from . import returned_value_checks as values  # most starts open no game that is guarded

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
            odds=guard(optional.odds, "odds", lambda value, *_of: values.probability(value)),
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
