"""Relays the hub's news and corrections to the box, and the box's answers to corrections back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256

import msgspec

from companion.app.failures import Backoff

from .acknowledged import Acknowledged, CorrectionAnswer
from .box_client import BoxClient, BoxSilentError
from .correction_message import Correction

NEWS = "news"  # its name among the messages that wait


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
            asked = msgspec.json.decode(content, type=Correction)
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
