"""`companion history` and `companion stats`: tables, JSON, and a sentence for each error."""

from __future__ import annotations

import errno
import json
import re
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.terminal import table, width
from companion.cli import main
from companion.core.text import Text
from companion.games import GAMES
from companion.history.imported import ImportedGame, stored
from companion.history.renamed_and_hidden import People, written
from companion.history.results import GameResult, result_of
from companion.journal import Journal
from tests.cli.folders import begun, state_of
from tests.games.seeds import deal
from tests.history.journals import whole_game

FRIDAY = datetime(2026, 11, 20, 20, 0).timestamp()
HABITS: dict[str, dict[str, Any]] = {"gear": {"seats": 4, "teams": False}, "hipparchus": {}}
PLAYERS = ("Ann", "Bo", "Cyr", "日本")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a journal of ten finished games of Gear, and one of Hipparchus, an hour each and a day apart."""
    place = tmp_path_factory.mktemp("games")
    with closing(Journal(place)) as journal:
        for number in range(10):
            play(journal, "gear", number, FRIDAY + number * 86_400)
        play(journal, "hipparchus", 5, FRIDAY + 10 * 86_400, PLAYERS[:2])
        play(journal, "hipparchus", 5, 0.0, PLAYERS[2:])
        journal.keep_setting("roster", written(People(hidden=("Bo",))))
    return str(place)


def play(journal: Journal, game: str, seed: int, begun: float, players: tuple[str, ...] | None = None) -> None:
    """Enter a random game that is finished."""
    for attempt in range(seed * 1000, seed * 1000 + 1000):
        dealt = deal(game, attempt, coarse=1.0, edits=0.0, stop=0.0, misplay=0.0, most_rounds=2, **HABITS[game])
        session = dealt.session()
        if session.progress.over:
            break
    turn = seed % 4
    header = dealt.header | {"players": players or (PLAYERS * 2)[turn : turn + len(dealt.header["players"])]}
    name = journal.name_for(game)
    journal.begin(name, json.dumps(header), "full", begun)
    gap = 3600 / len(dealt.lines)
    for place, line in enumerate(dealt.lines, 1):
        moment, last = begun and begun + place * gap, place == len(dealt.lines)
        journal.append(name, json.dumps(line), now=moment, tracking="full", over=last)


def said(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    return capfd.readouterr().out


def complaint(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 1
    return capfd.readouterr().err


def test_games_are_listed_the_oldest_first(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    head, *rows = said(capfd, "history", "--data", folder).splitlines()
    assert head.split() == ["number", "date", "game", "time", "won", "points"]
    assert [int(row.split()[0]) for row in rows] == list(range(1, 13))
    assert rows[0].split()[1:5] == ["2026-11-20", "20:00", "Gear", "1"]
    assert rows[11].split()[1] == "Hipparchus"
    for row in rows:
        *_others, winner, points = re.split(" {2,}", row)
        assert points.startswith(winner.split(", ")[0])


def test_games_as_json_have_every_figure(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    games = json.loads(said(capfd, "history", "--data", folder, "--json"))
    assert [game["number"] for game in games] == list(range(1, 13))
    assert games[0]["begun"] == "2026-11-20T20:00"
    assert games[0]["seconds"] == pytest.approx(3600)
    assert games[11]["begun"] is None
    assert games[0]["rules"]["teams"] is False
    assert len(games[0]["scores"]) == len(games[0]["players"])
    assert list(games[0])[-8:] == ["deeds", "entries", "places", "declarers", "best", "teams", "ended_early", "left"]


@pytest.fixture(scope="module")
def early(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a journal of a whole game of Ann and Bo, and one that the table ended when Cyr had taken Bo's seat."""
    place = tmp_path_factory.mktemp("early")
    sheets = ({"sun": 3, "moon": 0, "earth": 5}, {"sun": 4, "moon": 3, "earth": 2})
    first, second = ({"type": "round", "captured": captured} for captured in (sheets, sheets[::-1]))
    leaves: dict[str, Any] = {"type": "substitute", "player": 1, "name": "Cyr"}
    with closing(Journal(place)) as journal:
        for lines in ((second, second), (first, leaves, second, {"type": "finish"})):
            name = journal.name_for("hipparchus")
            header = {"format": 1, "game": "hipparchus", "players": ["Ann", "Bo"]}
            journal.begin(name, json.dumps(header), "full", FRIDAY)
            for number, line in enumerate(lines, 1):
                over, moment = number == len(lines), FRIDAY + 60 * number
                journal.append(name, json.dumps(line), now=moment, tracking="full", over=over)
    return str(place)


