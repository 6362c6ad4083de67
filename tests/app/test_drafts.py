"""Every typed key survives a kill, in a game and in a set-up."""

from __future__ import annotations

import json
from contextlib import closing
from itertools import count
from pathlib import Path
from shutil import copytree

import pytest
from msgspec.structs import replace

from companion.app.box import Box
from companion.app.log_to_keys import LogToKeys
from companion.gamelog import decode_header, decode_line
from companion.journal import Journal
from companion.ui.keys import BUTTONS, KEYPAD, KeyLayout, parse
from companion.ui.screens.confirm_correction import ReviewScreen
from companion.ui.screens.correction_conflict import ConflictScreen
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.play import PlayScreen
from companion.ui.screens.screen_from_draft import DROPPED
from companion.ui.view import View
from tests.app.boxes import begin, key_of, name_of, new_box, playing, press, says, written
from tests.app.selecting import on, turn_to
from tests.scenes.scenes import SCENES

BY_NAME = {scene.name: scene for scene in SCENES}
AT_TABLES = (
    *("trick-revoke", "quick-pledge", "sheet-last", "round-over", "corrected", "correction-breaks", "refused"),
    *("gear-pair", "gear-lots", "gear-black", "gear-sheet"),
    *("hipparchus-winner-said", "hipparchus-sheet"),
    *("east-rune-front", "east-rune-result", "east-rune-hands"),
)


class House:
    """An application with its journal in a folder, and further ones started on that folder after a kill."""

    def __init__(self, folder: Path, board: KeyLayout = KEYPAD) -> None:
        self._folder, self._kills, self._board = folder / "journal", count(), board
        self.journal = Journal(self._folder)
        self.box = on(board, self.journal)

    def restarted(self) -> Box:
        """Return an application that starts after this one was killed."""
        journal = Journal(copytree(self._folder, self._folder.with_name(f"after {next(self._kills)}")))
        try:
            return on(self._board, journal)
        finally:
            journal.close()

    def line(self) -> str:
        """Return the last line of game 1 in its file."""
        file = self._folder / "games" / f"{name_of(self.journal)}.jsonl"
        return file.read_text().rstrip("\0").splitlines()[-1]


def seen(box: Box) -> View:
    """Return the words on the panel, without the message that the next key removes."""
    return box._state.screen.show(replace(box._context, report=None)).view


@pytest.mark.parametrize("scene", AT_TABLES)
def test_every_key_at_a_table_is_there_after_a_kill(scene: str, tmp_path: Path) -> None:
    house, wanted = House(tmp_path), BY_NAME[scene]
    header = decode_header(json.dumps(wanted.header))
    house.box.begin(header, wanted.tracking)
    for line in wanted.lines:
        assert house.box.game is not None
        press(house.box, LogToKeys(house.box.game.session, house.box.game.tracking).spell(decode_line(line, header)))
    half = 0
    for key in parse(wanted.keys):
        house.box.press(key)
        screen = house.box._state.screen
        if isinstance(screen, PlayScreen | ConflictScreen):
            half += screen != PlayScreen()
            again = house.restarted()
            assert seen(again) == seen(house.box), key
            assert isinstance(again._state.screen, PlayScreen | ConflictScreen)
            assert again._state.screen.draft == screen.draft, key
    assert half


def test_a_suit_alone_is_there_after_a_kill(tmp_path: Path) -> None:
    house = House(tmp_path)
    press(begin(house.box), "1 A3 B9 C")
    again = house.restarted()
    assert again.view().typed == house.box.view().typed != ""
    assert press(again, "4").lines == 3


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


def test_each_line_tells_the_keys_that_were_typed_for_it(tmp_path: Path) -> None:
    house = House(tmp_path)
    press(begin(house.box), "1")
    for keys, typed in (("A3B9", "A3B9"), ("A4", "A4"), ("D*DB11", "DB11"), ("*", ""), ("h#4", ""), ("h*#DB12", "")):
        press(house.box, keys)
        note = json.loads(house.line().split("\t")[1])
        assert note["keys"] == typed, house.line()
        assert "chosen" not in note


# Setting a game up

SET_UPS = (
    "1",
    "1 B",
    "1 1 B",
    "1 1 C 2 55 444 # C A 6 D 9 5 D A *",
    "1 1 1 1 # B C 2 3 25 # 5",
    "1 1 1 1 # 3 2 5",
    "1 1 1 1 1 1 *",
    "1 1 D D 1 *",
)


