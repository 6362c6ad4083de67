"""The figures of a round as one form on pages, and the rounds of the score sheet, which are corrected by a tap."""

from __future__ import annotations

import json

import pytest

from companion.core.correction import Correction
from companion.core.game import Event, Finish
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header, decode_line
from companion.ui.live_page.content import FigureField
from companion.ui.screens.context import for_pages
from companion.ui.screens.corrections import settled
from companion.ui.screens.phones import Phone, Role
from companion.ui.screens.table import PlayScreen
from companion.ui.view import ListBody, TextBody
from companion.web.live_markup import score_sheet
from tests.app.boxes import FOUR, begin, press
from tests.games.seeds import deal
from tests.harness.taps.tapper import WATCHER, Tapper, at_seat
from tests.web.live_page_samples import MOMENTS, sample


def playing(game: str, *rounds: str, players: int = 4, level: DetailLevel = DetailLevel.ROUND) -> Tapper:
    """Return a page in a new game of which some rounds are entered, each by the figures of its seats in order."""
    page = Tapper()
    header = {"format": 1, "game": game, "players": list(FOUR[:players]), "rules": {}}
    page.box.begin(decode_header(json.dumps(header)), level)
    if "seat 4" in page.choices:  # who deals
        page.tap("seat 4")
    for figures in rounds:
        for seat, figure in enumerate(figures.split(), 1):
            page.tap(f"figure {seat} 1 {figure}")
        page.tap("skip")
    return page


def sheet_totals(page: Tapper) -> tuple[object, ...]:
    """Return the totals below the score sheet, by seat."""
    sheet = score_sheet(page.content)
    assert sheet is not None
    return sheet.totals[-1].cells


def figures(page: Tapper) -> str:
    """Return what stands in the form, seat by seat: ``_`` for nothing, ``=`` before what cannot be typed."""
    form = page.content.question.form
    assert form is not None
    cells = [cell for row in form.rows for cell in row]
    return " ".join((each.figure or "_") if isinstance(each, FigureField) else f"={each}" for each in cells)


def test_each_figure_counts_at_once_and_all_others_stand_beside_it() -> None:
    page = playing("tally")
    assert figures(page) == "_ _ _ _"
    page.tap("figure 1 1 12", "figure 2 1 -7")
    assert figures(page) == "12 −7 _ _"
    assert page.content.question.seat == 2
    assert [answer.value for answer in page.box.state.entry.answers] == [12, -7]  # type: ignore[union-attr]


def test_a_figure_that_was_given_is_changed_and_those_after_it_stay() -> None:
    page = playing("tally").tap(*(f"figure {seat} 1 {seat}" for seat in (1, 2, 3, 4)), "figure 2 1 20")
    assert figures(page) == "1 20 3 4"
    assert page.content.question.text == "Same on the table?"
    page.tap("skip")
    assert json.loads(page.lines[-1]) == {"type": "points", "figures": [1, 20, 3, 4]}


def test_the_others_are_told_that_a_figure_was_changed_and_not_that_one_was_given() -> None:
    page, other = playing("tally"), Phone(9, "Bea's phone", Role.SCORER)
    page.tap("figure 1 1 1", phone=other)
    assert not page.content.notice
    page.tap("figure 2 1 2").tap("figure 1 1 20", phone=other)
    assert figures(page) == "20 2 _ _"
    assert page.content.notice == ("Bea's phone has changed a figure",)
    page.tap("figure 3 1 4")
    assert not page.content.notice


def test_the_rest_of_a_round_that_was_said_to_be_0_can_be_changed() -> None:
    page = playing("tally").tap("figure 1 1 5", "skip", "figure 3 1 8")
    assert figures(page) == "5 0 8 0"


def test_a_figure_that_cannot_be_is_refused_with_a_sentence_and_nothing_changes() -> None:
    page = playing("hearts", level=DetailLevel.ROUND)
    page.tap("figure 1 1 20", "figure 2 1 7")
    assert page.told() == "A number from 0 to 6, please"
    assert figures(page) == "20 _ _ ="


