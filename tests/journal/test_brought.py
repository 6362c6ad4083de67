"""Games copied from another box into the folder: the next start has them."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import Journal

from .damaged_starts import gone_on
from .folders import Files, laid, texts
from .recorded import Teller, Told, evening_kept
from .starts import started


@pytest.fixture
def brought(place: Path, kept: tuple[Files, Told]) -> tuple[Path, dict[str, list[str]]]:
    """Yield a box's folder with a game of another box copied into it, and all games."""
    files, told = kept
    _, other = evening_kept(place / "other")
    box = laid(place / "box", files)
    game = list(other.games)[1]
    shutil.copyfile(place / "other" / "games" / f"{game}.jsonl", box / "games" / f"{game}.jsonl")
    return box, {**told.games, game: other.games[game]}


def test_a_game_of_another_box_is_there_with_its_number(brought: tuple[Path, dict[str, list[str]]]) -> None:
    box, games = brought
    start = started(box)
    assert start.games == games
    assert start.notices == []
    with closing(Journal(box)) as journal:
        assert [saved.number for saved in journal.games()] == [3, 2, 2, 1]
        assert journal.name_for("gear").startswith("000004-gear-")


def test_a_game_of_another_box_is_copied_and_gone_on_with(brought: tuple[Path, dict[str, list[str]]]) -> None:
    box, games = brought
    start = started(box)
    for game, lines in games.items():
        assert texts(start.files[f"copies/{game}.jsonl"], game[-8:].encode()) == lines
    gone_on(box, start)


def test_a_game_of_another_box_is_seen_by_a_box_that_runs_only_at_its_next_start(place: Path) -> None:
    files, told = evening_kept(place / "other")
    game = next(iter(told.games))
    with closing(Journal(place / "box")) as journal:
        mine = Teller(journal).begin()
        (place / "box" / "games" / f"{game}.jsonl").write_bytes(files[f"games/{game}.jsonl"])
        assert journal.names() == [mine]
    assert started(place / "box").games.keys() == {mine, game}


def test_a_game_with_a_higher_number_is_followed_by_the_next_one(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        game = "000999-gear-0123abcd"
        journal.begin(game, "{}", "full", 0.0)
        assert journal.name_for("gear").startswith("001000-gear-")
    with closing(Journal(place / "box")) as journal:
        assert journal.name_for("gear").startswith("001000-gear-")
