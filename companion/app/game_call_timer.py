"""Measures the calls of games' functions: warns of slow ones, and interrupts those that take far too long.

A thread looks at the running calls. It begins with the first call of a guarded game, and sleeps while there is none:
a table that plays the games of the box alone never has it. A call is interrupted between two instructions of Python. A
single endless operation, such as a power with a huge exponent, cannot be interrupted.
"""

from __future__ import annotations

import threading
from time import monotonic

from msgspec import Struct

from companion.core.game_guard import NoTimer, TooSlowError
from companion.core.program_log import ProgramLog
from companion.games import GAMES

_LOG = ProgramLog(__name__)

WARNED_AFTER = 0.3
"""Seconds after which a call is logged."""
STOPPED_AFTER = 2.0
"""Seconds after which a call is interrupted."""


class _Call(Struct, eq=False):
    """A running call."""

    what: str  # the game and the function
    thread: int
    begun: float
    due: float  # when it is interrupted; after that it has as long again to end
    before: _Call | None  # the call that it was made in, if it is one of a game, too
    stopped: bool = False  # whether it has been interrupted


class GameCallTimer:
    """Measures the calls of all threads."""

    def __init__(self, warned_after: float = WARNED_AFTER, stopped_after: float = STOPPED_AFTER) -> None:
        """Begin without a thread."""
        self._warned_after, self._stopped_after = warned_after, stopped_after
        self._running: dict[int, _Call] = {}
        self._warned: set[str] = set()
        self._lock = threading.Lock()
        self._called = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, call: str) -> object:
        thread = threading.get_ident()
        now = monotonic()
        begun = _Call(call, thread, now, now + self._stopped_after, self._running.get(thread))
        with self._lock:
            self._running[thread] = begun
        if not self._called.is_set():
            self._wake()
        return begun

    def end(self, token: object) -> None:
        assert isinstance(token, _Call)
        with self._lock:
            if token.before is None:
                self._running.pop(token.thread, None)
            else:
                self._running[token.thread] = token.before
            if token.stopped:  # the call ended by itself in the meantime: nothing else may be interrupted
                _raise_in(token.thread, None)
        passed = monotonic() - token.begun
        if passed > self._warned_after and token.what not in self._warned:
            self._warned.add(token.what)
            _LOG.warning("companion: %s took %.1f s", token.what, passed)

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._look, name="game-timer", daemon=True)
            self._thread.start()
        self._called.set()

    def _look(self) -> None:
        """Interrupt calls that take too long; wait while there are none."""
        pause = threading.Event()
        while True:
            self._called.wait()
            pause.wait(self._stopped_after / 8)
            with self._lock:
                if not self._running:
                    self._called.clear()
                now = monotonic()
                for call in self._running.values():
                    if now > call.due:
                        call.due, call.stopped = now + self._stopped_after, True
                        _raise_in(call.thread, TooSlowError)


def measure_games() -> None:
    """Let the calls of all games be measured from now on."""
    if isinstance(GAMES.timer, NoTimer):
        GAMES.timer = GameCallTimer()


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an exception in a thread, at its next instruction; None takes back one that was not raised yet."""
    import ctypes  # needed only then

    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
