"""A state of a game with what the game says about it: prompt, key codes and face, each worked out once."""

from __future__ import annotations

from typing import Any

from companion.core.events import Event
from companion.core.game import Game
from companion.core.game_view import GameView
from companion.core.prompt import Answer, Prompt, Tracking
from companion.ui.key_grammar import AnswerCodes


class Position:
    """A state of a game; each question about it reaches the game once.

    Attributes:
        game: The game.
        state: The state.
        tracking: How closely the game is followed.
    """

    __slots__ = ("_asked", "_books", "_face", "game", "state", "tracking")

    def __init__(self, game: Game[Any], state: Any, tracking: Tracking) -> None:
        """Keep a state; the game is asked nothing yet."""
        self.game, self.state, self.tracking = game, state, tracking
        self._asked: dict[tuple[Answer, ...], Prompt | Event | None] = {}
        self._books: dict[tuple[Answer, ...], AnswerCodes] = {}
        self._face: GameView | None = None

    def ask(self, answers: tuple[Answer, ...] = ()) -> Prompt | Event | None:
        """Return the next prompt after some answers, the event they make, or None when the game is over.

        Raises:
            Refused: An answer cannot be.
        """
        if answers not in self._asked:
            self._asked[answers] = self.game.ask(self.state, self.tracking, answers)
        return self._asked[answers]

    def book(self, answers: tuple[Answer, ...], prompt: Prompt) -> AnswerCodes:
        """Return the key codes of a prompt, which is the one after these answers."""
        if answers not in self._books:
            self._books[answers] = AnswerCodes(prompt)
        return self._books[answers]

    @property
    def face(self) -> GameView:
        """Return what the game wants seen of the state."""
        if self._face is None:
            self._face = self.game.face(self.state)
        return self._face
