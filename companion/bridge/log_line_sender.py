"""Sends the lines of games to a club's hub until it has acknowledged them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from .acknowledged import Acknowledged, Mark
from .followed_game import FollowedGame

CHUNK = 400  # lines of one message: a backlog of many small ones takes the hub three times as long
PATIENCE = 30.0  # seconds until lines without an acknowledgement are sent again


class Lines(Struct, frozen=True):
    """One message: some lines of a game's log."""

    game: str  # the game's name in the journal
    first: int  # the number of the first line; the header is number 0
    lines: list[str]


def again_topic(prefix: str) -> str:
    """Return the topic on which a consumer asks for all lines without an acknowledgement, after its start."""
    return f"{prefix}-hub/again"


class Acknowledgement(Struct, frozen=True):
    """The hub's answer: it has stored all lines of a game below a number."""

    game: str
    lines: int  # how many, from the header on


class LineSender:
    """Sends each game's lines in order, one message a game at a time.

    Args:
        marks: How far each game has arrived.
        send: Sends a message; returns False if it cannot be sent now.
        chunk: How many lines a message has at most.
    """

    def __init__(self, marks: Acknowledged, send: Callable[[Lines], bool], chunk: int = CHUNK) -> None:
        self._marks, self._chunk = marks, chunk
        self._send = send
        self._sent: dict[str, float] = {}  # when the unanswered message of a game was sent

    def send(self, games: Iterable[FollowedGame], now: float) -> None:
        """Send what is new, or was not answered for a while."""
        for game in games:
            first = self._marks.of(game.name).lines
            if first < game.length and now - self._sent.get(game.name, -PATIENCE) >= PATIENCE:
                if not self._send(Lines(game.name, first, game.lines(first, self._chunk))):
                    return
                self._sent[game.name] = now

    def take(self, answer: Acknowledgement, game: FollowedGame | None) -> None:
        """Note an acknowledgement; of lines that were never there it counts nothing."""
        if game is not None and 0 <= answer.lines <= game.length:
            self._marks.note(answer.game, Mark(answer.lines))
            self._sent.pop(answer.game, None)

    def connected(self) -> None:
        """Send everything again that was not answered on the connection before."""
        self._sent.clear()

    def due(self) -> float | None:
        """Return when a message is sent again; None if none is unanswered."""
        return min(self._sent.values()) + PATIENCE if self._sent else None
