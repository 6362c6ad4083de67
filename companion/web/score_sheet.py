"""The score sheet of a live page: rounds as rows, players as columns, the totals below; figures being typed as fields.

It is worked out of the table of scores, which has a row for each player.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

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
        if course is None or not 1 < number < len(course.totals[0]):
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
        if form.totals and len(totals) == 1:
            totals = [replace(totals[0], cells=form.totals)]
    body = content.body
    title, told = scores.title, tuple[str, ...]()
    if isinstance(body, TableBody) and is_shown_in_question(content):
        title, told = body.title, body.told
    return ScoreSheet(title, scores.names, tuple(rows), tuple(totals), scores.marked, told)
