"""The hub keeps the evening, and the one before it, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.club.evening import command
from companion.club.evening.hub_folder import Hall, HubFolder
from companion.club.evening.values import EveningError
from companion.core.progress import Best

SIZES = 4, 3, 5


def test_another_evening_keeps_the_one_before_and_the_minutes_of_a_round(tmp_path: Path) -> None:
    folder = HubFolder(tmp_path / "evening")
    assert folder.read() is None
    folder.begin("Friday", SIZES, Best.HIGHEST)
    command.register(folder.file, ["Aki"], None, late=False)
    folder.keep(Hall({1: "box"}, minutes=45, began=7.0, ends=9.0))
    before = folder.file.read_bytes()
    with pytest.raises(EveningError, match="1 to 60 characters"):
        folder.begin("", SIZES, Best.HIGHEST)
    assert folder.file.read_bytes() == before
    folder.begin("Saturday", SIZES, Best.LOWEST)
    moment = folder.read()
    assert moment is not None
    assert (moment.evening.name, moment.evening.entrants) == ("Saturday", ())
    assert folder.hall == Hall(minutes=45)
    (kept,) = tmp_path.glob("evening/evening-*.jsonl")
    assert kept.read_bytes() == before


def test_damaged_boxes_and_clock_are_told_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "hall.json").write_text("{")
    with pytest.raises(EveningError, match=r"hall\.json"):
        _ = HubFolder(tmp_path).hall
