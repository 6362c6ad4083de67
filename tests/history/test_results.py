"""Results: a finished game folded into its figures."""

from __future__ import annotations

import json
from operator import add
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core.game import Finish
from companion.core.session import Session, last_round_end
from companion.gamelog import read
from companion.history.results import (
    EarlierPlayer,
    GameResult,
    counted_actions,
    course_until,
    makers,
    played_seconds,
    result_of,
    seat_ranks,
)
from tests.games.seeds import Dealt, events, games

NAMES = ("Aki", "Bea", "Cyr", "Dai")
Line = dict[str, Any]


def played(game: str, seats: int, *lines: Line, **rules: Any) -> Session:
    header: Line = {"format": 1, "game": game, "players": NAMES[:seats], "rules": rules}
    return read("".join(json.dumps(line) + "\n" for line in (header, *lines)).encode())


def result(session: Session, times: tuple[float, ...] = (), tracking: str = "full") -> GameResult:
    made = result_of("000001-game", 7, session, times, tracking)
    assert made is not None
    return made


START: Line = {"type": "start", "player": 1}
ROUNDS: tuple[Line, ...] = (
    {"type": "round", "tricks": [5, 3, 0], "aces": [2, 0, 0], "last": 0, "prices": [3, 9, 0]},
    {"type": "round", "tricks": [0, 0, 8], "aces": [0, 0, 4], "last": 2, "prices": [0, 0, 4]},
)
GEAR = played("gear", 3, START, *ROUNDS, ending={"rounds": 2})


def test_a_finished_game_says_who_played_what_and_how_it_ended() -> None:
    made = result(GEAR, (100.0, 160.0, 0.0, 220.0), "round")
    assert (made.name, made.number, made.game, made.players) == ("000001-game", 7, "gear", NAMES[:3])
    assert json.loads(made.rules) == {"auction": True, "teams": False, "ending": {"rounds": 2}}
    assert (made.begun, made.ended, made.seconds, made.tracking) == (100.0, 220.0, 120.0, "round")
    assert (made.starter, made.entries) == (1, 3)
    assert (made.scores, made.winners, seat_ranks(made)) == ((13, 0, 21), (2,), (2, 3, 1))
    assert made.rounds == ((8, -5, 0), (0, 0, 16))
    assert made.course == ((5, 5, 5), (13, 0, 5), (13, 0, 21))
    assert made.counts == {
        "tricks": (5, 3, 8),
        "aces": (2, 0, 4),
        "last": (1, 0, 1),
        "all": (0, 0, 1),
        "paid": (3, 9, 4),
        "dearest": (0, 1, 1),
        "overbids": (0, 1, 0),
    }


def course(session: Session) -> tuple[tuple[int, ...], ...]:
    return course_until(session.header.game, session.counted)


def test_a_running_game_has_no_result_but_a_course() -> None:
    running = played("gear", 3, START, ROUNDS[0])
    assert result_of("", 1, running, (), "full") is None
    assert course(running) == ((5, 5, 5), (13, 0, 5))


def test_an_undone_end_is_no_end() -> None:
    assert result_of("", 1, played("gear", 3, *ROUNDS, {"type": "undo"}, ending={"rounds": 2}), (), "full") is None


def test_without_a_clock_nothing_is_said_of_the_time() -> None:
    made = result(GEAR)
    assert (made.begun, made.ended, made.seconds) == (0, 0, 0)


@pytest.mark.parametrize(
    ("lines", "starter"),
    [
        ((START, *ROUNDS), 1),
        (ROUNDS, None),
        ((START, {"type": "amend", "event": 1, "to": {"type": "start", "player": 2}}, *ROUNDS), 2),
    ],
)
def test_who_started_the_first_round_is_known_if_somebody_said_it(lines: tuple[Line, ...], starter: int | None) -> None:
    assert result(played("gear", 3, *lines, ending={"rounds": 2})).starter == starter


def test_who_started_a_later_round_did_not_start_the_game() -> None:
    sheet: Line = {"type": "round", "tricks": [4, 3, 3], "trees": [0, 0, 0]}
    later = played("eternity", 3, sheet, {"type": "start", "player": 2}, sheet, {"type": "start", "player": 0}, sheet)
    assert result(later).starter is None


