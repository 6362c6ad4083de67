"""`companion export --csv …`, `import`, `backup` and `restore`, as people use them."""

from __future__ import annotations

import json
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import common, main
from companion.journal import Journal, JournalError
from tests.cli.command_transcripts import FOLDER
from tests.cli.finished_games import played, random_log
from tests.cli.folders import state_of

FINISHED = random_log("east-rune", 7)
OPEN = b'{"format":1,"game":"hipparchus","players":["Ann","Bo"],"rules":{}}\n{"type":"start","player":0}\n'


@pytest.fixture
def data(tmp_path: Path) -> str:
    folder = tmp_path / "data"
    played(folder, FINISHED, random_log("hipparchus", 3), OPEN)
    return str(folder)


def said(capfd: pytest.CaptureFixture[str], *words: object, status: int = 0) -> str:
    assert main([str(word) for word in words]) == status
    out, err = capfd.readouterr()
    return out if status == 0 else err


def test_the_logs_of_all_games_are_a_zip_file(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "logs.zip"
    said(capfd, "export", "--data", data, "--log", "--out", out)
    with zipfile.ZipFile(out) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path)
    assert [name[:6] for name in names] == ["000001", "000002", "000003"]
    assert said(capfd, "replay", *(tmp_path / name for name in names)).count("\n") == 3
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "choose its name with --out FILE" in said(capfd, "export", "--data", data, "--log", status=1)


# Import


def test_plays_of_bg_stats_are_taken_once_and_exported(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file, new = tmp_path / "all.bgsplay", tmp_path / "new"
    said(capfd, "export", "--data", data, "--bgstats", "--out", file)
    whole = json.loads(file.read_bytes())
    whole["plays"].append({**whole["plays"][0], "uuid": "X", "ignored": True})
    file.write_text("\ufeff" + json.dumps(whole))
    shown = said(capfd, "import", "--data", new, "--yes", file)
    assert f"{file}: 1 play left out: ignored in BG Stats\n" in shown
    assert "to add: 2; already there: 0\n" in shown
    before = state_of(str(new))
    assert "to add: 0; already there: 2\n" in said(capfd, "import", "--data", new, "--yes", file)
    assert state_of(str(new)) == before
    assert "to add: 0; already there: 2\n" in said(capfd, "import", "--data", data, "--yes", file)  # its own games
    ours, theirs = (json.loads(said(capfd, "export", "--data", each, "--json"))["games"] for each in (data, new))
    assert [game["scores"] for game in theirs] == [game["scores"] for game in ours]
    said(
        capfd, "import", "--data", new, "--yes", *sorted(Path(data, "games").iterdir())
    )  # now their logs are there, too
    assert [game["number"] for game in json.loads(said(capfd, "export", "--data", new, "--json"))["games"]] == [1, 2]


def test_a_second_import_corrects_what_an_earlier_version_took(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    new, earlier = tmp_path / "new", {"game": "Golf", "players": ["Ada", "Ben"], "scores": [42, 0], "winners": [0]}
    with closing(Journal(new)) as journal:
        journal.keep_imported({"P1": {**earlier, "places": [1, 2], "begun": 1.7e9}})
    (before,) = json.loads(said(capfd, "export", "--data", new, "--json"))["games"]
    assert (before["scores"], before["ranks"]) == ([42, 0], [1, 2])  # as it was taken
    file = FOLDER / "files/two.json"
    assert "to add: 0; to correct: 1; already there: 0\n" in said(capfd, "import", "--data", new, "--yes", file)
    (after,) = json.loads(said(capfd, "export", "--data", new, "--json"))["games"]
    assert after["scores"] == [42, None]
    assert "to add: 0; already there: 1\n" in said(capfd, "import", "--data", new, "--yes", file)


def test_an_import_that_is_not_saved_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(OPEN)
    monkeypatch.setattr(Journal, "save", lambda _: False)
    assert "companion: not saved: " in said(capfd, "import", "--data", tmp_path / "new", "--yes", file, status=1)


def test_a_game_that_becomes_unreadable_stops_an_import(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> list[str]:
        raise JournalError("gone")

    file = tmp_path / "log.jsonl"
    file.write_bytes(OPEN)
    monkeypatch.setattr(Journal, "lines", gone)
    assert said(capfd, "import", "--data", data, "--yes", file, status=1) == "companion: gone\n"


# Backup


def test_a_game_that_went_on_differently_is_told(data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, new = tmp_path / "all.zip", tmp_path / "new"
    said(capfd, "backup", "--data", data, file)
    said(capfd, "restore", "--data", new, file)
    for folder, line in ((data, '{"type":"undo"}'), (new, '{"type":"play","player":0,"suit":"sun","count":1}')):
        with closing(Journal(Path(folder))) as journal:
            journal.append(journal.names()[2], line, now=9.0, tracking="full")
            journal.keep_remark("AB-1", {"place": str(folder)})
    said(capfd, "backup", "--data", data, file)
    shown = said(capfd, "restore", "--data", new, file)
    assert "000004-hipparchus-" in shown
    assert "went on differently here: the game of the backup was added under this name" in shown
    assert "1 game with another place or notes here: they were kept\n" in shown


def test_a_file_that_never_ends_is_refused(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "MOST_BYTES", 1 << 20)
    assert said(capfd, "keys", "/dev/zero", status=1) == "companion: /dev/zero: too large, more than 1 MB\n"
