"""Passes the hub's news of a table on to the box, again and again until the box has taken it."""

from __future__ import annotations

from collections.abc import Callable

from companion.app.backoff import Backoff

from .box_page import SILENT, BoxPage


class NewsPasser:
    """Keeps the latest news until the box has it: the bridge may be there before the box.

    Args:
        page: The box's page on this computer.
        said: Is called with a sentence if the box refuses it.
    """

    def __init__(self, page: BoxPage, said: Callable[[str], None]) -> None:
        self._page, self._said = page, said
        self._news = b""
        self._retry = Backoff(first=2, last=30)

    @property
    def due(self) -> float | None:
        """Return when to call `send` again; None if nothing waits."""
        return self._retry.due

    def take(self, news: bytes, now: float) -> None:
        """Take news in place of those before, and pass them on."""
        self._news = news or b"{}"
        self.send(now)

    def send(self, now: float) -> None:
        """Pass the news on."""
        why = self._page.send("hub", self._news)
        if why == SILENT:
            self._retry.failed(now)
            return
        self._retry.worked()
        if why:
            self._said(f"the box does not take what the hub tells: {why}")
