"""Every screen looks as it did in every language, and so do views that no scene reaches: as its golden picture.

The golden pictures are a contact sheet for each language, on a keypad: of all boards it has the most on its glass,
numbers before rows and keys in hints. The scenes that begin with `few` show buttons in every sheet; what other boards
say is compared as text (`test_scenes_as_text`). After an intended change of a screen, write the sheets again with
``python -m tests.ui.test_pictures`` and look at them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo

from companion.ui.panel import draw
from companion.ui.translations import languages
from tests.scenes.screenshots import contact_sheet, pictures
from tests.ui.made_views import VIEWS

GOLDEN = Path(__file__).parents[1] / "golden"
COLUMNS = 8
MADE = "made"
"""The sheet of views that no scene reaches."""


def tiles(sheet: Image.Image, names: list[str]) -> dict[str, Image.Image]:
    """Return the pictures of a contact sheet, by name."""
    across, down = 128 + 12, 64 + 24
    corners = ((12 + place % COLUMNS * across, 12 + place // COLUMNS * down) for place in range(len(names)))
    return {name: sheet.crop((x, y, x + 128, y + 64)) for name, (x, y) in zip(names, corners, strict=True)}


@pytest.mark.unmeasured
@pytest.mark.one_python
@pytest.mark.parametrize("language", languages())
def test_every_screen_looks_as_it_did(language: str) -> None:
    assert_golden(language, dict(pictures(language)))


def test_every_view_that_is_made_by_hand_looks_as_it_did() -> None:
    assert_golden(MADE, {name: draw(view) for name, view in VIEWS.items()})


def assert_golden(sheet: str, named: Mapping[str, Image.Image]) -> None:
    """Assert that pictures are those of a golden sheet."""
    with Image.open(GOLDEN / f"{sheet}.png") as golden:
        golden.load()
        seen = tiles(golden.convert("L"), json.loads(golden.info["names"]))
    assert list(seen) == list(named)
    changed = [name for name in named if ImageChops.difference(named[name].convert("L"), seen[name]).getbbox()]
    assert not changed


def test_there_is_a_sheet_for_every_language_and_one_of_made_views_and_no_other() -> None:
    assert {file.name for file in GOLDEN.glob("*")} == {f"{sheet}.png" for sheet in (*languages(), MADE)}


def write_anew() -> None:
    """Write the golden pictures of the current screens."""
    for old in GOLDEN.glob("*.png"):
        old.unlink()
    sheets = {language: [*pictures(language)] for language in languages()}
    for sheet, named in {**sheets, MADE: [(name, draw(view)) for name, view in VIEWS.items()]}.items():
        info = PngInfo()
        info.add_text("names", json.dumps([name for name, _picture in named]))
        image = contact_sheet(named, COLUMNS, scale=1).quantize(4)
        image.save(GOLDEN / f"{sheet}.png", optimize=True, pnginfo=info)


if __name__ == "__main__":
    write_anew()
