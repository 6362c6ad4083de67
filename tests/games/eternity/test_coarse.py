"""Eternity: whole tricks and rounds; a table can stop entering cards and resume later."""

from __future__ import annotations

import pytest

from companion.games.eternity.events import Trick, TrickPledge
from companion.games.eternity.state import TokensExceeded
from companion.games.kit.options import Ending

from .tables import card, dealt, table, trick, whole

NONE = "0 0 0 0"

# Whole tricks


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_neither_leader_nor_winner_can_have_pledged(seats: int) -> None:
    opened = dealt(seats)
    assert opened.refuses(trick(1, "0 sky4")) == "leader-pledges"
    assert opened.refuses(trick(1, "1 sky4")) == "winner-pledges"
    assert opened.trick(0, "1 sky4").state.trick == 2


def test_five_players_can_pledge_twice_in_a_trick_but_nobody_twice() -> None:
    opened = dealt(5)
    assert opened.trick(0, "3 sky10", "1 sky5").state.trees == (0, 1, 0, 2, 0)
    assert opened.refuses(trick(0, "3 sky10", "3 sky5")) == "pledges-twice"
    assert opened.refuses(trick(0, "1 sky1", "2 sky2", "3 sky3")) == "no-pledge-left"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_others_pledge_once_in_a_trick(seats: int) -> None:
    pledges = tuple(TrickPledge(seat, card(f"sky{seat + 1}")) for seat in range(1, seats))[:2]
    pledges = (*pledges, TrickPledge(0, card("sky9")))
    assert dealt(seats).refuses(Trick(0, pledges)) == "no-pledge-left"


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (trick(4), "seat"),
        (trick(-1), "seat"),
        (trick(0, "4 sky1"), "seat"),
        (trick(0, "-1 sky1"), "seat"),
        (trick(0, "1 sea2"), "seen"),
        (trick(0, "1 sky9"), "seen"),
    ],
)
def test_a_whole_trick_that_cannot_be_is_refused(event: Trick, reason: str) -> None:
    assert dealt().trick(0, "1 sky9").refuses(event) == reason


def test_the_same_card_is_not_pledged_by_two() -> None:
    assert dealt(5).refuses(trick(0, "1 sky9", "2 sky9")) == "seen"


@pytest.mark.parametrize("laid", ["sky4", "sky4 +sky5", "sky4 sky5 sky6"])
def test_a_trick_that_has_begun_is_entered_to_its_end(laid: str) -> None:
    assert dealt().lays(laid).refuses(trick(0)) == "table"


# Whole rounds


@pytest.mark.parametrize(
    ("tricks", "trees", "last", "reason"),
    [
        ("4 3 2", "0 0 0", None, "sheet"),
        ("4 3 2 1 0", NONE, None, "sheet"),
        ("4 3 2 1", "0 0 0", None, "sheet"),
        ("4 3 2 1", "0 0 0 0 0", None, "sheet"),
        ("11 -1 0 0", NONE, None, "sheet"),
        ("4 3 2 1", "1 0 -1 0", None, "sheet"),
        ("4 3 2 0", NONE, None, "tricks-sum"),
        ("4 3 2 2", NONE, None, "tricks-sum"),
        ("4 3 2 1", "6 5 5 5", None, "trees-sum"),
        ("4 3 2 1", NONE, 4, "seat"),
        ("4 3 2 1", NONE, -1, "seat"),
        ("5 3 2 0", NONE, 3, "last"),
    ],
)
def test_sums_that_do_not_add_up_are_refused(tricks: str, trees: str, last: int | None, reason: str) -> None:
    for at in (table(), dealt().lays("sky4 +sky5")):
        assert at.refuses(whole(tricks, trees, last)) == reason


