"""A game: keys that people press, and messages on the panel."""

import pytest
from msgspec import structs

from companion.app.box import Box
from companion.core.prompt import LayCard, Prompt
from companion.core.text import Text
from companion.games.eternity.cards import DECK, SUITS
from companion.journal import Journal
from companion.ui.keys import MISSED
from companion.ui.live_page.content import Choice
from companion.ui.screens.prompt_texts import hints
from companion.ui.translations import Translator
from tests.app.boxes import name_of, new_box, page_of, playing, press, says

TRICK = "1 A3 B9 A4 DB11 9 C5"


def test_the_box_asks_who_starts_then_for_the_columns_then_for_cards() -> None:
    box = playing()
    assert box.view().question == "Who starts?"
    press(box, "1")
    assert box.view().question == "Column card 1:"
    press(box, "A3 B9")
    assert box.view().question == "Aki:"
    press(box, "A4")
    assert box.view().question == "Bea:"


def test_the_lamp_has_the_colour_of_the_trump() -> None:
    assert playing().frame.lamp is None
    box = playing("1 A3 B9")
    assert box.frame.lamp == (0, 70, 255)
    press(box, "A4 DB11 9 C5")
    assert box.frame.lamp == (255, 30, 0)


def test_a_card_seen_before_is_refused_in_a_sentence_and_the_next_is_typed_anew() -> None:
    box = playing(f"{TRICK} A4")
    assert "Sea 4 was already seen in this round" in says(box)
    assert box.lines == 6
    press(box, "A6")
    assert box.lines == 7


@pytest.mark.parametrize(("refused", "signs"), [("A4", 1), ("B9", 1), ("A1A", 2), ("#", 0), ("DA4", 2)])
def test_back_clears_a_refusal_and_what_was_typed_sign_by_sign_before_it_takes_a_card_back(
    refused: str, signs: int
) -> None:
    box = playing(f"1 A3 B9 A4 {refused}")
    assert box.view().alert
    press(box, "*")
    assert (box.lines, box.view().notice) == (3, ())
    press(box, "* " * (signs - 1))
    assert (box.lines, box.view().typed) == (3, "")
    press(box, "*")
    assert "Took back" in says(box)


def test_back_says_on_its_key_that_it_only_clears_a_refusal() -> None:
    box = playing("1 A3 B9 A4")
    assert box.frame.labels["*"] == "undo"
    assert press(box, "A4").frame.labels["*"] == "back"
    assert Choice("*", "back") in page_of(box).actions
    assert press(box, "*").frame.labels["*"] == "undo"


@pytest.mark.parametrize("between", ["h#*", "h#1**", "h**", "missed", "5"])
def test_back_takes_a_card_back_once_a_refusal_is_no_longer_shown(between: str) -> None:
    box = playing("1 A3 B9 A4 #")
    if between == "missed":
        box.press(MISSED)
    else:
        press(box, between)
    press(box, "*")
    assert "Took back" in says(box)


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ("7", "Nobody sits on seat 7"),
        ("1 7", "Which suit? A=Sea B=Sky C=Earth"),
        ("1 A3 B9 A4 #", "# does nothing here; # held: menu"),
        ("1 A3 B9 A4 1 *", "Bea:"),
        ("1 A3 B9 A4 D#", "That is not a card yet"),
        ("1 A3 B9 A4 A1A", "No card is typed like that"),
        ("h#52 D", "A number from 0 to 10, please"),
        ("h#A*h#D", "Choose by number"),
    ],
)
def test_a_wrong_key_gets_a_sentence_at_once(keys: str, sentence: str) -> None:
    assert sentence in says(playing(keys.replace("h#52", "h#53")))


def test_step_back_takes_the_typed_key_then_the_answer_then_the_last_entry() -> None:
    box = playing("1 A3 B")
    press(box, "*")
    assert box.view().typed == ""
    press(box, "*")
    assert box.view().question == "Column card 1:"
    press(box, "*")
    assert box.view().question == "Who starts?"
    assert "Took back: Aki starts" in says(box)
    press(box, "*")
    assert "# start" in says(box)  # the set-up


def test_what_was_taken_back_is_brought_back_from_the_menu() -> None:
    box = playing("1 *")
    press(box, "h#4")
    assert box.view().question == "Column card 1:"
    press(box, "h#4")
    assert "There is nothing to bring back" in says(box)


def test_a_revoke_is_said_and_stays_among_the_alerts() -> None:
    box = playing(f"{TRICK} C7 B2 C3 C2 A5")
    assert "R1 T1: Dai may have revoked, then Sea 5" in says(box)
    assert box.view().alert
    press(box, "h#h#1#")
    assert "R1 T1: Dai may have revoked, then Sea 5" in says(box)


