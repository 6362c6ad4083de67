"""Slips of fingers in a real browser, in short; `python -m tests.harness.taps` tries a thousand of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.harness.taps.fingers import Counts, collisions, presses, taps

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = [pytest.mark.browser, pytest.mark.unmeasured]


@pytest.fixture(scope="module")
def two() -> Iterator[tuple[Browser, Browser]]:
    from tests.web.browser import started

    with started(real_time=True) as one, started(real_time=True) as other:
        yield one, other


@pytest.mark.parametrize(
    "slips",
    [
        partial(taps, twice=True),
        partial(taps, twice=False),
        partial(presses, twice=True),
        partial(presses, twice=False),
    ],
    ids=["double taps", "honest taps", "double presses", "honest presses"],
)
def test_slips_of_fingers_enter_nothing_and_honest_ones_count(
    two: tuple[Browser, Browser], slips: Callable[..., Counts]
) -> None:
    found = slips(two[0], 8, 1)
    assert found.tried == 8
    assert not found.wrong


def test_what_several_people_answer_at_once_is_never_mixed(two: tuple[Browser, Browser]) -> None:
    found = collisions(two, 3, 1)
    assert found.tried == 3
    assert not found.wrong
