"""Finds the shortest key sequence that enters a given log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.core.errors import IllegalEvent
from companion.core.event_answers import tracking_of
from companion.core.events import Amend, Event, Line, Redo, Splice, Undo
from companion.core.game import Game
from companion.core.prompt import Prompt, Tracking
from companion.core.session import Session
from companion.core.text import N_
from companion.ui.key_grammar import AnswerCodes
from companion.ui.screens.entries import way
from companion.ui.screens.list_selection import path
from companion.ui.screens.menu import row_of_redo, row_of_tracking, rows

MENU = "h#"
ENTRIES = "h*"
UNDO = "*"


class LogToKeys:
    """Runs the application through a log, and finds the shortest keys for each next line.

    Attributes:
        session: The game so far.
        tracking: The level of detail at this point.
    """

    def __init__(self, session: Session, tracking: Tracking = Tracking.FULL) -> None:
        """Start from a given point in a game."""
        self.session = session
        self.tracking = tracking

    def spell(self, line: Line) -> str:
        """Return the shortest keys that enter a line, and advance past it.

        Raises:
            IllegalEvent: The line cannot be entered at this point.
        """
        after = self.session.add(line)
        match line:
            case Undo():
                keys = UNDO
            case Redo():
                keys = MENU + path(rows(self._declared), 0, row_of_redo(self._declared))
            case Amend(number, to):
                keys = self._correction(number, to)
            case Splice():
                raise IllegalEvent("no-keys", N_("no keys enter a correction of several entries"))
            case _:
                keys = self._entry(line)
        self.session = after
        return keys

    @property
    def _declared(self) -> Game[Any]:
        return self.session.header.game

    def _entry(self, event: Event) -> str:
        tracking = tracking_of(self._declared, self.tracking, self.session.state, event)
        switch = "" if tracking is self.tracking else self._switch(tracking)
        self.tracking = tracking
        return switch + "".join(self._answers(event, self.session.state, tracking))

    def _correction(self, number: int, to: Event) -> str:
        """Return the keys that select an entry in the list and enter its replacement."""
        state = self.session.before(number)
        old = self.session.step(number).event
        assert old is not None  # the session accepted the line, so the entry exists
        opened = tracking_of(self._declared, self.tracking, state, old)
        tracking = tracking_of(self._declared, opened, state, to)
        switch = "" if tracking is opened else self._switch(tracking)
        there = ENTRIES + way(self.session.head.number, number)
        return there + switch + "".join(self._answers(to, state, tracking))

    def _switch(self, tracking: Tracking) -> str:
        return MENU + path(rows(self._declared), 0, row_of_tracking(self._declared, tracking))

    def _answers(self, event: Event, state: Any, tracking: Tracking) -> Iterator[str]:
        answers = self._declared.answers(state, event)
        for count, answer in enumerate(answers):
            prompt = self._declared.ask(state, tracking, answers[:count])
            assert isinstance(prompt, Prompt)  # `tracking_of` already asked these prompts
            yield AnswerCodes(prompt).spell(answer)