def test_without_alerts_the_sheet_says_so() -> None:
    assert "None so far" in says(playing("h#1#"))


def test_an_earlier_card_is_corrected_without_undoing_what_came_after() -> None:
    box = playing(f"{TRICK} h* A # 8")  # Cyr's card, the fifth entry
    assert box.lines == 7
    assert "Entry 5 is corrected" in says(box)
    assert box.game is not None
    assert box.game.session.state.last_trick.table[2].card.name == "sea-8"


def test_a_correction_that_breaks_a_later_entry_is_not_written_and_names_it() -> None:
    box = playing(f"{TRICK} h* 3 # A9")
    assert "5: Sea 9, Cyr | No longer fits: Sea 9 was already seen" in says(box)
    assert box.lines == 6
    press(box, "*")
    assert "Nothing was changed" in says(box)
    assert box.view().question == "Cyr:"


def test_a_correction_can_be_entered_in_another_way() -> None:
    box = playing(f"{TRICK} h* 3 # h#52 3", tracking="full")
    assert "correction 4" in says(box)
    assert "No longer fits" in says(box)  # a whole trick there leaves no room for the pledge after it


def test_the_way_of_following_is_switched_at_any_moment_and_kept() -> None:
    journal = Journal()
    box = playing("1 A3 B9 A4 h#5", journal=journal)
    assert "Enter from now on | > Every card chosen" in says(box)
    assert "From now on: Pledges, winners" in says(press(box, "2"))
    assert box.view().question == "Bea:"  # the current trick is finished card by card
    press(box, "5 9 6")
    assert box.view().question == "Trick 2: who?"
    assert new_box(journal).view().question == "Trick 2: who?"
    press(box, "h#53")
    assert box.view().question == "Tricks: Aki"


def test_pledges_and_winners_take_one_key_for_a_winner_and_a_card_and_a_seat_for_a_pledge() -> None:
    box = playing("1 A3 B9 h#52")
    press(box, "3")
    assert "Cyr wins trick 1" in says(box)
    press(box, "B11 2 1")
    assert "Aki wins trick 2" in says(box)
    assert "Trump is now Sky" in says(box)


def test_the_last_figure_is_filled_in_where_the_sum_decides_it() -> None:
    box = playing("33 22 54", tracking="round")
    assert box.view().question == "Trees: Dai"


@pytest.mark.parametrize(
    ("keys", "asks"),
    [
        ("B", "Tricks: Bea"),
        ("B *", "Trees: Aki"),
        ("B * 3", "Tricks: Bea"),
        ("3 D", "Trees: Aki"),
        ("3 2 A C", "Trees: Dai"),
    ],
)
def test_a_letter_enters_a_figure_of_a_sheet_and_0_for_the_rest_of_its_row(keys: str, asks: str) -> None:
    assert playing(keys, tracking="round").view().question == asks


def test_a_letter_in_a_sheet_is_kept_as_the_keys_it_saves() -> None:
    box = playing("B", tracking="round", journal=(journal := Journal()))
    assert says(new_box(journal)) == says(box)
    assert box.frame.labels["A"] == "1, rest 0"
    press(box, "3 2 5 3 0 #")
    assert journal.lines(name_of(journal)) == ['{"type":"round","tricks":[2,3,5,0],"trees":[0,2,3,0]}']
    assert set(journal.keys(name_of(journal)).values()) == {"2032530#"}


def test_a_sheet_goes_back_cell_by_cell() -> None:
    box = playing("3 2 * *", tracking="round")
    assert box.view().question == "Tricks: Aki"


def test_who_won_the_last_trick_may_be_left_open_and_is_asked_then() -> None:
    box = playing("33 22 54 1# #", tracking="round")
    assert box.game is not None
    assert box.game.session.state.phase == "start"
    press(box, "h#51")
    assert box.view().question == "Who starts?"


def test_the_game_ends_with_its_winner_and_goes_home_or_takes_back() -> None:
    box = playing("33 22 54 1# 3  1#1# 42 22 4 4  22 21# 22 4 #", tracking="round")
    assert box.frame.labels["#"] == "home"
    assert "The win is shared" in says(box)
    press(box, "7")
    assert "The game is over" in says(box)
    press(box, "*")
    assert box.view().question.startswith("Tricks")
    press(box, "h#4#")
    assert "Tabletop Companion" in says(box)


