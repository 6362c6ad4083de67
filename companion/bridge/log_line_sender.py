"""Sends the lines of games to a club's hub until it has acknowledged them, and keeps how far each has arrived."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from itertools import accumulate
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.decoding import from_json
from companion.journal.disk import written_beside

from .followed_game import FollowedGame
from .records import Acknowledgement, CorrectionAnswer, Lines

CHUNK = 400  # lines of one message: a backlog of many small ones takes the hub three times as long
MOST_BYTES = 256 * 1024  # bytes of them; JSON may double these, and the hub's broker takes a megabyte
PATIENCE = 30.0  # seconds until lines without an acknowledgement are sent again


ANSWERS = 100  # how many answers to corrections are remembered


class Mark(Struct, frozen=True):
    """The part of a game that has arrived at the hub."""

    lines: int = 0  # how many lines are acknowledged, the header included
    # the time at which its file was last changed, in nanoseconds, once all its lines had arrived; 0 before
    changed: int = 0
    check: str = ""  # the check that covers these lines, by which a game that was put back is told
    back: bool = False  # whether the game was put back once; the hub may then have more lines than it


class _File(Struct):
    device: str
    games: dict[str, Mark] = {}
    answers: dict[str, CorrectionAnswer] = {}  # to the latest corrections, by their messages' hashes
    machine: str = ""  # the id of the machine for which the id of this box was drawn


class Acknowledged:
    """The marks of all games, and the id of this box. A file that cannot be read begins anew: lines are sent again.

    Args:
        path: The file; its folder exists.
        machine: The id of this machine; empty if it is not known. On another machine than before, as with a copy of a
            card, everything begins anew, with another id of this box.
    """

    def __init__(self, path: Path, machine: str = "") -> None:
        self._path = path
        self._saved = True
        try:
            self._file = from_json(path.read_bytes(), _File)
        except (OSError, msgspec.MsgspecError):
            self._file = _File("")
        if not self._file.device or (machine and self._file.machine not in ("", machine)):
            self._file = _File(f"tabletop-{secrets.token_hex(4)}")
            self._saved = False
        if machine and self._file.machine != machine:
            self._file.machine = machine
            self._saved = False
        if not self._saved:
            self.save()

    @property
    def device(self) -> str:
        """Return the id of this box: drawn at its first start, or given by a club."""
        return self._file.device

    @device.setter
    def device(self, device: str) -> None:
        """Take the id that a club has given. Its hub has no line of this box yet."""
        if device != self._file.device:
            self._file = _File(device, answers=self._file.answers, machine=self._file.machine)
            self._saved = False
            self.save()

    def of(self, game: str) -> Mark:
        return self._file.games.get(game, Mark())

    def note(self, game: str, mark: Mark) -> None:
        """Note how far a game has arrived; `save` writes it."""
        if mark != self.of(game):
            self._file.games[game] = mark
            self._saved = False

    def answer_to(self, correction: str) -> CorrectionAnswer | None:
        """Return the answer to a correction that came before; None if none did."""
        return self._file.answers.get(correction)

    def keep_answer(self, correction: str, answer: CorrectionAnswer) -> None:
        """Remember the answer, after a restart, too: the broker may deliver the message again."""
        answers = {**self._file.answers, correction: answer}
        self._file.answers = dict([*answers.items()][-ANSWERS:])
        self._saved = False
        self.save()

    def forget(self, game: str) -> None:
        """Forget a game that is gone."""
        self._saved &= self._file.games.pop(game, None) is None

    def save(self) -> None:
        """Write what has changed. A power cut leaves the old file or the new one."""
        if self._saved:
            return
        with written_beside(self._path) as file:
            file.write(msgspec.json.encode(self._file))
        self._saved = True


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
