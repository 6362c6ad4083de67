"""The set-up, from home to the first card."""

import json

import pytest

from companion.app.box import Box
from companion.games import GAMES
from companion.journal import Journal, JournalError
from companion.ui.render import draw
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.rule_number import NumberScreen
from companion.ui.screens.setup import RulesScreen, SeatingScreen, options_of
from companion.ui.view import ListBody, TypingBody, View
from tests.app.boxes import FOUR, begin, new_box, page_of, playing, press, says, written


def header(journal: Journal) -> dict[str, object]:
    """Return the header of the newest game."""
    read: dict[str, object] = json.loads(journal.games()[0].header)
    return read


def test_a_game_of_nobodies_is_four_keys_away() -> None:
    journal = Journal()
    box = press(new_box(journal), "1 1 1 1 # #")
    assert box.view().question == "Who starts?"
    assert header(journal)["players"] == ["P1", "P2"]


def test_ok_takes_the_first_name_while_there_are_too_few() -> None:
    journal = Journal()
    press(new_box(journal), "1 1 # # # #")
    assert header(journal)["players"] == ["P1", "P2"]


def test_names_are_typed_with_a_few_keys() -> None:
    journal = Journal()
    press(new_box(journal), "1 1 C 2 55 444 # C 22 33 2 # # #")
    assert header(journal)["players"] == ["Aki", "Bea"]


def test_two_letters_of_one_key_are_parted_by_next() -> None:
    journal = Journal()
    press(new_box(journal), "1 1 C 2 D 2 # C 0 22 0 # # #")
    assert header(journal)["players"] == ["Aa", "B"]


def test_names_are_typed_in_kana() -> None:
    journal = Journal()
    press(new_box(journal), "1 1 C A 6 D 9 5 # C A A 1 # # #")
    assert header(journal)["players"] == ["はらな", "ア"]


@pytest.mark.parametrize(
    ("language", "begun", "next_one"), [("en", "Ad", "は"), ("fr", "Ad", "は"), ("ja", "かさ", "ハ")]
)
def test_a_name_begins_with_kana_in_japanese_and_with_latin_letters_elsewhere(
    language: str, begun: str, next_one: str
) -> None:
    journal = Journal()
    press(new_box(journal, language=language), "1 1 C 2 3 A 6 # C 1 # # #")
    assert header(journal)["players"][0] == begun + next_one  # type: ignore[index]


def test_a_letter_is_taken_back() -> None:
    box = press(new_box(), "1 1 C 2 D 3 * 4")
    assert "Ag" in says(box)
    press(box, "* * *")
    assert "Seat 1: who?" in says(box)


def test_back_is_named_delete_while_there_is_a_letter_to_take_back() -> None:
    box = press(new_box(), "1 1 C")
    assert box.frame.labels["*"] == "back"
    press(box, "2")
    assert box.frame.labels["*"] == "delete"
    press(box, "D")
    assert box.frame.labels["*"] == "delete"
    press(box, "*")
    assert box.frame.labels["*"] == "back"


def test_a_name_nobody_can_have_is_refused() -> None:
    box = press(new_box(), "1 1 C #")
    assert "A name has 1 to 20 characters" in says(box)
    press(box, "2 # C 2 #")
    assert "A already has a seat" in says(box)
    press(box, "C")
    assert "C types nothing here" in says(box)


def test_a_name_ends_at_twenty_letters() -> None:
    box = press(new_box(), "1 1 C" + "23" * 10 + "2")
    assert "A name has 1 to 20 characters" in says(box)
    press(box, "#")
    assert "Seat 2" in says(box)


def test_everybody_who_played_is_on_the_list_latest_first() -> None:
    journal = Journal()
    playing("h#8", journal=journal)
    box = press(new_box(journal), "2 1 5 4 3 2")
    assert "# start" in says(box) or "Seat 5" in says(box)
    press(box, "##")
    assert header(journal)["players"] == ["Dai", "Cyr", "Bea", "Aki"]


def test_five_seats_are_all_there_are() -> None:
    journal = Journal()
    box = press(new_box(journal), "1 1 1 1 1 1 1")
    assert "# start" in says(box)
    press(box, "*")
    assert "Seat 5: who?" in says(box)


def test_more_names_than_fit_are_on_further_pages() -> None:
    journal = Journal()
    playing("1", players=("a", "b", "c", "d", "e"), journal=journal)
    playing("h#8", players=("f", "g", "h", "i", "j"), journal=journal)
    box = press(new_box(journal), "2 1")
    assert "> f·g·h·i·j | a·b·c·d·e | f |" in says(box)
    assert "| e |" not in says(box)
    press(box, "D")
    assert "> b | c | d | e |" in says(box)
    press(box, "D")
    assert "| f |" in says(box)


