"""Passes the corrections of a club's director on to the box, and its answer back."""

from __future__ import annotations

from hashlib import sha256

import msgspec
from msgspec import Struct

from .acknowledged import Acknowledged, Corrected
from .box_page import BoxPage


class Correction(Struct, frozen=True):
    """The message of the hub."""

    id: int
    game: str  # the game's name in the journal
    line: str  # the line that corrects
    was: tuple[str, ...]  # the entries that it replaces
    who: str


class CorrectionPasser:
    """Asks the box through its page.

    Args:
        page: The box's page on this computer.
        marks: Where answers are kept: the broker may deliver a message twice.
    """

    def __init__(self, page: BoxPage, marks: Acknowledged) -> None:
        self._page, self._marks = page, marks

    def take(self, message: bytes) -> Corrected | None:
        """Pass a correction on, and return the answer; None for a message that is none, as an empty one."""
        try:
            asked = msgspec.json.decode(message, type=Correction)
        except (msgspec.MsgspecError, UnicodeError):
            return None
        digest = sha256(message).hexdigest()
        answer = self._marks.answer_to(digest)
        if answer is None:
            content = {"game": asked.game, "line": asked.line, "was": asked.was, "who": asked.who}
            why = self._page.send("correction", msgspec.json.encode(content))
            answer = Corrected(asked.id, not why, why)
            self._marks.keep_answer(digest, answer)
        return answer
