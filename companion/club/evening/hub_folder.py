"""The folder of the evening that a hub runs: the evening's file, those before it, and what only the hub needs."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from secrets import randbelow

import msgspec
from msgspec import Struct

from companion.core.progress import Best

from . import command
from .log_file import read_log
from .replay import Moment
from .values import EveningError


class Hall(Struct, frozen=True):
    """The boxes and the clock; nothing of it is part of the evening."""

    boxes: dict[int, str] = {}  # the box that was chosen for a table
    minutes: int = 0  # how long a round is; 0 without a clock
    began: float = 0.0  # when the last round was drawn, in seconds since 1970
    ends: float = 0.0  # when it ends; 0 without a clock


class HubFolder:
    """The files of the evening.

    Args:
        folder: It is made when an evening begins.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.file = folder / "evening.jsonl"

    def read(self) -> Moment | None:
        """Return the evening; None if none was begun. Raise EveningError or OSError if its file cannot be used."""
        try:
            return read_log(self.file)
        except FileNotFoundError:
            return None

    def begin(self, name: str, sizes: tuple[int, int, int], best: Best) -> list[str]:
        """Begin an evening; the one before is kept under another name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        new = self._folder / "new.jsonl"
        new.unlink(missing_ok=True)
        lines = command.new(new, name, sizes, best, randbelow(1_000_000))
        with suppress(FileNotFoundError):
            self.file.rename(self._folder / f"evening-{time.time_ns()}.jsonl")
        new.rename(self.file)
        self.keep(Hall(minutes=self.hall.minutes))
        return lines

    @property
    def hall(self) -> Hall:
        try:
            return msgspec.json.decode((self._folder / "hall.json").read_bytes(), type=Hall)
        except FileNotFoundError:
            return Hall()
        except msgspec.MsgspecError as error:
            raise EveningError(f"{self._folder / 'hall.json'}: {error}") from None

    def keep(self, hall: Hall) -> None:
        """Write the boxes and the clock; a power cut leaves the old file or the new one."""
        new = self._folder / "hall.new"
        new.write_bytes(msgspec.json.encode(hall))
        new.replace(self._folder / "hall.json")