@pytest.mark.parametrize("keys", SET_UPS)
def test_every_key_of_a_set_up_is_there_after_a_kill(keys: str, tmp_path: Path) -> None:
    house = House(tmp_path)
    for key in parse(keys):
        house.box.press(key)
        again = house.restarted()
        assert not isinstance(again._state.screen, HomeScreen)
        assert seen(again) == seen(house.box), key


def test_a_set_up_is_gone_on_with_after_a_kill(tmp_path: Path) -> None:
    house = House(tmp_path)
    press(house.box, "1 1 C 2 D 2 #")
    house.box.write("はるな")
    house.box.write(" ")  # refused
    house.box.write('Ren "7" \\')
    again = press(house.restarted(), "1 1 #")
    assert again.game is not None
    assert again.game.session.header.players == ("Aa", "はるな", 'Ren "7" \\', "P4", "P5")


def test_a_set_up_with_few_keys_is_there_after_a_kill(tmp_path: Path) -> None:
    house = House(tmp_path, BUTTONS)
    for label in ("New game", "Eternity", "new name"):
        turn_to(house.box, key_of(house.box, label))
        assert seen(house.restarted()) == seen(house.box), label
    turn_to(house.box, "letter K")
    assert seen(house.restarted()) == seen(house.box)
    assert "K" in says(house.restarted())


@pytest.mark.parametrize("keys", ["1 1 1 1 # #", "1 1 C 2 h*", "1 1 * *"])
def test_a_set_up_that_has_ended_is_not_gone_back_to(keys: str, tmp_path: Path) -> None:
    house = House(tmp_path)
    press(house.box, keys)
    assert house.journal.draft(None) == ""
    if house.box.game is not None:
        press(house.box, "h# 8")
    assert isinstance(house.restarted()._state.screen, HomeScreen)


def test_a_walk_through_other_menus_is_not_kept() -> None:
    journal = Journal()
    press(new_box(journal), "2 1 B")
    assert journal.draft(None) == ""
    assert isinstance(new_box(journal)._state.screen, HomeScreen)


@pytest.mark.parametrize("draft", ["x", "1h1", '1"', '1"\\x"', "1*1", '1"Aki"', "1#####", "\x00"])
def test_a_box_starts_whatever_the_keys_of_a_set_up_are(draft: str) -> None:
    journal = Journal()
    journal.keep_draft(None, draft)
    box = new_box(journal)
    assert box.game is None
    assert box.message == DROPPED
    assert "Tabletop Companion" in says(press(box, "h* h* * *"))
    assert isinstance(new_box(journal)._state.screen, HomeScreen)


def test_a_set_up_that_cannot_be_shown_is_left_for_home(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests import raised_errors

    journal = Journal()
    box = press(new_box(journal), "1 1 1")
    with monkeypatch.context() as patch, raised_errors.expected() as logged:
        patch.setattr(type(box._state.screen), "show", lambda *_arguments: 1 / 0)
        again = new_box(journal)
    assert logged
    assert isinstance(again._state.screen, HomeScreen)
    assert isinstance(new_box(journal)._state.screen, HomeScreen)


def test_what_is_half_entered_in_a_game_outlives_a_look_at_the_menus_of_home(tmp_path: Path) -> None:
    house = House(tmp_path)
    press(begin(house.box), "1 A3 h* h* 5 2")
    assert press(house.restarted(), "1").view().question == "Column card 2:"


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


def test_an_import_during_a_set_up_seats_nobody_else(tmp_path: Path) -> None:
    house = House(tmp_path)
    header = '{{"format":1,"game":"hipparchus","players":["{}","{}"],"rules":{{}}}}'
    written(house.journal, header.format("Ann", "Bo"))
    box = press(on(KEYPAD, house.journal), "2 1 2")
    asked = seen(box)
    assert "Ann" in asked.body.title  # type: ignore[union-attr]
    written(house.journal, header.format("Cy", "Di"))
    assert seen(house.restarted()).body.title == asked.body.title  # type: ignore[union-attr]
    assert house.restarted()._state.screen.draft == box._state.screen.draft


@pytest.mark.parametrize(("first", "then"), [(BUTTONS, KEYPAD), (KEYPAD, BUTTONS)])
def test_a_correction_stays_the_same_on_another_board(first: KeyLayout, then: KeyLayout, tmp_path: Path) -> None:
    house = House(tmp_path, first)
    press(begin(house.box), "1 A3 B9 A4 B8 h*")
    press(house.box, "# 2" if first.few else "C")
    press(house.box, "B")
    before = house.box._state.screen
    assert isinstance(before, PlayScreen)
    assert before.correction is not None
    assert before.correction.inserts
    after = House.restarted(replace_board(house, then))._state.screen
    assert isinstance(after, PlayScreen)
    assert after.draft == before.draft
    assert after.correction is not None
    assert after.correction.inserts


def replace_board(house: House, board: KeyLayout) -> House:
    """Return a house whose box is restarted on another board."""
    house._board = board
    return house


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
        {"type": "set-up"},
        "A3",
        7,
    ],
)
def test_a_draft_that_does_not_fit_its_game_is_dropped_with_a_sentence(draft: object) -> None:
    journal = Journal()
    lines = playing("1", journal=journal).lines
    journal.keep_draft(name_of(journal), draft)
    box = new_box(journal)
    assert box.message == DROPPED
    assert box.lines == lines
    assert box._state.screen == PlayScreen()
    assert journal.draft(name_of(journal)) == ""


