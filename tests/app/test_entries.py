"""The list of entries: one is inserted, removed or swapped, and later cards follow the turn, in every game."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from companion.app.box import Box
from companion.app.input_types import ChosenOption
from companion.app.live_page_contents import live_page_contents
from companion.app.log_to_keys import LogToKeys
from companion.app.request_types import Source
from companion.core.correction import Correction, CorrectionKind
from companion.core.errors import IllegalEventError
from companion.core.event_from_answers import event_from_answers
from companion.core.events import Event
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import decode_header
from companion.games import GAMES
from companion.games.eternity.events import Pledge
from companion.journal import Journal
from companion.ui.fonts import GLYPHS
from companion.ui.keys import BUTTONS, POWER, parse
from companion.ui.live_page.content import Choice
from companion.ui.view import ListBody
from tests.app.boxes import FOUR, begin, lines_of, new_box, page_of, playing, press, says, written
from tests.app.selecting import JOYSTICK, on, turn_to
from tests.example_counts import examples
from tests.games.seeds import deal, events

TRICK = "1 A3 B9 A4 DB11 9 C5"
FORGOTTEN = "1 A3 B9 A4 9 C5 A7"  # Bea's pledge is missing, so Bea is said to have laid Cyr's 9

PLEDGE = f"{GLYPHS['pledge']}Sky 11, Bea"


def new_game(game: str, keys: str, players: tuple[str, ...] = FOUR, **rules: object) -> Box:
    """Return an application in a new game, after some keys."""
    return press(begin(new_box(), players, "full", game, **rules), keys)


def by_rounds(game: str, keys: str, **rules: object) -> Box:
    """Return an application in a new game of which figures alone are entered, after some keys."""
    return press(begin(new_box(), FOUR, "round", game, **rules), keys)


def laid(box: Box) -> list[str]:
    """Return the entries of the open game in words."""
    assert box.game is not None
    describe = box.game.session.header.game.describe
    return [box._context.words(describe(event)) for event in events(box.game.session)]


# The list


@pytest.mark.parametrize(
    ("game", "players", "rules", "keys", "marks"),
    [
        ("eternity", FOUR, {}, f"{TRICK} A7", {1: "R1", 3: "R1 T1", 7: "R1 T2"}),
        ("gear", FOUR[:2], {"auction": False}, "1 A7 A8 A9", {1: "R1", 2: "R1 T1", 4: "R1 T2"}),
        ("hipparchus", FOUR[:2], {}, "1 1 4 7 1 2", {1: "R1", 2: "R1 T1", 4: "R1 T2", 6: "R1 T3"}),
        ("east-rune", FOUR[:3], {}, "1 6 1A3 # B1", {1: "R1", 4: "R1 turn 1", 5: "R1 turn 2"}),
    ],
)
def test_an_entry_that_begins_a_trick_or_a_turn_says_so(
    game: str, players: tuple[str, ...], rules: dict[str, object], keys: str, marks: dict[int, str]
) -> None:
    rows = new_game(game, f"{keys} h*", players, **rules).view().body.rows  # type: ignore[union-attr]
    assert {number: value for number, (_text, value) in enumerate(rows, 1) if value} == marks


# Inserting


def test_a_forgotten_card_is_put_in_and_the_cards_after_it_go_to_those_who_laid_them() -> None:
    journal = Journal()
    box = playing(f"{FORGOTTEN} h* 4C DB11", journal=journal)
    assert "inserted: pledge Sky 11, Bea | R1 T1: winner Cyr, not Bea | Trump: Sky, not Sea" in says(box)
    press(box, "#")
    assert "Entry 4 inserted; later entries changed: 3" in says(box)
    assert laid(box)[2:] == ["Sea 4, Aki", PLEDGE, "Sea 9, Cyr", "Earth 5, Dai", "Sea 7, Cyr"]
    (line,) = map(json.loads, lines_of(journal)[6:])
    assert (line["type"], line["event"]) == ("splice", 4)
    press(box, "*")
    assert laid(box) == laid(playing(FORGOTTEN))


def test_a_trick_that_an_insertion_completes_is_said() -> None:
    assert "R1 T1: winner Cyr | Trump" in says(playing("1 A3 B9 A4 9 C5 h* 4C DB11"))


def test_what_is_inserted_is_asked_for_before_the_entry_it_comes_before() -> None:
    box = playing(f"{FORGOTTEN} h* 4C")
    assert "New, before: Sea 9, Bea" in says(box)
    assert "correction +4: Bea:" in says(box)
    assert "Nothing was changed" in says(press(box, "*"))


def test_what_an_insertion_leaves_impossible_is_asked_for() -> None:
    box = playing(f"{FORGOTTEN} h* 4C 9")
    assert "correction 4: Sea 9, Bea | No longer fits: Sea 9 was already seen in this round: Bea, trick 1" in says(box)
    press(box, "0")
    assert "Nothing else changes" not in says(box)
    assert laid(press(box, "#")) == laid(playing(FORGOTTEN))


# Removing


def test_an_entry_is_removed_and_what_was_laid_after_it_moves_up() -> None:
    box = playing(f"{TRICK} A7 h* 4D")
    assert "removed: pledge Sky 11, Bea | R1 T1: winner Bea, not Cyr" in says(box)
    press(box, "#")
    assert "Entry 4 is removed; later entries changed: 3" in says(box)
    assert laid(box)[2:] == ["Sea 4, Aki", "Sea 9, Bea", "Earth 5, Cyr", "Sea 7, Dai"]


def test_the_latest_entry_is_removed_at_once() -> None:
    box = playing("1 A3 B9 A4 h* D")
    assert "Entry 3 is removed" in says(box)
    assert laid(box) == laid(playing("1 A3 B9"))


# Swapping


def test_two_neighbours_are_swapped_with_one_key_and_keep_their_seats() -> None:
    box = playing(f"{TRICK} h* 5h#")
    assert "swapped: entries 5 and 6" in says(box)
    press(box, "#")
    assert "Entries 5 and 6 are swapped" in says(box)
    assert laid(box)[4:] == ["Earth 5, Cyr", "Sea 9, Dai"]


def test_a_swap_that_cannot_be_is_refused_with_its_reason() -> None:
    box = playing(f"{TRICK} h* 3h#")
    assert "They cannot be swapped: the leader's first card goes into the trick" in says(box)
    assert "Entries" in says(press(box, "A"))


def test_a_swap_of_the_same_is_no_correction() -> None:
    box = new_game("east-rune", "1 6 1A3 # # h* Ah#", FOUR[:3])
    assert "Nothing was changed" in says(box)


def test_a_swap_is_asked_for_so_that_holding_on_to_switch_off_leaves_it_undone() -> None:
    box = playing("1 A3 B9 A4 5 h* Ah#")
    assert "swapped: entries 3 and 4 | Trump stays Sea | Nothing else changes" in says(box)
    before = laid(box)
    box.press(POWER)
    assert laid(box) == before
    assert "Entries" in says(box)


# Few keys


@pytest.mark.parametrize(
    ("key", "shown"),
    [("1", "Was: Sea 9"), ("2", "+5: Cyr:"), ("3", "removed: Sea 9"), ("4", "swapped: entries 5 and 6")],
)
def test_with_few_keys_entries_are_inserted_removed_and_swapped_too(key: str, shown: str) -> None:
    box = begin(on(BUTTONS))
    press(box, f"{TRICK} h* < o")
    turn_to(box, key)
    assert shown in says(box)


def test_a_joystick_pages_through_the_entries() -> None:
    box = press(begin(on(JOYSTICK)), f"{TRICK} A7 h*")
    assert "> Columns" in says(press(box, "<"))
    assert box.frame.labels[">"] == "▼"
    assert "> Sea 7, Cyr" in says(press(box, ">"))


# Cards that were seen


def test_holding_back_leads_to_the_entry_that_said_it_also_in_an_insertion() -> None:
    box = playing(f"{TRICK} h* 5C A4")
    assert "Sea 4 was already seen in this round: Aki, trick 1; * held: look" in says(box)
    assert "> Sea 4, Aki" in says(press(box, "h*"))


def test_an_entry_that_a_correction_has_moved_is_not_looked_for_at_its_old_number() -> None:
    box = playing("1 A3 B9 A4 5 6 7  8 h* 4C A6")
    assert "No longer fits: Sea 6 was already seen" in says(box)
    press(box, "# A5")
    assert "already seen in this round: Cyr, trick 1" in says(box)
    assert "* held" not in says(box)


# Figures


def entered(session: Session, typed: list[tuple[Event, Any]]) -> Session:
    """Return a session after the answers to events, given to whoever's turn the box expects, up to a refusal."""
    game = session.header.game
    with suppress(IllegalEventError):
        for event, before in typed:
            made = event_from_answers(game, session.state, DetailLevel.FULL, game.answers(before, event))
            if made is None:
                break
            session = session.add(made)
    return session


