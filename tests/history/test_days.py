"""Local times of entries."""

from __future__ import annotations

from datetime import datetime

import pytest

from companion.history.days import noted


def test_a_moment_is_told_by_the_clocks_of_the_house() -> None:
    evening = datetime(2026, 11, 22, 20, 15)
    assert noted(evening.timestamp()) == evening


@pytest.mark.parametrize("moment", [0.0, 12 * 3600.0, -1.0, 1_700_000_000.0, 1e300])
def test_a_moment_before_the_clock_was_set_or_off_the_calendar_is_none(moment: float) -> None:
    assert noted(moment) is None
