"""The hub's folder of evenings: the file of the one that runs, those of earlier ones, and the hub's own notes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import randbelow

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Best
from companion.journal.disk import written_beside

from . import evening_actions
from .boxes_at_tables import boxes_at
from .evening_state import EveningError
from .log_file import open_log
from .replay import Moment

NOT_BEGUN = "no evening is begun"
MINUTES = 45  # of a round, as proposed for the first


class BoxesAndClock(Struct, frozen=True):
    """The boxes and the clock; nothing of it is part of the evening."""

    boxes: dict[int, str] = {}  # the box that stands at a table; "" where none is to stand
    minutes: int = MINUTES  # how long a round is; 0 without a clock
    began: dict[int, float] = {}  # when each round was drawn, in seconds since 1970
    ends: dict[int, float] = {}  # when each round ends; none without a clock


class EveningInHall(Struct, frozen=True):
    """The evening as the hub runs it: with the boxes at its tables and the clock of its round."""

    length: int  # the bytes of the evening's file, which only grows
    moment: Moment
    hall: BoxesAndClock

    @property
    def last(self) -> int:
        """Return the number of the last round; 0 before the first."""
        return len(self.moment.evening.rounds)

    @property
    def ends(self) -> float:
        """Return when the last round ends, in seconds since 1970; 0 without a clock."""
        return self.hall.ends.get(self.last, 0.0)


class EveningFolder:
    """The files of the evening. One thread at a time works on them.

    Args:
        folder: It is made when an evening begins.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.file = folder / "evening.jsonl"
        self._lock = threading.RLock()
        self._read: tuple[tuple[int, int], int, Moment] | None = None  # the file's time and size, what it held

    def do(self, action: Callable[[], list[str]]) -> list[str]:
        """Do what a director wants, while nobody else does; return what the action returns."""
        with self._lock:
            return action()

    def state(self) -> EveningInHall | None:
        """Return the evening; None if none was begun. Raise EveningError or OSError if its file cannot be used."""
        with self._lock:
            try:
                found = self.file.stat()
            except FileNotFoundError:
                return None
            now = found.st_mtime_ns, found.st_size
            if self._read is None or self._read[0] != now:
                with open_log(self.file, os.O_RDONLY) as log:
                    self._read = now, log.length, log.moment
            return EveningInHall(self._read[1], self._read[2], self.hall)

    def arranged(self, boxes: Sequence[str]) -> EveningInHall | None:
        """Return the evening once each table of its last round has a box, and the round its beginning.

        What is new is kept, so that a box stays at its table whatever happens to others. A round that the command
        line drew has no clock.

        Args:
            boxes: All boxes, in their order.
        """
        with self._lock:
            state = self.state()
            if state is None:
                return None
            hall, last = state.hall, state.last
            began, ends = _up_to(last, hall.began), _up_to(last, hall.ends)  # a draw may have been taken back
            hall = replace(hall, began=began, ends=ends)
            if last:
                placed = boxes_at(state.moment.evening.rounds[-1], boxes, hall.boxes)
                began = {last: self.file.stat().st_mtime} | began
                hall = replace(hall, boxes=hall.boxes | placed, began=began)
            if hall != state.hall:
                self.keep(hall)
            return replace(state, hall=hall)

    def begin(self, name: str, sizes: tuple[int, int, int], best: Best) -> list[str]:
        """Begin an evening; the one before is kept under another name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        new, minutes = self._folder / "new.jsonl", self.hall.minutes
        new.unlink(missing_ok=True)
        lines = evening_actions.new(new, name, sizes, best, randbelow(1_000_000))
        with suppress(FileNotFoundError):
            self.file.rename(self._folder / f"evening-{time.time_ns()}.jsonl")
        new.rename(self.file)
        self.keep(BoxesAndClock(minutes=minutes))
        return lines

    def draw_round(self, minutes: int) -> list[str]:
        """Draw the next round, which lasts so many minutes from now; 0 without a clock."""
        state, now = self.arranged(()), time.time()
        if state is None:
            raise EveningError(NOT_BEGUN)
        hall, number = state.hall, state.last + 1
        ends = hall.ends | {number: now + 60 * minutes} if minutes else hall.ends
        # kept before: if the draw cannot be, nothing remains of it at the next look
        self.keep(replace(hall, minutes=minutes, began=hall.began | {number: now}, ends=ends))
        return evening_actions.draw_round(self.file, None)

    def set_clock(self, minutes: int) -> list[str]:
        """Let the last round end so many minutes from now; 0 without a clock."""
        state = self._begun()
        others = _up_to(state.last - 1, state.hall.ends)
        self.keep(replace(state.hall, ends=others | {state.last: time.time() + 60 * minutes} if minutes else others))
        return [f"minutes left in the round: {minutes}"]

    def place_boxes(self, chosen: dict[int, str], boxes: Sequence[str]) -> list[str]:
        """Note which box stands at each table of the last round, or ``""``; others get the next that is free.

        Raises:
            EveningError: One box is chosen for two tables.
        """
        state = self._begun()
        placed = [box for box in chosen.values() if box]
        if len({*placed}) < len(placed):
            raise EveningError("one box is chosen for two tables")
        tables = {table.number for table in state.moment.evening.rounds[-1].tables}
        others = {table: box for table, box in state.hall.boxes.items() if table not in tables}
        there = {table: box for table, box in others.items() if box not in placed}
        self.keep(replace(state.hall, boxes=there | chosen))
        self.arranged(boxes)
        return ["boxes were given to tables"]

    def _begun(self) -> EveningInHall:
        state = self.state()
        if state is None or not state.last:
            raise EveningError("no round is drawn yet")
        return state

    @property
    def hall(self) -> BoxesAndClock:
        """Return boxes and clock; without any if their file cannot be read, as it holds nothing of the evening."""
        try:
            return msgspec.json.decode((self._folder / "hall.json").read_bytes(), type=BoxesAndClock)
        except (FileNotFoundError, msgspec.MsgspecError, UnicodeError, RecursionError):
            return BoxesAndClock()

    def keep(self, hall: BoxesAndClock) -> None:
        """Write the boxes and the clock; a power cut leaves the old file or the new one."""
        with written_beside(self._folder / "hall.json") as file:
            file.write(msgspec.json.encode(hall))


def _up_to(last: int, times: dict[int, float]) -> dict[int, float]:
    """Return the times of the rounds up to one."""
    return {number: at for number, at in times.items() if number <= last}