def test_a_figure_that_the_others_leave_is_no_field_and_changes_with_them() -> None:
    page = playing("hearts").tap("figure 1 1 20", "figure 2 1 1", "figure 3 1 2")
    assert figures(page) == "20 1 2 =3"
    page.tap("figure 4 1 4")
    assert page.told() == "This figure follows from the others"
    assert figures(page.tap("figure 1 1 19")) == "19 1 2 =4"


def test_a_figure_is_not_given_before_those_that_are_asked_first() -> None:
    page = playing("tally").tap("figure 3 1 5")
    assert page.told() == "This cannot be chosen now"
    assert figures(page) == "_ _ _ _"


@pytest.mark.parametrize("name", ["figure 9 1 5", "figure 1 9 5", "figure 1 1", "figure 1 1 x", "figure 0 0 0"])
def test_a_figure_of_no_field_is_refused(name: str) -> None:
    page = playing("tally").tap(name)
    assert page.told() is not None
    assert figures(page) == "_ _ _ _"


def test_a_persons_phone_gives_the_figures_of_that_person_alone() -> None:
    page = playing("tally").tap("figure 1 1 5", phone=at_seat(1))
    assert page.told() == "This is seat 1’s figure"
    page.tap("figure 1 1 5", phone=at_seat(0)).tap("figure 1 1 6", phone=at_seat(0))
    assert figures(page) == "6 _ _ _"
    page.tap("figure 2 1 5", phone=WATCHER)
    assert figures(page) == "6 _ _ _"


def test_several_questions_are_rows_of_one_form() -> None:
    page = playing("eternity")
    form = page.content.question.form
    assert form is not None
    assert len(form.rows) == 2
    page.tap("figure 1 1 3", "figure 1 2 2", "figure 2 1 4")
    assert figures(page).split()[:3] == ["3", "4", "_"]


@pytest.mark.parametrize(("figures_given", "totals"), [("5 6 7", "1 2 3 4"), ("5 6 7 8", "6 8 10 12")])
def test_the_totals_below_a_round_count_its_figures_once_all_are_given(figures_given: str, totals: str) -> None:
    page = playing("tally", "1 2 3 4")
    page.tap(*(f"figure {seat} 1 {figure}" for seat, figure in enumerate(figures_given.split(), 1)))
    assert " ".join(map(str, sheet_totals(page))) == totals
    page.tap("round 1 seat 1")
    assert " ".join(map(str, sheet_totals(page))) == "1 2 3 4"  # a correction says what it changes once it is written


# Corrections in the score sheet


def test_a_tapped_figure_of_an_old_round_is_corrected_by_the_figure_alone() -> None:
    page = playing("tally", "1 2 3 4", "5 6 7 8", "9 9 9 9")
    page.tap("round 1 seat 3")
    assert figures(page) == "1 2 3 4"
    page.tap("figure 3 1 30")
    assert json.loads(page.lines[-1])["type"] == "amend"
    assert json.loads(page.lines[-1])["to"]["figures"] == [1, 2, 30, 4]
    assert page.content.notice == ("Round 1 is corrected. Scores: Cyr 19 → 46 · Ahead now: Cyr",)


def test_a_corrected_figure_that_changes_no_lead_says_the_scores_and_one_tap_takes_it_back() -> None:
    page = playing("tally", "1 2 3 4", "5 6 7 8")
    page.tap("round 1 seat 1", "figure 1 1 2")
    assert page.content.notice == ("Round 1 is corrected. Scores: Aki 6 → 7",)  # Dai is ahead as before
    page.tap("undo")
    assert sheet_totals(page) == ("6", "8", "10", "12")


