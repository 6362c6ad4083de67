"""Gear: game view, outcomes, score sheet and texts."""

from __future__ import annotations

import pytest

from companion.core.game import CardSound, Event, EventOutcome, Headline, SeatLine, Start
from companion.core.text import Text
from companion.games.gear.rules import BLACK, RED, Bid, Play, Trick
from companion.games.gear.shown import KEYS, MIXED, describe, score_sheet, view
from companion.games.kit.tricks import alerts
from tests.games.reports import finished, heads, left, lines, rows, told
from tests.games.table import said

from .tables import THREE_LOTS, Table, cards, easy, lots, open_hands, paid, sold, table, whole


def shown(at: Table) -> list[tuple[str, str, bool]]:
    """Return the seat lines in words."""

    def words(place: SeatLine) -> tuple[str, str, bool]:
        return told(place.laid), told(place.figures), place.leads

    return [words(place) for place in view(at.state).seats]


# The game view


def test_no_piles_are_counted_in_this_game() -> None:
    assert view(sold(3).lays("r7").state).columns == ()


@pytest.mark.parametrize(
    ("laid", "sign"),
    [
        ("r7", Headline("red", Text("Red"), RED.colour, "7")),
        ("b7 r9", Headline("black", Text("Black"), BLACK.colour, "7")),
        ("b7 b9", Headline("black", Text("Black"), BLACK.colour, "9")),
        ("rA", Headline("red", Text("Red"), RED.colour, "1")),
        ("rA r10", Headline("red", Text("Red"), RED.colour, "11")),
        ("b7+b7", Headline("black", Text("Black"), BLACK.colour, "7")),
        ("b7+r7 r8+b8", Headline("mixed", Text("Mixed"), MIXED, "8")),
    ],
)
def test_the_led_colour_and_the_rank_to_beat_are_seen_from_afar(laid: str, sign: Headline) -> None:
    assert view(easy().lays(laid).state).headline == sign


def test_where_nothing_is_led_there_is_no_sign() -> None:
    assert view(table().state).headline is None
    assert view(table().starts(0).state).headline is None
    assert view(sold().state).headline is None


def test_every_seat_shows_its_cards_and_figures_and_who_leads() -> None:
    at = easy(3).lays("r2 r10 rA").lays("b7+b7 bA+r10")
    assert shown(at) == [
        ("<black>A<red>10", "0 0<ace>", False),
        ("", "0 0<ace>", False),
        ("<black>7<black>7", "1 1<ace>", True),
    ]
    assert told(view(at.state).status) == "R1 2/8"


def test_in_the_auction_every_seat_shows_its_bid_or_its_points() -> None:
    at = table(3).starts(0).bids("1=2")
    assert [figures for _cards, figures, _leads in shown(at)] == ["has 5", "lot 2: 2<coin>", "has 5"]
    assert told(view(at.state).status) == "R1"


def test_at_the_end_the_figures_of_the_last_round_stay() -> None:
    at = table(2, rounds=1).round("5 3", "0 1", 0, "1 0")
    assert shown(at) == [("", "5 0<ace>", False), ("", "3 1<ace>", False)]


# Outcomes of events


def test_a_card_within_a_trick_speaks_for_itself() -> None:
    assert said(easy(3), Play(0, cards("r7"))) == EventOutcome(laid_as=CardSound.LEAD)
    assert said(table(3), Start(0)) == EventOutcome()
    assert said(table(3).starts(0), lots(*THREE_LOTS)) == EventOutcome()
    assert said(table(3).starts(0), Bid(1, 0, 0)) == EventOutcome()


@pytest.mark.parametrize(
    ("led", "play", "kind"),
    [
        ("r7", "r3", CardSound.FOLLOW),
        ("r7", "b3", CardSound.OFF_SUIT),
        ("b7+r7", "r8+b8", CardSound.FOLLOW),
        ("b7+r7", "r8+r8", CardSound.OFF_SUIT),
        ("r7+r7", "r8+r9", CardSound.OFF_SUIT),
    ],
)
def test_what_follows_the_colour_or_the_pair_follows_and_all_else_is_off_suit(
    led: str, play: str, kind: CardSound
) -> None:
    assert said(easy().lays(led), Play(1, cards(play.replace("+", " ")))).laid_as is kind


