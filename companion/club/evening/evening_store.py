"""Keeps the evenings of a club in a folder, as a journal keeps games: each is a chain of events in two files.

Beside them are the boxes at the tables and the clock of each evening: both are about the hall, not about the result.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import N_, Text, why
from companion.decoding import convert, from_json
from companion.journal import chain
from companion.journal.folder import Folder
from companion.journal.mirrored_chain import MOST_SUPERSEDED, Chain

from . import evening_state as events
from .boxes_at_tables import boxes_at
from .evening_state import NO_ROUND, ClubEvening, EveningError, decode, encode
from .replay import Moment, begin, follow
from .seating import draw

NOT_BEGUN = N_("No evening is begun.")
NO_EVENING = N_("There is no such evening.")
RUNS = "runs"
"""Under this name stands which evening runs, beside the boxes and the clock of each."""
MINUTES = 45  # of a round, as proposed for the first


class ToldResult(Struct, frozen=True):
    """The points that a phone at a table has told, and for which players."""

    round: int
    players: tuple[int, ...]  # the players' numbers by seat
    points: tuple[int, ...]  # by seat
    before: tuple[int, ...] = ()  # other points that were told before for these players; empty if there were none


class BoxesAndClock(Struct, frozen=True):
    """The boxes, the clock, and what phones have told; nothing of it is part of the evening."""

    boxes: dict[int, str] = {}  # the box that stands at a table; "" where none is to stand
    minutes: int = MINUTES  # how long a round is; 0 without a clock
    began: dict[int, float] = {}  # when each round was drawn, in seconds since 1970
    ends: dict[int, float] = {}  # when each round ends; none without a clock
    told: dict[int, ToldResult] = {}  # the latest result that a phone has told, by table


class EveningInHall(Struct, frozen=True):
    """The evening that runs, with the boxes at its tables and the clock of its round."""

    id: str  # the name of its files
    length: int  # how many events it has, those that were taken back included
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

    @property
    def told(self) -> dict[tuple[int, int], events.TableResult]:
        """Return the results that phones have told and the director has not taken, by round and table."""
        return {
            (self.last, table): events.TableResult(self.last, table, told.points)
            for table, told in self._told_here.items()
        }

    @property
    def told_otherwise(self) -> dict[int, tuple[int, ...]]:
        """Return the points that a phone told before another told other ones, by table."""
        return {table: told.before for table, told in self._told_here.items() if told.before}

    @property
    def _told_here(self) -> dict[int, ToldResult]:
        tables = self.moment.evening.rounds[-1].tables if self.last else ()
        found = ((table, self.hall.told.get(table.number)) for table in tables if table.plays)
        return {
            table.number: told
            for table, told in found
            if told is not None and (told.round, told.players) == (self.last, table.players)
        }


class PastEvening(Struct, frozen=True):
    """An evening of the folder, as it stands now."""

    id: str  # the name of its files
    begun: float  # in seconds since 1970
    evening: ClubEvening


class EveningStore:
    """The evenings in a folder. One of them runs: the latest, or one before it that was opened again.

    One program at a time uses the folder, in any threads.

    Args:
        path: The folder; it is made if needed.

    Raises:
        JournalInUseError: Another program uses it.
        OSError: It cannot be used.
        EveningError: The evening that runs cannot be read. Another one may be begun.
    """

    def __init__(self, path: Path) -> None:
        self.damaged = False  # whether something of the evening that runs may be lost
        self._folder, self._lock = Folder(path), threading.RLock()
        self._folder.lock()
        self._halls = self._folder.named_values("hall", copies=2)
        self._halls.load()
        self._chain: Chain | None = None
        self._moment: Moment | None = None
        self._past: dict[str, PastEvening] = {}
        self.fault: Text | None = None  # why the evening that runs cannot be read
        if names := self._folder.games():
            runs = self._halls.values.get(RUNS)
            self._run(runs if runs in names else names[-1])

    def _run(self, name: str) -> None:
        """Let an evening of the folder run."""
        self._chain, self._moment, self.damaged, self.fault = self._folder.game(name), None, False, None
        self._past.pop(name, None)  # it changes from now on
        try:
            self._moment, self.damaged = _load(self._chain)
            self._chain.write()  # a damaged file is replaced, and kept aside
        except (EveningError, OSError) as error:
            self.fault = error.text if isinstance(error, EveningError) else why(error)

    def close(self) -> None:
        self._folder.release()

    def state(self) -> EveningInHall | None:
        """Return the evening that runs; None if none was begun. Raise EveningError if it cannot be read."""
        with self._lock:
            if self.fault:
                raise EveningError(self.fault)
            if self._chain is None or self._moment is None:
                return None
            return EveningInHall(self._chain.name, len(self._chain.rows), self._moment, self._hall)

    def add(self, *added: events.Event) -> ClubEvening:
        """Append events to the evening that runs, all or none; return it after them, once the disk has them.

        Raises:
            EveningError: One of them cannot be.
            OSError: The disk refuses them; nothing is changed.
        """
        with self._lock:
            state = self._begun()
            assert self._chain is not None
            lines, after = [encode(event) for event in added], state.moment
            for line in lines:
                after = follow(after, decode(line))
            _append(self._chain, lines)
            self._moment = after
            return after.evening

    def begin(self, event: events.EveningBegun) -> None:
        """Begin an evening; the one before stays among those of the season."""
        with self._lock:
            line = encode(event)
            moment = begin(decode(line))
            names = self._folder.games()
            number = 1 + int(names[-1].partition("-")[0]) if names else 1
            new = self._folder.game(f"{number:06}-evening-{token_hex(4)}")
            _append(new, [line])
            minutes = MINUTES if self._chain is None else self._hall.minutes or MINUTES
            self._chain, self._moment, self.fault, self.damaged = new, moment, None, False
            self._keep(BoxesAndClock(minutes=minutes))

    def open_again(self, name: str) -> None:
        """Let another evening run: its results can be corrected, and it can go on. The one before stays as it is.

        Raises:
            EveningError: There is none of this name, or a round of the evening that runs is not over.
        """
        with self._lock:
            if name not in self._folder.games():
                raise EveningError(NO_EVENING)
            state = None if self.fault else self.state()
            if state is not None and state.last and state.moment.evening.rounds[-1].open_tables:
                raise EveningError(N_("A round of {name} is not over."), name=state.moment.evening.name)
            self._run(name)
            self._keep(self._hall)

    def draw_round(self, minutes: int) -> None:
        """Draw the next round, which lasts so many minutes from now; 0 without a clock."""
        with self._lock:
            state, now = self._begun(), time.time()
            hall, number = state.hall, state.last + 1
            self.add(draw(state.moment.evening))
            ends = _up_to(state.last, hall.ends) | ({number: now + 60 * minutes} if minutes else {})
            began = _up_to(state.last, hall.began) | {number: now}
            # what was told stays: it counts again if a draw that was taken back is made again
            self._keep(replace(hall, minutes=minutes, began=began, ends=ends))

    def take_back(self, length: int) -> None:
        """Take the last event back; refuse it if the evening has another length than who does so has seen."""
        with self._lock:
            if length != self._begun().length:
                raise EveningError(N_("Something has happened since: look again."))
            self.add(events.EventTakenBack())

    def set_clock(self, minutes: int) -> None:
        """Let the last round end so many minutes from now; 0 without a clock."""
        with self._lock:
            state = self._begun(round_needed=True)
            others = _up_to(state.last - 1, state.hall.ends)
            self._keep(
                replace(state.hall, ends=others | {state.last: time.time() + 60 * minutes} if minutes else others)
            )

    def tell(self, result: events.TableResult) -> None:
        """Keep a result that a phone tells, until the director takes it or the table tells another.

        Raises:
            EveningError: The table of the last round has its result.
        """
        with self._lock:
            state = self._begun(round_needed=True)
            table = state.moment.evening.rounds[-1].table(result.table)
            if not table.plays:
                raise EveningError(N_("Table {table} has its result: tell the director."), table=result.table)
            told, before = ToldResult(state.last, table.players, result.points), state.hall.told.get(result.table)
            if before is not None and (before.round, before.players) == (told.round, told.players):
                if before.points == told.points:
                    return
                told = replace(told, before=before.points)
            self._keep(replace(state.hall, told=state.hall.told | {result.table: told}))

    def arranged(self, boxes: Sequence[str]) -> EveningInHall | None:
        """Return the evening once each table of its last round has a box, and the round its beginning.

        What is new is kept, so that a box stays at its table whatever happens to others.

        Args:
            boxes: All boxes, in their order.
        """
        with self._lock:
            state = self.state()
            if state is None:
                return None
            hall, last = state.hall, state.last
            if last:
                placed = boxes_at(state.moment.evening.rounds[-1], boxes, hall.boxes)
                hall = replace(hall, boxes=hall.boxes | placed, began={last: time.time()} | hall.began)
            hall = replace(hall, began=_up_to(last, hall.began), ends=_up_to(last, hall.ends))  # of a draw taken back
            if hall != state.hall:
                self._keep(hall)
            return replace(state, hall=hall)

    def place_boxes(self, chosen: dict[int, str], boxes: Sequence[str]) -> None:
        """Note which box stands at each table of the last round, or ``""``; others get the next that is free.

        Raises:
            EveningError: One box is chosen for two tables.
        """
        with self._lock:
            state = self._begun(round_needed=True)
            placed = [box for box in chosen.values() if box]
            if len({*placed}) < len(placed):
                raise EveningError(N_("One box is chosen for two tables."))
            tables = {table.number for table in state.moment.evening.rounds[-1].tables}
            others = {table: box for table, box in state.hall.boxes.items() if table not in tables}
            there = {table: box for table, box in others.items() if box not in placed}
            self._keep(replace(state.hall, boxes=there | chosen))
            self.arranged(boxes)

    def all(self) -> list[PastEvening]:
        """Return all evenings that can be read, the first first; the last may be the one that runs."""
        with self._lock:
            found: list[PastEvening] = []
            for name in self._folder.games():
                if self._chain is not None and self._moment is not None and name == self._chain.name:
                    found.append(PastEvening(name, _time(self._chain.rows[0]), self._moment.evening))
                    continue
                if name not in self._past:
                    one = self._folder.game(name)
                    try:
                        moment, _damaged = _load(one)
                    except (EveningError, OSError):
                        continue
                    self._past[name] = PastEvening(name, _time(one.rows[0]), moment.evening)
                found.append(self._past[name])
            return found

    def past(self, name: str) -> ClubEvening:
        """Return an evening of the folder; raise EveningError if it is not there, or cannot be read."""
        found = next((each.evening for each in self.all() if each.id == name), None)
        if found is None:
            raise EveningError(NO_EVENING)
        return found

    def _begun(self, *, round_needed: bool = False) -> EveningInHall:
        state = self.state()
        if state is None:
            raise EveningError(NOT_BEGUN)
        if round_needed and not state.last:
            raise EveningError(NO_ROUND)
        return state

    @property
    def _hall(self) -> BoxesAndClock:
        """Return boxes and clock of the evening that runs; none if they cannot be read, as a result needs none."""
        kept = {} if self._chain is None else self._halls.values.get(self._chain.name, {})
        try:
            return convert(kept, BoxesAndClock, strict=False)
        except msgspec.ValidationError:
            return BoxesAndClock()

    def _keep(self, hall: BoxesAndClock) -> None:
        assert self._chain is not None
        value: Any = msgspec.to_builtins(hall, str_keys=True)
        if len(self._halls.rows) > MOST_SUPERSEDED:
            self._halls.replace_values(dict([*self._halls.values.items()][-10:]))
        self._halls.keep(self._chain.name, value)
        if self._halls.values.get(RUNS) != self._chain.name:
            self._halls.keep(RUNS, self._chain.name)
        self._halls.write()


def _load(one: Chain) -> tuple[Moment, bool]:
    """Read a chain; return the evening, and whether something of it may be lost."""
    found = one.load()
    moment: Moment | None = None
    for number, row in enumerate(one.rows, 1):
        try:
            event = decode(chain.text(row).encode())
            moment = begin(event) if moment is None else follow(moment, event)
        except EveningError as fault:
            where: dict[str, object] = {"name": one.name, "number": number, "why": fault.text}
            raise EveningError(N_("{name}, line {number}: {why}"), **where) from None
    if moment is None:
        raise EveningError(N_("{name}: neither of its two files can be read."), name=one.name)
    return moment, found.may_lack_entries


def _append(one: Chain, lines: Iterable[bytes]) -> None:
    """Add lines and write them; after a failure they are not in the chain."""
    before, now = len(one.rows), round(time.time(), 3)
    for line in lines:
        one.add(line.decode(), {"at": now})
    try:
        one.write()
    except OSError:
        one.unsaved -= len(one.rows) - before
        del one.rows[before:]
        raise


def _time(row: bytes) -> float:
    """Return when an event was added, in seconds since 1970; 0 if its note does not say it."""
    note = from_json(row.split(b"\t")[1])
    at = note.get("at") if isinstance(note, dict) else None
    return float(at) if isinstance(at, (int, float)) else 0.0


def _up_to(last: int, times: dict[int, float]) -> dict[int, float]:
    """Return the times of the rounds up to one."""
    return {number: at for number, at in times.items() if number <= last}