def test_a_correction_within_a_round_that_does_not_count_says_nothing_of_the_scores() -> None:
    session = deal("east-rune", 1, most_rounds=3, edits=0.0, misplay=0.0, coarse=0.0, stop=0.0).session(25)
    ended = session.add(Finish())
    assert ended.counted is not ended.head
    other = decode_line('{"type": "reveal", "card": "noon-mineral-light"}', session.header)
    assert isinstance(other, Event)
    message = settled(PlayScreen(), Correction(ended, 24).put(other)).message
    assert message is not None
    assert str(for_pages(message)) == "Entry 24 is corrected"


def test_a_correction_that_changes_more_figures_than_one_is_shown_before_it_counts() -> None:
    page = playing("hearts", "10 10 6 0")  # of the last figure nobody is asked
    lines = len(page.lines)
    page.tap("round 1 seat 1", "figure 1 1 8")
    assert len(page.lines) == lines
    assert page.content.question.text.endswith("Same on the table?")
    page.tap("skip")
    assert len(page.lines) == lines + 1


def test_a_tapped_round_shows_its_entry_with_what_can_be_done_with_it() -> None:
    page = playing("tally", "1 2 3 4", "5 6 7 8", "9 9 9 9").tap("round 2")
    body = page.content.body
    assert isinstance(body, ListBody)
    assert body.chosen == 1
    assert {"correct", "insert", "remove", "swap"} <= page.choices.keys()


def test_a_persons_phone_sees_the_entry_of_a_tapped_figure_and_corrects_nothing() -> None:
    page = playing("tally", "1 2 3 4", "5 6 7 8")
    page.tap("round 1 seat 2", phone=at_seat(1))
    assert isinstance(page.shown_to(at_seat(1)).body, ListBody)
    assert isinstance(page.box.state.panel.screen, PlayScreen)  # it is that phone's page


def test_a_figure_of_a_round_of_cards_leads_to_the_last_entry_of_the_round() -> None:
    page = playing("eternity", level=DetailLevel.FULL).tap("seat 1", "sky-3", "earth-5", "round 1 seat 2")
    body = page.content.body
    assert isinstance(body, ListBody)
    assert body.chosen == len(body.rows) - 1 == 1


def test_a_round_without_entries_cannot_be_tapped() -> None:
    assert playing("tally").tap("round 1").told() == "This cannot be chosen now"


# The score sheet


def test_the_score_sheet_has_a_row_for_each_round_and_the_figures_being_typed_after_them() -> None:
    page = playing("tally", "1 2 3 4", "5 6 7 8").tap("figure 1 1 9")
    sheet = score_sheet(page.content)
    assert sheet is not None
    assert [row.label for row in sheet.rows] == ["R1", "R2", "R3"]
    assert [row.typed for row in sheet.rows] == [False, False, True]
    assert sheet.rows[0].running == ()  # its figures are the totals
    assert sheet.rows[1].running == ("6", "8", "10", "12")
    assert [row.cells for row in sheet.totals] == [("6", "8", "10", "12")]


def test_totals_stand_beside_figures_only_where_these_add_up_to_them() -> None:
    over = next(moment for moment in MOMENTS if moment.name == "hipparchus-over")
    sheet = score_sheet(sample(over))  # its rounds are won, whatever their points
    assert sheet is not None
    assert [row.running for row in sheet.rows] == [(), (), ()]


def test_the_figures_of_a_round_that_is_corrected_take_its_place() -> None:
    page = playing("tally", "1 2 3 4", "5 6 7 8").tap("round 1 seat 1")
    sheet = score_sheet(page.content)
    assert sheet is not None
    assert [(row.label, row.typed) for row in sheet.rows] == [("R1", True), ("R2", False)]


def test_a_figure_with_more_digits_than_any_is_refused_with_the_numbers_that_can_be() -> None:
    assert playing("tally").tap("figure 1 1 123456789012").told() == "From −99999 to 99999; A is the minus sign"


# Rounds of several questions, each an entry of its own


