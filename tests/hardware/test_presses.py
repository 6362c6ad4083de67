"""Presses, holds, very long holds and repeats."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.ui.keys import HOLDABLE, POWER, Key
from hardware.keys.presses import ARROWS, HOLD, JAMMED, LONG, REPEAT_AFTER, REPEAT_EVERY, PressDetector

NAMES = "15#*o<"


def test_an_ordinary_key_counts_when_it_goes_down_and_only_then() -> None:
    presses = PressDetector("15")
    assert presses.update(0b01, 1.0) == [Key("1")]
    assert presses.due() is None
    assert presses.update(0b11, 9.0) == [Key("5")]
    assert presses.update(0b00, 10.0) == []


def test_a_holdable_key_counts_when_it_comes_up_soon() -> None:
    for name in HOLDABLE:
        presses = PressDetector(name)
        assert presses.update(1, 1.0) == []
        assert presses.update(0, 1.0 + HOLD - 0.001) == [Key(name)]


def test_a_holdable_key_counts_as_held_in_its_time_and_says_nothing_more() -> None:
    presses = PressDetector("*")
    presses.update(1, 1.0)
    assert presses.due() == 1.0 + HOLD
    assert presses.update(1, 1.0 + HOLD) == [Key("*", held=True)]
    assert presses.due() is None
    assert presses.update(1, 100.0) == []
    assert presses.update(0, 101.0) == []


def test_the_menu_key_held_very_long_says_power_once() -> None:
    for names, menu in ((NAMES, "#"), ("<o>", "o")):
        presses = PressDetector(names)
        bit = 1 << names.index(menu)
        presses.update(bit, 1.0)
        assert presses.update(bit, 1.0 + HOLD) == [Key(menu, held=True)]
        assert presses.due() == 1.0 + LONG
        assert presses.update(bit, 1.0 + LONG) == [POWER]
        assert presses.due() is None
        assert presses.update(0, 9.0) == []


def test_another_key_makes_a_waiting_one_count_first_and_ends_its_holding() -> None:
    presses = PressDetector("#5")
    presses.update(0b01, 1.0)
    assert presses.update(0b11, 1.1) == [Key("#"), Key("5")]
    assert presses.update(0b01, 1.2) == []
    assert presses.update(0b01, 9.0) == []
    assert presses.update(0b00, 9.1) == []


def test_another_key_keeps_a_held_menu_key_from_switching_off() -> None:
    presses = PressDetector("#5")
    presses.update(0b01, 1.0)
    assert presses.update(0b01, 2.0) == [Key("#", held=True)]
    assert presses.update(0b11, 3.0) == [Key("5")]
    assert presses.update(0b01, 9.0) == []


def test_a_detent_makes_a_waiting_key_count_first() -> None:
    presses = PressDetector("o")
    presses.update(1, 1.0)
    assert presses.tap(">") == [Key("o"), Key(">")]
    assert presses.update(0, 1.2) == []


def test_an_arrow_repeats_after_a_while_and_ends_when_it_comes_up() -> None:
    for name in ARROWS:
        presses = PressDetector(name)
        assert presses.update(1, 1.0) == [Key(name)]
        assert presses.update(1, 1.0 + REPEAT_AFTER - 0.001) == []
        assert presses.update(1, 1.0 + REPEAT_AFTER) == [Key(name)]
        assert presses.due() == 1.0 + REPEAT_AFTER + REPEAT_EVERY
        assert presses.update(1, 1.0 + REPEAT_AFTER + REPEAT_EVERY) == [Key(name)]
        assert presses.update(0, 2.0) == []
        assert presses.due() is None


def test_an_arrow_nobody_can_still_be_holding_is_silent() -> None:
    presses = PressDetector("<")
    presses.update(1, 1.0)
    now, said = 1.0, 0
    while (due := presses.due()) is not None:
        now = due
        said += len(presses.update(1, now))
    assert 1.0 + JAMMED <= now <= 2.0 + JAMMED
    assert said > 100


def test_a_key_that_may_have_come_up_unseen_is_not_held() -> None:
    presses = PressDetector("#")
    presses.update(1, 1.0)
    assert presses.update(1, 2.0, unsure=1) == []
    assert presses.due() is None
    assert presses.update(0, 3.0) == [Key("#")]


def test_a_key_that_is_still_down_when_that_is_sure_again_is_held() -> None:
    presses = PressDetector("#")
    presses.update(1, 1.0)
    presses.update(1, 2.0, unsure=1)
    assert presses.update(1, 3.0) == [Key("#", held=True)]


@given(st.lists(st.tuples(st.integers(0, 2 ** len(NAMES) - 1), st.floats(0.001, 3)), max_size=40))
def test_every_press_says_its_key_once_whatever_else_is_down(pictures: list[tuple[int, float]]) -> None:
    presses = PressDetector(NAMES)
    now, before = 0.0, 0
    went_down = dict.fromkeys(NAMES, 0)
    said: list[Key] = []
    for down, lasting in [*pictures, (0, 1.0)]:
        for bit, name in enumerate(NAMES):
            went_down[name] += down >> bit & ~before >> bit & 1
        said += presses.update(down, now)
        until, before = now + lasting, down
        while (due := presses.due()) is not None and due <= until:
            said += presses.update(down, due)
        now = until
    assert presses.due() is None
    for name in NAMES:
        times = sum(key.name == name for key in said)
        assert times == went_down[name] if name not in ARROWS else times >= went_down[name]
