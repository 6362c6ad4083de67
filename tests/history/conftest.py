"""Fixtures for tests of the history."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

Zone = Callable[[str], None]


@pytest.fixture
def zone() -> Iterator[Zone]:
    """Puts this machine into a time zone, until the test is over."""
    with pytest.MonkeyPatch.context() as changed:

        def put(name: str) -> None:
            changed.setenv("TZ", name)
            time.tzset()

        yield put
    time.tzset()
