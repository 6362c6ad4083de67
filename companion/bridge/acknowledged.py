"""The number of lines of each game that the hub has acknowledged, kept in a file."""

from __future__ import annotations

import secrets
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.journal.disk import written_beside

ANSWERS = 100  # how many answers to corrections are remembered


class Mark(Struct, frozen=True):
    """The part of a game that has arrived at the hub."""

    lines: int = 0  # how many lines are acknowledged, the header included
    # the time at which its file was last changed, in nanoseconds, once all its lines had arrived; 0 before
    changed: int = 0
    check: str = ""  # the check that covers these lines, by which a game that was put back is told
    back: bool = False  # whether the game was put back once; the hub may then have more lines than it


class CorrectionAnswer(Struct, frozen=True):
    """The box's answer to a correction."""

    id: int
    taken: bool
    why: str = ""  # why it was not taken


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
            self._file = msgspec.json.decode(path.read_bytes(), type=_File)
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