def bids_given(*bids: int) -> Tapper:
    """Return a page in the first round of a game that asks for bids, tricks and bonuses, with the bids given."""
    page = playing("skull-king", level=DetailLevel.FULL)
    return page.tap(*(f"figure {seat} 1 {bid}" for seat, bid in enumerate(bids, 1)))


def test_figures_of_questions_that_were_answered_are_typed_again_in_their_place_until_the_round_is_over() -> None:
    page = bids_given(0, 1, 0, 0).tap("figure 1 2 0")
    assert figures(page) == "0 1 0 0 0 _ _ _"
    page.tap("figure 2 1 0", "figure 1 1 1")
    assert figures(page) == "1 0 0 0 0 _ _ _"
    assert page.content.question.text == "Tricks: Bea"  # as before
    page.tap("figure 2 2 1", "skip", "figure 3 3 10", "figure 1 2 1", "figure 2 2 0", "skip", "skip")
    assert [json.loads(line)["to"] for line in page.lines if "amend" in line][:2] == [
        {"type": "bid", "figures": [0, 0, 0, 0]},
        {"type": "bid", "figures": [1, 0, 0, 0]},
    ]


def test_a_figure_that_cannot_be_beside_those_of_a_later_question_is_refused_and_both_stay() -> None:
    page = bids_given(0, 1, 0, 0).tap("figure 1 2 0", "figure 2 1 9")
    assert page.told() == "A number from 0 to 1, please"
    assert figures(page) == "0 1 0 0 0 _ _ _"
    assert page.content.question.text == "Tricks: Bea"


def test_a_persons_phone_types_that_persons_figures_of_earlier_questions_again() -> None:
    page = bids_given(0, 1, 0, 0).tap("figure 2 1 0", phone=at_seat(0))
    assert page.told() == "This is seat 2’s figure"
    page.tap("figure 1 1 1", phone=at_seat(0))
    assert figures(page) == "1 1 0 0 _ _ _ _"


def test_a_figure_of_an_earlier_question_that_is_typed_as_it_was_leaves_those_after_it() -> None:
    page = bids_given(0, 1, 0, 0).tap("figure 1 2 0", "figure 2 1 1")
    assert page.content.notice == ("Nothing was changed",)
    assert figures(page) == "0 1 0 0 0 _ _ _"
    page.tap("undo")  # clears the sentence
    assert figures(page) == "0 1 0 0 0 _ _ _"


def test_a_persons_phone_is_refused_a_figure_with_which_those_of_others_change() -> None:
    page = bids_given(1, 0, 0, 0).tap("figure 1 2 0", "figure 2 2 1", "skip")
    page.tap("figure 1 2 1", phone=at_seat(0))  # the tricks of the others would have to change, too
    assert page.told() == "Only a phone that scores may do this: choose it beside You"
    assert page.shown_to(at_seat(0)).question.text == page.content.question.text == "Bonus: Cyr"
    page.tap("figure 1 2 1")
    assert page.content.question.text.endswith("R1: Tricks: Bea")


def test_figures_that_follow_a_likely_one_which_is_refused_are_fields_too() -> None:
    assert figures(bids_given(1, 0, 0, 0).tap("figure 1 2 1")) == "1 0 0 0 1 _ _ _"


def test_undo_takes_back_the_last_figure_of_a_sheet_and_the_others_stay() -> None:
    page = bids_given(0, 1, 0, 0).tap("undo")
    assert figures(page) == "0 1 0 _"
    page.tap("back", "figure 3 1 1", "figure 4 1 0", "figure 1 2 1")
    assert figures(page) == "0 1 1 0 1 _ _ _"


def test_undo_of_a_round_asks_again_whether_its_figures_are_right() -> None:
    page = playing("tally", "1 2 3 4").tap("undo")
    assert figures(page) == "1 2 3 4"
    assert page.content.question.text == "Same on the table?"
    page.tap("figure 2 1 20", "skip")
    assert json.loads(page.lines[-1]) == {"type": "points", "figures": [1, 20, 3, 4]}