def test_leaving_a_game_keeps_it_and_home_goes_on_with_it() -> None:
    journal = Journal()
    box = playing(f"{TRICK} h#8", journal=journal)
    assert "Go on:" in says(box)
    assert "Tabletop Companion" in says(new_box(journal))
    press(box, "1")
    assert box.view().question == "Cyr:"


def test_the_box_wakes_up_where_it_was_left() -> None:
    journal = Journal()
    box = playing(TRICK, journal=journal)
    again = new_box(journal)
    assert again.view().question == box.view().question == "Cyr:"
    assert again.lines == box.lines


@pytest.mark.parametrize(
    "walk", ["h#1 # * * *", "h#8 1", "h#9 1 2 * *", "h#9 1 2 1 1 * *", "h#9 2 1 2 * * * * *", "C C h#3 B * *", "h* A *"]
)
def test_a_walk_through_menus_is_no_part_of_what_is_half_entered(walk: str) -> None:
    journal = Journal()
    box = playing(f"3 3 {walk} 2", tracking="round", journal=journal)
    again = new_box(journal)
    assert again.view().question == box.view().question
    assert again.view().body == box.view().body
    press(box, "2 2 2")
    press(again, "2 2 2")
    assert (again.lines, again.view().question) == (box.lines, box.view().question)


@pytest.mark.parametrize(
    "walk", ["h* 3# h#9 1 2 * 5 2", "h#4 2 3# h#52", "h#9 2 1 2 * * 2 3# h#52", "h#9 2 1 1 2 D # * * 2 3# h#52"]
)
def test_a_correction_is_taken_up_whatever_was_done_on_the_way_to_it(walk: str) -> None:
    journal = Journal()
    box = playing(f"{TRICK} {walk} B12", journal=journal)
    assert "12" in box.view().question
    again = new_box(journal)
    assert again.view().question == box.view().question
    assert again.view().hint == box.view().hint


def test_held_keys_mean_nothing_where_they_are_not_asked() -> None:
    box = playing("h# h#")
    assert "goes back" in says(box)


def test_the_keys_of_the_game_are_in_its_settings() -> None:
    box = playing("h#9 3")
    assert "D first: a pledge" in says(box)
    press(box, "B")
    assert "A=Sea" not in says(box)
    press(box, "7")
    assert "A and B move" in says(box)
    press(box, "*")
    assert "Settings" in says(box)


def test_the_key_of_a_pledge_is_named_however_often_it_is_pressed() -> None:
    box = playing("1 A3 B9 A4")
    for keys in ("", "D", "D", "A"):
        press(box, keys)
        assert box.frame.labels["D"] == "pledge"


def test_the_optional_neutral_pair_is_the_other_thing_at_the_start_of_a_trick() -> None:
    box = playing("1 A1# A2 B5 B6 B7 B8", players=("Aki", "Bea"))
    assert box.frame.labels["D"] == "neutral"
    press(box, "D C1# C2")
    assert box.view().question == "Aki:"
    assert "D" not in box.frame.labels


def test_three_players_may_enter_the_ten_open_cards_or_none() -> None:
    three = ("Aki", "Bea", "Cyr")
    assert playing("1 A3 B9 #", players=three).view().question == "Aki:"
    box = playing("1 A3 B9 C1# C2 C3 C4 C5 C6 C7 C8 C9 C0", players=three)
    assert box.view().question == "Aki:"
    press(box, "C4")
    assert "already seen" in says(box) or "left" in says(box)


def test_a_pledge_that_cannot_be_is_refused_whole_and_never_taken_for_a_play() -> None:
    box = playing("1 A3 B9 A4 DB10 DC5")
    assert "No more pledges are allowed in this trick" in says(box)
    assert box.lines == 4
    box = playing("1 A3 B9 DB5")
    assert "The leader's first card goes into the trick" in says(box)
    assert box.lines == 2


def test_a_pledge_too_many_in_a_whole_trick_is_refused_before_more_is_asked() -> None:
    box = playing("1 A3 B9 C7 2 C3", tracking="quick")
    assert "No more pledges are allowed in this trick" in says(box)
    assert box.lines == 2
    press(box, "3")
    assert box.lines == 3


def test_undo_says_what_it_takes_back_and_redo_what_it_brings_back() -> None:
    box = playing("1 A3 B9 A4 A5 h* A # A7")
    press(box, "*")
    assert "Took back: correction 3: Sea 7, Aki" in says(box)
    press(box, "h#4")
    assert "Brought back: correction 3: Sea 7, Aki" in says(box)
    press(box, "* *")
    assert "Took back: Sea 5, Bea" in says(box)


