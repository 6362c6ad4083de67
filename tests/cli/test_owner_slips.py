"""Mistakes of an owner at the command line: each gets a sentence, and no file is lost."""

from __future__ import annotations

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

from .test_exports_and_imports import said


@pytest.fixture
def data(tmp_path: Path) -> str:
    folder = tmp_path / "data"
    played(folder, random_log("hipparchus", 3), random_log("hipparchus", 4))
    return str(folder)


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
