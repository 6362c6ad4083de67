"""A game by rounds for two to eight players, in which the fewest points win: on every panel, page and export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.app.box import Box
from companion.cli import main
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.view import OpenGame, SeatRow, TableBody
from tests.app.boxes import begin, new_box, press, says
from tests.games.golf import GOLF

NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve", "Fay", "Gus", "Hal")


@pytest.fixture(autouse=True)
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "golf", GOLF)


def golf(seats: int, keys: str = "", journal: Journal | None = None, rounds: int = 2) -> Box:
    return press(begin(new_box(journal), NAMES[:seats], "round", "golf", rounds=rounds), keys)


def test_figures_below_zero_are_typed_from_the_left_of_the_dealer() -> None:
    box = golf(3, "2 A1")
    assert box.view().question == "Points: Cyr"
    assert box.view().typed == "−1 …"
    press(box, "# A12 7")
    body = box.view().body
    assert isinstance(body, TableBody)
    assert body.rows == (("−12", "−12"), ("7", "7"), ("−1", "−1"))


def test_the_minus_sign_is_explained() -> None:
    box = golf(3, "1")
    assert (box.view().hint, box.view().brief) == ("A −  # rest 0", "A −  # →0")
    assert box.frame.labels["A"] == "−…"
    assert "From −20 to 60; A is the minus sign" in says(press(box, "B"))


def test_a_seat_that_sits_out_is_not_asked_and_its_name_stands_in_brackets() -> None:
    box = golf(5, "1")
    assert box.view().question == "Points: Bea"
    table = box.state.table.require_game().position.face
    assert [seat.sits_out for seat in table.seats] == [True, False, False, False, False]
    body = golf(5).view().body
    assert isinstance(body, OpenGame)
    assert not any(seat.sits_out for seat in body.seats)
    assert (SeatRow("Aki", sits_out=True).shown_name, SeatRow("Aki").shown_name) == ("(Aki)", "Aki")


def test_on_a_wheel_zero_is_proposed_and_numbers_below_it_are_to_the_left() -> None:
    ring = golf(3, "1").ring
    labels = [group.label for group in ring.groups]
    assert labels[ring.start - 1 : ring.start + 2] == ["−1", "0", "1"]


def test_the_fewest_points_lead_and_win() -> None:
    journal = Journal()
    box = golf(2, "1 9 A5 A5 9", journal)
    assert "Aki wins the game" in says(box)


@pytest.mark.parametrize("seats", range(6, 9))
def test_many_seats_stand_in_two_columns_that_do_not_touch(seats: int) -> None:
    table, sheet = golf(seats).picture, golf(seats, "1").picture
    for picture in (table, sheet):
        column = picture.crop((64, 12, 65, 53))
        assert column.getbbox() is None


def test_its_log_is_replayed_and_its_results_are_listed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "golf.jsonl"
    header = {"format": 1, "game": "golf", "players": NAMES[:3], "rules": {"rounds": 1}}
    lines = [{"type": "start", "player": 0}, {"type": "round", "points": [4, -3, 9]}]
    file.write_text("\n".join(map(json.dumps, (header, *lines))))
    assert main(["import", "--yes", "--data", str(tmp_path / "data"), str(file)]) == 0
    capfd.readouterr()
    assert main(["export", "--data", str(tmp_path / "data"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["games"][0]["ranks"] == [2, 1, 3]