def test_what_was_given_so_far_stands_on_the_panel() -> None:
    assert "sea 3" in says(playing("1 A3"))
    assert "sky 12 Bea" in says(playing("1 A3 B9 B12 2", tracking="quick"))


def test_what_is_corrected_stands_on_the_panel() -> None:
    assert "Was: Sea 4, Aki" in says(playing("1 A3 B9 A4 h*#"))


def test_what_else_can_be_done_stands_at_the_end_of_the_line() -> None:
    assert playing("1 A3 B9", players=("Aki", "Bea", "Cyr")).view().hint == "# none"
    assert playing("1 A1# A2 B5 B6 B7 B8", players=("Aki", "Bea")).view().hint == "D neutral"
    assert playing("1 A3").view().hint.endswith("3")


def test_the_suits_that_a_rank_means_stand_at_the_end_of_the_line_and_then_that_a_pledge_is_allowed() -> None:
    assert says(playing("1 A3 B9")).endswith("Aki: A sea B sky C earth")  # of a leader: the trump first
    assert says(playing("1 A3 B9 B4")).endswith("Bea: B sky A sea C earth pledge")
    assert says(playing("1 A3 B9 B4 DB5")).endswith("Cyr: B sky A sea C earth")
    lacking = playing("1 A3 B9 B4 C5 B6 B7 B8 B0")
    assert says(lacking).endswith("Bea: C earth B sky A sea pledge")  # possibly neither sky nor sea


def test_a_suit_of_which_every_card_was_seen_is_not_among_them() -> None:
    left = tuple(LayCard(card) for card in DECK if card.suit is not SUITS[1])
    prompt = Prompt(Text("?"), left, deck=DECK.cards, suits=SUITS, bare=SUITS)
    words = Translator("en")
    signs = words(SUITS[0].sign), words(SUITS[2].sign)
    assert hints(words, prompt, ()) == (f"A{signs[0]}C{signs[1]}", "".join(signs))


def test_who_can_be_named_has_a_key_before_the_name_in_every_picture() -> None:
    box = playing("33 22 54 1#", tracking="round")
    assert "1 Aki" in says(box)
    assert "| Dai" in says(box)  # a player without tricks did not win the last one


@pytest.mark.parametrize(
    ("players", "keys", "question"),
    [
        (3, "1 A3 B9 C1#", "Open 2/10:"),
        (4, "1 A3", "Column card 2:"),
        (4, "h#53 3 2", "Tricks: Bea"),
        (4, "1 A3 B9 h#52 B11 2", "Trick 1: who?"),
        (4, f"{TRICK} h* A #", "5: Cyr:"),
        (4, "h#53 3 2 9 * * *", "Tricks: Aki"),
        (4, "1 A3 *", "Column card 1:"),
        (4, "1 A3 B9 A", "Aki:"),
        (4, "1 A3 B9 A4 D", "Bea:"),
        (4, "1 A3 B9 A4 DC", "Bea:"),
        (4, "1 A3 B9 A4 D*", "Bea:"),
        (4, "1 A3 B", "Column card 2:"),
        (4, "1 A3 BC", "Column card 2:"),
        (4, "1 A3 B h#1 * *", "Column card 2:"),
        (4, "1 A3 B9 A4 A4", "Bea:"),
        (4, "1 A3 B9 A4 A h# 1 # * * *", "Bea:"),
        (4, "h#53 3 1 9 * *", "Tricks: Aki"),
        (4, f"{TRICK} h* A # D", "5: Cyr:"),
        (4, f"{TRICK} h* 3 # h#52", "3: Trick 1: who?"),
    ],
)
def test_what_was_half_entered_is_there_again(players: int, keys: str, question: str) -> None:
    journal = Journal()
    names = ("Aki", "Bea", "Cyr", "Dai")[:players]
    before = playing(keys, players=names, journal=journal)
    again = new_box(journal)
    assert again.view().question.endswith(question)
    assert structs.replace(again.view(), notice=(), alert=False) == structs.replace(
        before.view(), notice=(), alert=False
    )
    assert again.lines == before.lines


@pytest.mark.parametrize("keys", ["A", "D", "DA", "B1"])
def test_a_step_back_after_a_restart_takes_no_entry_in_the_place_of_a_key_half_typed(keys: str) -> None:
    journal = Journal()
    before = playing(f"1 A3 B9 A4 {keys}", journal=journal)
    again = press(new_box(journal), "*")
    assert again.lines == before.lines
    assert again.view().typed == press(before, "*").view().typed


