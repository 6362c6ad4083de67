"""Reading BG Stats' export: what is taken, what is left out and why."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Best
from companion.gamelog import check_names
from companion.history.bgstats import BgStatsError, BgStatsPlays, read_bgstats
from companion.history.days import day_at
from companion.history.plays import ImportedGame

from .conftest import Zone


def score(player: int, points: object, **more: Any) -> dict[str, Any]:
    return {"playerRefId": player, "score": points, "winner": False, "startPlayer": False, "rank": 0, **more}


def play(*scores: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"uuid": "ab-1", "gameRefId": 1, "playDate": "2024-05-01 18:00:00", "playerScores": scores, **more}


EVENING = datetime(2024, 5, 1, 18).timestamp()  # local, as BG Stats writes it
WON = play(score(1, "12", winner=True), score(2, "7"))


def read(*plays: object, names: tuple[object, ...] = ("Ann", "Bo", "Cy"), **game: Any) -> BgStatsPlays:
    players = [{"id": number, "name": name} for number, name in enumerate(names, 1)]
    games = [{"id": 1, "name": "Chess", "highestWins": True, "cooperative": False, **game}]
    return read_bgstats(json.dumps({"players": players, "games": games, "plays": plays, "tags": [1]}).encode())


def only(*plays: object, **more: Any) -> ImportedGame:
    (taken,) = read(*plays, **more).plays.values()
    return taken


def reasons(*plays: object, **more: Any) -> list[str]:
    export = read(*plays, **more)
    assert export.plays == {}
    return [str(reason) for reason in export.left_out]


def test_a_play_is_taken_with_date_length_starter_and_points() -> None:
    found = play(score(2, "7", seatOrder=2), score(1, "12", winner=1, startPlayer=1, seatOrder=1), durationMin=30)
    assert only(found) == ImportedGame(
        "Chess", ("Ann", "Bo"), (12, 7), (0,), (1, 2), EVENING, 1800.0, 0, best=Best.HIGHEST
    )


def test_partners_who_stand_side_by_side_in_the_file_sit_across_from_each_other() -> None:
    teams = (score(seat, "5", team=team, winner=team == 1) for seat, team in ((1, 1), (2, 1), (3, "B"), (4, "B")))
    found = only(play(*teams), names=("Aki", "Cyr", "Bea", "Dai"), name="Belote")
    assert found.players == ("Aki", "Bea", "Cyr", "Dai")
    assert found.winners == (0, 2)
    assert only(play(*(score(seat, "5", team="A", winner=True) for seat in (1, 2)), score(3, "4"))).winners == (0, 1)


def test_one_of_our_games_is_recognised_by_its_title() -> None:
    assert only(WON, name="  east RUNE ").game == "east-rune"


@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("-110", -110),
        ("66-5-0-11-17", 33),
        ("31+3+1", 35),
        ("−4", -4),
        ("12.6", 13),
        ("7,6", 8),
        ("12 pts", 12),
        ("1,250", 1250),
        ("12,345,678", 12_345_678),
        ("1.250", 1250),
        ("1.200.000", 1_200_000),
        ("1 250,5", 1251),
        ("0.125", 0),
        ("12345.678", 12_346),
        ("1.2345", 1),
        ("12,5", 13),
        ("11.5", 12),
        ("-0,5 pts.", -1),
        ("１２＋３", 15),
        (8, 8),
        (2.5, 3),
        (12.0, 12),
        ("0", 0),
        ("", None),
        (None, None),
        ("3rd", None),
        ("36, 42", None),
        ("49-46ish", None),
        ("won", None),
        ("nan", None),
        ("1e400", None),
        ("1e12", None),
        ("2,500,000,000", None),
        ("9" * 9999, None),
    ],
)
def test_points_are_numbers_sums_or_unknown(written: object, points: int | None) -> None:
    assert only(play(score(1, written, winner=True), score(2, "0"))).scores == (points, 0)


def test_rounded_and_unreadable_points_are_counted() -> None:
    found = read(play(score(1, "5.10", winner=True), score(2, "4"), score(3, "ten"), score(1, ""), score(2, "12.0")))
    assert (found.rounded, found.unreadable) == (1, 1)
    left_out = read(play(score(1, "5.10"), score(2, "ten")))
    assert (left_out.rounded, left_out.unreadable) == (0, 0)


def test_points_that_are_rounded_to_the_same_decide_the_ranks_as_they_were() -> None:
    laps = play(score(1, "5.10", winner=True), score(2, "5.37"), score(3, "5.40"))
    assert only(laps, highestWins=False).places == (1, 2, 3)


def test_unknown_points_rank_last() -> None:
    assert only(play(score(1, "5", winner=True), score(2, ""), score(3, "-9"))).places == (1, 3, 2)


def test_a_game_without_points_has_none() -> None:
    zeros = play(score(1, "0", winner=True), score(2, "0"))
    assert only(zeros, noPoints=True).scores == (None, None)
    assert only(zeros).scores == (0, 0)
    assert only(WON, noPoints=True).scores == (12, 7)


@pytest.mark.parametrize(
    ("highest_wins", "best"), [(True, Best.HIGHEST), (1, Best.HIGHEST), (False, Best.LOWEST), (None, None)]
)
def test_which_points_are_the_best_is_kept(highest_wins: object, best: Best | None) -> None:
    assert only(WON, highestWins=highest_wins).best is best


def test_only_a_play_of_teams_has_teams() -> None:
    def teams(*of: object, uses: bool | None = None, winners: tuple[int, ...] = (1, 2)) -> tuple[int, ...]:
        scores = [score(seat, "5", team=team, winner=seat in winners) for seat, team in enumerate(of, 1)]
        return only(play(*scores, usesTeams=uses), names=tuple("ABCD"), name="Whist").teams

    assert teams("A", "A", "B", "B") == (0, 1, 0, 1)
    assert teams("A", "A", "B", "B", uses=True) == (0, 1, 0, 1)
    assert teams("1", "1", "", None) == (0, 0, 1, 2)
    assert teams("A", "A", "B", "B", uses=False) == ()
    assert teams("A", "A", "B", "B", winners=(1,)) == ()  # they did not win as one
    assert teams(None, None, None, None) == teams("0", "0", "0", "0") == teams("A", "B", "C", "D") == ()


def test_ranks_are_those_of_the_file_but_winners_are_first() -> None:
    ranked = play(score(1, "5", rank=2), score(2, "5", rank=3), score(3, "9", rank=1, winner=True))
    assert only(ranked).places == (2, 3, 1)
    odd = play(score(1, "5", rank=1), score(2, "5", rank=2, winner=True), score(3, "9", rank=2, winner=True))
    assert only(odd).places == (3, 1, 1)


def test_without_ranks_points_decide_and_the_lowest_may_win() -> None:
    points = play(score(1, "5", winner=True), score(2, "7"), score(3, "9"))
    assert only(points).places == (1, 3, 2)
    assert only(points, highestWins=False).places == (1, 2, 3)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (play(score(1, "5", winner=True)), "played alone"),
        (play(score(1, "5"), score(2, "4")), "nobody won"),
        ({**WON, "ignored": True}, "ignored in BG Stats"),
        ({**WON, "gameRefId": 9}, "without a game or a player"),
        (play(score(1, "5", winner=True), score(9, "4")), "without a game or a player"),
        ({**WON, "uuid": "../../etc"}, "cannot be read"),
        ({**WON, "playerScores": 7}, "cannot be read"),
        ({}, "cannot be read"),
        (play(*[score(1, "5", winner=True)] * 101), "cannot be read"),
    ],
)
def test_a_play_that_cannot_be_taken_is_counted_with_its_reason(found: object, reason: str) -> None:
    assert reasons(found) == [reason]
    assert sum(read(found, WON, found).left_out.values()) == 2


def test_a_cooperative_game_and_a_game_without_a_name_are_left_out() -> None:
    assert reasons(WON, cooperative=True) == ["played together, not against each other"]
    assert reasons(WON, name="\u200b") == ["without a game or a player"]
    assert reasons(WON, name=None) == ["without a game or a player"]


@pytest.mark.parametrize("brackets", ["[]", '{"a":}'])
def test_a_play_that_is_nested_too_deep_is_left_out_alone(brackets: str) -> None:
    half = len(brackets) // 2 if brackets == "[]" else 5
    deep = brackets[:half] * 100_000 + "1" + brackets[half:] * 100_000
    file = {"players": [{"id": 1, "name": "A"}, {"id": 2, "name": "B]["}], "games": [{"id": 1, "name": "Chess"}]}
    for place in ("metaData", "playerScores"):
        data = json.dumps({**file, "plays": [WON, {**WON, "uuid": "DEEP", place: "?"}, {**WON, "uuid": "LAST"}]})
        found = read_bgstats(data.replace('"?"', deep).encode())
        assert list(found.plays) == ["AB-1", "LAST"]
        assert {str(reason): number for reason, number in found.left_out.items()} == {"cannot be read": 1}


def test_one_player_or_game_that_cannot_be_read_does_not_refuse_the_file() -> None:
    players: list[object] = [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}, {"id": "x"}, {"id": 3, "name": 7}, None]
    games: list[object] = [{"id": 1, "name": "Chess"}, {"name": "Go"}, 7]
    plays = [WON, {**WON, "gameRefId": 2}, play(score(1, "5", winner=True), score(3, "2"), uuid="C")]
    found = read_bgstats(json.dumps({"players": players, "games": games, "plays": plays}).encode())
    assert (list(found.plays), list(found.left_out.values())) == (["AB-1"], [2])


def test_the_same_play_twice_is_one() -> None:
    assert list(read(WON, {**WON, "uuid": "AB-1"}).plays) == ["AB-1"]


@pytest.mark.parametrize("written", ["", "yesterday", None, "0001-01-01 00:00:00"])
def test_a_play_without_a_date_is_taken(written: object) -> None:
    assert only({**WON, "playDate": written}).begun == 0


def test_a_play_has_a_starter_only_if_there_is_one() -> None:
    both = play(score(1, "5", winner=True, startPlayer=True), score(2, "4", startPlayer=True))
    assert only(both).starter is None


@given(st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=90), min_size=2, max_size=2))
def test_names_are_made_to_fit(names: list[str | None]) -> None:
    players = only(WON, names=tuple(names)).players
    assert check_names(list(players)) == players


def test_people_of_a_file_are_told_apart_by_their_ids() -> None:
    names = ("Alexandra von Hohenberg-Maier", "Alexandra von Hohenberg-Wolf", "Sam", "sam", "Sam 2", "Ida")
    plays = [play(score(player, "5", winner=True), score(6, "4"), uuid=f"P{player}") for player in range(1, 6)]
    found = read(*plays, names=names)
    here = ["Alexandra von H.-M.", "Alexandra von H.-W.", "Sam", "sam 3", "Sam 2"]
    assert [each.players[0] for each in found.plays.values()] == here
    assert found.renamed == [(names[0], here[0]), (names[1], here[1]), ("sam", "sam 3")]
    again = play(score(4, "1"), score(3, "2", winner=True))
    assert only(again, names=names).players == ("sam 3", "Sam")


def test_anonymous_players_are_known_as_such() -> None:
    players = [{"id": 1, "name": "Ida"}, {"id": 2, "name": "Anonymous player", "isAnonymous": True}]
    plays = [play(score(2, "9", winner=True), score(2, "3"), score(1, "5"))]
    found = read_bgstats(json.dumps({"players": players, "games": [{"id": 1, "name": "Go"}], "plays": plays}).encode())
    (taken,) = found.plays.values()
    assert taken.players == ("Anonymous player", "Anonymous player 2", "Ida")
    assert found.anonymous == ["Anonymous player", "Anonymous player 2"]


def test_a_name_that_cannot_be_shown_is_a_question_mark() -> None:
    assert only(WON, names=("\u202e\u200b", None)).players == ("?", "? 2")


def test_long_and_equal_names_are_shortened_and_numbered() -> None:
    found = play(score(1, "5", winner=True), score(2, "4"), score(2, "3"))
    assert only(found, names=("Maximilian von Hohenstein", "  Bo\u202e ")).players == (
        "Maximilian von H.",
        "Bo",
        "Bo 2",
    )


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b'{"plays":[]}', b"\xff\xfe{}", b'{"players":[],"games":[],"plays":[', b"[" * 9999]
)
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(BgStatsError):
        read_bgstats(data)


@pytest.mark.parametrize("minutes", ["nan", "inf", -5, 1e308, 100_001])
def test_a_length_that_no_play_has_is_left_out(minutes: object) -> None:
    assert only({**WON, "durationMin": minutes}).seconds == 0


def test_a_sum_of_too_many_points_is_none() -> None:
    assert only(play(score(1, "+".join(["999999999"] * 3), winner=True), score(2, "7"))).scores == (None, 7)


def test_times_are_local(zone: Zone) -> None:
    for name, hour in (("America/Los_Angeles", 5), ("Europe/Berlin", 20), ("Asia/Tokyo", 12)):
        zone(name)
        begun = only({**WON, "playDate": "2026-03-06 21:30:00"}).begun
        assert datetime.fromtimestamp(begun, UTC).hour == hour
        assert str(day_at(begun)) == "2026-03-06"
        assert only({**WON, "playDate": "2026-03-06T21:30:00Z"}).begun == 1_772_832_600  # one that tells its zone


def test_a_date_beyond_the_calendar_is_none() -> None:
    assert only({**WON, "playDate": "9999-12-31 23:59:59"}).begun == 0