def test_the_rules_of_last_time_are_proposed() -> None:
    journal = Journal()
    playing(
        "h#8", journal=journal, edition="fr", tiles=["sky", "earth", "sea"], ending={"target": 15}, tokens="limited"
    )
    box = press(new_box(journal), "2 1 2 3 4 5 #")
    assert "French" in says(box)
    assert "to 15" in says(box)
    press(box, "#")
    rules = header(journal)["rules"]
    assert rules == {"edition": "fr", "tiles": ["sky", "earth", "sea"], "ending": {"target": 15}, "tokens": "limited"}


def test_every_rule_is_changed_by_its_number() -> None:
    journal = Journal()
    press(new_box(journal), "1 1 1 1 # 2 3 25# 4 5 6 1 1 #")
    assert header(journal)["rules"] == {
        "edition": "fr",
        "ending": {"target": 25},
        "tiles": ["sea", "earth", "sky"],
        "tokens": "limited",
        "neutral": "aside",
    }
    assert journal.games()[0].tracking == "round"


def test_a_rule_is_changed_where_the_bar_is_too() -> None:
    journal = Journal()
    press(new_box(journal), "1 1 1 1 # B B B C #")
    assert header(journal)["rules"]["tiles"] == ["sea", "earth", "sky"]  # type: ignore[index]


def test_the_proposed_total_needs_no_digits() -> None:
    journal = Journal()
    press(new_box(journal), "1 1 1 1 # 3 # #")
    assert header(journal)["rules"]["ending"] == {"target": 20}  # type: ignore[index]


@pytest.mark.parametrize(
    ("keys", "ending"),
    [
        ("3 *", "3 rounds"),  # back changes nothing
        ("3 25 * * *", "3 rounds"),
        ("3 25 # 3 *", "to 25"),
        ("3 25 # 3 #", "to 25"),  # the present number is proposed
        ("3 25 # 3 A", "3 rounds"),  # the other choice
    ],
)
def test_the_ending_is_chosen_among_what_is_shown_and_back_changes_nothing(keys: str, ending: str) -> None:
    assert f"Ending {ending} |" in says(press(new_box(), f"1 1 1 1 # {keys}"))


def test_of_two_numbers_of_a_rule_the_other_is_typed_too() -> None:
    box = press(new_box(), "1 2 1 1 1 # 3 6")
    assert (box.frame.labels["#"], box.frame.labels["A"]) == ("6 rounds", "to a total")
    assert "Ending to 30" in says(press(box, "A #"))
    assert "Ending to 30" in says(press(box, "3 A *"))


def test_a_rule_with_many_values_shows_them_all_above_the_bottom_line() -> None:
    context = new_box()._context
    rules = RulesScreen.on(SeatingScreen(HomeScreen(), GAMES["skat"], ("Aki", "Bea", "Cyr")), context)
    row = [option.name for option in options_of(rules.seating)].index("rounds")
    shown = NumberScreen.of(rules, options_of(rules.seating)[row], rules.picks[row]).show(context)
    body = shown.view.body
    assert isinstance(body, TypingBody)
    assert body.help == ("#: 12", "A: 12   B: 24", "C: 36")


def test_a_total_that_cannot_be_is_refused() -> None:
    box = press(new_box(), "1 1 1 1 # 3 0")
    assert "A number from 1 to 999, please" in says(box)
    press(box, "9 9 9 9")
    assert "A number from 1 to 999, please" in says(box)
    press(box, "* * * *")
    assert "# start" in says(box)


def test_a_wrong_key_at_the_rules_gets_a_sentence() -> None:
    assert "A number changes its rule" in says(press(new_box(), "1 1 1 1 # 9"))


# Stepping back from the rules


def test_back_from_the_rules_leads_to_the_table_that_was_chosen_and_keeps_what_was_changed() -> None:
    journal = Journal()
    playing("1", players=("Eve", "Flo"), journal=journal)
    playing("h#8", journal=journal)
    box = press(new_box(journal), "2 1 2 1 1 2")  # the second group, other tracking and edition
    assert "Eve·Flo | Detail Rounds only | > Edition French" in says(box)
    press(box, "*")
    assert "Seat 1: who?" in says(box)
    assert "> Eve·Flo" in says(box)
    press(box, "#")
    assert "Eve·Flo | > Detail Rounds only | Edition French" in says(box)
    press(box, "#")
    assert header(journal)["players"] == ["Eve", "Flo"]
    assert header(journal)["rules"]["edition"] == "fr"  # type: ignore[index]
    assert journal.games()[0].tracking == "round"


