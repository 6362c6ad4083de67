"""The keys and several phones at once: everybody has a screen, and the first answer to a question counts."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from companion.app.box import SURPRISE, Box
from companion.app.inputs import Look, PageRequest, Tap
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import PageKey
from companion.app.show import LivePages
from companion.app.state import PANEL, State, Viewer
from companion.app.step import LateTap
from companion.core.text import Text
from companion.journal import Journal
from companion.ui.keys import POWER, Key, QuickSecondPress, answer_name
from companion.ui.live_page.content import LivePageContent
from companion.ui.screens.change_players import ConfirmFinishScreen
from companion.ui.screens.context import PutAwayOrBringBack, ScreenContents, ScreenContext
from companion.ui.screens.corrections import ReviewScreen
from companion.ui.screens.phones import Phone, Role
from companion.ui.screens.table import PlayScreen
from companion.ui.view import ListBody, TextBody
from companion.web.page_mirror import PageMirror
from tests.app.boxes import begin, playing, press, says, tap
from tests.app.test_round_comparison import ends
from tests.fakes.clock import FixedClock
from tests.games.seeds import deal
from tests.harness.slips.honest import HABITS
from tests.harness.taps.tapper import SCORER, Tapper, at_seat
from tests.raised_errors import expected

AKI, BEA = Phone(1, "Aki", Role.SCORER), Phone(2, "Bea", Role.SCORER)
WATCHES = Phone(9, "Zoe", Role.SPECTATOR)


def at_the_table(keys: str = "1 A3 B5", game: str = "eternity", tracking: str = "full") -> Tapper:
    tapper = Tapper()
    press(begin(tapper.box, game=game, tracking=tracking), keys)
    return tapper


def after_a_tap(tapper: Tapper, choice: str, phone: Phone = BEA) -> Tapper:
    """Tap, and let people see it."""
    tapper.tap(choice, phone=phone)
    tapper.clock.let_pass(SURPRISE)
    return tapper


def cards(tapper: Tapper) -> list[str]:
    return [json.loads(line).get("card", "") for line in tapper.lines[2:]]


def last(tapper: Tapper) -> str:
    return str(json.loads(tapper.lines[-1])["type"])


def named(content: LivePageContent, label: str) -> str:
    return next(action.name for action in content.actions if action.label == label)


def go(tapper: Tapper, phone: Phone, *labels: str) -> Tapper:
    """Tap the actions with some labels, one after the other."""
    for label in labels:
        tapper.tap(named(tapper.shown_to(phone), label), phone=phone)
        assert tapper.told() is None, label
    return tapper


def title(content: LivePageContent) -> str:
    return content.body.title if isinstance(content.body, ListBody | TextBody) else ""


# A key pressed twice


def test_a_repeated_key_equals_the_key() -> None:
    assert QuickSecondPress("9") == Key("9")


# Two at once


def test_a_key_in_a_menu_counts_whatever_phones_answer() -> None:
    tapper = at_the_table("1 A3 B5 h#").tap("sky-9", phone=BEA)
    press(tapper.box, "1")
    assert tapper.box.state.panel.message is None
    assert "total" in says(tapper.box)


def test_of_two_taps_the_first_counts_and_the_second_is_told_who_entered_what() -> None:
    tapper = at_the_table()
    seen = tapper.shown_to(AKI).number
    tapper.tap("sky-9", phone=BEA)
    tapper.box.pages.serve(PageRequest(Tap(seen, "sea-7"), AKI, tapper.replies.append))
    assert tapper.told() == "Bea answered first: Sky 9, seat 1"
    assert cards(tapper) == ["sky-9"]
    tapper.tap("sea-7", phone=AKI)
    assert cards(tapper) == ["sky-9", "sea-7"]


def test_a_tap_on_a_question_to_which_an_answer_has_begun_is_told_that() -> None:
    tapper = at_the_table("1")
    seen = tapper.shown_to(BEA).number
    tapper.tap("sea-4", phone=AKI)
    tapper.box.pages.serve(PageRequest(Tap(seen, "sea-7"), BEA, tapper.replies.append))
    assert tapper.told() == "Aki has begun an answer"
    assert isinstance(tapper.replies[-1], LateTap)


def test_a_page_knows_what_it_tells_whoever_comes_too_late() -> None:
    tapper = at_the_table("1")
    tapper.tap("sea-4", phone=AKI)
    shown = tapper.shown_to(BEA)
    assert (shown.latest_by, shown.latest_answer) == ("Aki", "Aki has begun an answer")
    tapper = at_the_table().tap("sky-9", phone=BEA)
    shown = tapper.shown_to(AKI)
    assert (shown.latest_by, shown.latest_answer) == ("Bea", "Bea answered first: Sky 9, Aki")


def test_keys_that_were_typed_when_a_phone_gave_one_answer_of_several_name_that_phone() -> None:
    tapper = at_the_table("1")
    press(tapper.box, "A")
    tapper.tap("sea-4", phone=AKI)
    assert str(tapper.box.state.panel.message.args["who"]) == "Aki"  # type: ignore[union-attr]


def test_an_entry_of_several_answers_is_everybody_s() -> None:
    tapper = after_a_tap(at_the_table("1"), "sea-4", AKI)
    assert tapper.shown_to(BEA).question.text == "Column card 2:"
    press(tapper.box, "*")
    assert tapper.shown_to(BEA).question.text == "Column card 1:"
    press(tapper.box, "A6")
    tapper.tap("sky-7", phone=BEA)
    assert json.loads(tapper.lines[-1])["board"] == ["sea-6", "sky-7"]


def test_each_seat_gives_its_own_bid_of_one_entry() -> None:
    tapper = at_the_table("1", "oh-hell", "round")
    for seat in (1, 2, 3, 0):
        assert tapper.shown_to(at_seat(seat)).question.seat == seat
        tapper.tap("number 0", phone=at_seat(seat))
        assert tapper.told() is None
    assert tapper.shown_to(at_seat(0)).question.text.startswith("Tricks: ")


# A screen for everybody


def test_a_menu_belongs_to_who_opened_it() -> None:
    tapper = at_the_table()
    go(tapper, AKI, "menu", "Settings of the box")
    assert title(tapper.shown_to(AKI)) == "Settings"
    assert tapper.shown_to(BEA).question.text == "Aki:"
    assert tapper.box.view().question == "Aki:"
    press(tapper.box, "h* ")
    tapper.tap("sky-9", phone=BEA)
    assert title(tapper.shown_to(AKI)) == "Settings"
    assert cards(tapper) == ["sky-9"]
    go(tapper, AKI, "back", "back")
    assert tapper.shown_to(AKI).question.text == "Bea:"


def test_two_languages_and_the_box_s_own_stand_beside_each_other() -> None:
    tapper = at_the_table()
    tapper.language = "fr"
    tapper.tap("menu", phone=AKI)
    assert title(tapper.shown_to(AKI)) == "Menu"
    assert "Quitter la partie" in [action.label for action in tapper.shown_to(AKI).actions]
    tapper.language = "ja"
    assert tapper.shown_to(BEA).language == "ja"
    assert "menu" in tapper.box.frame.labels["h#"]


def test_a_correction_goes_on_while_others_play() -> None:
    tapper = at_the_table("1 A3 B5 A7 A8")
    go(tapper, AKI, "entries", "correct")
    assert tapper.shown_to(AKI).question.text.endswith("4: Bea:")
    tapper.tap("sky-9", phone=BEA)
    tapper.tap("sea-9", phone=AKI)
    assert tapper.told() is None
    assert json.loads(tapper.lines[-1]) == {
        "type": "amend",
        "event": 4,
        "to": {"type": "play", "player": 1, "card": "sea-9"},
    }
    assert tapper.shown_to(AKI).question.text == "Dai:"


def test_a_correction_of_an_entry_that_somebody_takes_back_is_dropped_and_told() -> None:
    tapper = at_the_table("1 A3 B5 A7 A8")
    go(tapper, AKI, "entries", "correct")
    tapper.tap("undo", phone=BEA)
    assert tapper.shown_to(AKI).question.text == "Bea:"
    assert tapper.shown_to(AKI).notice == ("What was half entered is gone: enter it again",)


def test_what_an_undo_told_is_forgotten_once_somebody_else_has_brought_the_entry_back() -> None:
    tapper = at_the_table()
    go(tapper, AKI, "undo", "menu")
    tapper.tap("redo", phone=BEA)
    go(tapper, AKI, "back")  # a search for the reason of the undo would find the entry entered twice
    assert tapper.shown_to(AKI).question.text == "Aki:"


def test_what_stands_on_another_page_is_not_written_over_entries_that_have_changed() -> None:
    tapper = at_the_table("1 A3 B5 A7 A8 *")
    go(tapper, AKI, "menu")
    redo = named(tapper.shown_to(AKI), "Redo")
    tapper.tap("sky-9", phone=BEA)
    lines = list(tapper.lines)
    tapper.tap(redo, phone=AKI)
    assert tapper.told() is not None
    assert tapper.lines == lines


def test_figures_of_a_round_are_compared_no_more_once_somebody_has_entered_the_next() -> None:
    box = press(next(ends(deal("hipparchus", 3, **{**HABITS, "most_rounds": 3}))), "*")
    assert box.view().question == "Which row is wrong?"
    box.take(BEA.number, Look("en", BEA))
    following = box._known.contents(box.state, BEA.number)
    assert following.codes is not None
    for answer in following.codes.prompt.answers[:1]:
        assert box.take(BEA.number, Tap(box.state.viewers[BEA.number].number, answer_name(answer), phone=BEA)) is None
    assert str(box.state.panel.message) == "What was half entered is gone: enter it again"
    assert box.state.panel.at_rest


def test_a_warning_on_a_phone_is_confirmed_by_choosing_again() -> None:
    tapper = Tapper(journal=at_the_table("1 A3 B5 A7").journal)
    tapper.tap("undo", phone=AKI)
    assert tapper.shown_to(AKI).notice == ("Once more takes back: Sea 7, Aki",)
    tapper.tap("undo", phone=BEA)
    assert cards(tapper) == ["sea-7"]
    tapper.tap("undo", phone=AKI)
    assert json.loads(tapper.lines[-1]) == {"type": "undo"}


def test_who_types_is_told_that_an_entry_was_taken_back() -> None:
    tapper = after_a_tap(at_the_table("1 A3 B5 A7 B"), "undo")
    assert str(tapper.box.state.panel.message).startswith("Bea: Took back: Sea 7, seat 1. Typed here: ")


def test_the_list_of_entries_stays_in_reach_when_the_last_is_taken_back() -> None:
    tapper = at_the_table("1 A3 B5 A7")
    go(tapper, AKI, "entries")
    tapper.tap("undo", phone=BEA).tap("undo", phone=BEA)
    assert [action.name for action in tapper.shown_to(AKI).actions if action.chosen] == ["row 1"]


# Leaving and beginning games


def test_a_phone_that_goes_home_leaves_the_table_to_the_others() -> None:
    tapper = at_the_table()
    go(tapper, AKI, "menu", "Leave the game")
    assert tapper.shown_to(AKI).table is None
    tapper.tap("sky-9", phone=BEA)
    assert cards(tapper) == ["sky-9"]
    tapper.tap("row 1", phone=AKI)
    assert tapper.shown_to(AKI).question.text == "Bea:"


def test_the_last_one_who_leaves_takes_the_game_off_the_table() -> None:
    tapper = at_the_table()
    go(tapper, AKI, "menu", "Leave the game")
    assert tapper.journal.open_game() is not None
    press(tapper.box, "h* h*")
    assert tapper.journal.open_game() is None
    assert tapper.box.game is None


def test_a_game_that_others_play_is_not_removed() -> None:
    tapper = at_the_table()
    name = tapper.journal.open_game()
    assert name is not None
    go(tapper, AKI, "menu", "Leave the game")
    tapper.box.take(AKI.number, PutAwayOrBringBack(name, away=True))
    assert tapper.shown_to(AKI).notice == ("This game is open at the table: leave it first",)
    press(tapper.box, "A7")
    assert cards(tapper) == ["sea-7"]


def test_a_game_that_somebody_begins_is_on_every_phone_at_once() -> None:
    tapper = Tapper()
    assert tapper.shown_to(BEA).table is None
    go(tapper, AKI, "New game")
    begin(tapper.box)
    assert tapper.shown_to(BEA).question.text == "Who starts?"
    assert tapper.shown_to(AKI).notice == ("The box has begun Eternity",)


# Rights


def test_questions_of_nobody_in_particular_are_open_to_every_seat() -> None:
    tapper = at_the_table("")
    assert tapper.shown_to(at_seat(2)).question.seat is None
    tapper.tap("seat 1", phone=at_seat(2))
    assert tapper.told() is None
    tapper.tap("sea-3", "sky-5", phone=at_seat(3))
    assert tapper.told() is None
    tapper.tap("sea-7", phone=at_seat(3))
    assert tapper.told() == "seat 1 is asked"
    tapper.tap("sea-7", phone=WATCHES)
    assert tapper.told() == "This phone only watches"


@pytest.mark.parametrize("way", [("entries", "row 3", "correct"), ("menu", "end"), ("menu", "row 3")])
def test_a_seat_opens_pages_of_its_own_and_a_request_to_change_the_game_is_refused(way: tuple[str, ...]) -> None:
    tapper = at_the_table("1 A3 B5 A7")
    go(tapper, at_seat(3), "menu", "Alerts", "back", "back").tap(*way, phone=at_seat(3))
    assert tapper.told() == "Only a phone that scores may do this: choose it beside You"
    assert cards(tapper) == ["sea-7"]


def test_a_seat_takes_back_its_own_last_entry_alone() -> None:
    tapper = at_the_table("1 A3 B5 A7")
    tapper.tap("undo", phone=at_seat(1))
    assert tapper.told() == "Only a phone that scores takes this entry back"
    tapper.tap("undo", phone=at_seat(0))
    assert tapper.told() is None


def test_what_was_taken_back_is_brought_back_on_the_phone_that_took_it_back_or_by_a_scorer() -> None:
    tapper = at_the_table("1 A3 B5 A7")
    tapper.tap("undo", phone=at_seat(0))
    tapper.tap("redo", phone=at_seat(1))
    assert tapper.told() == "Only the phone that took it back, or one that scores, brings it back"
    assert last(tapper) == "undo"
    tapper.tap("redo", phone=at_seat(0))
    assert (tapper.told(), last(tapper)) == (None, "redo")
    tapper.tap("undo", phone=at_seat(0)).tap("redo", phone=SCORER)
    assert (tapper.told(), last(tapper)) == (None, "redo")


def test_who_has_corrected_an_entry_takes_the_correction_back_as_a_player() -> None:
    tapper = at_the_table("1 A3 B5 A7 A8")
    scorer = replace(at_seat(1), role=Role.SCORER)
    tapper.tap("entries", "row 3", "correct", "sea-9", phone=scorer)
    assert last(tapper) == "amend"
    tapper.tap("undo", phone=at_seat(0))
    assert tapper.told() == "Only a phone that scores takes this entry back"
    assert last(tapper) == "amend"
    tapper.tap("undo", phone=at_seat(1))
    assert (tapper.told(), last(tapper)) == (None, "undo")


def test_every_seat_takes_back_the_answer_to_a_question_of_nobodys_seat() -> None:
    tapper = at_the_table("1")
    tapper.tap("undo", phone=at_seat(3))
    assert tapper.told() is None
    assert json.loads(tapper.lines[-1]) == {"type": "undo"}


def test_who_wants_to_begin_too_late_is_told_what_has_begun() -> None:
    tapper = Tapper()
    number = tapper.shown_to(AKI).number
    begin(tapper.box)
    tapper.box.pages.serve(PageRequest(Tap(number, "row 1", language="en"), AKI, tapper.replies.append))
    assert tapper.told() == "The box has begun Eternity"


@pytest.mark.parametrize("phone", [WATCHES, Phone(7, "Kim", Role.SEAT, "Kim")])
def test_who_does_not_play_does_not_say_that_the_figures_are_those_on_the_table(phone: Phone) -> None:
    box = next(ends(deal("gear", 3, **{**HABITS, "most_rounds": 3})))
    box.take(phone.number, Look("en", phone))
    why = box.take(phone.number, Tap(box.state.viewers[phone.number].number, "same", phone=phone))
    assert str(why) in ("This phone only watches", "You do not play in this game")
    assert not box.state.entry.compared


# A restart


def test_what_a_phone_had_begun_is_there_when_it_comes_back() -> None:
    tapper = at_the_table("1 A3 B5 A7 A8")
    go(tapper, AKI, "entries", "correct")
    press(Tapper(journal=tapper.journal).box, "B *")  # it waits while others type, and for another start
    again = Tapper(journal=tapper.journal)
    assert again.shown_to(BEA).question.text == "Cyr:"
    assert again.shown_to(AKI).question.text.endswith("4: Bea:")
    again.tap("sea-9", phone=AKI)
    assert json.loads(again.lines[-1])["type"] == "amend"


def test_a_set_up_on_a_phone_is_there_when_it_comes_back() -> None:
    tapper = Tapper()
    go(tapper, AKI, "New game", "Eternity")
    tapper.write("Aki", phone=AKI)
    again = Tapper(journal=tapper.journal)
    assert "Aki" in title(again.shown_to(AKI))


def test_a_set_up_that_only_a_phone_has_begun_is_none_of_the_panel_s() -> None:
    tapper = Tapper()
    go(tapper, AKI, "New game", "Eternity")
    again = Tapper(journal=tapper.journal)
    assert again.box.state.panel.message is None
    assert again.box.view() == Tapper(journal=Journal()).box.view()


def test_a_set_up_on_the_panel_beside_a_game_is_there_after_a_restart() -> None:
    tapper = at_the_table()
    tapper.shown_to(AKI)
    press(tapper.box, "h* h* 2 1")
    assert "Seat 1: who?" in says(tapper.box)
    again = Tapper(journal=tapper.journal)
    assert again.box.view() == tapper.box.view()
    assert again.shown_to(AKI).question.text == "Aki:"
    for box in (tapper.box, again.box):
        assert "Go on: Eternity" in says(press(box, "* *"))


def test_a_game_that_is_opened_ends_every_set_up() -> None:
    tapper = at_the_table("1 A3 B5 h* h*")
    go(tapper, AKI, "New game", "Eternity")
    press(tapper.box, "1 h* h*")
    go(tapper, AKI, "menu", "Leave the game")
    again = Tapper(journal=tapper.journal)
    assert again.shown_to(AKI).body == again.shown_to(BEA).body


def test_a_game_that_is_opened_again_ends_a_set_up_that_was_begun_beside_it() -> None:
    tapper = at_the_table()
    go(tapper, AKI, "menu", "Leave the game", "New game", "Eternity")
    press(tapper.box, "h* h* 1")
    assert tapper.shown_to(AKI).question.text == "Aki:"
    assert tapper.shown_to(AKI).notice == ("The box has begun Eternity",)


def test_keys_that_wait_beside_a_review_are_there_after_a_restart() -> None:
    tapper = at_the_table("1 A3 B9 A4 DB11 9 C5 A7 A8 B h* 5# A1#")
    assert isinstance(tapper.box.state.panel.screen, ReviewScreen)
    again = Tapper(journal=tapper.journal)
    assert again.box.state.panel.typed == tapper.box.state.panel.typed == "B"


def test_what_a_phone_had_begun_and_does_not_fit_is_told() -> None:
    tapper = at_the_table("1 A3 B5 A7 A8")
    go(tapper, AKI, "entries", "correct")
    name = tapper.journal.open_game()
    assert name is not None
    kept = tapper.journal.draft(name)
    assert isinstance(kept, dict)
    kept["phones"]["1"]["correction"]["number"] = 99
    tapper.journal.keep_draft(name, kept)
    again = Tapper(journal=tapper.journal)
    again.box.pages.serve(PageRequest(Look("en"), AKI, again.replies.append))
    assert again.shown_to(AKI).notice == ("What was half entered is gone: enter it again",)


def test_what_a_phone_enters_while_the_menu_key_is_held_stays_when_the_box_switches_off() -> None:
    tapper = at_the_table("1 A3 B5 A7")
    press(tapper.box, "h#")
    tapper.tap("sea-8", phone=BEA)
    tapper.box.take(PANEL, POWER)
    assert cards(tapper) == ["sea-7", "sea-8"]
    assert tapper.box.state.panel.at_rest


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("*", "The box: Took back: Sea 7, Aki"),
        ("h* # A8", "The box: correction 3: Sea 8, Aki"),
        ("h#D#", "The box: the game ends here"),
        ("A8", ""),  # a new entry is seen at the table
        ("* * * 2", ""),  # so is the first one
    ],
)
def test_the_others_are_told_what_somebody_has_changed(keys: str, told: str) -> None:
    tapper = at_the_table("1 A3 B5 A7")
    tapper.shown_to(BEA)
    press(tapper.box, keys)
    assert tapper.shown_to(BEA).notice == ((told,) if told else ())


def test_at_a_round_s_check_the_browser_s_back_says_no_as_the_panel_s_back_key_does() -> None:
    box = next(ends(deal("gear", 3, **{**HABITS, "most_rounds": 3})))
    box.take(BEA.number, Look("en", BEA))
    content = box._live_pages.contents([(BEA.number, "en")], box.state, None)[BEA.number, "en"]
    assert content.check is not None
    assert content.back
    assert box.take(BEA.number, Tap(content.number, "back", phone=BEA)) is None
    press(box, "*")
    shown, panel = (box.state.viewers[who].screen for who in (BEA.number, PANEL))
    assert shown == panel
    assert not box.state.viewers[BEA.number].at_rest


def test_a_game_that_somebody_plays_on_with_after_the_panel_left_its_end_is_open_after_a_restart() -> None:
    tapper = at_the_table("1 A3 B5 A7 h#D#")
    tapper.shown_to(BEA)
    press(tapper.box, "#")
    assert tapper.journal.open_game() is None
    tapper.tap("undo", phone=BEA)
    assert tapper.told() is None
    assert tapper.journal.open_game() is not None


def test_pages_in_several_languages_ask_the_table_once_for_all_who_may_do_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    box, asked, show = playing("1 A3"), list[str](), PlayScreen.show

    def counted(screen: PlayScreen, context: ScreenContext) -> ScreenContents:
        asked.append(context.words.language)
        return show(screen, context)

    monkeypatch.setattr(PlayScreen, "show", counted)
    box.take(AKI.number, Look("en", AKI))
    box.take(BEA.number, Look("fr", BEA))
    wanted: list[PageKey] = [(AKI.number, "en"), (BEA.number, "fr"), ("wall", "ja"), ("wall", "fr")]
    shown = box._live_pages.contents(wanted, box.state, None)
    assert [page.language for page in shown.values()] == ["en", "fr", "ja", "fr"]
    assert len({page.question.text for page in shown.values()}) == 3
    assert len(asked) == 2  # who scores, and who watches


def test_a_phone_that_asks_whether_the_game_ends_here_follows_when_it_is_over() -> None:
    tapper = at_the_table("33 22 54 1# 3 33 22 54 1# 3 33 22 54 1#", tracking="round")
    tapper.tap("menu", phone=BEA).tap("end", phone=BEA)
    press(tapper.box, "#")
    assert tapper.box.state.table.require_game().over
    assert tapper.box.state.viewers[BEA.number].at_rest


def test_a_screen_of_a_phone_that_cannot_be_drawn_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, mirror = FixedClock(), PageMirror()
    box = begin(Box(Journal(), Outputs(MemoryPanel(), clock, page=mirror), clock), tracking="round")
    press(box, "33 22 54 1# 3 33 22 54 1# 3 33 22 54 1#")
    tap(box, "menu", BEA)
    tap(box, "end", BEA)
    monkeypatch.setattr(ConfirmFinishScreen, "after_change", lambda screen, _context: screen)
    clock.let_pass(SURPRISE)
    with expected() as faults, mirror.looking_at((BEA.number, "en")):
        press(box, "#")
    assert faults
    assert box.state.table.require_game().over


def test_a_page_that_cannot_be_drawn_at_all_leaves_the_game_on_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, mirror = FixedClock(), PageMirror()
    box = begin(Box(Journal(), Outputs(MemoryPanel(), clock, page=mirror), clock), tracking="round")
    shown = LivePages._content

    def at_home_alone(pages: LivePages, viewer: Viewer, state: State, unsaved: Text | None) -> LivePageContent:
        assert state.table.game is None
        return shown(pages, viewer, state, unsaved)

    monkeypatch.setattr(LivePages, "_content", at_home_alone)
    with expected() as faults, mirror.looking_at((BEA.number, "en")):
        press(box, "33")
    assert faults
    assert box.state.table.game is not None
    assert box.picture.getbbox() is not None


def test_who_ends_the_game_is_not_asked_to_enter_anything_again() -> None:
    tapper = at_the_table("33 22 54 1# 3 3 3", tracking="round").tap("menu", phone=BEA).tap("end", phone=BEA)
    assert tapper.box.state.entry.answers
    content = tapper.shown_to(BEA)
    tapper.tap(named(content, "end the game here"), phone=BEA)
    assert tapper.box.state.table.require_game().session.finished
    assert tapper.shown_to(BEA).notice == ("The game ends here",)
