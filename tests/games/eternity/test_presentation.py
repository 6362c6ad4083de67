"""Eternity: game view, outcomes, score sheet and texts."""

from __future__ import annotations

import pytest

from companion.core.game import CardSound, Event, EventOutcome, Headline, PileColumn, Start
from companion.core.text import Glyph, Text
from companion.games.eternity.rules import SUITS, Deal, Play, Pledge, Reveal
from companion.games.eternity.shown import KEYS, describe, score_sheet, view
from companion.games.kit.tricks import alerts
from tests.games.reports import finished, heads, left, lines, rows, told
from tests.games.table import said

from .tables import TARGET, card, cards, dealt, pair, table, tiles, trick, whole

NONE = "0 0 0 0"


# The game view


def test_trump_and_columns_stand_as_they_lie_on_the_table() -> None:
    stage = view(dealt(board="sky1 sky2", tiles=tiles("earth sea sky")).state)
    sky = SUITS[1]
    assert stage.headline == Headline("sky", Text("Sky"), sky.colour, trump=True)
    assert stage.columns == (
        PileColumn(Glyph("earth"), 0, 2),
        PileColumn(Glyph("sea"), 0, 2),
        PileColumn(Glyph("sky"), 2, 0),
    )
    assert told(stage.status) == "R1 T1"


def test_every_seat_shows_its_cards_and_figures_and_who_leads() -> None:
    stage = view(dealt(leader=3).trick(1, "2 sky10").lays("sky4 +sky11").state)
    assert [told(place.figures) for place in stage.seats] == [
        "0<peninsula>0<tree>",
        "1<peninsula>0<tree>",
        "0<peninsula>4<tree>",
        "0<peninsula>0<tree>",
    ]
    assert [told(place.laid) for place in stage.seats] == ["", "<sky>4", "<pledge><sky>11", ""]
    assert [place.leads for place in stage.seats] == [False, True, False, False]
    assert told(stage.status) == "R1 T2"


def test_two_players_show_both_their_cards() -> None:
    stage = view(dealt(2).lays("sky4 sky5 +sky6").state)
    assert told(stage.seats[1].laid) == "<sky>5 <pledge><sky>6"


def test_before_the_deal_there_is_no_suit_to_show() -> None:
    stage = view(table().state)
    assert stage.headline is None
    assert not any(place.leads for place in stage.seats)


# Outcomes of events


def test_a_card_within_a_trick_speaks_for_itself() -> None:
    at = dealt()
    assert said(at, Play(0, card("sky4"))) == EventOutcome(laid_as=CardSound.LEAD)
    assert said(table(), Start(0)) == EventOutcome()
    assert lines(said(table().starts(0), Deal(pair("sea1 sky1")))) == []


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (Play(1, card("sky5")), CardSound.FOLLOW),
        (Play(1, card("earth5")), CardSound.OFF_SUIT),
        (Play(1, card("sea5")), CardSound.OFF_SUIT),  # trump
        (Pledge(1, card("sky5")), CardSound.ALTERNATE),
        (Pledge(1, card("earth5")), CardSound.ALTERNATE),
    ],
)
def test_a_card_follows_or_is_off_suit_and_a_pledge_is_a_pledge(event: Event, kind: CardSound) -> None:
    assert said(dealt(board="sea1 sea2").lays("sky4"), event).laid_as is kind


def test_the_last_card_of_a_trick_tells_its_kind_and_a_whole_trick_none() -> None:
    assert said(dealt().lays("sky4 sky5 sky6"), Play(3, card("earth5"))).laid_as is CardSound.OFF_SUIT
    assert said(dealt(), trick(1)).laid_as is None


def test_the_last_card_of_a_trick_is_shown_beside_the_others_and_who_won_it() -> None:
    made = said(dealt(leader=3).lays("sky4 +sky11 sky6"), Play(2, card("sky5")))
    assert (made.lines, made.alert) == ((), False)
    assert left(made) == ["<pledge><sky>11", "<sky>6, won", "<sky>5", "<sky>4, led"]
    assert [told(place.figures) for place in finished(made).seats] == [
        "0<peninsula>2<tree>",
        "1<peninsula>0<tree>",
        "0<peninsula>0<tree>",
        "0<peninsula>0<tree>",
    ]
    assert told(finished(made).result) == "Trick: Bea"


