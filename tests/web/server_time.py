"""The clock of a server under test, which advances only when told to."""

from __future__ import annotations

from companion.web.server import Server


class ServerTime:
    """Stops the clock of a server's event loop: no deadline passes before `let_pass`."""

    def __init__(self, server: Server) -> None:
        loop = server._loop
        assert loop is not None  # it is serving
        self._loop = loop
        self._now = loop.time()
        loop.time = lambda: self._now  # type: ignore[method-assign]

    def let_pass(self, seconds: float) -> None:
        """Advance the clock, once the loop has begun all that it received until now."""
        self._loop.call_soon_threadsafe(self._advance, seconds)

    def _advance(self, seconds: float) -> None:
        self._now += seconds

    def go_on(self) -> None:
        """Let the clock run again."""
        self._loop.__dict__.pop("time", None)
        self._loop.call_soon_threadsafe(lambda: None)
