"""Hipparchus: game view, outcomes, score sheet and texts."""

from __future__ import annotations

import pytest

from companion.core.game import CardSound, Event, EventOutcome, Headline, Piles, Start
from companion.core.text import Glyph
from companion.games.hipparchus import HIPPARCHUS
from companion.games.hipparchus.rules import MOON, CannotPlay, EndRound, Rules, start
from companion.games.hipparchus.shown import KEYS, describe, moment, score_sheet, view
from tests.games.reports import heads, rows, told
from tests.games.table import said

from .tables import led, play, table, trick, whole


def lines(made: EventOutcome) -> list[str]:
    return [told(line) for line in made.lines]


def left(made: EventOutcome) -> list[str]:
    """Return, of the trick just ended, the cards of both seats, the leader and the winner."""
    assert made.finished is not None
    return [
        ", ".join((told(place.laid), *["led"] * place.leads, *["won"] * place.won)) for place in made.finished.seats
    ]


# The game view


def test_both_piles_are_shown_large() -> None:
    stage = view(led().lays("moon3 moon1 sun1 earth3").state)
    assert stage.piles == Piles((Glyph("sun"), Glyph("moon"), Glyph("globe")), ((0, 4, 0), (1, 0, 3)))
    assert stage.columns == ()


def test_every_seat_shows_what_it_laid_and_has_left_and_who_leads() -> None:
    stage = view(led().lays("moon3 moon1 sun2").state)
    assert [told(place.laid) for place in stage.seats] == ["2<sun>", ""]
    assert [told(place.figures) for place in stage.seats] == ["9", "13"]
    assert [place.leads for place in stage.seats] == [True, False]
    assert told(stage.status) == "0:0"


def test_a_moment_of_the_game_is_its_round() -> None:
    assert told(moment(table().state)) == "round 1"


def test_hands_that_are_not_known_are_not_shown() -> None:
    stage = view(led().trick(0, "moon3").state)
    assert [told(place.figures) for place in stage.seats] == ["", ""]


def test_the_lamp_shows_the_led_suit() -> None:
    assert view(led().lays("moon3").state).headline == Headline("moon", MOON.label, MOON.colour)
    assert view(led().state).headline is None


def test_the_status_counts_the_rounds_won() -> None:
    assert told(view(table().round("2 2 2", "3 3 3").state).status) == "0:1"


# Outcomes of events


def test_a_lead_speaks_for_itself() -> None:
    assert said(led(), play(0, "moon3")) == EventOutcome(laid_as=CardSound.LEAD)
    assert said(table(), Start(0)) == EventOutcome()


@pytest.mark.parametrize(("reply", "kind"), [("moon1", CardSound.FOLLOW), ("sun3", CardSound.OFF_SUIT)])
def test_a_reply_is_of_the_led_suit_or_of_another(reply: str, kind: CardSound) -> None:
    assert said(led().lays("moon3"), play(1, reply)).laid_as is kind


@pytest.mark.parametrize(
    ("lead", "reply", "outcome", "laid"),
    [
        ("moon3", "moon1", "Aki takes 4<moon>", ["3<moon>, led, won", "1<moon>"]),
        ("moon3", "sun1", "Bea takes 1<sun> 3<moon>", ["3<moon>, led", "1<sun>, won"]),
    ],
)
def test_both_plays_of_a_trick_are_shown_and_who_takes_what(
    lead: str, reply: str, outcome: str, laid: list[str]
) -> None:
    made = said(led().lays(lead), play(1, reply))
    assert (made.lines, made.won) == ((), True)
    assert left(made) == laid
    assert made.finished is not None
    assert told(made.finished.result) == outcome
    assert made.finished.piles == view(led().lays(f"{lead} {reply}").state).piles


def test_what_was_captured_before_is_not_told_again() -> None:
    made = said(led().trick(0, "moon3").lays("moon3"), play(1, "moon2"))
    assert made.finished is not None
    assert told(made.finished.result) == "Aki takes 5<moon>"


def test_a_trick_entered_as_a_whole_tells_who_takes_what() -> None:
    made = said(led(), trick(1, "earth3 moon2"))
    assert lines(made) == ["Bea takes 2<moon> 3<globe>"]
    assert (made.won, made.finished) == (True, None)


def test_the_last_trick_of_a_round_is_shown_beside_its_figures() -> None:
    plays = "moon3 moon2 moon2 moon1 sun3 sun2 sun2 sun1 earth3 earth2"
    at = led().lays(plays)
    assert at.state.left == (1, 6)
    made = said(at.lays("earth1"), play(1, "earth2"))
    assert made.table is not None
    assert left(made) == ["1<globe>, led", "2<globe>, won"]


def test_a_round_ends_with_its_figures() -> None:
    made = said(table(), whole("2 1 6", "7 5 4"))
    assert (made.lines, made.alert, made.won) == ((), False, True)
    assert made.table is not None
    assert told(made.table.title) == "Aki wins R1"
    assert heads(made.table) == ["<sun>", "<moon>", "<globe>", "pts", "won"]
    assert rows(made.table) == [["2", "1", "6", "+4", "1"], ["7", "5", "4", "+3", "0"]]
    assert made.table.marked == (0,)


def test_a_tie_is_explained() -> None:
    made = said(led().lays("moon3"), CannotPlay(1))
    assert lines(made) == ["A tie: Bea laid second"]
    assert made.table is not None
    assert (told(made.table.title), made.table.marked) == ("Bea wins R1", (1,))


def test_the_end_names_who_won() -> None:
    at = table().round("3 3 3", "2 2 2")
    made = said(at, whole("3 3 3", "2 2 2"))
    assert made.table is not None
    assert (told(made.table.title), made.table.marked) == ("Aki wins the game", (0,))
    scores = score_sheet(at.enters(whole("3 3 3", "2 2 2")).state)
    assert (told(scores.title), scores.marked) == ("Aki wins the game", (0,))


# The score sheet


def test_the_sheet_marks_the_winner_of_every_round() -> None:
    scores = score_sheet(table().round("2 1 6", "7 5 4").round("3 0 0", "0 3 0", 1).state)
    assert (told(scores.title), scores.marked) == ("Scores", ())
    assert heads(scores) == ["R1", "R2", "won"]
    assert rows(scores) == [["<winner>4", "0", "1"], ["3", "<winner>0", "1"]]


# Texts


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Start(1), "Bea starts"),
        (play(1, "moon2"), "2 moons, Bea"),
        (CannotPlay(0), "Aki is stuck"),
        (trick(1, "moon3 sun1"), "Trick: Bea 1<sun> 3<moon>"),
        (EndRound(), "Round over"),
        (whole("2 1 6", "7 5 4", 1), "R: 2/1/6 7/5/4"),
    ],
)
def test_an_event_is_described_in_a_line(event: Event, words: str) -> None:
    assert told(describe(event)) == words


def test_the_keys_are_explained_with_the_names_of_the_suits() -> None:
    assert told(KEYS[0]) == "123=Sun 456=Moon 789=Earth"


def test_the_declaration_opens_a_game() -> None:
    assert HIPPARCHUS.start(2, Rules()) == start(2, Rules())
    assert (HIPPARCHUS.cards, HIPPARCHUS.options, list(HIPPARCHUS.seats)) == ({}, (), [2])