def test_an_item_that_is_typed_though_it_follows_by_itself_is_there_after_a_start() -> None:
    players = ("Aki", "Bea", "Cyr", "Dai", "Eve")
    box = begin(new_box(journal := Journal()), players, "quick", "gear", auction=False)
    press(box, "1 1 1 1 1 1 1 1 0")  # the aces of the last trick are those that are left
    assert says(new_box(journal)) == says(box)
    assert DROPPED.template not in says(new_box(journal))


def test_a_review_of_a_correction_is_there_after_a_start() -> None:
    journal = Journal()
    box = playing("1 A3 B9 A4", journal=journal)
    draft = {"type": "entry", "page": "review", "correction": {"edit": "remove", "number": box.lines, "given": [None]}}
    journal.keep_draft(name_of(journal), draft)
    again = new_box(journal)
    assert isinstance(again._state.screen, ReviewScreen)
    assert press(again, "#").lines == box.lines + 1


@pytest.mark.parametrize(
    "draft",
    [
        {"type": "set-up", "game": "chess"},
        {
            "type": "set-up",
            "game": "gear",
            "rules": {"seats": {"names": ["Ann", "Bo"]}, "rules": {}, "tracking": "full"},
        },
        {"type": "set-up", "game": 3},
        *(
            {
                "type": "set-up",
                "game": "east-rune",
                "rules": {
                    "seats": {"names": ["Ann", "Bo"]},
                    "rules": {"sacred_is_mineral": {"value": value}},
                    "tracking": "full",
                },
                **number,
            }
            for value, number in (
                ("maybe", {}),
                (False, {"rule": "sacred_is_mineral", "typed": "5"}),
                (False, {"rule": "moons"}),
            )
        ),
        {
            "type": "set-up",
            "game": "gear",
            "rules": {
                "seats": {"names": ["Ann", "Bo"]},
                "rules": {"auction": {"value": True}, "ending": {"value": {"target": 30}}},
                "tracking": "full",
            },
            "rule": "ending",
            "typed": "xx",
        },
        "1 1 2",
    ],
)
def test_a_draft_of_a_set_up_that_does_not_fit_is_dropped_with_a_sentence(draft: object) -> None:
    journal = Journal()
    journal.keep_draft(None, draft)
    box = new_box(journal)
    assert box.message == DROPPED
    assert journal.draft(None) == ""


def test_a_number_that_no_rule_can_have_is_not_chosen_by_its_name() -> None:
    journal = Journal()
    rules = {"auction": {"value": True}, "ending": {"value": {"target": 30}}}
    seats = {"seats": {"names": ["Ann", "Bo"]}, "rules": rules, "tracking": "full"}
    journal.keep_draft(None, {"type": "set-up", "game": "gear", "rules": seats, "rule": "ending", "typed": "2"})
    box = new_box(journal)
    assert box.message is None
    contents = box._state.screen.show(box._state.context)
    assert contents.answer("number 1000", box._state.context) is None
    assert contents.answer("number 0", box._state.context) is None
    assert contents.answer("number 999", box._state.context) is not None
