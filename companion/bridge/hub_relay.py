"""Relays the hub's news and corrections to the box, through its page, and the box's answers to corrections back."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable
from functools import partial
from hashlib import sha256

import msgspec
from msgspec import Struct

from companion.app.failures import Backoff
from companion.decoding import from_json

from .log_line_sender import Acknowledged
from .records import Correction, CorrectionAnswer

NEWS = "news"  # its name among the messages that wait
PATIENCE = 6.0  # seconds that the box may take
NO_PAGE = "The box serves no page on its own computer: [page] on = true."
NOT_NOW = 429  # the status of an answer that may be another one in a moment, as all from 500 on


class BoxSilentError(Exception):
    """The box does not answer now: it starts, or has not caught up."""


class _Answer(Struct):
    why: str


class BoxClient:
    """Sends what the hub wants to the box's page on this computer.

    Args:
        address: The page's address; empty if the box serves none.
        secret: By which the page knows the bridge.
    """

    def __init__(self, address: str, secret: str) -> None:
        self._address, self._secret = address, secret

    def send(self, route: str, content: bytes) -> str:
        """Send JSON to a route; return why the box does not take it, empty if it does.

        Raises BoxSilentError if the box may take it later.
        """
        if not self._address:
            return NO_PAGE
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._secret}"}
        request = urllib.request.Request(f"{self._address}/{route}", content, headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return from_json(answer.read(), _Answer).why
        except urllib.error.HTTPError as error:
            with error:
                if error.code == NOT_NOW or error.code >= 500:
                    raise BoxSilentError from None
                return error.read(1000).decode(errors="replace")
        except (OSError, msgspec.MsgspecError):
            raise BoxSilentError from None


class HubMessages:
    """Keeps each message until the box has answered, in their order: the bridge may be there before the box.

    Args:
        page: The box's page on this computer.
        marks: Where answers to corrections are kept: the broker may deliver a message twice.
        answered: Is called with each answer.
        said: Is called with a sentence if the box refuses news.
    """

    def __init__(
        self,
        page: BoxClient,
        marks: Acknowledged,
        answered: Callable[[CorrectionAnswer], object],
        said: Callable[[str], None],
    ) -> None:
        self._page, self._marks, self._answered, self._said = page, marks, answered, said
        self._waiting: dict[str, Callable[[], None]] = {}
        self._retry = Backoff(first=2, last=30)

    @property
    def due(self) -> float | None:
        """Return when to call `send` again; None if nothing waits."""
        return self._retry.due

    def take_news(self, content: bytes, now: float) -> None:
        """Pass news on, in place of those before."""
        self._waiting[NEWS] = partial(self._tell, content or b"{}")  # empty: the broker keeps nothing any more
        self.send(now)

    def take_correction(self, content: bytes, now: float) -> None:
        """Pass a correction on; a message that is none, as an empty one, is passed over."""
        try:
            asked = from_json(content, Correction)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return
        digest = sha256(content).hexdigest()
        self._waiting[digest] = partial(self._correct, asked, digest)
        self.send(now)

    def send(self, now: float) -> None:
        """Pass on what waits, news first, until the box is silent."""
        for name, work in sorted(self._waiting.items(), key=lambda one: one[0] != NEWS):
            try:
                work()
            except BoxSilentError:
                self._retry.failed(now)
                return
            del self._waiting[name]
        self._retry.worked()

    def _tell(self, news: bytes) -> None:
        why = self._page.send("hub", news)
        if why:
            self._said(f"the box does not take what the hub tells: {why}")

    def _correct(self, asked: Correction, digest: str) -> None:
        answer = self._marks.answer_to(digest)
        if answer is None:
            content = {"game": asked.game, "line": asked.line, "was": asked.was, "who": asked.who}
            why = self._page.send("correction", msgspec.json.encode(content))
            answer = CorrectionAnswer(asked.id, not why, why)
            self._marks.keep_answer(digest, answer)
        self._answered(answer)