def slipped(dealt: Session, number: int, edit: CorrectionKind) -> tuple[Session, Callable[[Session], Correction]]:
    """Return a game with a slip at an entry, and what puts it right: twelve entries later, or once one is refused."""
    steps = [step for step in dealt.steps() if number <= step.number <= number + 12][::-1]
    first, second, *rest = [(step.event, step.before.state) for step in steps if step.event and step.before]
    begun = Session(dealt.header)
    for event in events(dealt)[: number - 1]:
        begun = begun.add(event)
    match edit:
        case CorrectionKind.INSERT:
            return entered(begun, [second, *rest]), lambda wrong: Correction.opening(wrong, number, edit).put(first[0])
        case CorrectionKind.REMOVE:
            typed = [first, first, second, *rest]
            return entered(begun, typed), lambda wrong: Correction.removing(wrong, number + 1)
    return entered(begun, [second, first, *rest]), lambda wrong: Correction.swapping(wrong, number)


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("edit", "most"), [(CorrectionKind.INSERT, 8), (CorrectionKind.REMOVE, 6), (CorrectionKind.SWAP, 6)]
)
def test_a_slip_noticed_twelve_entries_later_is_put_right_with_few_keys(
    game: str, edit: CorrectionKind, most: int
) -> None:
    for seed in range(examples(3)):
        dealt = deal(game, seed, coarse=0.0, edits=0.0, misplay=0.0, most_rounds=1).session()
        right = events(dealt)
        for number in range(3, len(right) - 13, 5):
            wrong, correct = slipped(dealt, number, edit)
            if wrong.head.number <= number + 1 or not isinstance(right[number - 1], dealt.header.game.optional.by_turn):
                continue
            line = correct(wrong).line()
            if line is None or line.event > wrong.head.number:  # passes, which are all alike
                continue
            corrected = events(wrong.add(line))
            assert corrected == right[: len(corrected)]
            pledge = isinstance(right[number - 1], Pledge)  # typed with one more key
            assert len(parse(LogToKeys(wrong).spell(line))) <= most + pledge


