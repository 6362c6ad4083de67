"""Faults that the box survives, and that no test may overlook: a box logs them and lives on; here they are raised."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_LOG = logging.getLogger("companion")


class _Raising(logging.Handler):
    """Raises every exception that is logged, where it is logged."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            raise record.exc_info[1]


class _Keeping(logging.Handler):
    """Keeps every exception that is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self.kept.append(record.exc_info[1])


_RAISING = _Raising()


def raise_them() -> None:
    """Have what boxes of this process log raised, from now on."""
    if _RAISING not in _LOG.handlers:
        _LOG.addHandler(_RAISING)


@contextmanager
def expected(propagate: bool = False) -> Iterator[list[BaseException]]:
    """Give what boxes log within the block; none of it is raised, nor is it logged elsewhere unless told so."""
    keeping, raised = _Keeping(), _RAISING in _LOG.handlers
    _LOG.removeHandler(_RAISING)
    _LOG.addHandler(keeping)
    _LOG.propagate = propagate
    try:
        yield keeping.kept
    finally:
        _LOG.propagate = True
        _LOG.removeHandler(keeping)
        if raised:
            raise_them()
