"""Kills and power cuts in use: what was shown as saved is there at the next start.

``python -m tests.harness.stress damage`` does all of this exhaustively.
"""

from __future__ import annotations

import errno
import random
from pathlib import Path

import pytest

from .calls import Calls
from .folders import laid, taken
from .power_cuts import File, PowerCutDisk, by, none
from .recorded import evening
from .tracing import failed_sync, killed_then_pulled, look, record


@pytest.mark.unmeasured
def test_a_kill_or_a_pulled_plug_after_any_call_loses_nothing_that_was_shown(place: Path) -> None:
    chance = random.Random(1)
    left = record(place / "disk" / "box", lambda teller: evening(teller, (1, 3)), chance, states=1)
    seen = look(place / "left", left)
    assert seen["killed"] > 40
    assert seen["pulled"] > 80


def test_what_a_start_shows_after_a_kill_is_there_after_a_pulled_plug(place: Path) -> None:
    chance = random.Random(2)
    number = 1
    while killed_then_pulled(place, number, chance):
        number += 17
    assert number > 100


@pytest.mark.unmeasured
@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC])
def test_a_sync_that_failed_has_saved_nothing(error: int, place: Path) -> None:
    chance = random.Random(3)
    number = 1 if error == errno.EIO else 10
    while failed_sync(place, number, error, chance, (1, 2))["syncs"]:
        number += 27
    assert number > 25


# The disk itself


def test_what_was_not_synced_may_be_there_or_not() -> None:
    file = File(b"a" * 1024)
    file.write(0, b"b" * 1024)
    chance = random.Random(1)
    left = {file.left(by(chance)) for _ in range(99)}
    assert left == {x * 512 + y * 512 for x in (b"a", b"b") for y in (b"a", b"b")}
    file.sync(failed=True)
    assert file.left(none) == b"a" * 1024
    file.write(0, b"c")
    file.sync(failed=False)
    assert {file.left(by(chance)) for _ in range(99)} == {b"c" + b"b" * 511 + half * 512 for half in (b"a", b"b")}, (
        "the second half was taken for written by the sync that failed"
    )


def test_a_name_that_was_not_synced_may_be_there_or_not(place: Path) -> None:
    laid(place, {"a": b"1", "new": b"2"})
    disk = PowerCutDisk(place)
    with Calls(place, None, disk.take).watched():
        (place / "new").rename(place / "a")
    assert taken(place) == disk.seen() == {"a": b"2"}
    assert disk.left(none) == {"a": b"1", "new": b"2"}
    assert {len(disk.left(by(random.Random(seed)))) for seed in range(20)} == {1, 2}
