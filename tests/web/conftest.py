from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.loop_double import LoopDouble

if TYPE_CHECKING:
    from tests.web.browser import Browser


@pytest.fixture
def standin() -> Iterator[LoopDouble]:
    served = LoopDouble()
    yield served
    served.stop()


@pytest.fixture(scope="session")
def _lasting() -> Iterator[LoopDouble]:
    served = LoopDouble()
    yield served
    served.stop()


@pytest.fixture
def lasting(_lasting: LoopDouble) -> LoopDouble:
    """Return a page served once for all tests; for tests that leave it unchanged."""
    _lasting.keys.clear()
    return _lasting


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from tests.web.browser import started  # selenium is for those who have a browser

    with started() as one:
        yield one


@pytest.fixture
def second_browser() -> Iterator[Browser]:
    from tests.web.browser import started

    with started() as another:
        yield another