def test_a_key_that_changes_nothing_half_entered_writes_nothing() -> None:
    class Counting(Journal):
        drafts = 0

        def keep_draft(self, game: str | None, given: object, *, sync: bool = False) -> None:
            self.drafts += 1
            super().keep_draft(game, given, sync=sync)

    journal = Counting()
    box = playing("1 A3 B9", journal=journal)
    for keys, drafts in (("A", 1), ("#", 0), ("h# B 1 * *", 0), ("4", 0), ("9", 0), ("D", 1), ("*", 1), ("7 #", 0)):
        before = journal.drafts
        press(box, keys)
        assert journal.drafts - before == drafts, keys


def test_a_round_s_figures_stay_until_the_next_entry() -> None:
    box = playing("33 22 54 1# 3", tracking="round")
    assert "R1 over" in says(box)
    press(box, "D h# *")
    assert "+4" in says(box)
    press(box, "1#")
    assert "+4" not in says(box)


def test_step_back_from_a_new_game_leads_back_to_the_one_under_way() -> None:
    box = playing("1 A3 B9 h#9 *")
    assert "Menu" in says(box)
    press(box, "*")
    assert box.view().question == "Aki:"


def test_the_lamp_stays_lit_in_the_menu() -> None:
    assert playing("1 A3 B9 h#").frame.lamp == (0, 70, 255)


def test_a_sheet_of_many_rounds_is_turned() -> None:
    box = playing("h#53" + "31#31#31#1#2" * 5, ending={"target": 99})
    press(box, "h#1")
    assert "R3, R4, R5, total" in says(box)
    press(box, "A A A")
    assert "R1, R2, R3, total" in says(box)
    press(box, "B")
    assert "R2, R3, R4, total" in says(box)


def test_what_was_half_entered_and_stepped_back_from_after_waking_up_is_gone() -> None:
    journal = Journal()
    playing("1 A3", journal=journal)
    woken = press(new_box(journal), "*")
    assert woken.view().question == "Column card 1:"
    assert new_box(journal).view().question == "Column card 1:"


# Stepping back after a restart


def restarted(keys: str, *then: str) -> Box:
    """Return an application that was restarted after some keys and then got others."""
    journal = Journal()
    playing(keys, journal=journal)
    return press(new_box(journal), " ".join(then))


def test_the_first_step_back_after_a_start_only_says_what_it_would_take_back() -> None:
    box = restarted("1 A3 B9 A4", "*")
    assert box.lines == 3
    assert "* again takes back: Sea 4, Aki" in says(box)
    assert "Took back: Sea 4, Aki" in says(press(box, "*"))
    assert box.lines == 4
    assert "Took back: " in says(press(box, "*"))
    assert box.lines == 5


def test_the_first_step_back_in_a_game_that_was_gone_on_with_only_says_so() -> None:
    box = playing("1 A3 B9 A4 h#8 1 *")
    assert "* again takes back: Sea 4, Aki" in says(box)
    assert press(box, "*").lines == 4


@pytest.mark.parametrize("between", ["A *", "h# *", "h* *", "h#1 * *"])
def test_any_other_key_ends_what_a_second_step_back_would_do(between: str) -> None:
    box = restarted("1 A3 B9 A4", "*", between)
    assert box.lines == 3
    assert press(box, "*").lines == 3
    assert "* again takes back: Sea 4, Aki" in says(box)
    assert press(box, "*").lines == 4


def test_after_an_entry_a_step_back_takes_it_back_at_once() -> None:
    box = restarted("1 A3 B9", "A4 *")
    assert box.lines == 4
    assert "Took back: Sea 4, Aki" in says(box)


def test_a_key_half_typed_is_stepped_back_from_before_anything_is_said() -> None:
    box = restarted("1 A3 B9 A4 D", "*")
    assert (box.lines, box.message, box.view().typed) == (3, None, "")
    assert "* again takes back: Sea 4, Aki" in says(press(box, "*"))


def test_where_there_is_nothing_to_take_back_back_leads_to_the_set_up_after_a_start_too() -> None:
    assert "# start" in says(restarted("", "*"))


def test_the_list_of_entries_is_opened_at_once_after_a_start() -> None:
    assert "Entries" in says(restarted("1 A3 B9 A4", "h*"))


def test_what_brings_back_needs_no_second_key_after_a_start() -> None:
    assert "Brought back: Sea 4, Aki" in says(restarted("1 A3 B9 A4 *", "h#4"))


def test_a_sentence_that_takes_its_place_ends_what_a_second_step_back_would_do() -> None:
    box = restarted("1 A3 B9 A4", "*")
    box.upkeep._told(Text("Everything is saved again"), False)
    assert press(box, "*").lines == 3
    assert press(box, "*").lines == 4
