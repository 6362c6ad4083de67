"""Passes the corrections of a club's director on to the box, and its answer back."""

from __future__ import annotations

import urllib.error
import urllib.request
from hashlib import sha256

import msgspec
from msgspec import Struct

from .acknowledged import Acknowledged, Corrected

PATIENCE = 6.0  # seconds that the box may take
NO_PAGE = "The box serves no page on its own computer: [page] on = true."


class Correction(Struct, frozen=True):
    """The message of the hub."""

    id: int
    game: str  # the game's name in the journal
    line: str  # the line that corrects
    was: tuple[str, ...]  # the entries that it replaces
    who: str


class _Answer(Struct):
    why: str


class CorrectionPasser:
    """Asks the box through its page.

    Args:
        page: The address of the box's page on this computer; empty if it serves none.
        secret: By which the page knows the bridge.
        marks: Where answers are kept: the broker may deliver a message twice.
    """

    def __init__(self, page: str, secret: str, marks: Acknowledged) -> None:
        self._page, self._secret, self._marks = page, secret, marks

    def take(self, message: bytes) -> Corrected | None:
        """Pass a correction on, and return the answer; None for a message that is none, as an empty one."""
        try:
            asked = msgspec.json.decode(message, type=Correction)
        except (msgspec.MsgspecError, UnicodeError):
            return None
        digest = sha256(message).hexdigest()
        answer = self._marks.answer_to(digest)
        if answer is None:
            why = self._ask(asked)
            answer = Corrected(asked.id, not why, why)
            self._marks.keep_answer(digest, answer)
        return answer

    def _ask(self, asked: Correction) -> str:
        """Return why the box does not take a correction; empty if it does."""
        if not self._page:
            return NO_PAGE
        content = {"game": asked.game, "line": asked.line, "was": asked.was, "who": asked.who}
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._secret}"}
        request = urllib.request.Request(f"{self._page}/correction", msgspec.json.encode(content), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return msgspec.json.decode(answer.read(), type=_Answer).why
        except urllib.error.HTTPError as error:
            with error:
                return error.read(1000).decode(errors="replace")
        except (OSError, msgspec.MsgspecError):
            return "The box does not answer."
