"""A state of a game with what the game says about it: prompt, key codes, face and their words, each worked out once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from companion.core.events import Event
from companion.core.game import Game
from companion.core.game_view import GameView
from companion.core.prompt import Answer, Prompt, Tracking
from companion.ui.key_grammar import AnswerCodes

T = TypeVar("T")


class Position:
    """A state of a game; each question about it reaches the game once.

    Attributes:
        game: The game.
        state: The state.
        tracking: How closely the game is followed.
    """

    __slots__ = ("_known", "game", "state", "tracking")

    def __init__(self, game: Game[Any], state: Any, tracking: Tracking) -> None:
        """Keep a state; the game is asked nothing yet."""
        self.game, self.state, self.tracking = game, state, tracking
        self._known: dict[Hashable, Any] = {}

    def once(self, what: Hashable, work_out: Callable[[], T]) -> T:
        """Return what was worked out under a name before, or work it out.

        Args:
            what: The name, and whatever the result depends on beside state and tracking.
            work_out: Works it out.
        """
        if what not in self._known:
            self._known[what] = work_out()
        known: T = self._known[what]
        return known

    def ask(self, answers: tuple[Answer, ...] = ()) -> Prompt | Event | None:
        """Return the next prompt after some answers, the event they make, or None when the game is over.

        Raises:
            Refused: An answer cannot be.
        """
        return self.once(("ask", answers), lambda: self.game.ask(self.state, self.tracking, answers))

    def book(self, answers: tuple[Answer, ...]) -> AnswerCodes | None:
        """Return the key codes of the prompt after some answers; None where there is none."""

        def written() -> AnswerCodes | None:
            prompt = self.ask(answers)
            return AnswerCodes(prompt) if isinstance(prompt, Prompt) else None

        return self.once(("book", answers), written)

    @property
    def face(self) -> GameView:
        """Return what the game wants seen of the state."""
        return self.once("face", lambda: self.game.view(self.state))
