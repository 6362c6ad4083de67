"""Presses, holds, very long holds and repeats; keys of a matrix from edges of its columns and from scans."""

from __future__ import annotations

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from companion.ui.keys import Key
from hardware.keys.presses import ARROWS, JAMMED, PressDetector
from tests.line_tables import Row, cases, given, says

NAMES = "15#*o<"


@pytest.mark.parametrize(("name", "rows"), cases("presses", "matrix-keys", "key-moves"))
def test_keys_count_as_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


def test_an_arrow_nobody_can_still_be_holding_is_silent() -> None:
    presses = PressDetector("<")
    presses.update(1, 1.0)
    now, said = 1.0, 0
    while (due := presses.due()) is not None:
        now = due
        said += len(presses.update(1, now))
    assert 1.0 + JAMMED <= now <= 2.0 + JAMMED
    assert said > 100


@drawn(st.lists(st.tuples(st.integers(0, 2 ** len(NAMES) - 1), st.floats(0.001, 3)), max_size=40))
def test_every_press_says_its_key_once_whatever_else_is_down(pictures: list[tuple[int, float]]) -> None:
    presses = PressDetector(NAMES)
    now, before = 0.0, 0
    went_down = dict.fromkeys(NAMES, 0)
    said: list[Key] = []
    for down, lasting in [*pictures, (0, 1.0)]:
        for bit, name in enumerate(NAMES):
            went_down[name] += down >> bit & ~before >> bit & 1
        said += presses.update(down, now)
        until, before = now + lasting, down
        while (due := presses.due()) is not None and due <= until:
            said += presses.update(down, due)
        now = until
    assert presses.due() is None
    for name in NAMES:
        times = sum(key.name == name for key in said)
        assert times == went_down[name] if name not in ARROWS else times >= went_down[name]
