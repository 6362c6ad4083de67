"""Caches what a game says about one state: prompt, key codes and view, each asked once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from companion.core.events import Event
from companion.core.game import Game
from companion.core.game_view import GameView
from companion.core.prompt import Answer, DetailLevel, EnterNumber, Prompt
from companion.ui.key_grammar import OK_KEY, AnswerCodes, CompleteAnswer

T = TypeVar("T")

ZERO = EnterNumber(0)


class CachedGameState:
    """A game state with its prompt, key codes and view, each computed once."""

    __slots__ = ("_known", "game", "state", "tracking")

    def __init__(self, game: Game[Any], state: Any, tracking: DetailLevel) -> None:
        """Keep a state; no function of the game is called yet."""
        self.game, self.state, self.tracking = game, state, tracking
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
        return book is not None and isinstance(book.press(typed, OK_KEY), CompleteAnswer)

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
