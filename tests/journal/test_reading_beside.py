"""A process that only reads sees what another one has written since it wrote the index."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.journal import Journal

HEADER = '{"format":1,"game":"eternity","players":["Aki","Bea"]}'


@pytest.fixture
def writer(tmp_path: Path) -> Journal:
    """Return a journal of two games, both in the index, of which one goes on."""
    journal = Journal(tmp_path)
    for name in ("000001-eternity-0123abcd", "000002-eternity-4567abcd"):
        journal.begin(name, HEADER, "full", 0.0)
    journal.update_index()
    for file in tmp_path.rglob("*.jsonl"):
        os.utime(file, (0, 0))
    journal.append("000001-eternity-0123abcd", '{"type":"start","player":0}', now=1.0, tracking="full", over=True)
    return journal


def seen(reader: Journal) -> dict[int, tuple[int, bool]]:
    return {game.number: (game.lines, game.over) for game in reader.games()}


def test_a_reader_sees_a_game_that_went_on(writer: Journal, tmp_path: Path) -> None:
    reader = Journal(tmp_path, writes=False)
    assert seen(reader) == {1: (0, False), 2: (0, False)}
    reader.read_recent()
    assert seen(reader) == {1: (1, True), 2: (0, False)}
    writer.close()


def test_a_reader_sees_every_game_without_an_index(writer: Journal, tmp_path: Path) -> None:
    (tmp_path / "index.jsonl").unlink()
    reader = Journal(tmp_path, writes=False)
    reader.read_recent()
    assert seen(reader) == {1: (1, True), 2: (0, False)}
    writer.close()


def test_a_reader_leaves_out_a_game_that_cannot_be_read(writer: Journal, tmp_path: Path) -> None:
    for place in ("games", "copies"):
        (tmp_path / place / "000001-eternity-0123abcd.jsonl").write_bytes(b"gone\n")
    (tmp_path / "games" / "a folder").mkdir()
    reader = Journal(tmp_path, writes=False)
    reader.read_recent()
    assert seen(reader) == {2: (0, False)}
    writer.close()


def test_there_is_nothing_to_read_without_a_folder(tmp_path: Path) -> None:
    for reader in (Journal(), Journal(tmp_path / "none", writes=False)):
        reader.read_recent()
        assert seen(reader) == {}