def test_a_game_that_the_table_ended_early_is_told_apart_and_counts_unless_it_is_left_out(
    early: str, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = said(capfd, "history", "--data", early).splitlines()[1:]
    assert [re.split(" {2,}", row.strip())[-2:] for row in rows] == [
        ["Ann", "Ann 2, Bo 0"],
        ["Ann, Cyr, ended early", "Ann 1, Cyr 1"],
    ]
    games = json.loads(said(capfd, "history", "--data", early, "--json"))
    assert [(game["ended_early"], [each["player"] for each in game["left"]]) for game in games] == [
        (False, []),
        (True, ["Bo"]),
    ]
    without = ("stats", "--data", early, "--no-ended-early")
    league = [row.split()[1:3] for row in said(capfd, *without).splitlines()[1:]]
    assert league == [["Ann", "1"], ["Bo", "1"]]
    for words in ((), ("--ended-early",)):
        league = [row.split()[1:3] for row in said(capfd, "stats", "--data", early, *words).splitlines()[1:]]
        assert league == [["Ann", "2"], ["Cyr", "1"], ["Bo", "1"]]
    assert "nobody called Cyr has finished a game" in complaint(capfd, *without, "Cyr")
    assert "Cyr" in said(capfd, "stats", "--data", early, "Cyr")


def test_who_left_every_seat_has_no_statistics_but_games(early: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--data", early, "--since", "2026-11-20", "--game", "hipparchus")
    assert len(json.loads(said(capfd, "history", *words, "--person", "Bo", "--json"))) == 2
    assert "hipparchus" not in said(capfd, "stats", *words, "Bo")


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (["--game", "hipparchus"], [11, 12]),
        (["--since", "2026-11-28"], [9, 10, 11]),
        (["--until", "2026-11-21"], [1, 2]),
        (["--person", "bo", "--game", "hipparchus"], [11]),
    ],
)
def test_games_are_selected(
    folder: str, capfd: pytest.CaptureFixture[str], words: list[str], numbers: list[int]
) -> None:
    games = json.loads(said(capfd, "history", "--data", folder, "--json", *words))
    assert [game["number"] for game in games] == numbers


