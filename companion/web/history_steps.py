"""The steps of a game: what lay on the table, the symbol, the columns and the scores after each entry."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from msgspec import Struct

from companion.core.game import EventOutcome
from companion.core.game_checks import checked
from companion.core.game_view import Headline, Table
from companion.core.session import Session, Step
from companion.history.results import deeds_of
from companion.ui.open_game import open_game, with_scores
from companion.ui.view import OpenGame

from .history_markup import Link, PageWriter, Picture, with_query

ANCHOR = "#steps"
"""The place of the steps on the page."""


class TrickEntries(Struct, frozen=True):
    """The entries of a trick or turn.

    Attributes:
        label: The trick in words.
        first: The number of its first entry.
        last: The number of its last entry.
    """

    label: str
    first: int
    last: int


class StepTexts(Struct, frozen=True):
    """A step in words.

    Attributes:
        number: Its number.
        count: The number of steps.
        entry: The entry; empty before the first.
        lines: Sentences on the entry.
        table: The table after it.
        symbol: The large symbol, drawn; None if there is none.
        sheet: The table of figures of the round that it ended; None if it ended none.
        moves: Links to the first, the previous, the next and the last step; None where there is none.
        moments: The tricks of the game, and whether the step is in each.
        near: The entries of the same trick: a link each, and whether it is this step.
    """

    number: int
    count: int
    entry: str
    lines: tuple[str, ...]
    table: OpenGame
    symbol: Picture | None
    sheet: Table | None
    moves: tuple[tuple[str, str | None], ...]
    moments: tuple[tuple[TrickEntries, bool], ...]
    near: tuple[tuple[int, Link, bool], ...]


class TrumpPeriod(Struct, frozen=True):
    """How long a suit was trump, or what else lasts from trick to trick.

    Attributes:
        moment: From which trick, in words.
        word: What it is.
        symbol: The large symbol, drawn.
        by: Who caused it; empty if nobody did.
        path: The address of the step that shows it.
    """

    moment: str
    word: str
    symbol: Picture
    by: str
    path: str


class GameSteps:
    """The steps of a game.

    Attributes:
        round_ends: The number of the step that ended each round.
        count: The number of entries that stand.
    """

    def __init__(self, writer: PageWriter, session: Session, path: str) -> None:
        self._writer = writer
        self._session = session
        self._game = session.header.game
        self._path = path
        self._steps = [session.step(0), *session.entries()]
        self.count = session.head.number
        finished = self._game.optional.finished_rounds
        self.round_ends = [
            after.number for before, after in pairwise(self._steps) if finished(after.state) > finished(before.state)
        ]

    def path(self, number: int) -> str:
        return f"{with_query(self._path, step=number)}{ANCHOR}"

    def shown(self, number: int) -> StepTexts:
        writer, step = self._writer, self._steps[number]
        outcome, face = EventOutcome(), self._game.view(step.state)
        if step.event is not None and step.before is not None:
            outcome = self._game.outcome(step.before.state, step.event, step.state)
            face = outcome.finished or face
        progress = checked(self._game, step.state)
        table = open_game(writer.words, self._game.title, face, progress.turn)
        table = with_scores(writer.words, table, self._game.score_sheet(step.state), progress.over)
        moments = list(self._moments())
        return StepTexts(
            number,
            self.count,
            "" if step.event is None else writer.words.sentence(self._game.describe(step.event)),
            tuple(map(writer.words.sentence, outcome.lines)),
            table,
            None if face.headline is None else writer.picture(face.headline),
            outcome.table,
            tuple(self._moves(number)),
            tuple((one, one.first <= number <= one.last) for one in moments),
            tuple(self._near(number, moments)),
        )

    def spans(self) -> Iterator[list[TrumpPeriod]]:
        """Yield for each round what the lasting symbol was, from trick to trick."""
        causes: dict[int, list[str]] = {}
        for each in deeds_of(self._session):
            if each.deed.what == self._game.optional.lasting_deed:
                causes.setdefault(each.entry, []).append(self._writer.seat(each.deed.seat))
        for _round, steps in groupby(self._steps, lambda step: self._game.optional.finished_rounds(step.state)):
            spans, before = list[TrumpPeriod](), None
            for step in steps:
                headline = self._game.view(step.state).headline
                if headline is not None and (before is None or headline.word != before.word):
                    spans.append(self._span(step, headline, causes.get(step.number, [])))
                before = headline
            if spans and not checked(self._game, step.state).over:
                yield spans

    def _span(self, step: Step, headline: Headline, causes: list[str]) -> TrumpPeriod:
        writer, by = self._writer, ", ".join(dict.fromkeys(causes))
        return TrumpPeriod(
            self._moment(step), writer.words(headline.word), writer.picture(headline), by, self.path(step.number)
        )

    def _moment(self, step: Step) -> str:
        return self._writer.words(self._game.short(step.state))

    def _moves(self, number: int) -> Iterator[tuple[str, str | None]]:
        moves = (("first", 0), ("previous", number - 1), ("next", number + 1), ("last", self.count))
        for name, to in moves:
            possible = 0 <= to <= self.count and to != number
            yield name, self.path(to) if possible else None

    def _moments(self) -> Iterator[TrickEntries]:
        """Yield the tricks; an entry belongs to the trick that it was made in."""
        for label, of_trick in groupby(pairwise(self._steps), lambda pair: self._moment(pair[0])):
            numbers = [after.number for _before, after in of_trick]
            yield TrickEntries(label, numbers[0], numbers[-1])

    def _near(self, number: int, moments: list[TrickEntries]) -> Iterator[tuple[int, Link, bool]]:
        here = next((one for one in moments if one.first <= number <= one.last), None)
        if here is not None:
            for step in self._session.entries(here.first)[: here.last + 1 - here.first]:
                described = self._writer.words(self._game.describe(step.event))
                yield step.number, Link(described, self.path(step.number)), step.number == number