def test_back_from_the_rules_leads_to_the_seats_that_were_gone_on_from() -> None:
    box = press(new_box(), "1 1 1 1 # 2 *")
    assert "Seat 3: who? P1·P2 | > Go on with 2 | P1 1 | P2 2 | P3" in says(box)
    assert "Edition French" in says(press(box, "#"))


def test_back_from_the_rules_leads_to_the_last_chair_where_every_one_is_taken() -> None:
    journal = Journal()
    playing("1", players=("a", "b", "c", "d", "e"), journal=journal)
    playing("h#8", players=("f", "g", "h", "i", "j"), journal=journal)
    box = press(new_box(journal), "2 1 3 5 4 6 D 3 2 *")  # the last from the second page
    assert "Seat 5: who? f·h·g·i | Go on with 4 | f·g·h·i·j | a·b·c·d·e | f 1 | h 2 | g 3 | i 4 | > d" in says(box)
    assert "f·h·g·i·d | > Detail Every card | Edition French" in says(press(box, "#"))


def test_a_name_that_was_typed_for_the_last_chair_is_still_there_after_a_step_back() -> None:
    box = press(new_box(), "1 3 C 22 # C 33 # *")
    assert "Seat 2: who? B | B 1 | > E | P2" in says(box)
    assert "B·E |" in says(press(box, "#"))


@pytest.mark.parametrize("nobody", ["1 1 1 1 1 1 1", "1 1 1 1 1 1 C # P5"])
def test_nobody_on_the_last_chair_is_offered_once_after_a_step_back(nobody: str) -> None:
    keys, _, typed = nobody.partition("#")
    box = press(new_box(), keys)
    if typed:
        box.write(typed)
    assert says(press(box, "*")).count("P5") == 1
    assert "P1·P2·P3·P4·P5 |" in says(press(box, "#"))


def test_who_stood_up_one_after_the_other_is_offered_first() -> None:
    journal = Journal()
    playing("h#8", journal=journal)
    box = press(new_box(journal), "2 1 4 3 # * * *")
    assert "Seat 1: who? | > Aki·Bea·Cyr·Dai | Cyr | Bea | Aki | Dai" in says(box)


def test_what_was_changed_is_kept_for_other_people_and_what_they_agreed_on_before_too() -> None:
    journal = Journal()
    playing("1", journal=journal, tokens="limited")
    playing("h#8", players=("Eve", "Flo"), journal=journal, neutral="columns")
    box = press(new_box(journal), "2 1 1 2 * 2")  # the French edition for two; then the table of four
    assert "Edition French" in says(box)
    assert "Later pairs" not in says(box)
    press(box, "#")
    assert header(journal)["rules"] == {
        "edition": "fr",
        "ending": {"rounds": 3},
        "tiles": ["sea", "sky", "earth"],
        "tokens": "limited",
    }


def test_stepping_back_again_and_again_loses_nothing() -> None:
    box = press(new_box(), "1 1 1 1 # 2 * # 3 25 # * # * #")
    assert "P1·P2 | > Detail Every card | Edition French | Ending to 25" in says(box)


def test_back_at_the_seats_leads_to_the_game_that_was_chosen() -> None:
    assert "> Gear" in says(press(new_box(), "1 2 *"))


# OK at a seat


def test_at_a_seat_ok_does_what_the_highlighted_row_says() -> None:
    journal = Journal()
    playing("h#8", journal=journal)
    box = press(new_box(journal), "2 1 2 3")
    assert "> Go on with 2 | Aki·Bea·Cyr·Dai | Aki 1 | Bea 2 | Cyr | Dai | P3" in says(box)
    assert box.frame.labels["#"] == "go on"
    assert box.frame.labels["4"] == "Cyr"
    press(box, "B B B B B")
    assert "> Dai" in says(box)
    assert box.frame.labels["#"] == "choose"
    assert "Seat 4: who? Aki·Bea·Dai | > Go on with 3 | Aki·Bea·Cyr·Dai | Aki 1 | Bea 2 | Cyr | Dai 3" in says(
        press(box, "#")
    )
    assert box.words() is None
    assert "Seat 3: who? Aki·Bea | Go on with 2" in says(press(box, "5"))  # who sits is freed by the same key
    assert "Seat 5" in says(press(box, "5 4"))
    assert "Aki·Bea·Dai·Cyr | > Detail" in says(press(box, "0"))


def test_how_closely_the_last_game_was_followed_is_seen_before_the_next_starts() -> None:
    journal = Journal()
    playing("h#8", journal=journal, tracking="round")
    box = press(new_box(journal), "2 1 1")
    first = seen(box)
    press(box, "1")
    assert seen(box) != first  # the row is visible


def seen(box: Box) -> bytes:
    """Return the part of the picture that shows rows, without the highlighted row."""
    return box.picture.crop((60, 11, 124, 54)).tobytes()


