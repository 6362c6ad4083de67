"""What every panel must do; a new kind of panel is one more line in rigs."""

from __future__ import annotations

import re

import pytest
from PIL import Image

from companion.app.ports import DeviceFault
from tests.hardware.pictures import SIZE, blank, inverse, noise
from tests.hardware.rigs import FallibleRig, Rig


def test_the_size_is_that_of_the_pictures_it_shows(rig: Rig) -> None:
    rig.panel.show(Image.new("1", rig.panel.size, 1))
    assert rig.seen().size == rig.panel.size


def test_nothing_is_seen_before_the_first_picture(rig: Rig) -> None:
    assert rig.seen() == blank()


def test_the_picture_shown_is_the_picture_seen(rig: Rig) -> None:
    rig.panel.show(noise(1))
    assert rig.seen() == noise(1)


def test_the_latest_picture_is_the_one_seen(rig: Rig) -> None:
    for picture in (noise(1), blank(), noise(2), inverse(noise(2))):
        rig.panel.show(picture)
        assert rig.seen() == picture


def test_showing_a_picture_again_changes_nothing(rig: Rig) -> None:
    rig.panel.show(noise(1))
    rig.panel.show(noise(1))
    assert rig.seen() == noise(1)


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


def test_a_panel_that_is_lost_raises_a_device_fault_each_time(fallible: FallibleRig) -> None:
    fallible.panel.show(noise(1))
    fallible.lose()
    for seed in (2, 3, 2):
        with pytest.raises(DeviceFault):
            fallible.panel.show(noise(seed))


def test_a_panel_that_was_never_there_raises_a_device_fault_and_works_once_it_is(fallible: FallibleRig) -> None:
    fallible.lose()
    with pytest.raises(DeviceFault):
        fallible.panel.show(noise(1))
    fallible.restore()
    fallible.panel.show(noise(1))
    assert fallible.seen() == noise(1)


def test_a_panel_that_comes_back_shows_the_picture_it_could_not_take(fallible: FallibleRig) -> None:
    fallible.panel.show(noise(1))
    fallible.lose()
    with pytest.raises(DeviceFault):
        fallible.panel.show(noise(2))
    fallible.restore()
    fallible.panel.show(noise(2))
    assert fallible.seen() == noise(2)


def test_a_panel_that_comes_back_shows_even_the_picture_it_showed_before(fallible: FallibleRig) -> None:
    fallible.panel.show(noise(1))
    fallible.lose()
    with pytest.raises(DeviceFault):
        fallible.panel.show(noise(2))
    fallible.restore()
    fallible.panel.show(noise(1))
    assert fallible.seen() == noise(1)