def test_who_is_pushed_off_is_told() -> None:
    assert lines(said(table(3).starts(0).bids("1=0"), Bid(2, 1, 1))) == ["Bea is pushed off lot 2"]


def test_so_is_the_end_of_the_auction_and_who_bid_above_the_points_held() -> None:
    made = said(table(3).starts(0).bids("1=0 0=0"), Bid(0, 2, 6))
    assert lines(made) == ["R1: Aki bid above the points held", "Auction over: Aki leads"]
    assert made.alert
    made = said(table(3).starts(2), paid("0 0 0"))
    assert lines(made) == ["Auction over: Cyr leads"]
    assert not made.alert


def test_the_last_card_of_a_trick_is_shown_beside_the_others_and_who_won_it() -> None:
    made = said(easy(3, leader=1).lays("r7 r9"), Play(0, cards("b8")))
    assert (made.lines, made.alert, made.won) == ((), False, True)
    assert left(made) == ["<black>8", "<red>7, led", "<red>9, won"]
    assert told(finished(made).result) == "Trick: Cyr"
    assert [told(place.figures) for place in finished(made).seats] == ["0 0<ace>", "0 0<ace>", "1 0<ace>"]
    assert finished(made).headline is None


def test_a_trick_of_two_cards_each_counts_twice() -> None:
    for at in (easy(2), easy(2).trick(0)):
        made = said(at.lays("r7+r7"), Play(1, cards("r8 b8")))
        assert left(made) == ["<red>7<red>7, led, won", "<red>8<black>8"]
        assert told(finished(made).result) == "Two tricks: Aki"


def test_the_last_trick_of_a_round_is_shown_beside_its_figures() -> None:
    made = said(easy(2).tricks(*[0] * 7).lays("r7"), Play(1, cards("r8")))
    assert made.table is not None
    assert left(made) == ["<red>7, led", "<red>8, won"]


def test_a_trick_entered_as_a_whole_tells_who_won_it() -> None:
    made = said(easy(2), Trick(1, 1, 0))
    assert lines(made) == ["Bea wins the trick"]
    assert (made.alert, made.won, made.finished) == (False, True, None)
    assert lines(said(easy(2), Trick(0, 2, 0))) == ["Aki wins two tricks"]
    assert said(easy(2).tricks(*[0] * 7), Trick(1, 1, 0)).finished is None


def test_a_revoke_is_told_at_once() -> None:
    made = said(open_hands().lays("r2"), Play(1, cards("b3")))
    assert lines(made) == ["R1: Bea may have revoked, card 1"]
    assert made.alert
    made = said(open_hands().lays("r2 b3"), Play(2, cards("b9")))
    assert lines(made) == ["R1: Cyr may have revoked, card 1"]
    assert (made.alert, made.won) == (True, True)
    assert left(made) == ["<red>2, led, won", "<black>3", "<black>9"]


def test_a_round_gives_its_figures() -> None:
    made = said(table(3), whole("3 0 5", "1 0 2", 2, "1 6 0"))
    assert lines(made) == ["R1: Bea bid above the points held"]
    assert (made.alert, made.won) == (True, True)
    result = made.table
    assert result is not None
    assert told(result.title) == "R1 over"
    assert heads(result) == ["tr", "<ace>", "<coin>", "pts", "="]
    assert rows(result) == [["3", "1", "1", "+4", "9"], ["0", "0", "6", "−6", "−1"], ["5", "2", "0", "+11", "16"]]
    assert result.marked == ()


def test_in_the_easy_game_there_is_no_price_among_them() -> None:
    made = said(easy(3).tricks(0, 0, 0, 0, 0, 0, 0), Trick(1, 1, 0))
    assert made.table is not None
    assert heads(made.table) == ["tr", "<ace>", "pts", "="]
    assert told(made.table.rows[1][2]) == "+4"
    assert not made.alert


