"""A board's keys: their lines, read by one thread, which sleeps without a time limit while nothing is due."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from threading import Lock, Thread, current_thread

from companion.app.failures import Backoff
from companion.app.ports import DeviceError
from companion.core.program_log import ProgramLog
from companion.ui.keys import Key
from hardware.gpio_chips import chip_errors, reason
from hardware.keys.contacts import ButtonKeys, bits, with_contact
from hardware.keys.lines import Edge, KeyLines, Pull
from hardware.keys.matrix import MatrixKeys

RETRY = 1.0  # seconds between two attempts to open failing lines again
BROKEN = 10.0  # seconds of failure after which the keys are reported as not alive
PATIENCE = 2.0  # seconds to answer a ping, and, on closing, to return from the receiver of a key

SHARE = 0.001
"""Seconds after which a busy thread passes Python's interpreter on. The keys wait for it at each wake-up."""

_LOG = ProgramLog(__name__)


class KeyReader:
    """Turns what happens on a board's lines into keys. It has no thread; lines that fail are opened again later."""

    def __init__(self, kinds: Sequence[MatrixKeys | ButtonKeys], clock: Callable[[], float] = time.monotonic) -> None:
        self._kinds = tuple(kinds)
        self._clock = clock
        self._contacts: dict[int, Pull] = {}
        self._rows: tuple[int, ...] = ()
        self._kind_of: list[tuple[MatrixKeys | ButtonKeys, int]] = []  # for each contact: its kind, its number there
        for kind in kinds:
            if isinstance(kind, MatrixKeys):
                kind.place(len(self._contacts), len(self._rows))
            self._contacts |= kind.contacts
            self._rows += kind.rows
            self._kind_of += [(kind, number) for number in range(len(kind.contacts))]
        self._lines: KeyLines | None = None  # None: they are not open, or fail
        self._closed = 0  # the closed contacts, as far as edges and levels were read
        self._latest = 0.0  # the time of the latest edge
        self._due: float | None = None
        self._lost: float | None = None  # since when the lines have failed
        self._retry = Backoff(RETRY, RETRY)

    def open(self) -> None:
        """Set up the lines; all keys count as up. Raises DeviceError if one is not available."""
        try:
            with chip_errors():
                self._open()
        except OSError as error:
            raise DeviceError(f"The keys cannot be used: {reason(error)}.") from error

    def _open(self) -> KeyLines:
        self._lines = KeyLines(self._contacts, self._rows)
        self._closed, self._due = 0, None
        for kind in self._kinds:
            kind.begin()
        return self._lines

    def close(self) -> None:
        """Release the lines."""
        lines, self._lines = self._lines, None
        if lines is not None:
            lines.close()

    @property
    def fd(self) -> int | None:
        """The file descriptor that is readable when there are edges; None while the lines fail."""
        return None if self._lines is None else self._lines.fd

    @property
    def broken(self) -> bool:
        """Whether the lines have failed for long."""
        lost = self._lost
        return lost is not None and self._clock() - lost > BROKEN

    def turn(self, *, ready: bool = True) -> tuple[list[Key], float | None]:
        """Return new keys, and when the next turn is due even without an edge; None waits for one.

        If the file descriptor is not ``ready``, a turn that is due does not read edges first.
        """
        now = self._clock()
        if self._retry.due is not None and not self._retry.ready(now):
            return [], self._retry.due
        try:
            keys = self._read(self._lines or self._open(), now, ready)
        except OSError as error:
            self.close()
            if self._lost is None:
                _LOG.warning("The keys fail, and are tried again: %s.", reason(error))
                self._lost = now
            self._retry.failed(now)
            return [], self._retry.due
        if self._lost is not None:
            _LOG.warning("The keys work again.")
            self._lost = None
            self._retry.worked()
        return keys, self._due

    def _read(self, lines: KeyLines, now: float, ready: bool) -> list[Key]:
        is_due = self._due is not None and now >= self._due
        edges = lines.edges() if ready or not is_due else []
        if not edges and not is_due:
            # The lines were just opened, or a ping woke the thread: an edge may have been missed.
            closed = lines.closed()
            edges = lines.edges()
            keys = self._follow(edges) if edges else self._compare(closed, now)
        else:
            keys = self._follow(edges)
        for kind in self._kinds:
            if isinstance(kind, MatrixKeys) and kind.scan_due(now):
                if not kind.still_alone(lines, self._clock):
                    keys += self._scan(lines, kind)
                    continue
                keys += self._follow(lines.edges())
            keys += kind.wait(max(now, self._latest))
        self._due = min((due for kind in self._kinds if (due := kind.due()) is not None), default=None)
        return keys

    def _scan(self, lines: KeyLines, matrix: MatrixKeys) -> list[Key]:
        """Find out which keys of a matrix are down."""
        scan = matrix.scan(lines, self._clock)
        edges = lines.edges()  # the thread may have been late, so a press may have ended before the scan
        before = sum(edge.time <= scan.began for edge in edges)
        keys = self._follow(edges[:before]) + matrix.scanned(scan)
        return keys + self._follow(edges[before:])

    def _follow(self, edges: Iterable[Edge]) -> list[Key]:
        keys = []
        for edge in edges:
            self._latest = max(self._latest, edge.time)
            keys += self._changed(edge, self._latest)
        return keys

    def _compare(self, closed: int, now: float) -> list[Key]:
        """Process levels that differ from those that the edges led to; earlier edges may still come."""
        changed = [Edge(now, contact, bool(closed >> contact & 1)) for contact in bits(closed ^ self._closed)]
        return [key for edge in changed for key in self._changed(edge, now)]

    def _changed(self, edge: Edge, time: float) -> list[Key]:
        self._closed = with_contact(self._closed, edge.contact, edge.closed)
        kind, number = self._kind_of[edge.contact]
        return kind.follow(edge._replace(contact=number), time)