def test_the_trump_shown_beside_it_is_the_one_that_counts_from_now_on() -> None:
    at = dealt(board="sea1 sky1").lays("sky4 sky5 +sky6")
    made = said(at, Play(3, card("sky3")))
    assert left(made) == ["<sky>4, led", "<sky>5, won", "<pledge><sky>6", "<sky>3"]
    assert finished(made).headline == Headline("sky", Text("Sky"), SUITS[1].colour, trump=True)
    assert " ".join(told(finished(made).result).split()) == "Trump is now Sky <winner>Bea"


def test_a_pledge_can_be_the_last_card_of_a_trick() -> None:
    made = said(dealt(3).lays("sky4 sky5"), Pledge(2, card("sea14")))
    assert left(made) == ["<sky>4, led", "<sky>5, won", "<pledge><sea>14"]


def test_of_two_players_all_four_cards_are_shown() -> None:
    made = said(dealt(2).lays("sky4 +sky5 sky6"), Play(0, card("earth2")))
    assert left(made) == ["<sky>4 <earth>2, led", "<pledge><sky>5 <sky>6, won"]


def test_the_last_trick_of_a_round_is_shown_beside_its_figures() -> None:
    at = dealt().tricks(*[1] * 9).lays("sky4 sky5 earth6")
    made = said(at, Play(0, card("sky3")))
    assert made.table is not None
    assert left(made) == ["<sky>3", "<sky>4, led", "<sky>5, won", "<earth>6"]


def test_a_trick_entered_as_a_whole_tells_who_won_it_and_the_new_trump() -> None:
    assert lines(said(dealt().trick(2), trick(2))) == ["Cyr wins trick 2"]
    assert lines(said(dealt(board="sea1 sky1"), trick(0, "1 sea5"))) == ["Aki wins trick 1"]
    assert lines(said(dealt(board="sea1 sky1"), trick(0, "1 sky5"))) == ["Trump is now Sky", "Aki wins trick 1"]
    assert said(dealt(), trick(0)).finished is None
    assert said(dealt().tricks(*[0] * 9), trick(0)).finished is None


@pytest.mark.parametrize(("board", "place"), [("sea1 sky1", 0), ("sky1 sky2", 1), ("earth1 earth2", 2)])
def test_the_first_trump_of_a_round_turns_up_with_the_board(board: str, place: int) -> None:
    made = said(table().starts(0), Deal(pair(board)))
    assert (made.new_trump, made.won) == (place, False)


def test_which_suit_has_become_trump_is_told_once() -> None:
    at = dealt(board="sea1 sky1").lays("sky4 sky5 +sky6")
    made = said(at, Play(3, card("sky3")))
    assert (made.new_trump, made.won) == (1, True)
    same = said(dealt().lays("sky4 sky5 sky6"), Play(3, card("sky3")))
    assert (same.new_trump, same.won) == (None, True)


def test_a_revoke_comes_first_and_the_table_should_look_up() -> None:
    at = dealt(3).lays("sky4 earth5 sky5").lays("sky6 sky7")
    made = said(at, Play(1, card("sky3")))
    assert lines(made) == ["R1 T1: Bea may have revoked, then Sky 3"]
    assert made.alert
    assert told(finished(made).result) == "Trick: Aki"
    quiet = said(at, Play(1, card("earth3")))
    assert (quiet.lines, quiet.alert) == ((), False)


def test_an_alert_within_a_trick_is_told_at_once_and_only_once() -> None:
    at = dealt().lays("sky4 earth5 sky6 sky7").trick(1)
    made = said(at, Play(1, card("sky3")))
    assert (lines(made), made.alert, made.table) == (["R1 T1: Bea may have revoked, then Sky 3"], True, None)
    assert said(at.lays("sky3"), Play(2, card("sky5"))) == EventOutcome(laid_as=CardSound.FOLLOW)


def test_a_round_ends_with_its_figures() -> None:
    made = said(table(), whole("4 3 2 1", "3 3 3 0", last=0))
    assert made.lines == ()
    assert not made.alert
    assert made.table is not None
    assert told(made.table.title) == "R1 over"
    assert heads(made.table) == ["<peninsula>", "<tree>", "pts", "total"]
    assert rows(made.table) == [
        ["4", "3", "+3", "3"],
        ["3", "3", "+5", "5"],
        ["2", "3", "0", "0"],
        ["1", "0", "0", "0"],
    ]
    assert made.table.marked == ()