@pytest.mark.parametrize(
    ("seats", "tricks", "most", "more"),
    [
        (2, "7 0", "14 0", "14 1"),
        (3, "10 0 0", "0 10 10", "1 10 10"),
        (4, "10 0 0 0", "0 0 10 10", "0 1 10 10"),
        (5, "8 0 0 0 0", "0 16 15 0 0", "0 16 16 0 0"),
    ],
)
def test_no_more_trees_than_pledges_can_be_worth(seats: int, tricks: str, most: str, more: str) -> None:
    assert table(seats).round(tricks, most).state.round == 2
    assert table(seats).refuses(whole(tricks, more)) == "trees-sum"


@pytest.mark.parametrize(("seats", "tricks"), [(3, "10 0 0"), (4, "10 0 0 0"), (5, "8 0 0 0 0")])
def test_limited_tokens_are_eighteen(seats: int, tricks: str) -> None:
    none = " 0" * (seats - 3)
    assert table(seats, tokens="limited").round(tricks, f"0 9 9{none}").state.round == 2
    assert table(seats, tokens="limited").refuses(whole(tricks, f"0 9 10{none}")) == "trees-sum"


@pytest.mark.parametrize(
    ("seats", "tricks", "most", "more"),
    [
        (3, "10 0 0", "0 10 10", "1 9 10"),
        (4, "9 1 0 0", "2 18 0 0", "3 17 0 0"),
        (4, "4 3 2 1", "0 0 2 18", "0 0 0 19"),
        (4, "4 3 2 1", "12 8 0 0", "13 7 0 0"),
        (5, "5 3 0 0 0", "6 10 15 0 0", "7 10 14 0 0"),
        (5, "0 0 0 8 0", "15 16 0 0 0", "14 16 0 1 0"),
    ],
)
@pytest.mark.parametrize("edition", ["jp", "fr"])
def test_nobody_has_more_trees_than_two_for_each_trick_not_won(
    seats: int, tricks: str, most: str, more: str, edition: str
) -> None:
    at = table(seats, edition=edition)
    assert at.round(tricks, most).state.round == 2
    assert at.refuses(whole(tricks, more)) == "trees"


@pytest.mark.parametrize(("trees", "alerts"), [("0 9 9 0 0", ()), ("0 9 9 1 0", (TokensExceeded(1, 19),))])
def test_a_whole_round_reports_its_sum(trees: str, alerts: tuple[TokensExceeded, ...]) -> None:
    assert table(5).round("8 0 0 0 0", trees).state.alerts == alerts


def test_the_pair_of_the_last_trick_joins_the_columns_before_the_game_ends() -> None:
    ended = dealt(2, neutral="columns", ending=Ending(target=1))
    for number in range(2, 8):
        ended = ended.trick(0).turns_up(f"earth{number} sky{number}")
    over = ended.trick(0, "0 sea14")
    assert (over.state.phase, over.state.pair, over.trump) == ("over", (), "sky")


def test_no_pair_lies_there_when_a_trick_begins() -> None:
    assert dealt(2).trick(0).state.pair == ()
    assert dealt(2, neutral="columns").trick(0).state.pair == ()
    assert dealt(2, neutral="columns").trick(0).turns_up("sky1 sky2").trick(0).state.pair == ()


def test_the_trump_at_the_end_of_the_game_is_that_of_the_last_pledges_too() -> None:
    last = dealt(board="sea1 sky1", ending=Ending(target=1)).tricks(*[0] * 9)
    assert last.trump == "sea"
    over = last.trick(0, "1 sky2")
    assert (over.state.phase, over.trump) == ("over", "sky")


@pytest.mark.parametrize("phase", ["start", "reveal", "play"])
def test_with_two_players_too(phase: str) -> None:
    at = {"start": table(2), "reveal": table(2).starts(1), "play": dealt(2, leader=1).lays("sky4 +sky10")}[phase]
    done = at.round("3 4", "3 0", last=1)
    assert done == table(2).round("3 4", "3 0", last=1)
    assert (done.state.phase, done.state.rounds) == ("reveal", ((5, 0),))