# What would change


LEVEL = '{"type":"round","tricks":[3,3,2,2],"trees":[3,3,2,2],"last":0}'


def last_round(*winners: int) -> Box:
    """Return an application in a finished game: two equal rounds, then one by the winners of its tricks."""
    journal = Journal()
    tricks = (f'{{"type":"trick","winner":{winner},"pledges":[]}}' for winner in winners)
    header = json.dumps({"format": 1, "game": "eternity", "players": FOUR})
    deal_line = '{"type":"deal","board":["sea-3","sky-9"]}'
    journal.set_open_game(written(journal, header, LEVEL, LEVEL, deal_line, *tricks, tracking="quick"))
    return new_box(journal)


def test_who_wins_the_game_instead_is_said() -> None:
    box = last_round(0, 2, 1, 1, 1, 2, 2, 3, 3, 1)
    assert "The win is shared" in says(box)
    press(box, "h* 04 # 2")
    assert "correction 4: Trick: Bea | Aki wins the game | Trump stays Sea | Scores: Aki 12 → 19" in says(box)


def test_that_a_game_is_not_over_any_more_is_said() -> None:
    assert "The game is not over" in says(press(last_round(0, 1, 2, 3, 0, 1, 2, 3, 0, 1), "h* 4D"))


def test_two_tricks_are_named_and_the_others_counted() -> None:
    box = playing(f"{TRICK} B6 A5 C7 A2 B5 B4 C8 B7 B8 C6 C1# C2 A6 C4 A1# A8 A7 h* 04D")
    assert "R1 T2: winner Bea, not Cyr | 3 more tricks change | Trump: Sea, not Sky" in says(box)


