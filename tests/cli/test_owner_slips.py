"""Mistakes of an owner at the command line: each gets a sentence, and no file is lost."""

from __future__ import annotations

import os
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from companion.cli import main
from companion.core.game import Progress
from companion.games import GAMES
from companion.journal import Journal
from tests.cli.finished_games import played, random_log
from tests.games.golf import GOLF
from tests.games.toml_games.files import BIDS

from .test_exports_and_imports import said


@pytest.fixture
def data(tmp_path: Path) -> str:
    folder = tmp_path / "data"
    played(folder, random_log("hipparchus", 3), random_log("hipparchus", 4))
    return str(folder)


@pytest.mark.parametrize("words", [("backup",), ("export", "--csv", "--out")])
def test_a_pipe_or_a_device_is_not_replaced(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert said(capfd, words[0], "--data", data, *words[1:], pipe, status=1) == f"companion: {pipe}: this is no file\n"
    assert pipe.is_fifo()
    (loop := tmp_path / "loop").symlink_to(loop)
    assert said(capfd, words[0], "--data", data, *words[1:], loop, status=1) == f"companion: {loop}: this is no file\n"


def test_a_backup_takes_the_place_of_a_backup_alone_and_follows_a_link(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    letter, backup, link = tmp_path / "letter.txt", tmp_path / "b.zip", tmp_path / "link.zip"
    letter.write_text("Dear owner")
    with ZipFile(document := tmp_path / "letter.docx", "w") as archive:
        archive.writestr("word", "Dear owner")
    for file, content in [(letter, letter.read_bytes()), (document, document.read_bytes())]:
        refused = f"companion: {file}: this is no backup, and stays as it is: choose another name\n"
        assert said(capfd, "backup", "--data", data, file, status=1) == refused
        assert file.read_bytes() == content
    link.symlink_to(backup)
    for _again in range(2):
        assert "2 games" in said(capfd, "backup", "--data", data, link)
    assert link.is_symlink()
    assert "this is a zip" in said(capfd, "import", "--data", data, backup, status=1)


def test_a_byte_order_mark_is_no_fault(data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, game = tmp_path / "log.jsonl", tmp_path / "own.toml"
    log.write_bytes(b"\xef\xbb\xbf" + random_log("hipparchus", 5))
    assert "to add: 1" in said(capfd, "import", "--data", data, "--yes", log)
    game.write_bytes(b"\xef\xbb\xbf" + BIDS.encode())
    assert "nothing is wrong" in said(capfd, "check-game", game, "--games", "1")


@pytest.mark.parametrize("command", ["check-game", "game add"])
def test_each_fault_of_a_games_file_has_a_line(tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    game = tmp_path / "own.toml"
    questions = '[[ask]]\nname = "won"\nmost = "abc"\n'
    game.write_text(
        f'name = "own"\ntitle = "Own"\nseats = 4\n{questions}[score]\npoints = "won +"\n[end]\nwhen = "many"\n'
    )
    assert len(said(capfd, *command.split(), game, status=1).splitlines()) == 3


def test_a_hidden_game_is_marked_in_the_list_and_what_is_not_saved_is_said(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert "not offered" in said(capfd, "game", "hide", "gear", "--data", data)
    assert "Gear (hidden)" in said(capfd, "game", "list", "--data", data)
    assert "companion: not saved: " in said(capfd, "game", "hide", "gear", "--data", "/proc/self/none", status=1)


def test_figures_without_all_entries_of_a_game_end_with_an_error(data: str, caplog: pytest.LogCaptureFixture) -> None:
    name = Journal(Path(data), writes=False).names()[0]
    for file in Path(data).rglob(f"{name}.jsonl"):
        rows = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(rows[:3]))
    assert main(["history", "--data", data]) == 1
    assert "entries are missing" in caplog.text


def test_a_log_that_its_game_cannot_show_is_named_and_not_taken(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"format":1,"game":"golf","players":["Ann","Bo"],"rules":{}}\n{"type":"start","player":0}\n')
    GAMES["golf"] = replace(GOLF, progress=lambda _state: Progress((1.5, 0), None))  # type: ignore[arg-type]
    try:
        refused = said(capfd, "import", "--data", data, "--yes", log, status=1)
    finally:
        del GAMES["golf"]
    assert f"companion: {log}: Golf cannot be shown: progress has another kind of value in totals" in refused
    assert len(Journal(Path(data), writes=False).names()) == 2
