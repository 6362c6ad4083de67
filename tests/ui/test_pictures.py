"""Every screen as it was last looked at and found good.

After a screen was changed on purpose: ``python -m tests.ui.test_pictures`` writes the pictures anew; look at them.
"""

from pathlib import Path

import pytest
from PIL import Image, ImageChops

from companion.app.gallery import SCENES, Scene, box_at, contact_sheet, pictures

GOLDEN = Path(__file__).parents[1] / "golden"


NAMED = dict(pictures())


@pytest.mark.parametrize("name", NAMED)
def test_a_screen_looks_as_it_did(name: str) -> None:
    picture = NAMED[name]
    with Image.open(GOLDEN / f"{name}.png") as golden:
        assert ImageChops.difference(picture.convert("L"), golden.convert("L")).getbbox() is None


def test_every_golden_picture_is_of_a_screen() -> None:
    assert {file.stem for file in GOLDEN.glob("*.png")} == set(NAMED)


def test_the_contact_sheet_has_a_place_for_each() -> None:
    sheet = contact_sheet([("a", Image.new("1", (128, 64), 1))] * 5, columns=2)
    assert sheet.size == (2 * 268 + 12, 3 * 152 + 12)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_what_a_screen_shows_can_be_heard_too(scene: Scene) -> None:
    frame = box_at(scene).frame
    assert frame.words
    assert not [sign for line in frame.words for sign in line if 0xE000 <= ord(sign) < 0xF000]
    assert not [sign for label in frame.labels.values() for sign in label if 0xE000 <= ord(sign) < 0xF000]


if __name__ == "__main__":
    for old in GOLDEN.glob("*.png"):
        old.unlink()
    for name, picture in pictures():
        picture.save(GOLDEN / f"{name}.png", optimize=True)
