"""Requirements on the keys of every board; to add one, list it in `key_rigs`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.ui.keys import HOLDABLE, POWER, Key
from hardware.keys.presses import ARROWS, HOLD, LONG, REPEAT_AFTER, REPEAT_EVERY
from tests.hardware.key_rigs import BOARDS, RIGS, Rig, virtual_keys


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    with RIGS[request.param]() as made:
        yield made


@pytest.fixture
def on(rig: Rig) -> Rig:
    """Return every kind of keys in turn, started."""
    rig.start()
    return rig


def tap(rig: Rig, name: str) -> None:
    rig.press(name)
    rig.wait(rig.short)
    rig.release(name)
    rig.wait(rig.short)


def menu(rig: Rig) -> str:
    return "#" if "#" in rig.names else "o"


def test_every_key_is_put_once_when_it_is_pressed_shortly(on: Rig) -> None:
    for name in on.names:
        tap(on, name)
        assert on.take() == [Key(name)]


def test_keys_are_put_in_the_order_they_were_pressed(on: Rig) -> None:
    for name in on.names:
        tap(on, name)
    for name in reversed(on.names):
        tap(on, name)
    assert on.take() == [Key(name) for name in on.names + on.names[::-1]]


def test_a_key_that_bounces_is_put_once(on: Rig) -> None:
    for name in on.names:
        fair = on.bounce(name, True)
        on.wait(on.short)
        fair = on.bounce(name, False) and fair
        on.wait(on.short)
        assert on.take() == [Key(name)] or not fair


def test_nothing_is_put_while_nobody_touches_it(on: Rig) -> None:
    on.wait(1)
    assert on.take() == []


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_wakes_it_while_nobody_touches_it(board: str) -> None:
    with virtual_keys(board) as rig:
        rig.start()
        rig.press(rig.names[0])
        rig.wait(1)
        rig.release(rig.names[0])
        rig.wait(1)
        wakes, operations = rig.virtual.wakes, rig.virtual.gpio.operations
        rig.wait(24 * 3600)
        assert (rig.virtual.wakes, rig.virtual.gpio.operations) == (wakes, operations)


def test_two_keys_at_once_both_count_in_the_order_they_went_down_where_they_are_of_one_kind(on: Rig) -> None:
    for first, second in zip(on.names, on.names[1:] + on.names[:1], strict=True):
        if {first, second} == {"<", ">"} and "^" not in on.names:
            continue  # a knob turns one way at a time
        on.press(first)
        on.wait(on.short)
        on.press(second)
        on.wait(on.short)
        on.release(second)
        on.wait(on.short)
        on.release(first)
        both = [Key(first), Key(second)]
        if first in ARROWS and "^" not in on.names:
            both.reverse()  # a detent counts at its end
        got = on.take()
        assert got == both or (on.names == "o*<>" and sorted(got) == sorted(both))


def test_a_holdable_key_is_put_as_held_while_it_is_down_and_not_again_when_it_comes_up(on: Rig) -> None:
    for name in on.names:
        if name in HOLDABLE:
            on.press(name)
            assert on.take() == []
            on.wait(HOLD)
            assert on.take() == [Key(name, held=True)]
            on.release(name)
            assert on.take() == []


def test_an_ordinary_key_is_put_when_it_goes_down_and_once_however_long_it_is_held(on: Rig) -> None:
    ordinary = [name for name in on.names if name not in HOLDABLE + ARROWS]
    for name in ordinary:
        on.press(name)
        assert on.take() == [Key(name)]
        if name in (ordinary[0], ordinary[-1]):  # in different rows and columns of a keypad
            on.wait(HOLD + 0.1)
        on.release(name)
        assert on.take() == []


def test_an_arrow_is_repeated_while_it_is_held(on: Rig) -> None:
    if "^" not in on.names:
        pytest.skip("It has no arrows, or a knob's, which nobody can hold.")
    for name in ARROWS:
        on.press(name)
        on.wait(REPEAT_AFTER + 2.5 * REPEAT_EVERY)
        on.release(name)
        assert on.take() == [Key(name)] * 4


def test_the_menu_key_held_very_long_asks_for_power_off_once(on: Rig) -> None:
    on.press(menu(on))
    on.wait(LONG - 1)
    assert on.take() == [Key(menu(on), held=True)]
    on.wait(2)
    assert on.take() == [POWER]
    on.wait(LONG)
    on.release(menu(on))
    assert on.take() == []


def test_another_key_held_very_long_never_asks_for_power_off(on: Rig) -> None:
    for name in "*":
        if name in on.names and name != menu(on) and "^" in on.names:
            on.press(name)
            on.wait(LONG + 1)
            on.release(name)
            assert on.take() == [Key(name, held=True)]


def test_it_is_alive_from_start_to_close_however_often_it_is_asked(rig: Rig) -> None:
    assert not rig.source.alive()
    rig.start()
    for _ in range(3):
        assert rig.source.alive()
        assert rig.source.alive()
        rig.wait(10 if rig.short < 0.1 else 3)
    rig.source.close()
    assert not rig.source.alive()


def test_nothing_is_put_once_it_is_closed(on: Rig) -> None:
    tap(on, on.names[0])
    assert on.take() == [Key(on.names[0])]
    on.source.close()
    on.press(on.names[0])
    on.release(on.names[0])
    assert on.got == []


def test_closing_twice_or_before_it_was_started_does_nothing(rig: Rig) -> None:
    rig.source.close()
    rig.start()
    rig.source.close()
    rig.source.close()


def test_it_can_be_started_again(on: Rig) -> None:
    on.source.close()
    on.start()
    tap(on, on.names[0])
    assert on.take() == [Key(on.names[0])]


def test_a_key_that_is_down_from_the_start_counts(rig: Rig) -> None:
    rig.press("o" if "o" in rig.names else "5")
    rig.start()
    rig.wait(rig.short)
    rig.release("o" if "o" in rig.names else "5")
    assert rig.take() == [Key("o" if "o" in rig.names else "5")]