def test_an_entry_that_becomes_another_kind_is_said() -> None:
    box = new_game("east-rune", "1 6 1A3 # h* 4C B3", FOUR[:3])
    assert "Now: Aki stops" in says(box)


def test_a_new_alert_and_one_that_is_gone_are_said() -> None:
    box = playing(f"{TRICK} A7 A8 h* 6# A6")
    assert "No longer: R1 T1: Dai revoked" not in says(box)
    assert "Entry 6 is corrected" in says(box)
    press(box, "h* 6# C5")
    assert "R1 T1: Dai may have revoked, then Sea 8" in says(box)


def test_where_the_rest_cannot_follow_the_same_answers_it_is_asked_for() -> None:
    box = new_box()
    box.begin(decode_header('{"format":1,"game":"hipparchus","players":["Aki","Bea"]}'), DetailLevel.QUICK)
    press(box, "1 21 63 65 h* 2# 46")
    assert "Now: " in says(box)
    press(box, "#")
    assert "correction 4" in says(box)
    assert "only 3 Moon left" in says(box)
    assert "Now: " not in says(box)


def test_pages_number_the_entries_as_corrections_do() -> None:
    box = press(playing("1 A3 B9 A4"), "h*")
    assert [action.label for action in page_of(box).actions][:3] == [
        "1: Aki starts",
        "2: Columns: \ue0003 \ue0019",
        "3: Sea 4, Aki",
    ]


def test_a_page_has_one_way_back_where_the_panel_has_two_keys() -> None:
    box = press(playing("1"), "h# 3")
    assert box.frame.labels["#"] == box.frame.labels["*"] == "back"
    assert [action.label for action in page_of(box).actions].count("back") == 1


def test_one_figure_of_a_sheet_is_corrected_alone() -> None:
    box = playing("33 22 54 1# 3 h* #", tracking="round")
    assert box.view().question.endswith("Which row is wrong?")
    assert "Aki: 3, 3 | 2 Bea: 2, 2 | 3 Cyr: 5, 4 | 4 Dai: 0, 1" in says(box)
    press(box, "2")
    assert box.view().hint == "# keep 2"
    press(box, "# 3")
    assert "Bea: 2, 3" in says(box)
    press(box, "3")
    assert "Entry 1 is corrected" in says(box)
    assert "R: 3/3 2/3 5/4 0/1" in says(press(box, "h*"))


def test_a_sheet_whose_rows_are_changed_for_ever_is_entered_again() -> None:
    box = playing("33 22 54 1#", tracking="round")
    for _ in range(120):
        press(box, "D 2 # 2")
        if "enter the sheet again" in says(box):
            break
    assert box.view().question == "Tricks: Aki"
    assert "R: 3/3 2/2 5/4 0/1" in says(press(box, "33 22 54 1# 3 h*"))


def test_a_figure_of_a_text_file_s_game_can_stay_as_it_was() -> None:
    box = by_rounds("hearts", "1 5 15 0 # h* #")
    assert "Bea: 5 | Cyr: 15 | Dai: 0" in says(box)
    assert box.view().hint == "# keep 5  C rest: 0"
    press(box, "# #")
    asked = page_of(box).question
    assert box.view().hint == "# keep 0"
    assert [each.label for each in asked.answers if "keep" in each.label] == ["keep 0"]
    names = [each.name for each in (*asked.answers, *asked.others)]
    assert len(names) == len({*names})
    press(box, "4 #")
    assert "R: Taken: 2 5 15 4" in says(press(box, "h*"))


def test_the_rest_of_a_corrected_column_can_be_0() -> None:
    box = by_rounds("hearts", "1 5 15 0 # h* # # 21 C #")
    assert "R: Taken: 0 5 21 0" in says(press(box, "h*"))


def test_a_whole_sheet_of_a_text_file_s_game_that_is_wrong_is_entered_again() -> None:
    box = by_rounds("hearts", "1 5 15 0")
    assert "Same on the table?" in box.view().question
    assert box.frame.labels["D"] == "change"
    press(box, "D 5 15 1 #")
    assert "R: Taken: 5 5 15 1" in says(press(box, "h*"))


def test_a_single_figure_from_which_the_others_follow_is_the_wrong_one() -> None:
    box = by_rounds("hearts", "1 26 # h* #")
    assert box.view().hint == "C rest: 0"