def test_a_game_that_never_began_has_one_total() -> None:
    session = played("hipparchus", 2)
    assert (course(session), last_round_end(session.header.game, session.head)) == (((0, 0),), None)


def test_a_game_entered_by_its_end_has_no_rounds_but_its_end() -> None:
    end: Line = {"type": "result", "chairs": [3, 2, 1], "monarchs": [2, 2, 2], "hand": [0, 1, 2]}
    made = result(played("east-rune", 3, START, end))
    assert (made.rounds, made.course) == ((), ((-8, -8, -8), (8, 5, 2)))
    assert made.counts == {"chairs": (3, 2, 1), "monarchs": (2, 2, 2), "left": (0, 1, 2)}


@pytest.mark.parametrize(
    ("scores", "winners", "ranks"),
    [
        ((9, 7, 7, 3), (0,), (1, 2, 2, 4)),
        ((9, 9, 7, 3), (0, 1), (1, 1, 3, 4)),
        ((9, 9, 7, 3), (1,), (2, 1, 3, 4)),  # a tie that something else broke
        ((30, 20, 2, 11), (0, 2), (1, 3, 1, 4)),  # a team wins
        ((5, 5), (0, 1), (1, 1)),
    ],
)
def test_winners_rank_first_and_the_others_by_their_points(
    scores: tuple[int, ...], winners: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    assert seat_ranks(replace(result(GEAR), scores=scores, winners=winners)) == ranks


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        ((), 0),
        ((50.0,), 0),
        ((0.0, 60.0, 1860.0), 1860.0),
        ((0.0, 60.0, 1860.1), 60.0),  # a pause
        ((100.0, 50.0, 80.0), 30.0),  # the clock was put back
    ],
)
def test_a_pause_or_a_clock_put_back_is_not_time_played(times: tuple[float, ...], seconds: float) -> None:
    assert played_seconds(times) == seconds


@given(st.lists(st.floats(0, 1e6)))
def test_the_time_played_is_never_negative_nor_longer_than_the_pauses_allow(times: list[float]) -> None:
    assert 0 <= played_seconds(times) <= 1800 * max(0, len(times) - 1)


@given(games(stop=0.0, most_rounds=12))
def test_the_figures_of_a_finished_game_agree_with_each_other(dealt: Dealt) -> None:
    session = dealt.session()
    made = result_of("", 1, session, (), "full")
    assume(made is not None)
    assert made is not None
    assert made.course[-1] == made.scores
    assert len(made.course) - len(made.rounds) in (1, 2)
    assert made.entries == len(events(session))
    assert {seat for seat, rank in enumerate(seat_ranks(made)) if rank == 1} == set(made.winners)
    if session.header.game.name != "hipparchus":  # it counts rounds won, not points
        for points, before, after in zip(made.rounds, made.course, made.course[1:], strict=False):
            assert tuple(map(add, before, points)) == after


@given(games())
def test_the_course_grows_by_the_rounds_as_they_are_entered(dealt: Dealt) -> None:
    """Enter a game event by event: a total is added where a round ends, none is ever changed."""
    session = dealt.session()
    game, growing, last = session.header.game, Session(session.header), None
    totals = course(growing)
    for event in events(session):
        growing = growing.add(event)
        ends = game.optional.finished_rounds(growing.state) > len(totals) - 1
        last = growing.head if ends else last
        if not growing.progress.over or ends:
            assert course(growing)[: len(totals)] == totals
            assert len(course(growing)) == len(totals) + ends
        totals = course(growing)
        assert last_round_end(game, growing.head) is last


# Ended early, and somebody else in a seat

FINISH: Line = {"type": "finish"}
UNFINISHED: Line = {"type": "prices", "prices": [0, 4, 1]}


def substitute(seat: int, name: str) -> Line:
    return {"type": "substitute", "player": seat, "name": name}