def test_a_tapped_figure_of_an_old_round_opens_the_figures_of_all_its_questions() -> None:
    page = playing("cribbage", level=DetailLevel.FULL).tap("skip", "skip", "figure 4 3 0", "skip", "figure 2 1 2")
    page.tap("round 1 seat 4")
    assert figures(page) == "0 0 0 0 0 0 0 0 =– =– =– 0"
    page.tap("figure 2 1 9", "yes")  # how the scores change is shown first
    assert json.loads(page.lines[-1])["to"] == {"type": "pegged", "figures": [0, 9, 0, 0]}
    assert page.content.notice == ("Round 1 is corrected",)
    assert figures(page) == "_ 2 _ _"  # what was half entered in the second round


def test_one_step_back_leaves_the_correction_of_a_figure() -> None:
    page = playing("tally", "1 2 3 4", "5 6 7 8").tap("round 1 seat 3", "back")
    assert figures(page) == "_ _ _ _"
    page = playing("hearts", "10 10 6 0").tap("round 1 seat 1", "figure 1 1 8", "back")
    assert "10" not in figures(page)


def test_a_figure_of_a_seat_that_nobody_has_is_refused() -> None:
    page = playing("tally", "1 2 3 4").tap("round 1 seat 9")
    assert page.told() == "This cannot be chosen now"
    assert figures(page) == "_ _ _ _"


def test_two_phones_that_correct_one_round_keep_each_others_figures() -> None:
    page, other = playing("tally", "1 2 3 4", "5 6 7 8"), Phone(9, "Bea's phone", Role.SCORER)
    page.tap("round 1 seat 2").tap("round 1 seat 1", "figure 1 1 50", phone=other)
    assert figures(page) == "50 2 3 4"
    assert page.content.notice == ("Bea's phone has entered something: look again",)
    page.tap("figure 2 1 60")
    assert json.loads(page.lines[-1])["to"]["figures"] == [50, 60, 3, 4]


def test_a_correction_of_an_entry_that_somebody_else_has_corrected_is_dropped() -> None:
    page, other = playing("tally", "1 2 3 4", "5 6 7 8"), Phone(9, "Bea's phone", Role.SCORER)
    page.tap("round 1", "correct").tap("round 1 seat 1", "figure 1 1 50", phone=other)
    assert page.content.notice == ("Bea's phone has entered something: look again",)
    assert figures(page) == "_ _ _ _"


def test_the_correction_of_a_figure_goes_on_as_such_when_another_round_is_corrected() -> None:
    page, other = playing("tally", "1 2 3 4", "5 6 7 8"), Phone(9, "Bea's phone", Role.SCORER)
    page.tap("round 1 seat 2").tap("round 2 seat 1", "figure 1 1 50", phone=other).tap("figure 2 1 60")
    assert json.loads(page.lines[-1])["to"]["figures"] == [1, 60, 3, 4]


def test_pages_ask_whether_a_correction_is_right_and_name_its_tricks_in_full() -> None:
    page = Tapper()
    begin(page.box)
    press(page.box, "1 A3 B9 A4 DB11 9 C5 A7 A8")
    page.tap("entries", "row 5", "correct", "sea-2")
    body = page.content.body
    assert isinstance(body, TextBody)
    assert body.whole[0].startswith("Round 1 · Trick 1: ")
    assert body.whole[-1] == "Correct it like this?"


def test_pages_name_every_trick_that_changes_where_the_panel_counts_some() -> None:
    page = Tapper()
    begin(page.box)
    press(page.box, "1 A3 B9 A4 DB11 9 C5 B6 A5 C7 A2 B5 B4 C8 B7 B8 C6 C1# C2 A6 C4 A1# A8 A7")
    page.tap("entries", "row 4", "remove")
    body = page.content.body
    assert isinstance(body, TextBody)
    named = [sentence for sentence in body.whole if " · Trick " in sentence and "revoked" not in sentence]
    assert len(named) == 5
    assert not any("more trick" in sentence for sentence in body.whole)
