"""Checks the values that the functions of a game give: types, lengths, seats, numbers and texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import isnan
from typing import Any

from companion.core.game import (
    CardSound,
    CountedAction,
    Event,
    EventOutcome,
    GameView,
    Headline,
    Piles,
    Progress,
    Table,
    TextPage,
)
from companion.core.text import GameValueError, HasLabel, Text, tell

from .cards import Card, Suit
from .prompt import ChooseItem, ChooseSeat, EnterNumber, LayCard, LayPair, Prompt, Skip, TakeAlternative

MOST_POINTS = 10**9  # the most points, as the history counts them
MOST_ANSWERS = 2500  # the most answers to a question
MOST_ROUNDS = 10_000
LONGEST_TEXT = 400  # the most characters of a text
MOST_SUITS = 4  # the suits that can be a trump: each has its tune and its key

_LETTERS_OF_CONTROL = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u2028", "\u2029"}
_LETTERS = ("", "A", "B", "C", "D")
_KINDS = (LayCard, LayPair, ChooseItem, ChooseSeat, EnterNumber, Skip, TakeAlternative)


def need(right: object, wrong: str) -> None:
    """Raise GameValueError with a message unless a condition is met."""
    if not right:
        raise GameValueError(wrong)


def kind(value: object, *wanted: type[Any]) -> None:
    """Raise unless a value is of one of these kinds."""
    need(isinstance(value, wanted), f"returns {type(value).__name__}")


def whole(value: object, least: int, most: int, what: str) -> None:
    """Raise unless a value is a whole number within bounds; True and False are none."""
    need(type(value) is int, f"has {what} that are no whole numbers")
    need(isinstance(value, int) and least <= value <= most, f"has {what} that are not from {least} to {most}")


def seat(value: object, seats: int) -> None:
    need(isinstance(value, int) and 0 <= value < seats, f"names a seat that {seats} players do not have")


def by_seat(values: Any, seats: int, what: str) -> None:
    """Raise unless values are points: one for each seat."""
    need(isinstance(values, tuple) and len(values) == seats, f"has no {what} for each of {seats} seats")
    for value in values:
        whole(value, -MOST_POINTS, MOST_POINTS, what)


MOST_CHECKED = 4096
_checked: dict[int, object] = {}
"""Texts that were checked, by their identity; kept, so that no other has it."""


def text(value: object) -> None:
    """Raise unless a value is a text that can be shown: short, and without control characters."""
    need(isinstance(value, Text | str | HasLabel), f"has a text that is {type(value).__name__}")
    try:
        written = tell(value)
    except Exception as error:
        raise GameValueError(f"has a text that cannot be written: {error!r}") from None
    need(len(written) <= LONGEST_TEXT, f"has a text of more than {LONGEST_TEXT} characters")
    need(_LETTERS_OF_CONTROL.isdisjoint(written), "has a text with control characters")


def texts(values: Any) -> None:
    """Raise unless the value is a tuple of texts that can be shown. A known text is not checked again."""
    need(isinstance(values, tuple), "has no tuple of texts")
    for value in values:
        if _checked.get(id(value)) is not value:
            text(value)
            if len(_checked) >= MOST_CHECKED:
                _checked.clear()
            _checked[id(value)] = value


def progress(value: Any, seats: Collection[int]) -> None:
    need(isinstance(value, Progress), f"returns {type(value).__name__}")
    need(isinstance(value.totals, tuple), "has totals that are no tuple")
    count = len(value.totals)
    need(count in seats, f"has totals of {count} seats")
    by_seat(value.totals, count, "totals")
    for named in (value.winners, value.may_start):
        need(named is None or isinstance(named, tuple), "has winners that are no tuple")
    for each in (value.turn, value.leader, *(value.winners or ()), *(value.may_start or ())):
        if each is not None:
            seat(each, count)
    need(value.winners != (), "has no winners, though the game is over")
    if value.round is not None:
        whole(value.round, 0, MOST_ROUNDS, "rounds")
    need(isinstance(value.phase, str), "has a phase that is no word")


def table(value: Any, seats: int | None) -> None:
    """Check a table; ``seats`` is the number of its rows, or None if it may have any."""
    kind(value, Table)
    text(value.title)
    texts(value.columns)
    texts(value.names)
    rows = len(value.names) or seats
    need(rows is None or len(value.rows) == rows, f"has no row for each of {rows} seats")
    for row in value.rows:
        texts(row)
        need(len(row) == len(value.columns), f"has a row of {len(row)} cells under {len(value.columns)} columns")
    for marked in value.marked:
        seat(marked, len(value.rows))


def page(value: Any) -> None:
    """Check a page of a rules card."""
    kind(value, Table, TextPage)
    if isinstance(value, Table):
        table(value, None)
    else:
        text(value.title)
        texts(value.lines)


def view(value: Any, seats: int) -> None:
    kind(value, GameView)
    text(value.status)
    need(len(value.seats) == seats, f"has no line for each of {seats} seats")
    for line in value.seats:
        text(line.laid)
        text(line.figures)
    if value.result is not None:
        text(value.result)
    for column in value.columns:
        text(column.sign)
        whole(column.count, 0, MOST_POINTS, "piles")
        whole(column.more, 0, MOST_POINTS, "piles")
    need(all(isinstance(suit, Suit) for suit in value.suits), "has a suit that is no suit")
    if value.headline is not None:
        headline(value.headline)
    if value.piles is not None:
        piles(value.piles, seats)


def headline(value: Any) -> None:
    kind(value, Headline)
    need(isinstance(value.picture, str) and isinstance(value.figure, str), "has a headline whose picture is no name")
    need(isinstance(value.trump, bool), "has a headline whose trump is neither true nor false")
    text(value.figure)
    text(value.word)
    need(isinstance(value.colour, tuple) and len(value.colour) == 3, "has a colour that is not red, green and blue")
    for part in value.colour:
        whole(part, 0, 255, "colours")


def piles(value: Any, seats: int) -> None:
    kind(value, Piles)
    texts(value.signs)
    need(len(value.counts) == seats, f"has no piles for each of {seats} seats")
    for counts in value.counts:
        by_seat(counts, len(value.signs), "piles")


def outcome(value: Any, seats: int) -> None:
    kind(value, EventOutcome)
    texts(value.lines)
    if value.table is not None:
        table(value.table, seats)
    if value.finished is not None:
        view(value.finished, seats)
    if value.new_trump is not None:
        whole(value.new_trump, 0, MOST_SUITS - 1, "trumps")
    need(value.laid_as is None or isinstance(value.laid_as, CardSound), "has a sound that is no CardSound")


def answer(value: Any, seats: int) -> None:
    need(isinstance(value, _KINDS), f"has an answer that is {type(value).__name__}")
    match value:
        case ChooseSeat(chosen):
            seat(chosen, seats)
        case EnterNumber(number):
            whole(number, -MOST_POINTS, MOST_POINTS, "numbers")
        case ChooseItem(number, label, letter=letter):
            whole(number, 0, MOST_POINTS, "items")
            text(label)
            need(letter in _LETTERS, "has an item whose letter is no key")
        case LayCard(card):
            kind_of_card(card)
        case LayPair(first, second):
            kind_of_card(first)
            kind_of_card(second)


def kind_of_card(value: object) -> None:
    need(isinstance(value, Card), f"has a card that is {type(value).__name__}")


def asked(value: Any, seats: int, events: tuple[type[Event], ...]) -> None:
    """Check a question, or the event or nothing in its place."""
    if value is None or isinstance(value, events):
        return
    kind(value, Prompt)
    text(value.text)
    need(isinstance(value.answers, tuple) and value.answers, "asks a question without answers")
    need(len(value.answers) <= MOST_ANSWERS, f"asks a question with more than {MOST_ANSWERS} answers")
    for each in (*value.answers, *value.picks):
        answer(each, seats)
    need(len({*value.answers}) == len(value.answers), "offers an answer twice")
    need(isinstance(value.open_numbers, range), f"takes numbers that are {type(value.open_numbers).__name__}")
    need(value.stays is None or value.stays in value.answers, "keeps an answer that it does not offer")
    if value.seat is not None:
        seat(value.seat, seats)
    for card in value.deck:
        kind_of_card(card)
    need(len(value.suits) <= MOST_SUITS, f"asks for more than {MOST_SUITS} suits")
    need(all(isinstance(suit, Suit) for suit in (*value.suits, *value.bare)), "has a suit that is no suit")
    for pair in value.alike:
        need(isinstance(pair, tuple) and len(pair) == 2, "has kinds of cards that are no pairs")
        kind(pair[0], Suit)
        whole(pair[1], 0, MOST_ANSWERS, "cards left")
    for label in (value.alternative, value.skip, value.skip_short, value.legend):
        if label is not None:
            text(label)
    if value.sheet is not None:
        tally(value.sheet, seats)


def tally(value: Any, seats: int) -> None:
    """Check a form that is filled in."""
    text(value.title)
    texts(value.columns)
    texts(value.told)
    need(len(value.rows) == seats, f"has a form without a row for each of {seats} seats")
    for row in value.rows:
        need(len(row) == len(value.columns), "has a form with a row of another length")
        for figure in row:
            if figure is not None:
                whole(figure, -MOST_POINTS, MOST_POINTS, "figures")
    if value.cell is not None:
        seat(value.cell[0], seats)
        whole(value.cell[1], 0, len(value.columns) - 1, "cells")


def winners(value: Any, seats: int) -> None:
    need(isinstance(value, tuple) and value, "names no winners")
    for each in value:
        seat(each, seats)


def rounds(value: Any, seats: int) -> None:
    need(isinstance(value, tuple), f"returns {type(value).__name__}")
    for points in value:
        by_seat(points, seats, "points")


def some_seats(value: Any, seats: int) -> None:
    """Check a tuple of tuples of seats."""
    need(isinstance(value, tuple), f"returns {type(value).__name__}")
    for named in value:
        need(isinstance(named, tuple), "has a side that is no tuple")
        for each in named:
            seat(each, seats)


def partition(value: Any, seats: int) -> None:
    some_seats(value, seats)
    named = sorted(each for side in value for each in side)
    need(named == [*range(seats)] and all(value), f"does not have each of {seats} seats on one side")


def actions(value: Iterable[Any], seats: int, names: Collection[str]) -> None:
    for each in value:
        need(isinstance(each, CountedAction), f"has an action that is {type(each).__name__}")
        need(each.what in names, f"counts {each.what!r}, which has no name")
        seat(each.seat, seats)
        whole(each.amount, -MOST_POINTS, MOST_POINTS, "amounts")


def probability(value: Any) -> None:
    """Check the logarithm of a probability."""
    need(type(value) in (int, float) and not isnan(value), f"returns {value!r:.40}")


def each_of(check: Callable[[Any], None], values: Any) -> None:
    need(isinstance(values, tuple), f"returns {type(values).__name__}")
    for value in values:
        check(value)
