"""`companion history` and `companion stats`: tables, JSON, and a sentence for each error."""

from __future__ import annotations

import errno
import json
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from companion.cli import main
from companion.history.plays import ImportedGame
from companion.history.renamed_and_hidden import People, written
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


def test_games_as_json_have_every_figure(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    games = json.loads(said(capfd, "history", "--data", folder, "--json"))
    assert [game["number"] for game in games] == list(range(1, 13))
    assert games[0]["begun"] == "2026-11-20T20:00"
    assert games[0]["seconds"] == pytest.approx(3600)
    assert games[11]["begun"] is None
    assert games[0]["rules"]["teams"] is False
    assert len(games[0]["scores"]) == len(games[0]["players"])
    assert list(games[0])[-8:] == ["deeds", "entries", "places", "declarers", "best", "teams", "ended_early", "left"]


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


def test_plays_of_another_program_with_the_title_of_our_game_have_figures_of_their_own(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with closing(Journal(tmp_path)) as journal:
        plays = [ImportedGame(game, ("Ann", "Bo"), (5, 3), (0,), (1, 2)) for game in ("gear", "Gear", "Gear")]
        journal.keep_imported({f"A-{number}": to_builtins(each) for number, each in enumerate(plays)})
    lines = said(capfd, "stats", "--data", str(tmp_path), "Ann").splitlines()
    assert [line.split()[:3] for line in lines[2:5]] == [["all", "games", "3"], ["Gear", "2", "2"], ["Gear", "1", "1"]]
