"""Helpers that read an `Outcome` in tests: its sentences, its table, the finished trick."""

from __future__ import annotations

from companion.core.game import EventOutcome, GameView, Table
from companion.core.prompt import TallySheet
from companion.core.text import Text, tell

NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve")


def told(text: Text | None) -> str:
    """Return a text in words, with player names filled in."""
    return tell(text, NAMES)


def lines(made: EventOutcome) -> list[str]:
    return [told(line) for line in made.lines]


def heads(table: Table | TallySheet | None) -> list[str]:
    assert table is not None
    return [told(head) for head in table.columns]


def rows(table: Table | None) -> list[list[str]]:
    assert table is not None
    return [[told(figure) for figure in row] for row in table.rows]


def finished(made: EventOutcome) -> GameView:
    """Return the view of the trick that has just ended."""
    assert made.finished is not None
    return made.finished


def left(made: EventOutcome) -> list[str]:
    """Return, of the trick just ended, the cards of each seat, the leader and the winner."""
    return [
        ", ".join((told(place.laid), *["led"] * place.leads, *["won"] * place.won)) for place in finished(made).seats
    ]
