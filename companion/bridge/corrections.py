"""Passes the corrections of a club's director on to the box, and its answer back."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections import deque

import msgspec
from msgspec import Struct

PATIENCE = 6.0  # seconds that the box may take
KEPT = 100  # corrections whose answer is remembered: the broker may deliver one twice
NO_PAGE = "The box serves no page on its own computer: [page] on = true."


class Correction(Struct, frozen=True):
    """The message of the hub."""

    id: int
    game: str  # the game's name in the journal
    line: str  # the line that corrects
    was: tuple[str, ...]  # the entries that it replaces
    who: str


class Corrected(Struct, frozen=True):
    """The box's answer."""

    id: int
    taken: bool
    why: str = ""  # why it was not taken


class _Answer(Struct):
    why: str


class CorrectionPasser:
    """Asks the box through its page.

    Args:
        page: The address of the box's page on this computer; empty if it serves none.
    """

    def __init__(self, page: str) -> None:
        self._page = page
        self._answered: deque[Corrected] = deque(maxlen=KEPT)

    def take(self, message: bytes) -> Corrected | None:
        """Pass a correction on, and return the answer; None for a message that is none, as an empty one."""
        try:
            asked = msgspec.json.decode(message, type=Correction)
        except (msgspec.MsgspecError, UnicodeError):
            return None
        answer = next((each for each in self._answered if each.id == asked.id), None)
        if answer is None:
            why = self._ask(asked)
            answer = Corrected(asked.id, not why, why)
            self._answered.append(answer)
        return answer

    def _ask(self, asked: Correction) -> str:
        """Return why the box does not take a correction; empty if it does."""
        if not self._page:
            return NO_PAGE
        content = {"game": asked.game, "line": asked.line, "was": asked.was, "who": asked.who}
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self._page}/correction", msgspec.json.encode(content), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return msgspec.json.decode(answer.read(), type=_Answer).why
        except urllib.error.HTTPError as error:
            with error:
                return error.read(1000).decode(errors="replace")
        except (OSError, msgspec.MsgspecError):
            return "The box does not answer."
