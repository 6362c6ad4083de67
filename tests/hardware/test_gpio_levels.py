"""Orders to the kernel that keep Python's interpreter."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from hardware import gpio_levels


class Pipe:
    """A request that is none: the kernel refuses every order."""

    def __init__(self) -> None:
        self.fd, self._other = os.pipe()

    def close(self) -> None:
        os.close(self.fd)
        os.close(self._other)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    made.close()


def test_an_order_that_the_kernel_refuses_is_an_error_with_the_reason(pipe: Pipe) -> None:
    with pytest.raises(OSError, match="Inappropriate ioctl for device"):
        gpio_levels.read(pipe)  # type: ignore[arg-type]
    with pytest.raises(OSError, match="Inappropriate ioctl for device"):
        gpio_levels.drive(pipe, 1)  # type: ignore[arg-type]


def test_no_other_thread_runs_during_an_order(pipe: Pipe) -> None:
    begin, ran = Event(), Event()

    def run() -> None:
        begin.wait()
        ran.set()

    other = Thread(target=run)
    other.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(100)  # so only a thread that gives the interpreter up is interrupted
    try:
        begin.set()
        for _ in range(1000):
            with pytest.raises(OSError, match="ioctl"):
                gpio_levels.read(pipe)  # type: ignore[arg-type]
        assert not ran.is_set()
    finally:
        sys.setswitchinterval(before)
        other.join()
