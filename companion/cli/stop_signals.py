"""Handles SIGTERM and SIGINT: both end the loop at once, even while it waits."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function on a separate thread when this process is told to stop.

    Python runs a signal handler in the main thread, and only between bytecodes. A thread that has just begun to wait
    for a key would miss the signal. So the signal is written to a socket that another thread reads.
    """
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    thread = Thread(target=_pass_on, args=(reading, stop), name="signals", daemon=True)
    thread.start()
    handlers = {number: signal.signal(number, lambda *_: None) for number in SIGNALS}
    before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        writing.close()
        thread.join()
        reading.close()


def _pass_on(reading: socket.socket, stop: Callable[[], None]) -> None:
    while numbers := reading.recv(16):
        if any(number in SIGNALS for number in numbers):
            stop()
