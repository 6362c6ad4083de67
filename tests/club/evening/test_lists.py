"""The lists of an evening: on paper of 80 columns, and in spreadsheets."""

from __future__ import annotations

import csv
from io import StringIO

from hypothesis import given
from hypothesis import strategies as st

from companion.app.terminal import width
from companion.club.evening import lists
from companion.club.evening.events import EntrantLeft
from companion.club.evening.replay import Moment, replay
from companion.core.game import Best
from companion.history.csv_export import csv_bytes

from .evenings import NAMES, after, begun, moments, result, seated, with_round

PLAYED = (seated([1, 2, 3, 4], [5, 6, 7, 8], byes=[9]), result(1, 20, -15, 20, 0), EntrantLeft(8))


def rows(data: bytes) -> list[dict[str, str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(StringIO(data.decode("utf-8-sig"), newline="")))


def test_the_ranking_on_paper() -> None:
    evening = after(*PLAYED, result(2, 3, 2, 1), EntrantLeft(2), players=NAMES[:9])
    assert list(lists.ranking_lines(evening)) == [
        "Friday club, after round 1",
        "",
        "place  player   rank  points  tables  byes",
        "               share   share",
        "    1  Eve     1.000   1.000       1",
        "    2  Aki     0.833   0.824       1",
        "    2  Cyr     0.833   0.824       1",
        "    4  Fay     0.500   0.500       1",
        "    5  Ida     0.500   0.500       0     1",
        "    6  Dai     0.333   0.353       1",
        "    7  Bea     0.000   0.000       1        gone",
        "    7  Gus     0.000   0.000       1",
    ]


def test_the_ranking_names_the_tables_that_still_play() -> None:
    assert list(lists.ranking_lines(after(*PLAYED, players=NAMES[:9])))[1] == "still playing: table 2"


def test_the_seats_on_paper_by_table_and_by_name() -> None:
    evening = after(*PLAYED, EntrantLeft(5), EntrantLeft(6), players=NAMES[:9])
    assert list(lists.seat_lines(evening, 1)) == [
        "Friday club, round 1",
        "",
        "table  seat  player",
        "1      1     Aki",
        "1      2     Bea",
        "1      3     Cyr",
        "1      4     Dai",
        "bye          Ida",
        "bye          Gus",
    ]
    by_name = [line.split()[-1] for line in list(lists.seat_lines(evening, 1, by_name=True))[3:]]
    assert by_name == ["Aki", "Bea", "Cyr", "Dai", "Gus", "Ida"]


def test_the_results_on_paper() -> None:
    assert list(lists.result_lines(after(*PLAYED, players=NAMES[:9]))) == [
        "round  table  seat  player  points   rank",
        "                                    share",
        "    1      1     1  Aki         20  0.833",
        "    1      1     2  Bea        −15  0.000",
        "    1      1     3  Cyr         20  0.833",
        "    1      1     4  Dai          0  0.333",
    ]


@given(st.sets(st.text("はるな漢字🎲ÅW", min_size=20, max_size=20), min_size=4, max_size=8))
def test_no_list_is_wider_than_paper(names: set[str]) -> None:
    moment = replay(begun(sorted(names)))
    for _round in range(3):
        moment = with_round(moment, (-(10**9), 5, 10**9))
    evening = moment.evening
    printed = [*lists.seat_lines(evening, 1), *lists.ranking_lines(evening), *lists.player_lines(evening)]
    assert max(map(width, [*printed, *lists.result_lines(evening)])) <= 80


def test_a_spreadsheet_gets_numbers_as_numbers_and_no_formula() -> None:
    players = ["=1+1", "-Bea", "@Cyr", "+Dai", *NAMES[4:9]]
    evening = after(*PLAYED, players=players)
    seats = rows(csv_bytes(lists.seat_table(evening, 1)))
    assert [row["player"] for row in seats[:4]] == ["'=1+1", "'-Bea", "'@Cyr", "'+Dai"]
    assert seats[-1] == {"round": "1", "table": "", "seat": "", "player": "Ida"}
    second = rows(csv_bytes(lists.result_table(evening)))[1]
    assert second == {
        "round": "1",
        "table": "1",
        "seat": "2",
        "number": "2",
        "player": "'-Bea",
        "points": "-15",
        "rank share": "0.000",
        "points share": "0.000",
    }


@given(moments())
def test_the_ranking_as_csv_has_a_row_for_each_player(moment: Moment) -> None:
    found = rows(csv_bytes(lists.ranking_table(moment.evening)))
    assert {int(row["number"]) for row in found} == set(moment.evening.present)
    assert [int(row["place"]) for row in found] == sorted(int(row["place"]) for row in found)


def test_the_fewest_points_win_where_the_evening_says_so() -> None:
    evening = after(*PLAYED, players=NAMES[:9], best=Best.LOWEST)
    assert list(lists.ranking_lines(evening))[5].split()[:2] == ["1", "Bea"]
