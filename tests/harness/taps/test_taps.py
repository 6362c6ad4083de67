"""Answers and actions tapped on a live page."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from companion.app.inputs import Notice, PageRequest, Tap
from companion.app.step import TOO_LATE
from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    DetailLevel,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TakeAlternative,
    TallySheet,
)
from companion.core.session import Session
from companion.core.text import Text
from companion.gamelog import decode_header, decode_line
from companion.games import GAMES
from companion.ui.keys import BUTTONS, KEYPAD, KeyLayout, answer_name
from companion.ui.live_page.build import _question
from companion.ui.screens.contents import Contents
from companion.ui.screens.table import PlayScreen
from companion.ui.suggestions import ChangesToTry, EntryToCheck
from companion.ui.view import ListBody, TableBody, TextBody, View
from tests.app.boxes import begin, press
from tests.gamelog.test_transcripts import short
from tests.games.seeds import Dealt, deal
from tests.harness.slips.honest import HABITS
from tests.harness.taps.figures import taps_a_card
from tests.harness.taps.log_to_taps import taps_of
from tests.harness.taps.tapper import SCORER, WATCHER, Tapper, at_seat

SEA_4 = GAMES["eternity"].cards["sea-4"]


def at_the_table(keys: str = "", language: str = "en", board: KeyLayout = KEYPAD) -> Tapper:
    """Return a page in a new game of Eternity of four, after the first deal and some keys."""
    tapper = Tapper(language, board)
    press(begin(tapper.box), "1 A3 B5" + keys)
    return tapper


def enter(tapper: Tapper, dealt: Dealt) -> None:
    header = decode_header(json.dumps(dealt.header))
    tapper.box.begin(header, DetailLevel.FULL)
    session = Session(header)
    for written in dealt.lines:
        line = decode_line(json.dumps(written), header)
        assert tapper.box.game is not None
        for name, _taps in taps_of(session, line, tapper.box.game.tracking):
            tapper.tap(name)
            assert tapper.told() is None
        session = session.add(line)


# whole games


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    ("board", "coarse", "seed"), [(KEYPAD, 0.0, 0), (KEYPAD, 0.5, 1), (BUTTONS, 0.0, 1), (BUTTONS, 0.5, 0)]
)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_entered_by_taps_is_the_game(game: str, board: KeyLayout, coarse: float, seed: int) -> None:
    tapper = Tapper("fr", board)
    dealt = deal(game, seed, **{**HABITS, "coarse": coarse, "misplay": 0.2})
    enter(tapper, dealt)
    assert [json.loads(line) for line in tapper.lines] == [short(line) for line in dealt.lines]


# one answer counts once


def test_a_tap_from_before_a_restart_does_not_count() -> None:
    tapper = at_the_table()
    old = Tap(tapper.shown_to(at_seat(0)).number, "sea-4")
    again = Tapper(journal=tapper.journal)
    again.box.pages.serve(PageRequest(old, at_seat(0), again.replies.append))
    assert again.replies == [TOO_LATE]


def test_a_double_tap_that_takes_back_after_a_restart_does_not_confirm_itself_nor_for_another_phone() -> None:
    tapper = Tapper(journal=at_the_table("A4").journal)
    twice = Tap(tapper.content.number, "undo")
    for _ in range(2):
        tapper.box.pages.serve(PageRequest(twice, SCORER, tapper.replies.append))
    assert tapper.replies[-1] == TOO_LATE
    tapper.tap("undo", phone=at_seat(0))
    assert json.loads(tapper.lines[-1])["type"] == "play"
    tapper.tap("undo")
    assert json.loads(tapper.lines[-1])["type"] == "undo"


def test_a_message_alone_asks_no_new_question() -> None:
    tapper = at_the_table()
    number = tapper.content.number
    tapper.box.tell(Notice(Text("Nothing was changed")))
    assert tapper.content.number == number
    tapper.tap("sea-4")
    assert tapper.told() is None


def test_a_tap_under_way_counts_after_a_key_was_refused_or_its_sentence_was_cleared() -> None:
    tapper = at_the_table()
    for keys in ("#", "*"):
        number = tapper.content.number
        press(tapper.box, keys)
        assert tapper.content.number == number
    tapper.tap("sea-4")
    assert tapper.told() is None


def test_keys_of_the_box_count_beside_taps_and_half_a_card_is_dropped_by_a_tap() -> None:
    tapper = at_the_table("A")
    tapper.tap("sky-9")
    assert json.loads(tapper.lines[-1])["card"] == "sky-9"


def test_a_tapped_card_is_kept_as_chosen_so_no_neighbouring_key_is_weighed() -> None:
    tapper = at_the_table()
    tapper.tap("sea-7")
    game = tapper.box.game
    assert game is not None
    head = game.session.head
    assert head.event is not None
    assert head.before is not None
    assert head.typed == ""
    rules, lay = game.session.header.game, LayCard(head.event.card)  # type: ignore[attr-defined]
    entries = [EntryToCheck(rules, head.event, head.before.state, (lay,), head.typed, 0.0)]
    changes = ChangesToTry(rules, entries)
    others = [answer for change in changes if change.drop for answer in change.put]
    assert others
    assert all(isinstance(other, tuple) and other[0].card.rank == 7 for other in others)  # type: ignore[union-attr]


@pytest.mark.parametrize("choice", ["", "sea-99", "row 1", "row x", "offer 1", "number 3", "seat 1", "hello"])
def test_a_choice_that_is_not_there_does_not_count(choice: str) -> None:
    tapper = at_the_table().tap(choice)
    assert tapper.told() == "This cannot be chosen now"
    assert len(tapper.lines) == 2


def test_a_tapped_gap_says_who_laid_the_card_and_when_and_changes_nothing() -> None:
    tapper = at_the_table("A4")
    number, lines = tapper.content.number, len(tapper.lines)
    tapper.tap("gone sea-4", phone=at_seat(1))
    assert tapper.told() == "Sea 4 was already seen in this round: seat 1, trick 1"
    assert (tapper.content.number, len(tapper.lines)) == (number, lines)
    for other in ("gone sky-9", "gone sky-99", "gone"):
        assert tapper.tap(other).told() == "This cannot be chosen now"


def test_a_card_keeps_its_place_until_the_round_is_over() -> None:
    tapper = at_the_table()
    places = [row.deck for row in tapper.content.question.suits]
    for card in ("sky-9", "sky-2", "earth-3", "sea-5", "sky-1"):
        tapper.tap(card)
        assert [row.deck for row in tapper.content.question.suits] == places
    assert [row.led for row in tapper.content.question.suits] == [False, True, False]


def test_a_pair_is_shown_once_whichever_of_its_cards_is_named_first() -> None:
    tapper = Tapper()
    tapper.box.begin(decode_header(json.dumps(deal("gear", 5, **HABITS).header)), DetailLevel.FULL)
    rows = tapper.tap("seat 1").content.question.suits[2:]
    assert [row.word for row in rows] == ["Red Red", "Red Black", "Black Black"]
    assert [choice.name for choice in rows[1].deck[:2]] == ["red-A black-A", "red-2 black-2"]
    assert all(len(row.deck) == 10 for row in rows)
    assert tapper.content.question.answers == ()


def test_plays_stand_in_the_rows_of_their_suits() -> None:
    tapper = Tapper()
    tapper.box.begin(decode_header(json.dumps(deal("hipparchus", 5, **HABITS).header)), DetailLevel.FULL)
    rows = tapper.tap("seat 1").content.question.suits
    assert [(row.word, [choice.label for choice in row.deck]) for row in rows] == [
        (suit, ["1", "2", "3"]) for suit in ("Sun", "Moon", "Earth")
    ]


# who may answer


def test_a_seat_answers_when_it_is_asked_and_not_for_others() -> None:
    tapper = at_the_table()
    tapper.tap("sea-4", phone=at_seat(1))
    assert tapper.told() == "seat 1 is asked"
    tapper.tap("sea-4", phone=at_seat(0))
    tapper.tap("sea-5", phone=at_seat(1))
    assert [json.loads(line)["player"] for line in tapper.lines[2:]] == [0, 1]


def test_a_seat_takes_its_entry_back_while_somebody_types_who_is_told() -> None:
    tapper = at_the_table("A4A")
    tapper.tap("undo", phone=at_seat(0))
    assert json.loads(tapper.lines[-1]) == {"type": "undo"}
    assert str(tapper.box.words()).startswith("phone 1: Took back: Sea 4, Aki. Typed here: ")


def test_a_seat_begins_a_game_and_a_spectator_does_not() -> None:
    tapper = Tapper().tap("row 1", "row 3", "row 1", "row 1", "start", phone=at_seat(0))
    assert tapper.box.game is not None
    tapper = Tapper().tap("row 1", "row 3", "row 1", "row 1", "start", phone=WATCHER)
    assert tapper.told() == "This phone only watches"
    assert tapper.box.game is None


def test_a_spectator_only_watches() -> None:
    tapper = at_the_table().tap("sea-4", phone=WATCHER)
    assert tapper.told() == "This phone only watches"


# what a page shows


def test_cards_are_shown_by_suit_and_those_seen_leave_a_gap() -> None:
    rows = at_the_table("A4").content.question.suits
    assert [row.word for row in rows] == ["Sea", "Sky", "Earth"]
    assert [None if card is None else card.label for card in rows[0].cards[:5]] == ["1", "2", None, None, "5"]
    assert rows[0].cards[0].name == "sea-1"  # type: ignore[union-attr]


def test_a_page_has_its_own_language() -> None:
    english, french = at_the_table(), at_the_table(language="fr")
    assert english.content.table.symbol.word == "Sea"  # type: ignore[union-attr]
    assert french.content.table.symbol.word == "Mer"  # type: ignore[union-attr]
    assert [row.word for row in french.content.question.suits] == ["Mer", "Ciel", "Terre"]


def test_the_outcome_of_a_trick_stays_until_the_next_tap() -> None:
    tapper = at_the_table("A7 A9 A2 A4")
    table = tapper.content.table
    assert table is not None
    assert table.outcome
    assert [seat.won for seat in table.seats].count(True) == 1
    assert table.seats[0].cards
    assert tapper.tap("sky-2").content.table.outcome == ""  # type: ignore[union-attr]


def test_a_set_up_is_tapped_and_names_are_written() -> None:
    tapper = Tapper()
    assert isinstance(tapper.content.body, ListBody)
    tapper.tap("row 1", "row 1").write("Aki").write("Bea")
    assert tapper.content.question.text_label == "Name of seat 3"
    tapper.tap("row 1", "start")
    assert tapper.content.table.game == "Eternity"  # type: ignore[union-attr]
    assert [seat.name for seat in tapper.content.table.seats] == ["Aki", "Bea"]  # type: ignore[union-attr]


def test_an_entry_is_corrected_by_taps() -> None:
    tapper = at_the_table("A7 A9").tap("entries")
    assert "7" in tapper.choices["row 3"]
    tapper.tap("row 3", "correct")
    assert tapper.content.question.text.endswith("Aki:")
    tapper.tap("sea-8")
    assert json.loads(tapper.lines[-1])["type"] == "amend"


def test_a_long_list_of_entries_is_chosen_from_by_taps() -> None:
    tapper = at_the_table("A1A2A4A5 A6A7A8A9 A10A11A12A13").tap("entries", "row 3")
    assert isinstance(tapper.content.body, ListBody)
    assert tapper.content.body.chosen == 2


def test_each_entry_stands_once_in_order_and_no_row_is_an_action_too() -> None:
    content = at_the_table("A7 A9").tap("entries").content
    assert content.body.title == "Entries"  # type: ignore[union-attr]
    assert [choice.name for choice in content.actions if choice.name.startswith("row ")] == [
        f"row {number}" for number in range(1, 5)
    ]
    labels = [choice.label for choice in at_the_table().tap("menu").content.actions]
    assert labels.count("Leave the game") == 1


def test_a_phone_of_a_seat_is_offered_undo_for_its_own_entry_alone() -> None:
    assert at_the_table("A4").content.undo_of == 0
    assert at_the_table("A4 *").content.undo_of == "any"
    assert at_the_table("A4 h* # A5").content.undo_of is None


def test_offers_beside_an_alert_are_tapped() -> None:
    tapper = at_the_table("A7 B9 A2 A4")  # Bea lays Sky although Sea is led
    tapper.tap("sky-2", "sky-4", "sky-6", "sky-7", "sea-9", "sea-10", "sea-11")  # and follows Sea later
    assert tapper.content.offers
    assert tapper.content.alert
    tapper.tap("offer 1")
    assert json.loads(tapper.lines[-1])["type"] in ("amend", "splice")


def test_scores_and_rules_are_there_at_any_time() -> None:
    content = at_the_table().content
    assert content.table is not None
    assert content.table.scores.heads == ("total",)
    assert {type(page) for page in content.rules} == {TableBody, TextBody}


def test_a_name_is_typed_with_the_phones_own_keyboard() -> None:
    tapper = Tapper().tap("row 1", "row 1")
    assert "new name" not in tapper.choices.values()  # that is for the keys of the box
    tapper.write("Aki")
    assert tapper.content.question.text_label == "Name of seat 2"


def test_a_text_where_none_is_asked_is_refused() -> None:
    tapper = at_the_table().write("Aki")
    assert tapper.told() == "No name is asked for now"


def test_an_entry_that_is_not_saved_is_told() -> None:
    tapper = at_the_table()
    assert tapper.content.unsaved == ""


def test_a_pledge_stands_in_rows_of_its_own_until_its_mode_is_switched_on() -> None:
    question = at_the_table("A7").content.question
    assert question.mode == "pledge"
    assert question.switched
    assert {len(row.other) for row in question.suits} == {14}


def test_where_cards_are_only_pledged_there_are_no_other_rows() -> None:
    tapper = Tapper()
    begin(tapper.box, ("Aki", "Bea"), "quick")
    tapper.tap("seat 1", "sea-3", "sky-5", "seat 1")
    question = tapper.content.question
    assert [answer.name for answer in question.answers] == ["seat 1", "seat 2"]
    assert question.suits[0].cards == ()  # pledges only
    assert question.beside


def test_a_number_of_many_is_typed_and_a_knob_begins_at_a_likely_one() -> None:
    prompt = Prompt(Text("Points:"), tuple(map(EnterNumber, range(61))))
    nothing = Contents(PlayScreen(), View(TextBody("", ())), (), Text(""))
    question = _question(nothing.view, nothing, prompt, "")
    assert question.numbers == (0, 60, 1)
    assert prompt.likely(range(61)) == 0
    sheet = TallySheet(Text("R1"), (Text("points"),), ((None,), (None,), (7,)), (0, 0))
    assert replace(prompt, sheet=sheet).likely(range(61)) == 30


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (LayCard(SEA_4), "sea-4"),
        (LayCard(SEA_4, True), "sea-4 aside"),
        (LayPair(SEA_4, SEA_4), "sea-4 sea-4"),
        (ChooseItem(3, Text("lot 3")), "item 3"),
        (ChooseSeat(0), "seat 1"),
        (EnterNumber(12), "number 12"),
        (Skip(), "skip"),
        (TakeAlternative(), "other"),
    ],
)
def test_an_answer_has_a_name_of_its_own(answer: Answer, name: str) -> None:
    assert answer_name(answer) == name


def test_a_finished_game_is_played_again_by_one_tap() -> None:
    tapper = Tapper()
    enter(tapper, deal("hipparchus", 3, **HABITS))
    assert tapper.content.table.over  # type: ignore[union-attr]
    assert list(tapper.choices)[-1] == "menu"
    assert tapper.choices["again"] == "play again"
    tapper.tap("again")
    assert tapper.content.question.text == "Who starts?"
    assert len(tapper.journal.games()) == 2


# how many taps


@pytest.mark.unmeasured
@pytest.mark.parametrize(("game", "most"), [("eternity", 1.15), ("gear", 1.1), ("east-rune", 1.2), ("hipparchus", 1.0)])
def test_a_card_takes_hardly_more_than_one_tap(game: str, most: float) -> None:
    assert taps_a_card(game, range(10)) <= most  # the bench counts forty games
