"""The score sheet of a live page: rounds as rows, players as columns, the totals below; figures being typed as fields.

It is worked out of the table of scores, which has a row for each player.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from companion.history.results import figure
from companion.ui.live_page.content import FigureField, LivePageContent
from companion.ui.view import TableBody


class SheetRow(Struct, frozen=True):
    """A row of the sheet: a round, what is carried over, totals, or a question whose figures are being typed."""

    label: str
    cells: tuple[FigureField | str, ...]
    more: str = ""  # the rest of the label: what is asked
    running: tuple[str, ...] = ()  # the totals after the round, by seat
    round: int = 0  # the number of the round, if it can be tapped
    typed: bool = False  # whether its figures are being typed


class ScoreSheet(Struct, frozen=True):
    """The score sheet."""

    title: str
    names: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[SheetRow, ...]
    marked: tuple[int, ...]  # the seats of the winners
    told: tuple[str, ...] = ()  # sentences on the figures
    long: bool = False  # whether a phone has no room for totals beside figures
    tight: bool = False  # whether it has none for the figures: then the sheet is moved sideways


MOST_RUNNING = 5
"""The most players beside whose figures the totals after each round have room on a phone."""

ROOM = 32
"""The digits that have room beside each other on a phone 360 pixels wide."""


def is_shown_in_question(content: LivePageContent) -> bool:
    """Return whether the question shows the score sheet: its figures are typed there, or it is the result."""
    body = content.body
    return content.question.form is not None or (isinstance(body, TableBody) and body.scores)


def score_sheet(content: LivePageContent) -> ScoreSheet | None:
    """Return the score sheet of the open game; None while no game is open."""
    if content.table is None:
        return None
    scores, course, form = content.table.scores, content.table.course, content.question.form
    columns = [tuple(row[place] for row in scores.rows) for place in range(len(scores.heads))]
    rounds = scores.rounds or (0,) * len(columns)
    every = [*zip(scores.heads, columns, rounds, strict=True)]

    def running(number: int, cells: tuple[str, ...]) -> tuple[str, ...]:
        """Return the totals after a round where its figures add up to them, from the second round on."""
        if course is None or len(scores.names) > MOST_RUNNING or not 1 < number < len(course.totals[0]):
            return ()
        gains = tuple(figure(totals[number] - totals[number - 1]) for totals in course.totals)
        if gains != tuple(cell.rstrip("*") for cell in cells):
            return ()
        return tuple(figure(totals[number]) for totals in course.totals)

    rows = [SheetRow(head, cells, running=running(number, cells), round=number) for head, cells, number in every]
    rows, totals = rows[: scores.totals], rows[scores.totals :]
    if form is not None:
        asked = [
            SheetRow(form.label if place == 0 else "", cells, more=head if len(form.rows) > 1 else "", typed=True)
            for place, (head, cells) in enumerate(zip(form.heads, form.rows, strict=True))
        ]
        at = next((place for place, row in enumerate(rows) if row.round == form.round), len(rows))
        rows[at : at + form.corrects] = asked
    body = content.body
    title, told = scores.title, tuple[str, ...]()
    if isinstance(body, TableBody) and is_shown_in_question(content):
        title, told = body.title, body.told
    count = max(1, len(scores.names))
    figures = _widest(cell for row in rows for cell in row.cells)
    beside = _widest(cell for row in rows for cell in row.running)
    sums = _widest(cell for row in totals for cell in row.cells)
    return ScoreSheet(
        title,
        scores.names,
        tuple(rows),
        tuple(totals),
        scores.marked,
        told,
        long=max(figures + beside, 1.4 * sums) * count > ROOM,
        tight=max(figures, sums) * count > ROOM,
    )


def _widest(cells: Iterable[FigureField | str]) -> int:
    """Return the length of the longest of some figures; those being typed have fields of their own."""
    return max((len(cell) for cell in cells if isinstance(cell, str)), default=0)