def test_a_game_that_the_table_ended_early_has_its_finished_rounds() -> None:
    made = result(played("gear", 3, START, ROUNDS[0], UNFINISHED, FINISH), (100.0, 160.0, 200.0, 220.0, 240.0))
    whole = result(played("gear", 3, START, ROUNDS[0], ending={"target": 1}))
    assert made.ended_early
    assert not whole.ended_early
    assert (made.scores, made.winners, made.rounds, made.course, made.counts) == (
        (13, 0, 5),
        (0,),
        whole.rounds,
        whole.course,
        whole.counts,
    )
    assert (made.entries, made.ended, seat_ranks(made)) == (3, 240.0, (1, 3, 2))


def test_a_game_that_the_table_ended_in_its_first_round_has_no_round() -> None:
    made = result(played("gear", 3, START, UNFINISHED, FINISH))
    assert (made.scores, made.winners, made.rounds, made.course, made.counts) == (
        (5, 5, 5),
        (0, 1, 2),
        (),
        ((5, 5, 5),),
        {},
    )


def test_an_undone_finish_is_no_end() -> None:
    assert result_of("", 1, played("gear", 3, START, FINISH, {"type": "undo"}), (), "full") is None


@given(games(stop=0.005, most_rounds=3))
def test_what_was_done_in_a_round_within_which_the_game_was_ended_does_not_count(dealt: Dealt) -> None:
    session = dealt.session()
    assume(not session.progress.over)
    step = last_round_end(session.header.game, session.head) or session.step(0)
    ended = session.add(Finish())
    assert list(counted_actions(ended)) == list(counted_actions(Session(session.header, step)))
    assert course(ended) == course(session)


def test_the_rounds_and_actions_of_who_left_a_seat_are_theirs() -> None:
    made = result(played("gear", 3, START, ROUNDS[0], substitute(2, "Eva"), ROUNDS[1], ending={"rounds": 2}))
    assert made.players == ("Aki", "Bea", "Eva")
    assert made.earlier == (EarlierPlayer(2, "Cyr", 1, 1, {}),)
    assert [(each.name, each.rounds, each.left) for each in makers(made)] == [
        ("Aki", (1, 2), False),
        ("Bea", (1, 2), False),
        ("Cyr", (1,), True),
        ("Eva", (2,), False),
    ]
    assert makers(made)[2].counts == dict.fromkeys(made.counts, 0)
    left = result(played("gear", 3, START, ROUNDS[0], substitute(0, "Eva"), ROUNDS[1], ending={"rounds": 2}))
    assert left.earlier == (EarlierPlayer(0, "Aki", 1, 1, {"tricks": 5, "aces": 2, "last": 1, "paid": 3}),)
    assert [makers(left)[place].counts["tricks"] for place in (0, 1)] == [5, 0]


def test_a_round_is_of_who_sits_there_at_its_end_and_an_action_of_who_did_it() -> None:
    deal: Line = {"type": "deal", "board": ["sea-1", "sky-1"]}
    tricks: list[Line] = [
        {"type": "trick", "winner": 0, "pledges": [{"player": 2, "card": f"earth-{number}"}]} for number in range(1, 11)
    ]
    rounds: list[Line] = [{"type": "round", "tricks": [4, 3, 3], "trees": [0, 0, 0], "last": 0}] * 2
    lines = ({"type": "start", "player": 0}, deal, *tricks[:3], substitute(2, "Eva"), *tricks[3:], *rounds)
    made = result(played("eternity", 3, *lines))
    assert [(each.name, each.rounds, each.counts["pledges"]) for each in makers(made)[2:]] == [
        ("Cyr", (), 3),
        ("Eva", (1, 2, 3), 7),
    ]


def test_who_comes_back_and_who_made_nothing() -> None:
    lines = (START, ROUNDS[0], substitute(0, "Eva"), substitute(0, "Ida"), substitute(0, "Aki"), ROUNDS[1])
    made = result(played("gear", 3, *lines, ending={"rounds": 2}))
    assert made.players == ("Aki", "Bea", "Cyr")
    assert [each.name for each in made.earlier] == ["Aki"]
    before = result(played("gear", 3, substitute(0, "Eva"), START, *ROUNDS, ending={"rounds": 2}))
    assert (before.players[0], before.earlier) == ("Eva", ())
