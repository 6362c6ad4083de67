"""`companion export --csv …`, `import`, `backup` and `restore`, as people use them."""

from __future__ import annotations

import csv
import json
import os
import re
import sys
import zipfile
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from companion.cli import common, main
from companion.journal import Journal, JournalError
from tests.cli.finished_games import played, random_log
from tests.cli.folders import state_of
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


Scores = dict[int, object]


def bgstats(
    folder: Path, names: dict[int, str | dict[str, object]], *plays: tuple[dict[str, object], Scores], **more: object
) -> Path:
    """Write a file of BG Stats and return it; of each play the game and the scores, the first player wins."""
    games = [{"id": number, **game} for number, (game, _scores) in enumerate(plays, 1)]
    people = [{"id": player, **({"name": name} if isinstance(name, str) else name)} for player, name in names.items()]
    entries = [
        {
            "uuid": f"P{number}",
            "gameRefId": number,
            "playDate": f"2026-03-{number:02} 20:00:00",
            "playerScores": [
                {"playerRefId": player, "score": own, "winner": not place} for place, (player, own) in enumerate(of)
            ],
            **more,
        }
        for number, of in enumerate((scores.items() for _game, scores in plays), 1)
    ]
    file = folder / "BGStatsExport.json"
    file.write_text(json.dumps({"players": people, "games": games, "plays": entries}))
    return file


GOLF: dict[str, object] = {"name": "Golf", "highestWins": False}