def test_who_won_last_can_stay_as_it_was_and_a_single_answer_cannot() -> None:
    box = by_rounds("gear", "1 3 1 1 2 1 h* # #", auction=False)
    assert (box.view().question[-13:], box.view().hint) == ("Who won last?", "# keep Aki")
    assert "Nothing was changed" in says(press(box, "#"))
    assert "still" not in says(press(playing("1 A3 B9 A4"), "h* #"))


def test_a_question_asked_twice_offers_no_old_answer_so_that_no_pledge_is_lost() -> None:
    box = playing("1 A3 B9", tracking="quick")
    press(box, "C7 2 3 h* #")
    assert "still" not in says(box)


def test_a_round_of_figures_can_be_entered_by_cards_instead() -> None:
    box = playing("33 22 54 1# 3 33 22 54 1# 3 h* # h#51", tracking="round")
    assert "Column card 1" in box.view().question


def test_a_number_that_no_entry_has_corrects_none() -> None:
    box = by_rounds("hearts", "1 5 15 0 # 6 6 6 # h* 9")
    assert "There is no entry 9" in says(box)
    assert "There is no entry 9" in says(press(box, "#"))
    assert "Was:" in says(press(box, "#"))
    assert "There is no entry 99" in says(press(box, "h* 9 9"))
    assert "There is no entry 98765" in says(press(box, "8 0 9 8 7 6 5"))


def test_who_chooses_a_row_after_a_number_that_no_entry_has_may_correct_it() -> None:
    for row in (2, 3):
        box = by_rounds("hearts", "1 5 15 0 # 6 6 6 # h* 9")
        box.answer(ChosenOption(f"row {row}"))
        assert "Was:" in says(press(box, "#"))


def test_who_leaves_a_correction_by_going_back_takes_nothing_back() -> None:
    box = by_rounds("hearts", "1 5 15 0 # 6 6 6 # h* # 4")
    assert box.game is not None
    count = box.game.session.head.number
    assert "Nothing was changed" in says(press(box, "* *"))
    press(box, "*")
    assert box.game.session.head.number == count
    press(box, "*")
    assert box.game.session.head.number == count - 1


def test_back_leaves_a_sheet_that_is_corrected_as_it_was() -> None:
    box = playing("33 22 54 1# 3 h* # 2 #", tracking="round")
    assert box.view().question.endswith("Which row is wrong?") is False
    press(box, "* *")
    assert box.view().question.endswith("Which row is wrong?")
    assert "Nothing was changed" in says(press(box, "*"))


def test_a_sheet_can_be_entered_from_the_start_by_its_detail() -> None:
    box = playing("33 22 54 1# 3 h* # h#53", tracking="round")
    assert box.view().question.endswith("Tricks: Aki")


def test_a_phone_brings_an_entry_back_with_one_tap() -> None:
    box = playing("1 A3 B9 A4")
    assert "redo" not in [action.label for action in page_of(box).actions]
    press(box, "*")
    actions = [action.name for action in page_of(box).actions]
    assert actions[:2] == ["*", "redo"]
    assert Choice("redo", "redo") in page_of(box).actions
    box.answer(ChosenOption("redo", Source(2, "Bea")))
    assert "Brought back: Sea 4, Aki" in says(box)


def test_redo_is_no_button_while_something_is_typed_or_there_is_nothing_to_bring_back() -> None:
    box = playing("1 A3 B9 A4 * A")
    assert "redo" not in [action.label for action in page_of(box).actions]


@pytest.mark.parametrize(("language", "label"), [("en", "1: Aki"), ("fr", "1\u202f: Aki"), ("ja", "1：Aki")])
def test_the_number_of_an_entry_has_the_colon_of_the_language_on_panel_and_page(language: str, label: str) -> None:
    box = press(begin(new_box(language=language)), "1 h*")
    rows = live_page_contents((language,), box._state, box._known.contents(box._state), 1, None)[language].actions
    assert rows[0].label.startswith(label)
    body = box.view().body
    assert isinstance(body, ListBody)
    assert label.startswith(f"1{body.colon}")


def test_a_question_about_an_entry_has_its_number_with_the_colon_of_the_language() -> None:
    box = press(begin(new_box(language="fr")), "1 h* #")
    assert "1\u202f: " in box.view().question
