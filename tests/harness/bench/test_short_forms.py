"""Every part of the bench in its short form; ``make bench`` measures at full length."""

from __future__ import annotations

import pytest

from tests.harness.bench import parts

SHARED = 1 / 3
"""The share by which a limit may be missed here, on a machine that does other things at the same time."""

COUNTED = 1 / 10
"""The same for keys, which are counted: only the games are fewer."""

TRIES = 5
"""A limit counts as missed if it is missed as often as this, one time after the other."""


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=(pytest.mark.browser, pytest.mark.needs("browser"))) if part == "phones" else part
        for part in parts.PARTS
    ],
)
def test_a_part_runs_and_keeps_its_limits(part: str) -> None:
    slack = COUNTED if part == "keys" else SHARED
    for _try in range(TRIES):
        rows = [*parts.rows(part, short=True)]
        missed = [str(row) for row in rows if not row.kept(slack)]
        if not missed:
            break
    assert not missed
