"""The panel in games of files: choices, the rules card, entries in words, refusals."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.core.game_view import TextPage
from companion.ui.bottom_line import hinted, initials
from companion.ui.panel_layout import WIDTH
from companion.ui.render import draw
from companion.ui.view import OpenGame, TableBody, TextBody, View
from tests.app.boxes import begin, new_box, page_of, press, says
from tests.ui.pixels import rows_of, stands

NAMES = ("Aki", "Béatrice", "Cyr", "Dai")


def shows(view: View, words: str) -> bool:
    return stands(rows_of(draw(view)), words, "text", "small")


def begun(game: str, keys: str = "", seats: int = 4, level: str = "round", names: tuple[str, ...] = NAMES) -> Box:
    return press(begin(new_box(), names[:seats], level, game), keys)


@pytest.mark.parametrize(
    ("game", "seats", "keys", "listed"),
    [
        ("tichu", 4, "", ["0 none", "1 small", "2 grand"]),
        ("belote", 4, "1 2", ["0 none", "1 takers", "2 the others"]),
        ("skat", 3, "1 2", ["9 diamonds", "24 grand", "35 null hand"]),
        ("belote", 4, "1 2 1 81 h* # #", ["0 none", "2 the others", "# keep takers"]),
    ],
)
def test_choices_that_have_no_room_beside_the_question_are_listed_above_it(
    game: str, seats: int, keys: str, listed: list[str]
) -> None:
    view = begun(game, keys, seats).view()
    assert isinstance(view.body, OpenGame)
    for row in listed:
        assert shows(view, row), row


def test_choices_that_have_room_stand_beside_the_question() -> None:
    view = begun("tichu", "0 1 0 0 3").view()
    assert hinted(view, WIDTH - 4) == ("Both first:", "0 no 1 yes")
    assert shows(view, "Béatrice")


def test_what_can_be_chosen_first_in_a_later_round_stands_beside_the_result_of_the_last_one() -> None:
    assert shows(begun("tichu", "0 0 0 0 1 0 55 #").view(), "0n 1s 2g")
    assert initials("0no 1nobody") == ""  # two begin alike


def test_what_was_chosen_before_does_not_look_like_a_choice() -> None:
    assert begun("tichu", "0 1 0 0").view().hint == ""  # First out: who?


def test_a_round_entered_whole_says_in_the_list_of_entries_what_it_holds() -> None:
    assert "R: Taker: Béatrice, Belote: takers, Points: 81" in says(begun("belote", "1 2 1 81 h*"))


def test_an_old_choice_can_stay_when_a_round_is_corrected() -> None:
    box = begun("belote", "1 2 1 81 h* # 3 # #")
    assert "Scores: Aki 81 → 101 · Béatrice 101 → 81" in says(box)  # no sheet has shown them
    press(box, "#")
    assert "Entry 2 is corrected" in says(box)
    assert "R: Taker: Cyr, Belote: takers, Points: 81" in says(press(box, "h*"))


def test_a_wrong_key_names_the_choice_that_can_stay_too() -> None:
    assert "2 the others, # keep takers" in says(begun("belote", "1 2 1 81 h* # # 9"))


def test_the_last_line_of_a_long_entry_keeps_its_names_whole() -> None:
    assert shows(begun("tichu", "0 1 0 0 3 0 60 # h*").view(), "First out: Cyr")


def test_a_seat_can_stay_although_nobody_can_be_named_too() -> None:
    keeps, passes = (begun("skat", f"1 2 10 1# 0 1 h* # {keys}", 3) for keys in ("# 11 # # # #", "C #"))
    assert "Declarer: Béatrice, Game: spades" in says(press(keeps, "h*"))
    assert "Declarer: passed out" in says(press(passes, "h*"))


def test_a_figure_that_nobody_was_asked_for_is_not_told() -> None:
    assert "Highest bid" not in says(begun("skat", "1 2 10 1# 0 1 h*", 3))
    assert "R: Declarer: passed out |" in says(begun("skat", "1 C h*", 3))
    assert "All tricks" not in says(begun("belote", "1 2 1 81 h*"))
    assert "All tricks: no" in says(begun("belote", "1 2 1 162 0 h*"))


@pytest.mark.parametrize(
    ("game", "seats", "keys", "told"),
    [
        ("skat", 4, "1 4 10 1# 0 1 h*", "Declarer: Dai, Game: hearts"),
        ("doppelkopf", 5, "1 5 # 7# h*", "Winners: Eve, Points: 7"),
        ("tarot", 5, "2 2 1 2 1 50 0 0 0 h*", "Partner: Aki"),
        ("tarot", 5, "2 2 2 2 1 50 0 0 0 h*", "Partner: Béatrice"),
    ],
)
def test_a_figure_is_told_whoever_it_was_asked_of(game: str, seats: int, keys: str, told: str) -> None:
    assert told in says(begun(game, keys, seats, names=(*NAMES, "Eve")))


@pytest.mark.parametrize(
    ("game", "seats", "keys", "refused"),
    [
        ("skat", 4, "1 1", "Aki sits out this round"),
        ("skat", 3, "1 9", "Nobody sits on seat 9"),
        ("doppelkopf", 4, "1 2 2", "Béatrice is named already"),
    ],
)
def test_why_a_player_cannot_be_named_is_said(game: str, seats: int, keys: str, refused: str) -> None:
    assert refused in says(begun(game, keys, seats))


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
@pytest.mark.parametrize(
    ("game", "seats"), [("skat", 3), ("skat", 4), ("bridge", 4), ("coinche", 4), ("doppelkopf", 4)]
)
def test_what_skips_the_first_question_stands_beside_it(game: str, seats: int, language: str) -> None:
    box = press(begin(new_box(language=language), NAMES[:seats], "round", game), "1")
    for keys in ("", "C"):  # beside the number of the second round, too
        view = press(box, keys).view()
        assert view.hint
        assert shows(view, view.hint)


@pytest.mark.parametrize(
    ("game", "even", "uneven", "waits"),
    [
        ("belote", "1 2 0 81", "1 2 0 82", ("Waits", "81")),
        ("spades", "1 3 2 3 2 5# 4 2 #", "1 3 2 3 5 3 2 3 #", ("Bags", "2")),
    ],
)
def test_what_waits_for_the_next_round_stands_in_the_score_tables(
    game: str, even: str, uneven: str, waits: tuple[str, str]
) -> None:
    box = begun(game, even)
    for tables in (box, press(box, "h# 1")):
        body = tables.view().body
        assert isinstance(body, TableBody)
        column = body.heads.index(waits[0])
        assert body.rows[0][column] == waits[1]
    assert waits[0] not in says(begun(game, uneven))


@pytest.mark.parametrize(
    ("game", "keys", "stays"),
    [
        ("belote", "1 2 1 81 h* #", "keep Béatrice"),
        ("belote", "1 2 1 81 h* # # #", "keep 81"),
        ("belote", "1 2 1 81 h* # #", "keep takers"),
        ("tarot", "2 2 C 2 1 50 0 0 0 h* # #", "keep alone"),
    ],
)
def test_few_keys_begin_at_the_answer_that_can_stay(game: str, keys: str, stays: str) -> None:
    ring = begun(game, keys, 5 if game == "tarot" else 4, names=(*NAMES, "Eve")).ring
    assert ring.groups[ring.start].label == stays


def test_nobody_can_stay_too() -> None:
    box = begun("tarot", "2 2 C 2 1 50 0 0 0 h* # #", 5, names=(*NAMES, "Eve"))
    assert box.view().hint == "# keep alone  C alone"
    assert "keep guard" in says(press(box, "#"))


def test_where_there_is_little_room_a_key_stands_beside_the_old_answer_alone() -> None:
    box = begun("tally", "1# 22# 3# 4# # h* #", names=("Marguerite-Anne", *NAMES[1:]))
    assert box.view().brief == "A −  # 1  C →0"


def test_after_a_refused_digit_ok_enters_no_other_number() -> None:
    box = begun("coinche", "4 1 85#", level="full")
    assert (box.view().typed, box.view().hint) == ("8 …", "# OK")
    assert "Contract: 80" in says(press(box, "# h*"))


def test_after_a_refused_digit_ok_keeps_no_old_answer_either() -> None:
    box = begun("coinche", "4 1 80 1 1 82 h* # # 7 #")
    assert box.view().question.endswith("Bid (all 250):"), box.view().question


def test_while_a_refused_digit_is_told_ok_has_no_label() -> None:
    box = begun("coinche", "4 1 8 5", level="full")
    assert "#" not in box.frame.labels
    assert box.view().hint == ""


def test_a_number_that_ended_its_entry_counts_without_ok() -> None:
    assert "The entry counts already, without #" in says(begun("coinche", "4 1 80 1 1 82#"))
    assert "The entry counts already" not in says(begun("coinche", "4 1 80 1 1 9# #"))


def test_the_tens_of_a_price_do_not_count_yet() -> None:
    box = press(begin(new_box(), tracking="quick", game="gear"), "1 D 7 #")
    assert "A number from 0 to 9, please" in says(box)


def test_ok_at_the_beginning_of_a_correction_counts_nothing() -> None:
    assert "# does nothing here" in says(press(begin(new_box(), tracking="full"), "1 A3 B9 A4 h* # #"))


def test_a_wrong_key_at_a_whole_sheet_names_the_keys_that_count() -> None:
    assert "Choose: # yes, D change" in says(begun("spades", "1 3 2 3 2 5# 4 2 2"))


def test_help_on_keys_names_jokers_and_no_court_cards_that_are_not_there() -> None:
    told = says(begun("wizard", "1 0 0 0 0 h# 9 3", level="full"))
    assert "14 Wizard, 0 Jester" in told
    assert "Q 12" not in told
    assert "Q 12" in says(begun("hearts", "1 h# 9 3", level="full"))


def test_two_kinds_of_jokers_look_different_with_six_seats() -> None:
    view = begun("wizard", "1 0 0 0 0 0 1 A D1# B7 14 0", 6, "full", (*NAMES, "Eve", "Fay")).view()
    assert shows(view, "Wi…")
    assert shows(view, "Je…")


def test_a_phone_offers_the_old_answer_once() -> None:
    asked = page_of(begun("belote", "1 2 1 81 h* #")).question
    assert [each.label for each in asked.answers] == ["Aki", "keep Béatrice", "Cyr", "Dai"]
    assert [each.label for each in asked.others] == ["passed out"]
    assert [each.label for each in page_of(begun("belote", "1 2 1 81 h* # # #")).question.others] == ["keep 81"]


@pytest.mark.parametrize("game", ["belote", "wizard", "jass"])
def test_the_rules_card_shows_every_line_of_a_file(game: str) -> None:
    box = begun(game)
    assert box.game is not None
    card = box.game.session.header.game.optional.rules_card
    assert card is not None
    lines = [str(line) for page in card(4, None) if isinstance(page, TextPage) for line in page.lines]
    press(box, "h# 3")
    seen: list[str] = []
    for _page in lines:
        view = box.view()
        assert isinstance(view.body, TextBody)
        seen += view.body.sentences
        assert all(shows(view, sentence.split()[-1]) for sentence in view.body.sentences)
        press(box, "B")
    assert set(lines) <= set(seen)


def test_more_tricks_than_cards_are_refused() -> None:
    box = begun("skull-king", "1 0 0 0 1 1", seats=3)
    assert "More tricks than cards" in says(box)
    assert box.view().question == "Tricks: Cyr"


def test_a_figure_between_two_steps_is_refused_with_the_steps() -> None:
    assert "−25, −20 and so on to 125, please" in says(begun("tichu", "0 1 0 0 3 0 63"))


def test_who_wears_a_star_was_named_first_in_the_round() -> None:
    box = begun("belote", "1 2", level="full")
    body = box.view().body
    assert isinstance(body, OpenGame)
    assert [seat.figures for seat in body.seats] == ["0", "0*", "0", "0"]
    assert body.status == "Round 1 · Aki deals"


def test_a_card_without_a_suit_is_asked_for_one() -> None:
    box = begun("wizard", "1 1 0 0 0 0 1 1", level="full")
    assert "Which suit? A=Clubs B=Diamonds C=Hearts D=Spades" in says(box)
    assert "14Wiz 0Jes" in box.view().hint


def test_a_card_s_number_that_could_grow_has_three_dots() -> None:
    assert begun("wizard", "1 1 0 0 0 0 A1", level="full").view().typed.endswith("1 …")


@pytest.mark.parametrize("key", ["C", "3"])
def test_trump_is_chosen_by_the_letter_of_its_suit_or_its_number(key: str) -> None:
    body = begun("whist", f"1 {key}", level="full").view().body
    assert isinstance(body, OpenGame)
    assert body.symbol is not None
    assert body.symbol.word == "Hearts"


@pytest.mark.parametrize("name", ["Bob", "Béatrice", "Marguerite", "Christopher"])
def test_the_key_of_the_minus_sign_is_named_beside_every_name(name: str) -> None:
    view = begun("tally", "", 3, names=(name, "Bea", "Cyr")).view()
    question, hint = hinted(view, WIDTH - 4)
    assert (question, hint.startswith("A −")) == (view.question, True)  # no name is shortened for another key


def test_a_name_is_corrected_without_a_score_that_is_called_the_round_s() -> None:
    box = begun("belote", "1 2 1 81 h# 0 1")
    assert "Scores: Béatrice 81 · Aki 101" in says(box)
    assert "in this round" not in says(box)


def test_one_side_can_have_more_than_the_sum_where_the_other_has_less_than_nothing() -> None:
    box = begun("tichu", "0 1 0 0 3 0 125")
    assert box.view().question == "Same on the table?"
    assert "−25" in says(box)


def test_the_whole_sheet_shows_who_was_first_and_every_call() -> None:
    view = begun("tichu", "0 1 0 2 1 0 55").view()
    assert view.question == "Same on the table?"
    assert shows(view, "First out: Aki")
    assert shows(view, "Béatrice small, Dai grand")


def test_bids_and_tricks_are_one_column_where_the_result_of_a_round_has_no_room_for_two() -> None:
    view = begun("spades", "1 3 4 3 3 5 4 3 #").view()
    assert all(shows(view, words) for words in ("B/T/B", "3/5/2", "+62"))


def test_a_wrong_key_names_what_can_be_chosen() -> None:
    assert "Choose: 0 none, 1 small, 2 grand" in says(begun("tichu", "7"))


def test_letters_stand_for_choices_only_where_they_tell_them_apart() -> None:
    assert begun("tichu").view().brief == "0non 1sma 2gra"
    assert begun("skat", "1 2", 3).view().brief == ""


def test_a_sheet_of_eight_players_shows_whole_names_where_only_one_column_has_room() -> None:
    eight = ("Aki", "Béatrice", "Cyr", "Dai", "Emil", "Fumiko", "Gus", "Hal")
    view = begun("skull-king", "1 C", 8, names=eight).view()
    assert view.question == "Tricks: Béatrice"
    assert isinstance(view.body, TableBody)
    assert view.body.heads == ("Bid", "Tricks", "Bonus")
    assert all(shows(view, name) for name in eight)
