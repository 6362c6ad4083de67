"""Sends the lines of games to a club's hub until it has acknowledged them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate

from msgspec import Struct

from .acknowledged import Acknowledged, Mark
from .followed_game import FollowedGame

CHUNK = 400  # lines of one message: a backlog of many small ones takes the hub three times as long
MOST_BYTES = 256 * 1024  # bytes of them; JSON may double these, and the hub's broker takes a megabyte
PATIENCE = 30.0  # seconds until lines without an acknowledgement are sent again


class Lines(Struct, frozen=True, omit_defaults=True):
    """One message: some lines of a game's log."""

    game: str  # the game's name in the journal
    first: int  # the number of the first line; the header is number 0
    lines: list[str]
    whole: int | None = None  # how many lines the game has now, if it was put back; lines beyond are gone


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
        # when the unanswered message of a game was sent, how many lines there are up to its last, and their check
        self._sent: dict[str, tuple[float, int, str]] = {}

    def send(self, games: Iterable[FollowedGame], now: float) -> None:
        """Send what is new, or was not answered for a while."""
        for game in games:
            mark = self._mark(game)
            if mark.lines < game.length and now - self._sent.get(game.name, (-PATIENCE,))[0] >= PATIENCE:
                lines = _fitting(game.lines(mark.lines, self._chunk))
                whole = game.length if mark.back and mark.lines == 0 else None
                if not self._send(Lines(game.name, mark.lines, lines, whole)):
                    return
                end = mark.lines + len(lines)
                self._sent[game.name] = now, end, game.check(end)

    def _mark(self, game: FollowedGame) -> Mark:
        """Return how far a game has arrived: not at all, if other lines were acknowledged than it has now."""
        mark = self._marks.of(game.name)
        if mark.lines and game.length and (mark.lines > game.length or mark.check not in ("", game.check(mark.lines))):
            mark = Mark(back=True)
            self._marks.note(game.name, mark)
            self._sent.pop(game.name, None)
        return mark

    def take(self, answer: Acknowledgement, game: FollowedGame | None) -> None:
        """Note an acknowledgement; of lines that were not sent it counts nothing."""
        if game is not None and answer.lines >= 0 and game.name in self._sent:
            _when, end, check = self._sent.pop(game.name)
            lines, back = min(answer.lines, end), self._marks.of(game.name).back
            mark = Mark(lines, check=game.check(lines), back=back)
            if game.check(end) != check or (answer.lines > game.length and not back):
                mark = Mark(back=True)  # it was put back while lines were on their way
            self._marks.note(game.name, mark)

    def connected(self) -> None:
        """Send everything again that was not answered on the connection before."""
        self._sent.clear()

    def due(self) -> float | None:
        """Return when a message is sent again; None if none is unanswered."""
        return min(self._sent.values())[0] + PATIENCE if self._sent else None


def _fitting(lines: list[str]) -> list[str]:
    """Return as many of the first lines as a message may hold, and at least one."""
    sizes = accumulate(len(line.encode()) for line in lines)
    return lines[: max(1, sum(size <= MOST_BYTES for size in sizes))]
