"""The lists of an evening, on pages and in spreadsheets."""

from __future__ import annotations

import csv
from fractions import Fraction
from io import StringIO

from hypothesis import given

from companion.club.evening import lists
from companion.club.evening.evening_state import EntrantLeft, PenaltyGiven, PlayersApart, Presence, TableVoid, TeamMade
from companion.club.evening.read_players import read_players
from companion.club.evening.replay import Moment
from companion.core.game import Best
from companion.ui.translations import Translator

from .evenings import NAMES, after, moments, result, seated

PLAYED = (seated([1, 2, 3, 4], [5, 6, 7, 8], byes=[9]), result(1, 20, -15, 20, 0), EntrantLeft(8))


def said(table: lists.Rows) -> list[list[str | int]]:
    """Return a table in English, with numbers as numbers."""
    assert [*map(len, table)] == [len(table[0])] * len(table)
    words = lists.told(table, Translator("en"))
    return [
        [of if isinstance(of, int) else cell for of, cell in zip(row, line, strict=True)]
        for row, line in zip(table, words, strict=True)
    ]


def rows(data: bytes) -> list[dict[str, str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(StringIO(data.decode("utf-8-sig"), newline="")))


def test_the_ranking_has_who_is_level_at_one_place_and_who_has_gone() -> None:
    evening = after(*PLAYED, result(2, 3, 2, 1), EntrantLeft(2), players=NAMES[:9])
    assert [[row[0], *row[2:]] for row in said(lists.ranking_table(evening))] == [
        ["place", "player", "rank share", "points share", "tables", "byes, void", "presence"],
        [1, "Eve", "1.000", "1.000", 1, 0, "present"],
        [2, "Aki", "0.833", "0.824", 1, 0, "present"],
        [2, "Cyr", "0.833", "0.824", 1, 0, "present"],
        [4, "Fay", "0.500", "0.500", 1, 0, "present"],
        [5, "Ida", "0.500", "0.500", 0, 1, "present"],
        [6, "Dai", "0.333", "0.353", 1, 0, "present"],
        [7, "Bea", "0.000", "0.000", 1, 0, "gone"],
        [7, "Gus", "0.000", "0.000", 1, 0, "present"],
    ]


def test_the_seats_are_listed_by_table_and_by_name() -> None:
    evening = after(*PLAYED, EntrantLeft(5), EntrantLeft(6), players=NAMES[:9])
    seats = lists.seat_table(evening, 1)
    assert seats[1:3] == [[1, 1, 1, "Aki"], [1, 1, 2, "Bea"]]
    assert seats[-2:] == [[1, "", "", "Ida"], [1, "", "", "Gus"]]
    by_name = [row[3] for row in lists.seat_table(evening, 1, by_name=True)[1:]]
    assert by_name == ["Aki", "Bea", "Cyr", "Dai", "Gus", "Ida"]
    accented = after(seated([1, 2, 3, 4]), players=["Fay", "Émile", "Øyvind", "Eve"])
    assert [row[3] for row in lists.seat_table(accented, 1, by_name=True)[1:]] == ["Émile", "Eve", "Fay", "Øyvind"]


def test_the_results_add_up_to_the_ranking_with_byes_void_tables_and_penalties() -> None:
    evening = after(*PLAYED, TableVoid(1, 2), PenaltyGiven(1, 50), PenaltyGiven(9, -25), players=NAMES[:9])
    added: dict[str, Fraction] = {}
    for row in lists.result_table(evening)[1:]:
        added[str(row[4])] = added.get(str(row[4]), Fraction(0)) + Fraction(str(row[6]))  # exactly
    told = {str(row[2]): Fraction(str(row[3])) for row in lists.ranking_table(evening)[1:]}
    assert added == told
    assert [row[5] for row in said(lists.result_table(evening))[5:]] == ["void"] * 3 + ["bye", "penalty", "penalty"]


def test_what_was_arranged_is_said_in_sentences() -> None:
    evening = after(TeamMade(1, (2, 3)), PlayersApart(4, 1), PenaltyGiven(5, 50), players=NAMES[:9])
    said = ["play together: Bea, Cyr", "sit apart: Aki, Dai", "penalty of Eve: 0.500"]
    assert [str(each) for each in lists.arrangements(evening)] == said


def test_a_penalty_is_taken_from_the_rank_share_and_has_a_column() -> None:
    evening = after(*PLAYED, PenaltyGiven(1, 50), PenaltyGiven(1, 10), players=NAMES[:9])
    rows = said(lists.ranking_table(evening))
    assert rows[0][-1] == "penalty"
    assert next(row for row in rows if row[2] == "Aki")[3:] == ["0.233", "0.824", 1, 0, "present", "0.600"]


def test_a_season_adds_the_shares_of_all_evenings_by_name() -> None:
    friday = after(*PLAYED, result(2, 3, 2, 1), players=NAMES[:9])
    saturday = after(EntrantLeft(4), seated([1, 2, 3]), result(1, 9, 5, 1), players=("eve", "Aki", "Zoe", "Lou"))
    assert said(lists.season_table([friday, saturday]))[:4] == [
        ["place", "player", "rank share", "points share", "evenings", "tables", "evenings won"],
        [1, "eve", "2.000", "2.000", 2, 2, 2],
        [2, "Aki", "1.333", "1.324", 2, 2, 0],
        [3, "Cyr", "0.833", "0.824", 1, 1, 0],
    ]
    assert "Lou" not in str(said(lists.season_table([saturday])))  # registered, and never played


def test_a_spreadsheet_gets_numbers_as_numbers_and_no_formula() -> None:
    players = ["=1+1", "-Bea", "@Cyr", "+Dai", *NAMES[4:9]]
    evening = after(*PLAYED, players=players)
    seats = rows(lists.csv_in(lists.seat_table(evening, 1), Translator("en")))
    assert [row["player"] for row in seats[:4]] == ["'=1+1", "'-Bea", "'@Cyr", "'+Dai"]
    assert seats[-1] == {"round": "1", "table": "", "seat": "", "player": "Ida"}
    second = rows(lists.csv_in(lists.result_table(evening), Translator("en")))[1]
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


def test_a_french_spreadsheet_gets_semicolons_and_decimal_commas_and_numbers_below_zero() -> None:
    evening = after(*PLAYED, PenaltyGiven(1, 50), EntrantLeft(2), players=NAMES[:9])
    saved = lists.csv_in(lists.result_table(evening), Translator("fr")).decode("utf-8-sig").splitlines()
    assert saved[0] == "ronde;table;place à la table;numéro;joueur;points;rang relatif;points relatifs"
    assert saved[2] == "1;1;2;2;Bea;-15;0,000;0,000"
    assert saved[-1] == ";;;1;Aki;pénalité;-0,500;"
    ranked = lists.csv_in(lists.ranking_table(evening), Translator("fr"))
    assert ";plus là;" in ranked.decode("utf-8-sig")
    again = {each.name: (each.number, each.presence) for each in read_players(ranked)}
    assert (again["Bea"], again["Cyr"]) == ((2, Presence.GONE), (3, Presence.PRESENT))


@given(moments())
def test_the_ranking_as_csv_has_a_row_for_each_player(moment: Moment) -> None:
    found = rows(lists.csv_in(lists.ranking_table(moment.evening), Translator("en")))
    assert {int(row["number"]) for row in found} == set(moment.evening.present)
    assert [int(row["place"]) for row in found] == sorted(int(row["place"]) for row in found)


def test_the_fewest_points_win_where_the_evening_says_so() -> None:
    evening = after(*PLAYED, players=NAMES[:9], best=Best.LOWEST)
    assert lists.ranking_table(evening)[1][:3] == [1, 2, "Bea"]