def test_again_begins_a_game_for_the_same_table() -> None:
    journal = Journal()
    playing("1 h#8", journal=journal, edition="fr")
    box = press(new_box(journal), "3 #")
    assert box.view().question == "Who starts?"
    assert len(journal.games()) == 2
    assert header(journal)["players"] == list(FOUR)


def test_step_back_leads_home() -> None:
    box = press(new_box(), "1 1 1 *")
    assert "Seat 1: who?" in says(box)
    press(box, "*")
    assert "Which game?" in says(box)
    press(box, "*")
    assert "Tabletop Companion" in says(box)
    press(box, "D")
    assert "Choose by number" in says(box)


def test_old_games_are_opened_from_the_list() -> None:
    journal = Journal()
    playing("1 A3 B9 h#8", journal=journal)
    playing("h#8", players=("Eve", "Flo"), journal=journal)
    box = press(new_box(journal), "5")
    assert "Eve·Flo" in says(box)
    press(box, "B A 2")
    assert box.view().question == "Aki:"


def test_a_game_that_cannot_be_read_is_kept_and_said() -> None:
    journal = Journal()
    written(journal, '{"format":1,"game":"whist","players":["a","b"]}')
    header = '{"format":1,"game":"eternity","players":["a","b"]}'
    broken = written(journal, header, '{"type":"start","player":7}')
    journal.set_open_game(broken)
    box = new_box(journal)
    assert "Game 2 cannot be read: line 2: there is no seat 7" in says(box)
    press(box, "4 2")
    assert "This game cannot be read; it is kept as it is" in says(box)
    assert "unreadable" in says(box)
    press(box, "*1")
    assert "Game 2 cannot be read" in says(box)
    assert len(journal.lines(broken)) == 1


class _Torn(Journal):
    """A journal whose lines cannot be read."""

    def lines(self, game: str) -> list[str]:
        raise JournalError("game 1 is damaged")


def test_a_game_whose_lines_are_damaged_leaves_the_box_at_home() -> None:
    journal = _Torn()
    playing("1", journal=journal)
    box = new_box(journal)
    assert "game 1 is damaged" in says(box)
    assert "Tabletop Companion" in says(box)


# Leaving


@pytest.mark.parametrize(
    "keys",
    [
        "1 1",
        "1 1 2",
        "1 1 C 2 3 4 5 6 7 8 9",
        "1 1 1 1 1 1 1",
        "1 1 1 1 1 1 # 2",
        "h#8 5 2",
        "h#8 5 2 1 1 2 3 4",
    ],
)
def test_back_held_leads_home_from_anywhere(keys: str) -> None:
    box = press(begin(new_box()) if "h#" in keys else new_box(), keys)
    assert box.frame.labels["h*"] == "home"
    assert "Tabletop Companion" in says(press(box, "h*"))


@pytest.mark.parametrize("keys", ["h#", "h#1", "h#1#", "h#3", "h#9", "h#91", "h#92", "h#921", "h#9211", "h#0", "h*"])
def test_back_held_leads_home_from_whatever_was_opened_at_the_table(keys: str) -> None:
    box = press(begin(new_box()), f"1 A3 {keys}")
    assert box.frame.labels["h*"] in ("home", "Leave the game")
    assert "Go on" in says(press(box, "h*"))
    again = press(box, "1")
    assert again.view().question == press(begin(new_box()), "1 A3").view().question


@pytest.mark.parametrize("keys", ["1 1", "1 1 1", "1 1 1 1 #"])
def test_the_set_up_names_its_game(keys: str) -> None:
    box = press(new_box(), keys)
    assert says(box).startswith("Eternity · ")
    listed = page_of(box).body
    assert isinstance(listed, ListBody)
    assert listed.title.startswith("Eternity · ")


def test_the_game_of_a_set_up_is_on_the_panel_where_it_has_room() -> None:
    rows = (("Detail", "Every card"),)
    named = ListBody("Aki·Bea", rows, game="Eternity")
    assert draw(View(named)).tobytes() == draw(View(ListBody("Eternity · Aki·Bea", rows))).tobytes()
    names = ("Konstantin", "Alexander", "Wilhelmine")
    long = ListBody("·".join(names), rows, names=names, game="Eternity")
    assert draw(View(long)).tobytes() == draw(View(ListBody("·".join(names), rows, names=names))).tobytes()


def test_a_number_is_typed_below_the_name_of_its_rule() -> None:
    body = press(new_box(), "1 1 1 1 # 3").view().body
    assert isinstance(body, TypingBody)
    assert (body.title, body.help[0]) == ("Ending: to a total", "#: to 20")
    typed = press(new_box(), "1 1 1 1 # 3 7").view().body
    assert isinstance(typed, TypingBody)
    assert typed.help[0] == "#: to 7"
