"""`companion remove`: games are put away, listed, brought back and deleted."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import main
from companion.journal import Journal
from tests.cli.finished_games import played, random_log


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    played(tmp_path, random_log("gear", 1), random_log("hipparchus", 2))
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], folder: Path, words: str) -> str:
    """Return what the command prints."""
    assert main(["remove", "--data", str(folder), *words.split()]) == 0
    return capsys.readouterr().out


def test_the_command_puts_away_lists_brings_back_and_deletes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = sorted(file.stem for file in (folder / "games").iterdir())
    assert told(capsys, folder, "1") == f"{names[0]} is removed; companion remove --back brings it back\n"
    assert told(capsys, folder, "--list").startswith("  1  ")
    with closing(Journal(folder)) as journal:
        assert journal.names() == [names[1]]
    assert told(capsys, folder, "--back 1") == f"{names[0]} is back\n"
    told(capsys, folder, f"{names[0]} 2")
    assert told(capsys, folder, "--empty --yes") == "2 games deleted\n"
    assert told(capsys, folder, "--empty") == "no game was removed\n"
    assert not [*folder.glob("removed/*/*")]


@pytest.mark.parametrize(("answer", "sentence"), [("y", "1 game deleted"), ("", "nothing is deleted")])
def test_the_command_asks_before_it_deletes(
    answer: str, sentence: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told(capsys, folder, "1")
    monkeypatch.setattr(
        "companion.cli.saved_games.agreed", lambda question: question.startswith("Delete") and answer == "y"
    )
    assert told(capsys, folder, "--empty") == f"{sentence}\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "which game?"),
        (["9"], "there is no game 9"),
        (["--back", "1"], "there is no game that was removed"),
    ],
)
def test_the_command_refuses_with_a_sentence(
    words: list[str], sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["remove", "--data", str(folder), *words]) == 1
    assert sentence in capsys.readouterr().err
