"""`companion club evening`: an evening from the first name to the ranking, and a sentence for each error."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from companion.cli import main


class Desk:
    """The commands of one evening's file."""

    def __init__(self, file: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.file = file
        self._capfd = capfd

    def __call__(self, *words: str) -> list[str]:
        """Run an action that succeeds; return the lines printed."""
        assert main(["club", "evening", str(self.file), *words]) == 0
        return self._capfd.readouterr().out.splitlines()

    def refuses(self, *words: str) -> str:
        """Run an action that fails; return the sentence."""
        assert main(["club", "evening", str(self.file), *words]) == 1
        printed = self._capfd.readouterr()
        assert not printed.out
        return printed.err.removeprefix("companion: ").strip()


@pytest.fixture
def desk(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Desk:
    desk = Desk(tmp_path / "friday.jsonl", capfd)
    desk("new", "--seed", "7")
    desk("players", "Aki", "Bea", "Cyr", "Dai", "Eve", "Fay", "Gus", "Hal")
    return desk


def seats_of(lines: list[str]) -> dict[str, list[str]]:
    """Return the names by table, from the printed list of seats."""
    tables: dict[str, list[str]] = {}
    for line in lines[3:]:
        if line and not line.startswith("penalty"):
            tables.setdefault(line.split()[0], []).append(line.split()[-1])
    return tables


def test_an_evening_is_played_from_the_first_round_to_the_ranking(desk: Desk) -> None:
    drawn = desk("round")
    assert drawn[0] == "friday, round 1"
    assert drawn[-1] == "penalty 0: 0 pairs meet again (0), distance in the ranking 0"
    assert {table: len(names) for table, names in seats_of(drawn).items()} == {"1": 4, "2": 4}
    first = seats_of(drawn)["1"]
    assert desk("result", "1", "20", "-5", "13", "2") == [
        f"round 1, table 1: {first[0]} 20, {first[1]} −5, {first[2]} 13, {first[3]} 2"
    ]
    desk("result", "2", "1", "2", "3", "4")
    assert "place" in desk("standing")[2]
    assert desk("round")[0] == "friday, round 2"
    desk("result", "1", "1", "2", "3", "4")
    desk("result", "2", "4", "3", "2", "1")
    assert desk("result", "--correct", "--round", "1", "1", "0", "0", "0", "9")[0].endswith(f"{first[3]} 9")
    assert [line.split()[3:5] for line in desk("result")[2:6]] == [
        [name, points] for name, points in zip(first, "0009", strict=True)
    ]
    assert desk("standing")[0] == "friday, after round 2"


def test_the_same_seed_draws_the_same_round_after_undo_and_another_one_another(desk: Desk) -> None:
    first = desk("round")
    assert desk("undo")[0].startswith('taken back: {"event":"round","tables":[[')
    assert desk("round") == first
    desk("undo")
    assert desk("round", "--seed", "8") != first
    assert desk("seats") == desk("seats", "--round", "1")


def test_players_come_late_leave_and_are_seated_elsewhere(desk: Desk) -> None:
    desk("players", "--late", "Ida")
    assert desk("players")[-1].split() == ["9", "Ida", "late"]
    tables = seats_of(desk("round"))
    assert "Ida" not in str(tables)
    assert desk("late", "#9") == ["Ida, number 9, plays from the next round on"]
    assert desk("late", "Jan") == ["Jan, number 10, plays from the next round on"]
    for name in tables["1"][:3]:
        assert desk("drop", name) == [f"{name} has gone"]
    assert desk("seats")[-1].split() == ["bye", tables["1"][3]]
    assert desk("merge", "1", "2") == [f"table 2: {', '.join([*tables['2'], tables['1'][3]])}"]
    desk("result", "2", "1", "2", "3", "4", "5")
    assert sorted(name for names in seats_of(desk("round")).values() for name in names) == sorted(
        [*tables["2"], tables["1"][3], "Ida", "Jan"]
    )


def test_a_list_of_players_is_read_from_a_file_or_standard_input(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "list.csv").write_bytes("\ufeffname;number\nZoë;40\n".encode())
    assert desk("players", "--csv", str(tmp_path / "list.csv"), "Kim") == ["registered: 2; players: 10, present: 10"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Lee\nAki\n")))
    assert desk.refuses("players", "--csv", "-") == "line 2: two players are called Aki"
    assert [line.split()[:2] for line in desk("players")[-2:]] == [["9", "Kim"], ["40", "Zoë"]]


def test_lists_are_printed_as_csv(desk: Desk) -> None:
    desk("round")
    assert desk("seats", "--csv")[0] == "\ufeffround,table,seat,player"
    assert desk("standing", "--csv")[0].startswith("\ufeffplace,number,player,rank share")
    assert desk("result", "--csv")[0].startswith("\ufeffround,table,seat,number,player,points")


def test_what_cannot_be_is_refused_with_a_sentence_and_the_file_stays(desk: Desk) -> None:
    before = desk.file.read_bytes()
    assert desk.refuses("new") == f"{desk.file} is there already; choose another name"
    assert desk.refuses("drop", "Zoë") == "there is no player 'Zoë'"
    assert desk.refuses("late", "Aki") == "Aki is here already"
    assert desk.refuses("seats") == "no round is drawn yet"
    assert desk.refuses("result", "1", "2", "3") == "no round is drawn yet"
    assert desk.refuses("result", "--csv", "1", "2") == "--csv lists all results; it goes with no table"
    assert desk.refuses("result", "--round", "1") == "--correct and --round go with a table and its points"
    assert desk.file.read_bytes() == before
    desk.file = desk.file.with_name("other.jsonl")
    assert desk.refuses("standing") == f"{desk.file}: no such file or directory"


def test_a_damaged_file_is_named_with_the_line(desk: Desk) -> None:
    with desk.file.open("ab") as file:
        file.write(b"{}\n")
    assert desk.refuses("standing").startswith(f"{desk.file}, line 3: this is no event of an evening: Object missing")


def test_the_fewest_points_win_and_the_sizes_are_as_begun(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    desk = Desk(tmp_path / "hearts.jsonl", capfd)
    sizes = ("--table", "3", "--smallest", "3", "--largest", "3")
    assert desk("new", "--name", "Hearts night", *sizes, "--lowest", "--seed", "1") == [
        "Hearts night: tables of 3, 3 to 3; the lowest points win; seed 1"
    ]
    desk("players", "Aki", "Bea", "Cyr", "Dai")
    tables = seats_of(desk("round"))
    assert (len(tables["1"]), len(tables["bye"])) == (3, 1)
    desk("result", "1", "26", "0", "5")
    assert desk("standing")[4].split()[:2] == ["1", tables["1"][1]]
