"""Drafts: when they are written, and what happens to one that does not fit. `half-entered.txt` has the rest."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.app.box import Box
from companion.app.drafts import DROPPED
from companion.app.inputs import Look, Notice, TypedAnswer
from companion.app.state import PANEL
from companion.core.text import Text
from companion.journal import Journal
from companion.ui.keys import Key
from companion.ui.screens.context import LeaveGame, OpenSavedGame
from companion.ui.screens.corrections import ReviewScreen
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.phones import Phone, Role
from companion.ui.screens.set_up import SetUp
from companion.ui.screens.table import PlayScreen
from companion.ui.view import View
from tests.app.boxes import begin, finished, name_of, new_box, playing, press, says, tap, view_of
from tests.raised_errors import expected


def seen(box: Box) -> View:
    """Return the words on the panel, without the message that the next key removes."""
    return view_of(box.state.panel.screen, replace(box.state.table, report=None))


def test_a_draft_is_synced_with_each_answer_and_not_with_each_key() -> None:
    class Watched(Journal):
        def __init__(self) -> None:
            super().__init__()
            self.synced: list[bool] = []

        def keep_draft(self, game: str | None, given: object, *, sync: bool = False) -> None:
            self.synced.append(sync)
            super().keep_draft(game, given, sync=sync)

    journal = Watched()
    press(playing("1", journal=journal), "A 3 *")
    assert journal.synced == [False, True, True]


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


def test_a_sentence_that_takes_its_place_ends_what_a_second_step_back_would_do() -> None:
    playing("1 A3 B9 A4", journal=(journal := Journal()))
    box = press(new_box(journal), "*")
    box.upkeep._told(Notice(Text("Everything is saved again")))
    assert press(box, "*").lines == 3
    assert press(box, "*").lines == 4


# Setting a game up


@pytest.mark.parametrize("draft", ["x", "1h1", '1"', '1"\\x"', "1*1", '1"Aki"', "1#####", "\x00"])
def test_a_box_starts_whatever_the_keys_of_a_set_up_are(draft: str) -> None:
    journal = Journal()
    journal.keep_draft(None, draft)
    box = new_box(journal)
    assert box.game is None
    assert box.state.panel.message == DROPPED
    assert "Tabletop Companion" in says(press(box, "h* h* * *"))
    assert isinstance(new_box(journal).state.panel.screen, HomeScreen)


def test_a_set_up_that_cannot_be_shown_is_left_for_home(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests import raised_errors

    journal = Journal()
    box = press(new_box(journal), "1 1 1")
    with monkeypatch.context() as patch, raised_errors.expected() as logged:
        patch.setattr(type(box.state.panel.screen), "show", lambda *_arguments: 1 / 0)
        again = new_box(journal)
    assert logged
    assert isinstance(again.state.panel.screen, HomeScreen)
    assert isinstance(new_box(journal).state.panel.screen, HomeScreen)


def test_an_open_game_that_is_gone_is_said_once_and_a_set_up_goes_on_without_it(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        begin(new_box(journal))
        name = name_of(journal)
    for folder in ("games", "copies"):
        (tmp_path / folder / f"{name}.jsonl").unlink()
    with closing(Journal(tmp_path)) as journal:
        box = new_box(journal)
        assert "Game 1 is gone" in says(box)
        asked = seen(press(box, "h* 1 1 C 2"))
    with closing(Journal(tmp_path)) as journal:
        box = new_box(journal)
        assert "Game 1" not in says(box)
        assert seen(box) == asked


# A draft holds what was given, not keys


CORRECTION = {"edit": "replace", "number": 1}


@pytest.mark.parametrize(
    "draft",
    [
        {"type": "entry", "given": [["sea-99", "A99"]]},
        {"type": "entry", "given": [["sea-3", ""], ["sky-9", ""]]},
        {"type": "entry", "given": [["sea-3", "A3"], ["sky-9", "B9"], ["sky-9", "B9"]]},
        {"type": "entry", "correction": {"edit": "replace", "number": 99}},
        {"type": "entry", "correction": {"edit": "replace", "number": 1, "given": ["?"]}},
        {"type": "entry", "correction": {"edit": "remove", "number": 1, "given": [None]}},
        {"type": "entry", "correction": CORRECTION, "page": "conflict"},
        {"type": "entry", "correction": CORRECTION, "page": "review"},
        "A3",
        7,
    ],
)
def test_a_draft_that_does_not_fit_its_game_is_dropped_with_a_sentence(draft: object) -> None:
    journal = Journal()
    lines = playing("1", journal=journal).lines
    journal.keep_draft(name_of(journal), draft)
    box = new_box(journal)
    assert box.state.panel.message == DROPPED
    assert box.lines == lines
    assert box.state.panel.screen == PlayScreen()
    assert journal.draft(name_of(journal)) == ""


def test_a_review_of_a_correction_is_there_after_a_start() -> None:
    journal = Journal()
    box = playing("1 A3 B9 A4", journal=journal)
    draft = {"type": "entry", "page": "review", "correction": {"edit": "remove", "number": box.lines, "given": [None]}}
    journal.keep_draft(name_of(journal), draft)
    again = new_box(journal)
    assert isinstance(again.state.panel.screen, ReviewScreen)
    assert press(again, "#").lines == box.lines + 1


def test_a_correction_of_the_last_version_is_taken_up_with_the_table_s_entry_beside_it() -> None:
    journal = Journal()
    playing("1", journal=journal)
    journal.keep_draft(
        name_of(journal), {"type": "entry", "correction": CORRECTION, "aside": [["sea-3", "A3"], ["", "B"]]}
    )
    box = new_box(journal)
    assert box.view().question.endswith("1: Who starts?")
    again = new_box(journal)  # as this version keeps it
    for each in (box, again):
        press(each, "*")
        assert each.view().question == "Column card 2:"
        assert each.state.panel.typing == "B"


RULES = {"type": "set-up", "game": "gear", "asks": "rules", "players": ["Ann", "Bo"]}
NUMBER = {**RULES, "asks": "number", "chosen": 2, "rules": {"ending": {"target": 30}}, "place": 1}
OF_AN_EARLIER_VERSION = (
    {"type": "set-up", "row": 1},
    {"type": "set-up", "game": "gear", "seats": {}},
    {"type": "set-up", "game": "gear", "seats": {"names": ["Ann"], "row": 2}, "name": {"text": "B"}},
    {
        "type": "set-up",
        "game": "gear",
        "rules": {
            "seats": {"names": ["Ann", "Bo"]},
            "rules": {"auction": {"value": True}, "ending": {"value": {"target": 30}}},
            "tracking": "full",
        },
    },
    "1 1 2",
)


@pytest.mark.parametrize(
    "draft",
    [
        {"type": "set-up", "game": "chess"},
        {"type": "set-up", "game": 3},
        {**RULES, "players": ["Ann"]},
        {**RULES, "asks": "players", "names": ["Ann", "Bo", "Cy", "Di", "Ed", "Fay"]},
        {**RULES, "chosen": 9},
        {**RULES, "rules": {"moons": True}},
        {**RULES, "rules": {"auction": "maybe"}},
        {**RULES, "game": "east-rune", "tracking": "quick"},
        {**NUMBER, "chosen": 0},
        {**NUMBER, "chosen": 1},
        {**NUMBER, "place": 7},
        {**NUMBER, "typed": "xx"},
        *OF_AN_EARLIER_VERSION,
    ],
)
def test_a_draft_of_a_set_up_that_does_not_fit_is_dropped_with_a_sentence(draft: object) -> None:
    journal = Journal()
    journal.keep_draft(None, draft)
    box = new_box(journal)
    assert box.state.panel.message == DROPPED
    assert journal.draft(None) == ""


def test_the_choice_of_games_of_an_earlier_version_is_taken_up() -> None:
    journal = Journal()
    journal.keep_draft(None, {"type": "set-up"})
    assert "Which game?" in says(new_box(journal))


@pytest.mark.parametrize(
    ("answers", "heading"),
    [([], "Other games"), ([Key("4")], "Getting rid of cards"), ([TypedAnswer("poker")], "poker")],
    ids=["all", "family", "search"],
)
def test_an_open_list_of_other_games_is_there_after_a_start(answers: list[Key | TypedAnswer], heading: str) -> None:
    journal = Journal()
    box = press(new_box(journal), "1 5")
    for answer in answers:
        box.take(PANEL, answer)
    assert says(box).startswith(f"{heading} | ")
    again = new_box(journal)
    assert says(again) == says(box)
    assert "> Other games" in says(press(again, "* *" if answers else "*"))


def test_a_phone_is_told_that_the_set_up_of_an_earlier_version_is_gone() -> None:
    journal = Journal()
    journal.keep_draft(None, {"type": "entry", "phones": {"3": OF_AN_EARLIER_VERSION[1]}})
    box = new_box(journal)
    box.take(3, Look("en"))
    assert box.state.viewers[3].message == DROPPED


def test_what_a_phone_had_begun_is_gone_for_good_once_it_has_left_it() -> None:
    journal = Journal()
    journal.keep_draft(None, {**RULES, "phones": {"3": {"type": "set-up"}}})
    box = new_box(journal)
    box.take(3, Look("en"))
    assert journal.draft(None)["phones"]
    box.take(3, Key("*"))
    assert [*journal.draft(None)["phones"]] == ["box"]


def test_a_correction_of_a_phone_that_is_not_back_yet_stays_with_its_game() -> None:
    journal, phone = Journal(), Phone(3, "Bea", Role.SCORER)
    box = playing("1 A1 B2 C3", journal=journal)
    tap(box, "entries", phone)
    tap(box, "correct", phone)
    game = box.state.table.require_game().name
    new_box(journal).take(PANEL, LeaveGame())
    box = new_box(journal)
    tap(box, "nothing", phone)
    assert box.state.viewers[3].message != DROPPED
    box.take(PANEL, OpenSavedGame(game))
    assert isinstance(box.state.viewers[3].screen, PlayScreen)
    assert box.state.viewers[3].screen.correction is not None


def test_a_set_up_begun_while_others_look_at_an_ended_game_is_there_after_a_start() -> None:
    journal = Journal()
    box = finished(journal)
    tap(box, "nothing", Phone(3, "Bea", Role.SCORER))
    press(box, "# 1 1")
    assert box.state.table.game is not None
    assert isinstance(box.state.panel.screen, SetUp)
    assert seen(new_box(journal)) == seen(box)


def test_a_correction_that_a_phone_leaves_in_an_ended_game_is_gone() -> None:
    journal, phone = Journal(), Phone(3, "Bea", Role.SCORER)
    box = finished(journal)
    game = box.state.table.require_game().name
    tap(box, "entries", phone)
    tap(box, "correct", phone)
    press(box, "#")
    assert journal.draft(game)["phones"]
    tap(box, "back", phone)
    assert not journal.draft(game)


def test_what_is_half_entered_stays_with_a_game_that_cannot_be_opened_at_a_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = Journal()
    asked = seen(playing("1 A3 B", journal=journal))
    with monkeypatch.context() as broken, expected():
        broken.setattr(PlayScreen, "show", lambda *_of: 1 / 0)
        assert isinstance(new_box(journal).state.panel.screen, HomeScreen)
    assert seen(new_box(journal)) == asked


def test_a_correction_of_a_phone_is_not_taken_to_a_game_whose_own_draft_is_damaged() -> None:
    journal, phone = Journal(), Phone(3, "Bea", Role.SCORER)
    other = playing("1 A1 B2 C3", journal=journal).state.table.require_game().name
    box = playing("1 A1 B2 C3", journal=journal)
    tap(box, "entries", phone)
    tap(box, "correct", phone)
    journal.keep_draft(other, {"type": "entry", "given": 5}, sync=True)
    box = new_box(journal)
    box.take(PANEL, OpenSavedGame(other))
    assert box.state.panel.message == DROPPED
    tap(box, "nothing", phone)
    screen = box.state.viewers[3].screen
    assert isinstance(screen, PlayScreen)
    assert screen.correction is None


def test_a_number_that_no_rule_can_have_is_not_chosen_by_its_name() -> None:
    journal = Journal()
    journal.keep_draft(None, {**NUMBER, "typed": "2"})
    box = new_box(journal)
    assert box.state.panel.message is None
    contents = box.state.panel.screen.show(box.state.table)
    assert contents.answer("number 1000", box.state.table) is None
    assert contents.answer("number 0", box.state.table) is None
    assert contents.answer("number 999", box.state.table) is not None
