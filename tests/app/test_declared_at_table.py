"""The panel in games of files: choices, the rules card, entries in words, refusals."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.app.box import Box
from companion.core.game import TextPage
from companion.ui.panel import bar_texts, draw, initials
from companion.ui.tables import WIDTH
from companion.ui.view import OpenGame, TableBody, TextBody, View
from tests.app.boxes import begin, new_box, press, says
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
    assert bar_texts(view, WIDTH - 4) == ("Both first:", "0 no 1 yes")
    assert shows(view, "Béatrice")


def test_what_can_be_chosen_first_in_a_later_round_stands_beside_the_result_of_the_last_one() -> None:
    assert shows(begun("tichu", "0 0 0 0 1 0 55 #").view(), "0n 1s 2g")
    assert initials("0no 1nobody") == ""  # two begin alike


def test_what_has_no_room_beside_the_result_of_a_round_is_listed_by_ok() -> None:
    box = begun("five-dice", "5 20 13 50 #", 2)
    assert shows(box.view(), "#…")
    for _again in range(2):
        view = press(box, "#").view()
        assert all(shows(view, row) for row in ("1 ones", "6 sixes", "13 five alike", "Choose:")), view
        assert not shows(view, "5 fives")
    assert shows(press(box, "14").view(), "Choose:")


def test_more_choices_than_have_room_end_in_three_dots() -> None:
    choices = tuple(f"{number} of many" for number in range(1, 16))
    view = View(OpenGame("", None, (), (), ()), "Which?", choices=choices, hint=" ".join(choices))
    cut = replace(view, choices=(*choices[:13], "…"))
    assert rows_of(draw(view)) == rows_of(draw(cut)) != rows_of(draw(replace(view, choices=choices[:14])))


def test_the_last_line_of_a_long_entry_keeps_its_names_whole() -> None:
    assert shows(begun("tichu", "0 1 0 0 3 0 60 # h*").view(), "out: Cyr")


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


def test_where_there_is_little_room_a_key_stands_beside_the_old_answer_alone() -> None:
    box = begun("tally", "1# 22# 3# 4# # h* #", names=("Marguerite-Anne", *NAMES[1:]))
    assert box.view().brief == "A −  # 1  C →0"


def test_two_kinds_of_jokers_look_different_with_six_seats() -> None:
    view = begun("wizard", "1 0 0 0 0 0 1 A D1# B7 14 0", 6, "full", (*NAMES, "Eve", "Fay")).view()
    assert shows(view, "Wi…")
    assert shows(view, "Je…")


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


@pytest.mark.parametrize("name", ["Bob", "Béatrice", "Marguerite", "Christopher"])
def test_the_key_of_the_minus_sign_is_named_beside_every_name(name: str) -> None:
    view = begun("tally", "", 3, names=(name, "Bea", "Cyr")).view()
    question, hint = bar_texts(view, WIDTH - 4)
    assert (question, hint.startswith("A −")) == (view.question, True)  # no name is shortened for another key


def test_the_whole_sheet_shows_who_was_first_and_every_call() -> None:
    view = begun("tichu", "0 1 0 2 1 0 55").view()
    assert view.question == "Same on the table?"
    assert shows(view, "First out: Aki")
    assert shows(view, "Béatrice small, Dai grand")


@pytest.mark.parametrize(("keys", "signs"), [("2 4", ["1", "1.", "3", "2."]), ("2 4 1 2", ["1", "1.", "3", "4"])])
def test_the_place_stands_before_the_name_of_who_was_named_in_an_order(keys: str, signs: list[str]) -> None:
    view = begun("president", keys).view()
    for name, sign in zip(NAMES, signs, strict=True):
        assert shows(view, f"{sign} {name}")


def test_bids_and_tricks_are_one_column_where_the_result_of_a_round_has_no_room_for_two() -> None:
    view = begun("spades", "1 3 4 3 3 5 4 3 #").view()
    assert all(shows(view, words) for words in ("B/T/B", "3/5/2", "+62"))


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
