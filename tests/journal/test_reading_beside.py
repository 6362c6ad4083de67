"""A process that only reads sees what another one has written since it wrote the index."""

from __future__ import annotations

import errno
import os
import random
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.journal import Journal, JournalError

from .recorded import Teller, use

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


def everything(reader: Journal) -> dict[str, object]:
    """Return all that a journal says."""
    reader.read_recent()
    games: dict[str, object] = {}
    for game in reader.games():
        try:
            games[game.name] = game, reader.log(game.name), reader.keys(game.name), reader.draft(game.name)
        except JournalError as fault:
            games[game.name] = str(fault)
    settings = {name: reader.setting(name) for name in ("sounds", "roster", "left game")}
    values = reader.imported(), reader.remarks(), reader.draft(None), reader.open_game()
    return {"names": reader.names(), "removed": reader.removed(), "settings": settings, "values": values} | games


@pytest.mark.parametrize("seed", range(4))
def test_a_reader_that_goes_on_reads_as_one_that_begins(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    reader = Journal(tmp_path / "box", writes=False)
    assert everything(reader)["names"] == []
    with closing(Journal(tmp_path / "box")) as box:
        teller = Teller(box)
        for _ in range(25):
            use(teller, chance, steps=chance.choice((1, 3, 10)))
            match chance.randrange(6):
                case 0 if box.names():
                    box.put_away(box.names()[0])
                    del teller.told.games[min(teller.told.games)]
                case 1 if box.removed_names():
                    box.empty_removed()
                case 2:
                    box.keep_imported({f"play {chance.random()}": {}})
                case 3:
                    box.keep_remark("game", {"place": str(chance.random())})
                case 4:
                    (tmp_path / "box" / "index.jsonl").unlink(missing_ok=True)
            assert everything(reader) == everything(Journal(tmp_path / "box", writes=False))


def test_a_reader_that_goes_on_tells_damage_once(writer: Journal, tmp_path: Path) -> None:
    (tmp_path / "games" / "000002-eternity-4567abcd.jsonl").write_bytes(b"gone\n")
    (tmp_path / "copies" / "000002-eternity-4567abcd.jsonl").unlink()
    reader = Journal(tmp_path, writes=False)
    for _ in range(3):
        writer.update_index()
        reader.read_recent()
        with pytest.raises(JournalError):
            reader.saved("000002-eternity-4567abcd")
    assert [str(notice) for notice in reader.notices] == [
        "Game 2: damaged, and nothing of it can be read. Its files are kept"
    ]
    writer.close()


def test_a_reader_that_goes_on_says_that_the_folder_cannot_be_read_any_more(writer: Journal, tmp_path: Path) -> None:
    reader = Journal(tmp_path, writes=False)
    failing = patch("companion.journal.disk.fault_of", return_value=OSError(errno.EIO, ""))
    with failing, pytest.raises(JournalError, match="the disk is failing"):
        reader.read_recent()
    reader.read_recent()
    assert seen(reader) == {1: (1, True), 2: (0, False)}
    writer.close()