@pytest.mark.parametrize(
    ("at", "event", "title", "marked"),
    [
        (table(2, auction=False, rounds=1), whole("8 0", "0 0", 0), "Aki wins the game", (0,)),
        (table(2, auction=False, rounds=1), whole("4 4", "0 3", 0), "The win is shared", (0, 1)),
        (table(4, auction=False, teams=True, rounds=1), whole("8 0 0 0", "0 0 0 0", 0), "Aki and Cyr win", (0, 2)),
        (
            table(4, auction=False, teams=True, rounds=1),
            whole("4 4 0 0", "0 3 0 0", 0),
            "The win is shared",
            (0, 1, 2, 3),
        ),
    ],
)
def test_the_end_of_the_game_says_who_won(at: Table, event: Event, title: str, marked: tuple[int, ...]) -> None:
    result = said(at, event).table
    assert result is not None
    assert (told(result.title), result.marked) == (title, marked)
    scores = score_sheet(at.enters(event).state)
    assert (told(scores.title), scores.marked) == (title, marked)


# The score sheet


def test_the_score_sheet_has_every_round_and_the_totals() -> None:
    scores = score_sheet(table(2).round("8 0", "0 0", 0, "0 7").round("4 4", "0 0", 0, "0 0").state)
    assert told(scores.title) == "Scores"
    assert heads(scores) == ["start", "R1", "R2", "total"]
    assert rows(scores) == [["5", "16", "8", "29"], ["5", "−7", "5", "3"]]


def test_once_the_auction_is_over_the_prices_stand_before_the_totals() -> None:
    at = table(2).round("8 0", "0 0", 0, "0 7")
    assert heads(score_sheet(at.bids("0=3").state)) == ["start", "R1", "total"]
    scores = score_sheet(at.bids("0=3 1=0").state)
    assert heads(scores) == ["start", "R1", "<coin>", "total"]
    assert rows(scores) == [["5", "16", "0", "21"], ["5", "−7", "−3", "−5"]]
    assert heads(score_sheet(easy(3).state)) == ["start", "total"]
    over = table(2, rounds=1).round("8 0", "0 0", 0, "0 7")
    assert heads(score_sheet(over.state)) == ["start", "R1", "total"]


def test_in_the_game_of_pairs_those_of_the_pairs_as_well() -> None:
    scores = score_sheet(table(4, auction=False, teams=True).round("8 0 0 0", "0 0 0 0", 0).state)
    assert heads(scores) == ["start", "R1", "total", "pair"]
    assert [told(row[3]) for row in scores.rows] == ["26", "10", "26", "10"]


# Texts


def test_all_alerts_are_told_in_the_order_they_came_up() -> None:
    at = table(3).starts(0).enters(lots(*THREE_LOTS)).pays("9 0 0", "0 1 2").lays("r2 b3")
    assert [told(alert) for alert in alerts(at.state)] == [
        "R1: Aki bid above the points held",
        "R1: Bea may have revoked, card 1",
    ]
    assert alerts(table().state) == ()


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Start(1), "Bea starts"),
        (lots(*THREE_LOTS), "The lots"),
        (Bid(1, 2, 3), "Lot 3: 3, Bea"),
        (paid("0 2 1"), "Prices: 0 2 1"),
        (Play(2, cards("r10")), "<red>10, Cyr"),
        (Play(2, cards("rA bA")), "<red>A <black>A, Cyr"),
        (Trick(3, 1, 0), "Trick: Dai"),
        (Trick(3, 2, 1), "Two tricks: Dai 1<ace>"),
        (whole("3 0 5", "1 0 2", 2), "R: 3/1 0/0 5/2"),
    ],
)
def test_an_event_is_described_in_a_line(event: Event, words: str) -> None:
    assert told(describe(event)) == words


def test_the_keys_are_explained_with_the_names_of_the_colours() -> None:
    assert told(KEYS[0]) == "A=Red B=Black 1=A 0=10"
    assert "AB7 = Red 7 + Black 7" in [told(line) for line in KEYS]
