"""Requirements on every panel; to add one, list it in `panel_rigs`."""

from __future__ import annotations

import re

import pytest
from PIL import Image

from companion.app.ports import DeviceError
from tests.hardware.panel_rigs import FallibleRig, Rig
from tests.hardware.pictures import SIZE, blank, inverse, noise


def test_nothing_is_seen_before_the_first_picture(rig: Rig) -> None:
    assert rig.seen() == blank()


def test_the_latest_picture_is_the_one_seen(rig: Rig) -> None:
    for picture in (noise(1), blank(), noise(2), inverse(noise(2))):
        rig.panel.show(picture)
        assert rig.seen() == picture


def test_showing_a_picture_leaves_the_picture_alone(rig: Rig) -> None:
    picture = noise(1)
    rig.panel.show(picture)
    assert picture == noise(1)


@pytest.mark.parametrize(("mode", "size"), [("L", SIZE), ("1", (64, 128)), ("1", (128, 32))])
def test_a_picture_of_another_mode_or_size_is_refused(rig: Rig, mode: str, size: tuple[int, int]) -> None:
    rig.panel.show(noise(1))
    with pytest.raises(ValueError, match=re.escape(str(size))):
        rig.panel.show(Image.new(mode, size))
    assert rig.seen() == noise(1)


def test_any_level_but_nothing_shows_the_same_pixels(rig: Rig) -> None:
    rig.panel.show(noise(1))
    for level in (1, 40, 255, 0, 128):
        rig.panel.shine(level)
        assert rig.seen() == (noise(1) if level else blank())


def test_a_picture_shown_while_it_is_off_is_seen_when_it_shines_again(rig: Rig) -> None:
    rig.panel.show(noise(1))
    rig.panel.shine(0)
    rig.panel.show(noise(2))
    assert rig.seen() == blank()
    rig.panel.shine(100)
    assert rig.seen() == noise(2)


def test_a_level_lasts(rig: Rig) -> None:
    rig.panel.shine(0)
    for seed in (1, 2):
        rig.panel.show(noise(seed))
        rig.panel.refresh()
        assert rig.seen() == blank()


@pytest.mark.parametrize("level", [-1, 256])
def test_a_level_that_is_none_is_refused(rig: Rig, level: int) -> None:
    rig.panel.show(noise(1))
    with pytest.raises(ValueError, match=str(level)):
        rig.panel.shine(level)
    assert rig.seen() == noise(1)


def test_shining_and_refreshing_before_the_first_picture_show_nothing(rig: Rig) -> None:
    rig.panel.shine(128)
    rig.panel.refresh()
    assert rig.seen() == blank()


def test_a_closed_panel_is_dark_whatever_happens_but_a_picture(rig: Rig) -> None:
    rig.panel.show(noise(1))
    rig.panel.close()
    assert rig.seen() == blank()
    rig.panel.shine(200)
    rig.panel.refresh()
    rig.panel.close()
    assert rig.seen() == blank()
    rig.panel.show(noise(1))
    assert rig.seen() == noise(1)


def test_a_panel_that_is_lost_raises_a_device_fault_each_time(fallible: FallibleRig) -> None:
    fallible.panel.show(noise(1))
    fallible.lose()
    for seed in (2, 3, 2):
        with pytest.raises(DeviceError):
            fallible.panel.show(noise(seed))


def test_a_panel_that_was_never_there_raises_a_device_fault_and_works_once_it_is(fallible: FallibleRig) -> None:
    fallible.lose()
    with pytest.raises(DeviceError):
        fallible.panel.show(noise(1))
    fallible.restore()
    fallible.panel.show(noise(1))
    assert fallible.seen() == noise(1)


@pytest.mark.parametrize("seed", [2, 1], ids=["the picture it could not take", "the picture it showed before"])
def test_a_panel_that_comes_back_shows_any_picture(fallible: FallibleRig, seed: int) -> None:
    fallible.panel.show(noise(1))
    fallible.lose()
    with pytest.raises(DeviceError):
        fallible.panel.show(noise(2))
    fallible.restore()
    fallible.panel.show(noise(seed))
    assert fallible.seen() == noise(seed)


def test_a_lost_panel_says_so_whatever_it_is_asked_and_closing_it_raises_nothing(fallible: FallibleRig) -> None:
    fallible.panel.show(noise(1))
    fallible.lose()
    for _time in range(2):
        with pytest.raises(DeviceError):
            fallible.panel.shine(40)
        with pytest.raises(DeviceError):
            fallible.panel.refresh()
    fallible.panel.close()


def test_a_panel_that_comes_back_is_as_bright_as_it_was_told_meanwhile(fallible: FallibleRig) -> None:
    fallible.panel.show(noise(1))
    fallible.lose()
    with pytest.raises(DeviceError):
        fallible.panel.shine(0)
    fallible.restore()
    fallible.panel.refresh()
    assert fallible.seen() == blank()
    fallible.panel.shine(255)
    assert fallible.seen() == noise(1)
