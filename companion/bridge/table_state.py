"""The state of a table and what has just happened at it, as plain data in one language."""

from __future__ import annotations

from itertools import islice
from typing import Any

from msgspec import Struct

from companion.core.cards import Card, Suit
from companion.core.events import Event
from companion.core.game import CardSound, EventOutcome
from companion.core.session import EventStep, Session
from companion.core.text import Seat, Text, joined
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
    """The state of a table in words; a field is None while the game has no such thing."""

    game: str  # its title
    round: int | None
    turn: str | None  # the player to act
    trump: str | None
    led: str | None  # the led suit
    over: bool
    alerts: int  # how many alerts there are so far
    latest_alert: str | None
    seats: tuple[SeatState, ...]
    suits: tuple[str, ...]  # every suit of the game
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
    headline = game.view(state).headline if game.optional.lasting is not None else None
    alerts = game.optional.alerts(state)
    led = _led(session)
    suits = dict.fromkeys(card.suit for card in game.cards.values())
    return TableState(
        game=told(Text(game.title)),
        round=progress.round,
        turn=None if progress.turn is None else told(Seat(progress.turn)),
        trump=None if headline is None else told(headline.word),
        led=None if led is None else told(led.label),
        over=progress.over,
        alerts=len(alerts),
        latest_alert=told(alerts[-1]) if alerts else None,
        seats=tuple(
            SeatState(name, total, seat in (progress.winners or ()))
            for seat, (name, total) in enumerate(zip(told.players, progress.totals, strict=True))
        ),
        suits=tuple(told(suit.label) for suit in suits),
    )


def _led(session: Session) -> Suit | None:
    """Return the suit of the card that leads the trick on the table; None if there is none."""
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
    """Return what the latest line of a log brought about."""
    game, told, step = after.header.game, words.at(after.header.players), after.head
    if not isinstance(step, EventStep) or step.before is not before.head:
        return [TableEvent("corrected", "")]
    outcome = game.outcome(before.state, step.event, after.state)
    happened = {
        "trump_changed": outcome.new_trump is not None,
        "trick": outcome.won,
        "alert": outcome.alert,
        "round_end": game.optional.finished_rounds(after.state) > game.optional.finished_rounds(before.state),
        "game_end": after.progress.over and not before.progress.over,
    }
    return [TableEvent(kind, _sentence(kind, outcome, after, told)) for kind in EVENTS if happened.get(kind)]


def _sentence(kind: str, outcome: EventOutcome, after: Session, told: Translator) -> str:
    """Return the sentence of an event: the names of the winners, or the game's own words."""
    if kind == "game_end":
        return told(joined(map(Seat, after.progress.winners or ()), ", "))
    return told(joined(outcome.lines, ". "))