class BoardKeys:
    """The keys of a board: passes each one on, from a thread of its own."""

    def __init__(self, kinds: Sequence[MatrixKeys | ButtonKeys], clock: Callable[[], float] = time.monotonic) -> None:
        self._kinds = tuple(kinds)
        self._clock = clock
        self._thread: Thread | None = None  # None: not started
        self._lock = Lock()  # protects the following one
        self._wake: int | None = None  # an eventfd that ends the thread's wait
        self._asked = self._answered = 0
        self._asked_at = 0.0

    def start(self, put: Callable[[Key], None]) -> None:
        """Start to pass every key to `put`, on another thread.

        Raises DeviceError if a line is not available; `start` may be called again.
        """
        if self._thread is not None:
            raise RuntimeError("The keys have been started already.")
        self._reader = KeyReader(self._kinds, self._clock)
        self._reader.open()
        sys.setswitchinterval(SHARE)
        self._answered = self._asked
        self._wake = wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._thread = Thread(target=self._run, args=(self._reader, wake, put), name="keys", daemon=True)
        self._thread.start()

    def alive(self) -> bool:
        """Return, without waiting, whether key presses are still noticed. Called now and then.

        Each call pings the thread, which must have answered by the next call: a receiver may not return.
        """
        if self._thread is None or not self._thread.is_alive() or self._reader.broken:
            return False
        now = self._clock()
        if self._answered == self._asked:
            self._asked, self._asked_at = self._asked + 1, now
            self._ring()
        return now - self._asked_at < PATIENCE

    def close(self) -> None:
        """End the thread, which releases the lines; never raises.

        If a receiver of keys does not return, stop waiting for it after ``PATIENCE``.
        """
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._ring()
        if thread is not current_thread():  # else called by a receiver: the thread ends when that returns
            thread.join(PATIENCE)
            if thread.is_alive():
                _LOG.warning("A receiver of keys does not return; its thread is left behind.")

    def _ring(self) -> None:
        with self._lock:
            if self._wake is not None:
                os.eventfd_write(self._wake, 1)

    def _run(self, reader: KeyReader, wake: int, put: Callable[[Key], None]) -> None:
        thread = current_thread()
        ready: list[int | None] = [reader.fd]
        try:
            while self._thread is thread:
                self._answered = self._asked
                keys, due = reader.turn(ready=reader.fd in ready)
                for key in keys:
                    if self._thread is thread:
                        _hand(key, put)
                if self._thread is thread:
                    waits = [wake] if reader.fd is None else [wake, reader.fd]
                    # poll() itself would round up to milliseconds.
                    ready = [*select.select(waits, [], [], None if due is None else max(0.0, due - self._clock()))[0]]
                    if wake in ready:
                        os.eventfd_read(wake)
        finally:
            reader.close()
            with self._lock:
                self._wake = None if self._wake == wake else self._wake
                os.close(wake)


def _hand(key: Key, put: Callable[[Key], None]) -> None:
    """Deliver a key; an error of the receiver does not stop the input."""
    try:
        put(key)
    except Exception:
        _LOG.exception("A key was not taken: %s", key)