def test_the_league_table_leaves_out_hidden_people(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    head, *rows = said(capfd, "stats", "--data", folder).splitlines()
    assert head.split() == ["place", "name", "games", "won", "win", "rate", "rank", "share", "rating"]
    assert {row.split()[1] for row in rows} == {"Ann", "Cyr", "日本"}
    told = json.loads(said(capfd, "stats", "--data", folder, "--json"))
    assert list(told) == ["league"]
    assert [row["name"] for row in told["league"]] == [row.split()[1] for row in rows]


def test_the_league_of_one_game_has_its_records(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    out = said(capfd, "stats", "--data", folder, "--game", "gear")
    for record in ("highest score", "lowest score", "longest game", "closest win"):
        assert record in out
    told = json.loads(said(capfd, "stats", "--data", folder, "--game", "gear", "--json"))
    assert told["records"]["highest"]["value"] >= told["records"]["lowest"]["value"]
    lone = said(capfd, "stats", "--data", folder, "--game", "hipparchus", "--until", "2026-11-30")
    assert "longest game" in lone


def test_a_persons_statistics(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    out = said(capfd, "stats", "--data", folder, "ANN")
    assert out.splitlines()[0] == "Ann"
    for words in (
        "all games",
        "Gear",
        "Hipparchus",
        "as starter",
        "best game",
        "(game ",
        "against",
        "日本",
    ):
        assert words in out
    told = json.loads(said(capfd, "stats", "--data", folder, "ann", "--json"))
    figures = told["statistics"]["overall"]
    assert figures["games"][0].startswith("000001-gear-")
    assert set(figures["won"]) <= set(figures["games"])
    assert told["statistics"]["by_game"]["gear"]["deeds"]
    assert isinstance(told["ratings"]["overall"], int)
    assert told["ratings"]["by_game"]["hipparchus"] is None


def test_one_kind_of_game_has_one_row(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    out = said(capfd, "stats", "--data", folder, "日本", "--game", "hipparchus")
    assert "all games" not in out
    assert "against" not in out


def test_rounds_and_deeds_are_told(
    folder: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_deeds(*details: Any) -> GameResult:
        result = result_of(*details)
        assert result is not None
        seats = len(result.players)
        return replace(result, counts={"revokes": (2,) * seats}, rounds=((1,) * seats, (3,) * seats))

    named = {
        name: replace(
            game, optional=replace(game.optional, action_names={"revokes": Text("Revokes"), "others": Text("Others")})
        )
        for name, game in GAMES.items()
    }
    monkeypatch.setattr("companion.games.GAMES", named)
    monkeypatch.setattr("companion.history.history.result_of", with_deeds)
    out = said(capfd, "stats", "--data", folder, "ann")
    assert re.search(r"3 \(game 1, round 2\) +1 \(game 1, round 1\)", out)
    line = next(row for row in out.splitlines() if "Revokes" in row)
    assert line.split()[0] == "Gear"
    assert line.split()[-1] == "2.0"


def test_an_unknown_person_is_told_near_names(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert complaint(capfd, "stats", "--data", folder, "Anne") == (
        "companion: nobody called Anne has finished a game; did you mean Ann?\n"
    )
    assert complaint(capfd, "history", "--data", folder, "--person", "Xyz") == (
        "companion: nobody called Xyz has finished a game\n"
    )


def test_a_selection_without_games_is_told(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--game", "gear", "--person", "Ann", "--since", "2030-01-02", "--until", "2030-02-01")
    assert complaint(capfd, "history", "--data", folder, *words) == (
        f"companion: there is no finished game of Gear with Ann since 2030-01-02 until 2030-02-01 in {folder}\n"
    )


def test_an_empty_history_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data = str(tmp_path / "data")
    for command in ("history", "stats"):
        assert complaint(capfd, command, "--data", data) == f"companion: there is no journal in {data}\n"
    begun(data, 1)
    for command in ("history", "stats"):
        assert complaint(capfd, command, "--data", data) == f"companion: there is no finished game in {data} yet\n"


def test_a_journal_that_cannot_be_read_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = str(tmp_path / "data")
    begun(data, 1)

    def failing(_folder: Path) -> OSError:
        return OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("companion.journal.disk.fault_of", failing)
    fault = f"companion: the journal cannot be read in {data}: there is no permission\n"
    assert complaint(capfd, "history", "--data", data) == fault


def test_what_is_no_date_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["history", "--since", "friday"])
    assert "'friday' is not a date such as 2026-11-20" in capfd.readouterr().err


def test_a_game_that_is_not_there_is_refused(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    fault = complaint(capfd, "history", "--game", "chess", "--data", folder)
    assert fault.startswith("companion: there is no game 'chess'; there are eternity, gear, hipparchus, east-rune, ")


def test_both_commands_change_nothing_in_the_folder(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    before = state_of(folder)
    said(capfd, "history", "--data", folder)
    said(capfd, "stats", "--data", folder, "Ann")
    assert state_of(folder) == before


@pytest.fixture
def unlisted(tmp_path: Path) -> Path:
    """Return a journal of 35 games whose index is lost."""
    header, lines = whole_game(1)
    log = [(json.dumps(header), {"at": FRIDAY}), *((line, {"at": FRIDAY}) for line in lines)]
    log[-1] = lines[-1], {"at": FRIDAY, "over": True}
    with closing(Journal(tmp_path)) as journal:
        for _game in range(35):
            journal.add_game(journal.name_for("hipparchus"), log)
    (tmp_path / "index.jsonl").unlink()
    return tmp_path


def test_all_games_are_read_before_anything_is_printed(unlisted: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert len(said(capfd, "history", "--data", str(unlisted)).splitlines()) == 1 + 35
    assert json.loads(said(capfd, "stats", "--data", str(unlisted), "--json"))["league"][0]["games"][34:]


@pytest.mark.parametrize("command", ["history", "stats"])
def test_games_that_cannot_be_read_are_told_and_fail_the_command(
    unlisted: Path, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = min((unlisted / "games").iterdir()).name
    for folder in ("games", "copies"):
        (unlisted / folder / broken).write_bytes(b"damaged\n")
    assert main([command, "--data", str(unlisted)]) == 1
    out, err = capfd.readouterr()
    assert len(out.splitlines()) > 1
    assert "companion: games that cannot be read, and are left out: 1\n" in err
    assert main([command, "--data", str(unlisted), "--json"]) == 1


def test_columns_are_aligned_with_wide_letters() -> None:
    lines = list(table(("name", "n"), [("日本", "1"), ("Zoe\u0308", "10")], "<>"))
    assert [width(line) for line in lines] == [8, 8, 8]


def test_imported_plays_of_other_games_are_told_like_others(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with closing(Journal(tmp_path)) as journal:
        play(journal, "hipparchus", 5, FRIDAY, PLAYERS[:2])
        chess = ImportedGame("Chess", ("Ann", "Bo"), (1, 0), (0,), (1, 2), begun=datetime(2024, 5, 1, 20).timestamp())
        journal.keep_imported({"AB-1": stored(chess)})
    folder = str(tmp_path)
    assert re.search(r"^imported  2024-05-01 20:00  Chess  ", said(capfd, "history", "--data", folder), re.MULTILINE)
    told = said(capfd, "stats", "--data", folder, "Ann")
    assert re.search(r"^Chess +1 ", told, re.MULTILINE)
    assert "1 (imported)" in told
