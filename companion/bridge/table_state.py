"""The state of a table and what has just happened at it, as plain data in one language."""

from __future__ import annotations

from itertools import islice
from typing import Any

from msgspec import Struct

from companion.core.cards import Card, Suit
from companion.core.game import CardSound, Event, EventOutcome
from companion.core.session import EventStep, Session
from companion.core.text import N_, Seat, Text, joined
from companion.ui.translations import Translator

MOST_CARDS = 20  # the most cards of a trick that are looked through for the one that was led

EVENTS = ("trump_changed", "trick", "alert", "round_end", "game_end", "corrected")
"""The kinds of events, the most important last but for corrections."""


class SeatState(Struct, frozen=True):
    """A player and the score."""

    name: str
    score: int
    won: bool


class TableState(Struct, frozen=True):
    """The state of a table in words; a field is None while the game has no such thing, or there is no game."""

    game: str | None = None  # its title
    round: int | None = None
    turn: str | None = None  # the player to act
    trump: str | None = None
    trump_suit: str | None = None  # the name of its suit, the same in every language
    colour: tuple[int, int, int] | None = None  # the lamp's colour for it: red, green, blue, each 0-255
    led: str | None = None  # the led suit
    over: bool = False
    ended_early: bool = False  # whether the table ended the game before its end: only its finished rounds count
    alerts: int = 0  # how many alerts there are so far
    latest_alert: str | None = None
    seats: tuple[SeatState, ...] = ()
    unsaved: int = 0  # entries that the box's disk refuses


class TableEvent(Struct, frozen=True):
    """Something that has happened: its kind, one of `EVENTS`, and a sentence."""

    event_type: str
    text: str


def table_state(session: Session, words: Translator) -> TableState:
    """Return the state of a table.

    Args:
        words: Translates; it needs no players' names.
    """
    game, state, progress = session.header.game, session.state, session.progress
    told = words.at(session.header.players)
    headline = None if progress.over else game.view(state).headline
    trump = headline if headline is not None and headline.trump else None
    alerts = game.optional.alerts(state)
    led = _led(session)
    return TableState(
        game=told(Text(game.title)),
        round=progress.round,
        turn=None if progress.turn is None else told(Seat(progress.turn)),
        trump=None if trump is None else told(trump.word),
        trump_suit=None if trump is None else str(trump.picture),
        colour=None if trump is None else trump.colour,
        led=None if led is None else told(led.label),
        over=progress.over,
        ended_early=session.finished,
        alerts=len(alerts),
        latest_alert=told(alerts[-1]) if alerts else None,
        seats=seat_states(session),
    )


def seat_states(session: Session) -> tuple[SeatState, ...]:
    """Return the players of a table with their scores, by seat."""
    progress = session.progress
    return tuple(
        SeatState(name, total, seat in (progress.winners or ()))
        for seat, (name, total) in enumerate(zip(session.header.players, progress.totals, strict=True))
    )


def _led(session: Session) -> Suit | None:
    """Return the suit of the card that leads the trick on the table; None if there is none."""
    if session.finished:
        return None
    game = session.header.game
    for step in islice(session.steps(), MOST_CARDS):
        outcome = game.outcome(step.before.state, step.event, step.state)
        if outcome.won or outcome.table is not None:
            return None
        if outcome.laid_as is CardSound.LEAD:
            return _suit(step.event)
    return None


def _suit(event: Event) -> Suit | None:
    """Return the suit of the first card of an event."""
    laid: Any = getattr(event, "card", None) or next(iter(getattr(event, "cards", ())), None)
    return laid.suit if isinstance(laid, Card) else None


def events_between(before: Session, after: Session, words: Translator) -> list[TableEvent]:
    """Return what the latest line of a log brought about; that somebody else sits down changes the state only."""
    game, told, step = after.header.game, words.at(after.header.players), after.head
    if len(after.sat_before) > len(before.sat_before):
        return []
    if after.finished and not before.finished and step is before.head:
        return [TableEvent("game_end", told.aloud(told(after.score_sheet.title)))]
    if not isinstance(step, EventStep) or step.before is not before.head:
        return [corrected(words)]
    outcome = game.outcome(before.state, step.event, after.state)
    happened = {
        "trump_changed": outcome.new_trump is not None,
        "trick": outcome.won,
        "alert": outcome.alert,
        "round_end": game.optional.finished_rounds(after.state) > game.optional.finished_rounds(before.state),
        "game_end": after.progress.over and not before.progress.over,
    }
    return [TableEvent(kind, _sentence(kind, outcome, after, told)) for kind in EVENTS if happened.get(kind)]


def corrected(words: Translator) -> TableEvent:
    """Return the event of a log in which something else stands than before."""
    return TableEvent("corrected", words(Text(N_("An entry was corrected or taken back"))))


def _sentence(kind: str, outcome: EventOutcome, after: Session, told: Translator) -> str:
    """Return the words of an event: the new trump, the names of the winners, or the game's own sentences."""
    headline = after.header.game.view(after.state).headline
    if kind == "trump_changed" and headline is not None:
        said = Text(N_("Trump: {suit}"), suit=headline.word)
    elif kind == "game_end" and after.finished:
        said = Text("{title}", title=after.score_sheet.title)
    elif kind == "game_end":
        winners = after.progress.winners
        said = joined(map(Seat, winners), ", ") if winners else Text(N_("Nobody wins"))
    elif kind == "trick" and outcome.finished is not None and outcome.finished.result is not None:
        said = outcome.finished.result
    elif kind == "round_end" and outcome.table is not None:
        said = Text("{title}", title=outcome.table.title)
    else:
        said = joined(outcome.lines, ". ")
    return told.aloud(told(said))
