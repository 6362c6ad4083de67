"""The steps of a game: what lay on the table, the symbol, the columns and the scores after each entry."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

from companion.core.game import EventOutcome, Headline
from companion.core.games import checked
from companion.core.session import Session, Step
from companion.core.text import N_
from companion.history.results import counted_actions
from companion.ui.view import for_page, open_game

from .history_markup import STEPS_ANCHOR, Link, PageWriter, with_query

Trick = tuple[str, list[int]]  # a trick or turn in words, and the numbers of its entries


class GameSteps:
    """The steps of a game, in words for the template of its page."""

    def __init__(self, writer: PageWriter, session: Session, path: str) -> None:
        self._writer = writer
        self._session = session
        self._game = session.header.game
        self._path = path
        self._steps = [session.step(0), *session.entries()]
        self.count = session.head.number  # the number of entries that stand
        finished = self._game.optional.finished_rounds
        # the number of the step that ended each round
        self.round_ends = [
            after.number for before, after in pairwise(self._steps) if finished(after.state) > finished(before.state)
        ]

    def path(self, number: int) -> str:
        return f"{with_query(self._path, step=number)}{STEPS_ANCHOR}"

    def values(self, number: int) -> dict[str, Any]:
        """Return a step in words: values of the template."""
        writer, step = self._writer, self._steps[number]
        outcome, view = EventOutcome(), self._game.view(step.state)
        if step.event is not None and step.before is not None:
            outcome = self._game.outcome(step.before.state, step.event, step.state)
            view = outcome.finished or view
        progress = checked(self._game, step.state)
        table, sheet = open_game(view, progress.turn), self._game.score_sheet(step.state)
        table = for_page(table, self._game.title, view.suits, sheet, progress.over)
        tricks = list(self._tricks())
        return {
            "number": number,
            "count": self.count,
            "entry": "" if step.event is None else writer.words.sentence(self._game.describe(step.event)),
            "lines": [writer.words.sentence(line) for line in outcome.lines],
            "table": writer.words.told(table),
            "symbol": None if view.headline is None else writer.picture(view.headline),
            "sheet": outcome.table,  # the figures of the round that it ended
            "moves": list(self._moves(number)),
            "tricks": tricks,
            "entries": list(self._entries_of_trick(number, tricks)),
        }

    def spans(self) -> Iterator[list[dict[str, Any]]]:
        """Yield for each round what the lasting symbol was, such as the trump, from trick to trick."""
        causes: dict[int, list[str]] = {}
        for each in counted_actions(self._session):
            if each.action.what == self._game.optional.lasting_action:
                causes.setdefault(each.entry, []).append(self._writer.seat(each.action.seat))
        for _round, steps in groupby(self._steps, lambda step: self._game.optional.finished_rounds(step.state)):
            spans, before = list[dict[str, Any]](), None
            for step in steps:
                headline = self._game.view(step.state).headline
                if headline is not None and (before is None or headline.word != before.word):
                    spans.append(self._span(step, headline, causes.get(step.number, [])))
                before = headline
            if spans and not checked(self._game, step.state).over:
                yield spans

    def _span(self, step: Step, headline: Headline, causes: list[str]) -> dict[str, Any]:
        return {
            "trick": self._trick_label(step),
            "word": self._writer.words(headline.word),
            "symbol": self._writer.picture(headline),
            "by": self._writer.comma.join(dict.fromkeys(causes)),
            "path": self.path(step.number),
        }

    def _trick_label(self, step: Step) -> str:
        return self._writer.words(self._game.short(step.state))

    def _moves(self, number: int) -> Iterator[tuple[str, str, str, str | None]]:
        """Yield the class, the sign, the label and the address of each link to another step."""
        moves = (
            ("first", "«", N_("First"), 0),
            ("previous", "‹", N_("Previous"), number - 1),
            ("next", "›", N_("Next"), number + 1),
            ("last", "»", N_("Last"), self.count),
        )
        for name, sign, label, to in moves:
            possible = 0 <= to <= self.count and to != number
            yield name, sign, label, self.path(to) if possible else None

    def _tricks(self) -> Iterator[Trick]:
        """Yield the tricks; an entry belongs to the trick that it was made in."""
        for label, of_trick in groupby(pairwise(self._steps), lambda pair: self._trick_label(pair[0])):
            yield label, [after.number for _before, after in of_trick]

    def _entries_of_trick(self, number: int, tricks: list[Trick]) -> Iterator[tuple[int, Link, bool]]:
        """Yield the entries of a step's trick: the number, a link, and whether it is the step."""
        here = next((numbers for _label, numbers in tricks if number in numbers), [])
        for step in self._session.entries(here[0])[: len(here)] if here else ():
            described = self._writer.words(self._game.describe(step.event))
            yield step.number, Link(described, self.path(step.number)), step.number == number