@pytest.fixture
def golf(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    """Return a journal with three plays of Golf, and one of Chess."""
    plays: list[tuple[dict[str, object], Scores]] = [
        (GOLF, {1: "42", 2: "", 3: "55"}),
        (GOLF, {1: "55", 2: "72"}),
        (GOLF, {1: "30", 2: "31"}),
        ({"name": "Chess", "noPoints": True}, {2: "0", 1: None}),
    ]
    file = bgstats(tmp_path, {1: "Ada", 2: "Ben", 3: "Cy"}, *plays)
    games = {number: {"id": 1 if game is GOLF else 4, **game} for number, (game, _scores) in enumerate(plays, 1)}
    whole = json.loads(file.read_text())
    whole["games"] = [games[1], games[4]]
    whole["plays"] = [{**play, "gameRefId": games[number]["id"]} for number, play in enumerate(whole["plays"], 1)]
    file.write_text(json.dumps(whole))
    said(capfd, "import", "--data", tmp_path / "new", "--yes", file)
    return tmp_path / "new"


def test_where_the_fewest_points_win_they_are_the_best(golf: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told = said(capfd, "stats", "--data", golf, "Ada")
    assert re.search(r"Golf +30 \(imported\) +55 \(imported\)", told)
    assert re.search(
        r"closest win +by 1 +imported 2026-03-03 20:00 +Ada", said(capfd, "stats", "--data", golf, "--game", "golf")
    )


def test_unknown_points_are_no_zeros(golf: Path, capfd: pytest.CaptureFixture[str]) -> None:
    listed = said(capfd, "history", "--data", golf)
    assert "Ada 42, Cy 55, Ben –" in listed
    assert "Ben –, Ada –" in listed
    assert "\nChess\n" in said(capfd, "stats", "--data", golf, "Ada")  # no best game, no worst
    assert re.search(r"lowest score +30 ", said(capfd, "stats", "--data", golf, "--game", "Golf"))
    games = json.loads(said(capfd, "export", "--data", golf, "--json"))["games"]
    assert [game["scores"] for game in games] == [[42, None, 55], [55, 72], [30, 31], [None, None]]
    rows = [*csv.DictReader(StringIO(said(capfd, "export", "--data", golf, "--csv").removeprefix("\ufeff")))]
    assert [row["score"] for row in rows] == ["42", "", "55", "55", "72", "30", "31", "", ""]


def test_imported_games_are_chosen_by_their_titles(golf: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert said(capfd, "history", "--data", golf, "--game", "golf").count("Golf") == 3
    assert "Ben" in said(capfd, "stats", "--data", golf, "--game", "Chess")
    assert said(capfd, "history", "--data", golf, "--game", "East Rune", status=1) == (
        f"companion: there is no finished game of East Rune in {golf}\n"
    )
    assert said(capfd, "history", "--data", golf, "--game", "Gulf", status=1) == (
        "companion: there is no game 'Gulf'; did you mean Golf?\n"
    )


def test_a_title_of_ours_does_not_make_single_players_partners(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    names: dict[int, str | dict[str, object]] = {1: "Ada", 2: "Ben", 3: "Cy", 4: "Di"}
    play: tuple[dict[str, object], Scores] = ({"name": "Whist"}, {1: "125", 2: "100", 3: "40", 4: "80"})
    said(capfd, "import", "--data", tmp_path / "new", "--yes", bgstats(tmp_path, names, play, usesTeams=False))
    league = said(capfd, "stats", "--data", tmp_path / "new").splitlines()[1:]
    assert [line.split()[1:6:4] for line in league] == [["Ada", "100%"], ["Ben", "67%"], ["Di", "33%"], ["Cy", "0%"]]


def test_what_an_import_changes_is_said_before_it_asks(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names: dict[int, str | dict[str, object]] = {
        1: "Sam",
        2: "Sam",
        3: {"name": "Anonymous player", "isAnonymous": True},
    }
    plays: tuple[tuple[dict[str, object], Scores], ...] = (
        ({"name": "G"}, {1: "12.5", 2: "11.5", 3: "49-46ish"}),
        ({"name": "G"}, {2: "1.250", 3: "1.090"}),
    )
    file, new = bgstats(tmp_path, names, *plays), tmp_path / "new"
    monkeypatch.setattr(sys, "stdin", StringIO("y\n"))
    told = said(capfd, "import", "--data", new, file)
    assert told.startswith(
        f"{file}: 2 scores rounded to whole points\n"
        f"{file}: 1 score cannot be read, and counted as unknown\n"
        f"{file}: Sam is called Sam 2 here\n"
        f"{file}: anonymous, and hidden from lists: Anonymous player\n"
        "2026-03-01  G  Sam 13, Sam 2 12, Anonymous player –\n"
        "2026-03-02  G  Sam 2 1250, Anonymous player 1090\n"
        "to add: 2; already there: 0\n"
    )
    assert "Anonymous" not in said(capfd, "stats", "--data", new)


def test_a_second_import_corrects_what_an_earlier_version_took(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    new, earlier = tmp_path / "new", {"game": "Golf", "players": ["Ada", "Ben"], "scores": [42, 0], "winners": [0]}
    with closing(Journal(new)) as journal:
        journal.keep_imported({"P1": {**earlier, "places": [1, 2], "begun": 1.7e9}})
    (before,) = json.loads(said(capfd, "export", "--data", new, "--json"))["games"]
    assert (before["scores"], before["ranks"]) == ([42, 0], [1, 2])  # as it was taken
    file = bgstats(tmp_path, {1: "Ada", 2: "Ben"}, (GOLF, {1: "42", 2: ""}))
    assert "to add: 0; to correct: 1; already there: 0\n" in said(capfd, "import", "--data", new, "--yes", file)
    (after,) = json.loads(said(capfd, "export", "--data", new, "--json"))["games"]
    assert after["scores"] == [42, None]
    assert "to add: 0; already there: 1\n" in said(capfd, "import", "--data", new, "--yes", file)


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
            journal.keep_remark("AB-1", {"place": str(folder)})
    said(capfd, "backup", "--data", data, file)
    shown = said(capfd, "restore", "--data", new, file)
    assert "000004-hipparchus-" in shown
    assert "went on differently here: the game of the backup was added under this name" in shown
    assert "1 game with another place or notes here: they were kept\n" in shown


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
