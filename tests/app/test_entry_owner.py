"""Keys and phones at once: what somebody has begun is finished by nobody else, and a key pressed twice counts once."""

from __future__ import annotations

import json

import pytest

from companion.app.box import SURPRISE
from companion.ui.keys import Key, QuickSecondPress
from companion.ui.phone_roles import Phone, Role
from tests.app.boxes import begin, press
from tests.harness.taps.tapper import Tapper

AKI, BEA = Phone(1, "Aki", Role.SCORER), Phone(2, "Bea", Role.SCORER)


def at_the_table(keys: str = "1 A3 B5") -> Tapper:
    tapper = Tapper()
    press(begin(tapper.box), keys)
    return tapper


def after_a_tap(tapper: Tapper, choice: str, phone: Phone = BEA) -> Tapper:
    """Tap, and let people see it."""
    tapper.tap(choice, phone=phone)
    tapper.clock.let_pass(SURPRISE)
    return tapper


def cards(tapper: Tapper) -> list[str]:
    return [json.loads(line).get("card", "") for line in tapper.lines[2:]]


# A key pressed twice


@pytest.mark.parametrize(("keys", "again"), [("B9", "9"), ("A#", "#"), ("A12", "2")])
def test_the_last_key_of_a_card_pressed_twice_is_ignored_with_a_tick(keys: str, again: str) -> None:
    tapper = at_the_table()
    box = press(tapper.box, keys)
    lines = list(tapper.lines)
    box.press(QuickSecondPress(again))
    box.press(QuickSecondPress(again))
    assert tapper.lines == lines
    assert box._state.draft == box._state.kept
    assert box.message is None
    press(box, "A7")
    assert cards(tapper)[1:] == ["sea-7"]


def test_a_key_pressed_twice_counts_within_an_answer_and_where_it_is_another_key() -> None:
    tapper = at_the_table()
    box = press(tapper.box, "A1")
    box.press(QuickSecondPress("1"))
    assert cards(tapper) == ["sea-11"]
    box.press(QuickSecondPress("9"))
    assert cards(tapper) == ["sea-11", "sea-9"]


# Keys that were typed when a phone answered


def test_keys_typed_when_a_phone_answers_wait_and_become_part_of_nothing() -> None:
    tapper = after_a_tap(at_the_table("1 A3 B5 A1"), "sky-9")
    waits = "Bea: Sky 9, seat 1. Typed here: <sea> 1. # keeps it, * drops it"
    assert str(tapper.box.message) == waits
    press(tapper.box, "2")
    assert str(tapper.box.message) == waits
    press(tapper.box, "*")
    assert tapper.box.message is None
    assert cards(tapper) == ["sky-9"]
    press(tapper.box, "A12")
    assert cards(tapper) == ["sky-9", "sea-12"]


def test_keys_that_wait_can_be_kept_for_the_next_question() -> None:
    tapper = after_a_tap(at_the_table("1 A3 B5 A1"), "sky-9")
    press(tapper.box, "#2")
    assert cards(tapper) == ["sky-9", "sea-12"]


def test_a_key_pressed_just_after_a_phone_answered_does_not_count() -> None:
    tapper = at_the_table().tap("sky-9", phone=BEA)
    press(tapper.box, "7")
    assert cards(tapper) == ["sky-9"]
    assert str(tapper.box.message) == "Somebody else has just answered: look again"
    tapper.clock.let_pass(SURPRISE)
    press(tapper.box, "7")
    assert cards(tapper) == ["sky-9", "sky-7"]


# An entry of several answers


def test_an_entry_that_a_phone_has_begun_is_finished_by_no_key_and_no_other_phone() -> None:
    tapper = after_a_tap(at_the_table("1"), "sea-4", AKI)
    press(tapper.box, "B5")
    assert str(tapper.box.message) == "Aki has begun this entry; * takes it back"
    tapper.tap("sky-5", phone=BEA)
    assert tapper.told() == "Aki has begun this entry; * takes it back"
    tapper.tap("sky-6", phone=AKI)
    assert json.loads(tapper.lines[-1])["board"] == ["sea-4", "sky-6"]


@pytest.mark.parametrize("name", ["Bea", "keys"])
def test_two_phones_of_one_name_are_two_and_none_is_the_keypad(name: str) -> None:
    one, other = Phone(1, name, Role.SCORER), Phone(2, name, Role.SCORER)
    tapper = after_a_tap(at_the_table("1"), "sea-4", one).tap("sky-5", phone=other)
    assert tapper.told() == f"{name} has begun this entry; * takes it back"
    press(tapper.box, "B5")
    assert str(tapper.box.message) == f"{name} has begun this entry; * takes it back"
    tapper.tap("sky-6", phone=one)
    assert json.loads(tapper.lines[-1])["board"] == ["sea-4", "sky-6"]


def test_keys_wait_when_a_phone_called_keys_answers() -> None:
    tapper = after_a_tap(at_the_table("1 A3 B5 A1"), "sky-9", Phone(1, "keys", Role.SCORER))
    assert str(tapper.box.message) == "keys: Sky 9, seat 1. Typed here: <sea> 1. # keeps it, * drops it"


def test_an_entry_that_the_keys_have_begun_is_finished_by_no_phone_until_it_is_taken_back() -> None:
    tapper = at_the_table("1 A3").tap("sky-5", phone=BEA)
    assert tapper.told() == "This entry was begun with the keys of the box"
    for choice in ("*", "sea-4", "sky-5"):
        tapper.tap(choice, phone=BEA)
        assert tapper.told() is None
    assert json.loads(tapper.lines[-1])["board"] == ["sea-4", "sky-5"]


def test_who_takes_an_entry_back_goes_on_with_it() -> None:
    tapper = after_a_tap(after_a_tap(at_the_table("1"), "sea-4", AKI), "sky-5", BEA)
    press(tapper.box, "*A6B7")
    assert json.loads(tapper.lines[-1])["board"] == ["sea-6", "sky-7"]


def test_a_repeated_key_equals_the_key() -> None:
    assert QuickSecondPress("9") == Key("9")
