"""Keys of a matrix from edges of its columns and from scans, as a pure function of both."""

from __future__ import annotations

import pytest

from companion.ui.keys import MISSED, Key
from hardware.keys.contacts import SETTLE
from hardware.keys.matrix import MatrixDecoder

COLUMN, ONE, FOUR, TWO = 0b01, 0b0001, 0b0100, 0b0010


@pytest.fixture
def reader() -> MatrixDecoder:
    """Return a reader of two rows and two columns: 1 and 2 above 4 and 5."""
    return MatrixDecoder("1245", 2)


def test_one_scan_and_the_edges_around_it_are_a_press(reader: MatrixDecoder) -> None:
    assert reader.follow(COLUMN, 1.0) == []
    assert reader.scan(ONE, COLUMN, 1.001, 1.002) == []
    assert reader.follow(0, 1.0 + SETTLE) == [Key("1")]


def test_a_scan_that_comes_late_enters_the_key_at_once(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    assert reader.scan(FOUR, COLUMN, 1.04, 1.041) == [Key("4")]


def test_edges_alone_are_a_missed_press_once_the_column_has_settled(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    reader.follow(0, 1.05)
    assert reader.wait(1.054) == []
    assert reader.due() == pytest.approx(1.05 + SETTLE)
    assert reader.wait(1.06) == [MISSED]
    assert reader.due() is None


def test_an_edge_while_it_bounces_is_the_key_that_was_scanned_before(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    reader.scan(ONE, COLUMN, 1.0, 1.0005)
    reader.follow(0, 1.001)
    reader.follow(COLUMN, 1.002)
    assert reader.follow(0, 1.05) == [Key("1")]
    assert reader.wait(2.0) == []


def test_a_later_press_of_another_key_in_the_column_is_not_taken_for_the_one_before(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    reader.scan(ONE, COLUMN, 1.01, 1.011)
    reader.follow(0, 1.05)
    reader.follow(COLUMN, 1.1)
    reader.follow(0, 1.15)
    assert reader.wait(1.2) == [MISSED]


def test_two_keys_of_a_column_need_two_scans(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    assert reader.scan(ONE | FOUR, COLUMN, 1.03, 1.031) == []
    assert reader.scan(ONE | FOUR, COLUMN, 1.04, 1.041) == [Key("1"), Key("4")]


def test_a_press_that_ended_during_a_slow_scan_is_a_missed_one(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    reader.scan(0, 0, 1.001, 1.06)
    assert reader.wait(1.07) == [MISSED]


def test_a_press_that_made_room_for_another_during_a_slow_scan_is_a_missed_one(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    assert reader.scan(0, COLUMN, 1.05, 1.2) == [MISSED]
    reader.scan(FOUR, COLUMN, 1.201, 1.202)
    assert reader.scan(FOUR, COLUMN, 1.21, 1.211) == [Key("4")]


def test_a_key_that_still_bounces_in_a_slow_scan_is_not_told_as_missed(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    assert reader.scan(0, COLUMN, 1.001, 1.05) == []
    assert reader.scan(ONE, COLUMN, 1.06, 1.061) == [Key("1")]
    assert reader.follow(0, 1.1) + reader.wait(1.2) == []


def test_a_crackle_during_a_quick_scan_is_no_press(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    reader.scan(0, 0, 1.001, 1.002)
    assert reader.wait(1.07) == []


def test_a_scan_that_finds_nothing_in_a_low_column_asks_for_another(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    reader.scan(0, COLUMN, 1.001, 1.002)
    assert reader.unscanned
    reader.scan(ONE, COLUMN, 1.003, 1.004)
    assert not reader.unscanned


def test_a_column_that_fell_during_a_scan_asks_for_another(reader: MatrixDecoder) -> None:
    reader.follow(COLUMN, 1.0)
    reader.scan(ONE, COLUMN | 0b10, 1.01, 1.011)
    assert reader.unscanned
    assert reader.scan(ONE | TWO, COLUMN | 0b10, 1.02, 1.021) == [Key("2")]
