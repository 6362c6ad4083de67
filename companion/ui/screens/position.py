"""A game state with what the game says about it, each asked once; also as it was before a correction."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.core.game import Event, Game, GameView, event_from_answers, questions_of, tracking_of
from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    DetailLevel,
    EnterNumber,
    Prompt,
    Question,
    Skip,
    TakeAlternative,
    TallySheet,
)
from companion.core.session import EventStep
from companion.ui.keys import AnswerCodes

T = TypeVar("T")

ZERO = EnterNumber(0)


class CachedGameState:
    """A game state with its prompt, key codes and view, each computed once."""

    __slots__ = ("_known", "asks", "game", "state", "tracking")

    def __init__(self, game: Game[Any], state: Any, tracking: DetailLevel, *, asks: bool = True) -> None:
        """Keep a state; no function of the game is called yet.

        Args:
            asks: Whether anything is asked: not in a game that the table has ended before its end.
        """
        self.game, self.state, self.tracking, self.asks = game, state, tracking, asks
        self._known: dict[Hashable, Any] = {}

    def once(self, what: Hashable, work_out: Callable[[], T]) -> T:
        """Return a cached result, or compute and cache it.

        Args:
            what: The cache key: a name, and everything that the result depends on except state and tracking.
        """
        if what not in self._known:
            self._known[what] = work_out()
        known: T = self._known[what]
        return known

    def ask(self, answers: tuple[Answer, ...] = ()) -> Prompt | Event | None:
        """Return the next prompt after some answers, the event they make, or None if the game is over."""
        if not self.asks:
            return None
        return self.once(("ask", answers), lambda: self.game.ask(self.state, self.tracking, answers))

    def book(self, answers: tuple[Answer, ...]) -> AnswerCodes | None:
        """Return the key codes of the prompt after some answers; None if there is no prompt."""

        def written() -> AnswerCodes | None:
            prompt = self.ask(answers)
            return AnswerCodes(prompt) if isinstance(prompt, Prompt) else None

        return self.once(("book", answers), written)

    def completes(self, answers: tuple[Answer, ...], typed: str) -> bool:
        """Return whether OK makes an answer of the keys typed after some answers."""
        book = self.book(answers)
        return book is not None and book.settle(typed) is not None

    def zeros_after(self, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """Return the answers after a figure of a sheet that make the rest of its row 0."""
        figure, zeros = self.ask(answers[:-1]), tuple[Answer, ...]()
        assert isinstance(figure, Prompt)
        cell = figure.cell
        while True:
            asked, before = self.ask((*answers, *zeros)), cell
            cell = asked.cell if isinstance(asked, Prompt) and ZERO in asked.answers else None
            if cell is None or before is None or cell[0] != before[0] or cell[1] <= before[1]:
                return zeros
            zeros += (ZERO,)

    @property
    def face(self) -> GameView:
        return self.once("face", lambda: self.game.view(self.state))


class StateBeforeCorrection(CachedGameState):
    """A game before an entry that is corrected: its questions offer the old figure or seat, which can stay."""

    __slots__ = ("_was",)

    def __init__(self, game: Game[Any], state: Any, tracking: DetailLevel, was: EventStep) -> None:
        """Keep the state, and the old entry."""
        super().__init__(game, state, tracking)
        self._was = was

    def ask(self, answers: tuple[Answer, ...] = ()) -> Prompt | Event | None:
        """Return what the game asks, with the old answer if it can stay, and old figures in the sheet."""
        prompt = super().ask(answers)
        if not isinstance(prompt, Prompt):
            return prompt
        old = self._old_answers.get(prompt.question)
        if prompt.skip is not None and not prompt.skip_apart:
            if not isinstance(old, ChooseSeat):
                return prompt
            prompt = replace(prompt, skip_apart=True)  # its key keeps the old player
        nobody = old == Skip() and any(isinstance(answer, ChooseSeat) for answer in prompt.answers)
        if (
            old is None
            or not (nobody or isinstance(old, EnterNumber | ChooseSeat | ChooseItem))
            or not prompt.takes(old)
        ):
            return prompt
        sheet = None if prompt.sheet is None else self._as_it_was(prompt.sheet)
        return replace(prompt, stays=old, sheet=sheet)

    @property
    def _old_answers(self) -> dict[Question, Answer]:
        def found() -> dict[Question, Answer]:
            entered = self._was.before.state, self._was.event
            try:
                if tracking_of(self.game, self.tracking, *entered) is not self.tracking:
                    return {}
                asked = questions_of(self.game, self.tracking, *entered)
            except LookupError:  # only a log has such an entry
                return {}
            if sum(not prompt.whole for prompt, _answer in asked) == 1:  # its answer is the wrong one
                return {}
            questions = [prompt.question for prompt, _answer in asked]
            # asked twice, as who won before and after a pledge, it does not tell which answer is meant
            return {prompt.question: answer for prompt, answer in asked if questions.count(prompt.question) == 1}

        return self.once("old answers", found)

    def _as_it_was(self, sheet: TallySheet) -> TallySheet:
        """Return a sheet with the old figures where none is entered yet."""
        old = {
            cell: each.value
            for (_text, cell, _seat), each in self._old_answers.items()
            if isinstance(each, EnterNumber)
        }
        rows = (
            tuple(old.get((seat, column)) if figure is None else figure for column, figure in enumerate(row))
            for seat, row in enumerate(sheet.rows)
        )
        return replace(sheet, rows=tuple(rows))


def filled_in(position: CachedGameState, was: Event) -> tuple[Answer, ...]:
    """Return the answers that fill in a sheet as it was, and ask whose row is wrong.

    They are none if the entry is no sheet that is shown whole, or cannot be entered at this level of detail.

    Args:
        position: The game before that entry.
    """
    game, state = position.game, position.state
    made = game.answers(state, was)
    if event_from_answers(game, state, position.tracking, made) != was:
        return ()
    answers = (*made[:-1], TakeAlternative())
    whole = position.ask(made[:-1])
    if not isinstance(whole, Prompt) or not whole.whole or TakeAlternative() not in whole.answers:
        return ()
    row = position.ask(answers)  # a game of a file asks all figures again instead
    return answers if isinstance(row, Prompt) and row.whole else ()
