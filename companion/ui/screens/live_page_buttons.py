"""The buttons that a screen offers on the live page: rows, actions, answers, offered corrections."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.core.prompt import Answer
from companion.ui.key_grammar import AnswerCodes, answer_named
from companion.ui.view import OpenGame


class LivePageButtons(Struct, frozen=True):
    """The buttons of a live page."""

    rows: int = 0  # the number of rows of the list; 0 if there is no list
    actions: Mapping[str, str] = {}  # the labels of actions, by the keys that do them
    codes: AnswerCodes | None = None  # the key codes of the prompt, if a game asks one
    begun: str = ""  # the answers already given to the entry, in words
    table: OpenGame | None = None  # the table that is shown; None for the open game's latest state
    offers: tuple[tuple[str, str], ...] = ()  # each correction offered, and where it belongs, in words

    def answer(self, name: str) -> Answer | None:
        """Return the answer to the prompt with a name; None if there is none, as for rows, offers and actions."""
        return None if self.codes is None else answer_named(self.codes.prompt, name)