def test_the_figures_are_those_of_the_round_that_has_just_ended() -> None:
    made = said(table().round("4 3 2 1", "3 3 3 0", last=0), whole("1 4 2 3", "0 5 2 1", last=1))
    assert rows(made.table) == [
        ["1", "0", "0", "3"],
        ["4", "5", "0", "5"],
        ["2", "2", "+6", "6"],
        ["3", "1", "+1", "1"],
    ]


def test_ten_open_cards_are_told_whole_suit_by_suit() -> None:
    shown = cards("earth5 earth2 sea10 sea1 sea4 sky1 sky9 sky3 sky4 earth7")
    told = lines(said(table(3).starts(0), Deal(pair("sea3 sky2"), shown)))
    assert told == ["Open: <sea>1 4 10 <sky>1 3 4 9 <earth>2 5 7"]
    assert lines(said(table(3).starts(0), Deal(pair("sea3 sky2")))) == []


def test_trees_without_tokens_are_told_with_the_round() -> None:
    made = said(table(), whole("4 3 2 1", "9 9 2 0", last=0))
    assert (lines(made), made.alert, made.won) == (["Round 1: 20 trees are out, of 18"], True, True)
    assert made.table is not None


@pytest.mark.parametrize(
    ("trees", "title", "marked"), [("4 0 0 0", "Aki wins the game", (0,)), (NONE, "The win is shared", (0, 1, 2, 3))]
)
def test_the_end_names_who_won(trees: str, title: str, marked: tuple[int, ...]) -> None:
    third = table().round("3 3 2 2", NONE, last=0).round("3 3 2 2", NONE, last=0)
    event = whole("7 1 1 1", trees)
    made = said(third, event)
    assert made.table is not None
    assert (told(made.table.title), made.table.marked) == (title, marked)
    scores = score_sheet(third.enters(event).state)
    assert (told(scores.title), scores.marked) == (title, marked)


# The score sheet


def test_the_sheet_has_a_column_for_every_finished_round_and_the_totals() -> None:
    scores = score_sheet(table().round("3 3 2 2", "2 0 0 2", last=0).round("3 3 2 2", "1 1 1 0", last=0).state)
    assert told(scores.title) == "Scores"
    assert heads(scores) == ["R1", "R2", "total"]
    assert rows(scores) == [["2", "1", "3"], ["0", "1", "1"], ["0", "1", "1"], ["4", "0", "4"]]
    assert scores.marked == ()


def test_a_new_games_sheet_has_only_the_totals() -> None:
    scores = score_sheet(table(3, ending=TARGET).state)
    assert heads(scores) == ["total"]
    assert rows(scores) == [["0"], ["0"], ["0"]]


# Texts


def test_all_alerts_are_told_in_the_order_they_came_up() -> None:
    at = table().round("4 3 2 1", "9 9 2 0", last=0).deals("sea1 sea2")
    at = at.lays("sky4 earth5 sky6 sky7").trick(1).lays("sky3")
    assert [told(alert) for alert in alerts(at.state)] == [
        "Round 1: 20 trees are out, of 18",
        "R2 T1: Bea may have revoked, then Sky 3",
    ]
    assert alerts(table().state) == ()


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Start(1), "Bea starts"),
        (Deal(pair("sea1 sky2")), "Columns: <sea>1 <sky>2"),
        (Deal(pair("sea1 sky2"), cards("earth1")), "Columns: <sea>1 <sky>2 +1"),
        (Reveal(pair("sea1 sky2")), "Neutral: <sea>1 <sky>2"),
        (Play(2, card("earth14")), "Earth 14, Cyr"),
        (Pledge(2, card("earth14")), "<pledge>Earth 14, Cyr"),
        (trick(3, "1 sky4"), "Trick: Dai <pledge><sky>4"),
        (whole("4 3 2 1", "3 3 3 0"), "R: 4/3 3/3 2/3 1/0"),
    ],
)
def test_an_event_is_described_in_a_line(event: Event, words: str) -> None:
    assert told(describe(event)) == words


def test_the_keys_are_explained_with_the_names_of_the_suits() -> None:
    assert told(KEYS[0]) == "A=Sea B=Sky C=Earth"
    assert "A7 = Sea 7" in [told(line) for line in KEYS]
