"""`companion export --csv …`, `import`, `backup` and `restore`, as people use them."""

from __future__ import annotations

import csv
import json
import os
import sys
import zipfile
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from companion.cli import common, main
from companion.journal import Journal, JournalError
from tests.app.finished_games import played, random_log
from tests.app.folders import state_of
from tests.journal.backups import games_in

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


def test_csv_has_the_finished_games_oldest_first(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(StringIO(said(capfd, "export", "--data", data, "--csv").removeprefix("\ufeff"))))
    assert list(dict.fromkeys(row["game"] for row in rows)) == ["East Rune", "Hipparchus"]
    assert rows[0]["begun"].startswith("2026-11-2")


def test_one_game_is_exported_by_its_number(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    (game,) = json.loads(said(capfd, "export", "--data", data, "--json", "2"))["games"]
    assert (game["number"], game["game"]) == (2, "hipparchus")
    assert said(capfd, "export", "--data", data, "--csv", "3", status=1) == (
        "companion: game 3 is not finished, so it has no result yet\n"
    )
    assert said(capfd, "export", "--data", data, "--log", "1").encode() == FINISHED.replace(b" ", b"")


def test_an_export_is_written_to_a_file(data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "all.bgsplay"
    assert said(capfd, "export", "--data", data, "--bgstats", "--out", out) == ""
    assert len(json.loads(out.read_bytes())["plays"]) == 2
    assert said(capfd, "export", "--data", data, "--out", tmp_path / "no" / "x", status=1) == (
        f"companion: {tmp_path}/no/x: no such file or directory\n"
    )
    inside = Path(data, "games", "x.csv")
    assert "write the export into another" in said(capfd, "export", "--data", data, "--csv", "--out", inside, status=1)


def test_a_list_goes_with_no_other_option(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    for more in (["--csv"], ["--out", "x"]):
        assert "--list prints a list only" in said(capfd, "export", "--data", data, "--list", *more, status=1)


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


def test_a_game_that_cannot_be_read_does_not_hold_up_the_others(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with closing(Journal(Path(data))) as journal:
        journal.add_game(journal.name_for("gear"), [('{"game":"gear"}', {}), ("{}", {"over": True})])
        broken, *_ = journal.names()
    for folder in ("games", "copies"):
        Path(data, folder, f"{broken}.jsonl").write_bytes(b"gone")
    left_out = "companion: Game 1: damaged, and nothing of it can be read. Its files are kept\n"
    assert main(["export", "--data", data, "--json"]) == 1
    found = capfd.readouterr()
    assert [game["number"] for game in json.loads(found.out)["games"]] == [2]
    assert (left_out in found.err, "is left out of the history: 1: " in caplog.text) == (True, True)
    assert main(["export", "--data", data, "--log", "--out", str(tmp_path / "logs.zip")]) == 1
    assert left_out in capfd.readouterr().err
    assert main(["export", "--data", data, "2"]) == 0


def test_games_of_an_unset_clock_are_told_apart_for_bg_stats(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for count, sentence in ((1, "1 game was played"), (2, "2 games were played")):
        log = tmp_path / f"{count}.jsonl"
        log.write_bytes(random_log("hipparchus", count))
        said(capfd, "import", "--data", tmp_path / "new", "--yes", log)
        assert main(["export", "--data", str(tmp_path / "new"), "--bgstats"]) == 0
        out, err = capfd.readouterr()
        assert (json.loads(out)["plays"], sentence in err) == ([], True)


# Import


def test_files_are_looked_over_and_taken_only_if_somebody_agrees(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = sorted(Path(data, "games").iterdir())
    monkeypatch.setattr(sys, "stdin", StringIO())
    command = ["import", "--data", tmp_path / "new", *files]
    assert said(capfd, *command).splitlines()[-1] == "nothing taken; --yes takes it"
    assert not list(tmp_path.glob("new/games/*"))
    for answer, taken in (("\n", 0), ("no\n", 0), ("Y\n", 3)):
        monkeypatch.setattr(sys, "stdin", StringIO(answer))
        shown = said(capfd, *command)
        assert "to add: 3; already there: 0\n" in shown
        assert "2026-11-22  East Rune   over" in shown
        assert "Take these? [y/N] " in shown
        assert len(list(tmp_path.glob("new/games/*"))) == taken
    assert "to add: 0; already there: 3\n" in said(capfd, *command)


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


def test_one_damaged_file_keeps_all_from_being_taken(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    good, bad = sorted(Path(data, "games").iterdir())[0], tmp_path / "bad.jsonl"
    for content, why in ((b"{", "line 1: this is not JSON"), (b'{"plays":7}', "no export of BG Stats")):
        bad.write_bytes(content)
        assert why in said(capfd, "import", "--data", tmp_path / "new", "--yes", good, bad, status=1)
    assert "no such file" in said(capfd, "import", "--data", tmp_path / "new", tmp_path / "none", status=1)
    assert not (tmp_path / "new").exists()


def test_an_import_while_a_box_runs_is_refused(data: str, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(OPEN)
    with closing(Journal(Path(data))):
        assert "already uses the journal" in said(capfd, "import", "--data", data, "--yes", file, status=1)


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


def test_a_backup_goes_to_a_file_and_back(data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, new = tmp_path / "all.zip", tmp_path / "new"
    before = state_of(data)
    assert said(capfd, "backup", "--data", data, file) == f"3 games in {file}\n"
    assert state_of(data) == before
    assert said(capfd, "restore", "--data", new, file) == "added: 3 games; with more entries: 0; as before: 0\n"
    logs = [said(capfd, "export", "--data", each, "--csv") for each in (data, new)]
    assert logs[0] == logs[1]
    with closing(Journal(new)):
        assert "stop it, or choose another folder" in said(capfd, "restore", "--data", new, file, status=1)


def test_a_backup_that_cannot_be_written_or_read_says_why(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    no = tmp_path / "no" / "x.zip"
    assert said(capfd, "backup", "--data", data, no, status=1) == f"companion: {no}: no such file or directory\n"
    assert said(capfd, "restore", "--data", data, no, status=1) == f"companion: {no}: no such file or directory\n"
    assert "there is no journal in" in said(capfd, "backup", "--data", no, tmp_path / "x.zip", status=1)
    assert "own folder" in said(capfd, "backup", "--data", data, Path(data, "x.zip"), status=1)
    assert "is no backup" in said(capfd, "restore", "--data", data, __file__, status=1)


def test_a_game_that_is_not_in_the_backup_is_told(data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = sorted(Path(data, "games").iterdir())[0]
    for folder in ("games", "copies"):
        Path(data, folder, broken.name).write_bytes(b"gone")
    file = tmp_path / "all.zip"
    assert f"game {broken.stem} cannot be read" in said(capfd, "backup", "--data", data, file, status=1)
    assert len(games_in(file)) == 2


def test_a_game_that_went_on_differently_is_told(data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, new = tmp_path / "all.zip", tmp_path / "new"
    said(capfd, "backup", "--data", data, file)
    said(capfd, "restore", "--data", new, file)
    for folder, line in ((data, '{"type":"undo"}'), (new, '{"type":"play","player":0,"suit":"sun","count":1}')):
        with closing(Journal(Path(folder))) as journal:
            journal.append(journal.names()[2], line, now=9.0, tracking="full")
    said(capfd, "backup", "--data", data, file)
    shown = said(capfd, "restore", "--data", new, file)
    assert "000004-hipparchus-" in shown
    assert "went on differently here: the game of the backup was added under this name" in shown


def test_a_file_that_never_ends_or_is_none_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common, "MOST_BYTES", 1 << 20)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = ("--data", tmp_path / "data")
    assert said(capfd, "import", *data, pipe, status=1) == f"companion: {pipe}: this is no file\n"
    assert said(capfd, "import", *data, "/dev/zero", status=1) == "companion: /dev/zero: this is no file\n"
    assert said(capfd, "import", *data, tmp_path, status=1) == f"companion: {tmp_path}: is a directory\n"
    assert said(capfd, "keys", "/dev/zero", status=1) == "companion: /dev/zero: too large, more than 1 MB\n"


def test_an_import_says_that_a_last_line_is_cut_off(
    data: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO())
    theirs = max(Path(data, "games").iterdir())
    cut = tmp_path / theirs.name
    cut.write_bytes(theirs.read_bytes().rstrip(b"\0")[:-3])
    told = said(capfd, "import", "--data", tmp_path / "mine", cut)
    assert f"{cut}: the last line is cut off, and is left out\n" in told
    assert "  0 entries" in told
