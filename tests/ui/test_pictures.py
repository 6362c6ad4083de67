"""Every screen looks as it did in every language: the same as its golden picture.

The golden pictures are a contact sheet for each language, on a keypad: of all boards it has the most on its glass,
numbers before rows and keys in hints. The scenes that begin with `few` show buttons in every sheet; what other boards
say is compared as text (`test_scenes_as_text`). After an intended change of a screen, write the sheets again with
``python -m tests.ui.test_pictures`` and look at them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo

from companion.ui.translations import languages
from tests.scenes.screenshots import contact_sheet, pictures

GOLDEN = Path(__file__).parents[1] / "golden"
COLUMNS = 8


def tiles(sheet: Image.Image, names: list[str]) -> dict[str, Image.Image]:
    """Return the pictures of a contact sheet, by name."""
    across, down = 128 + 12, 64 + 24
    corners = ((12 + place % COLUMNS * across, 12 + place // COLUMNS * down) for place in range(len(names)))
    return {name: sheet.crop((x, y, x + 128, y + 64)) for name, (x, y) in zip(names, corners, strict=True)}


@pytest.mark.unmeasured
@pytest.mark.one_python
@pytest.mark.parametrize("language", languages())
def test_every_screen_looks_as_it_did(language: str) -> None:
    named = dict(pictures(language))
    with Image.open(GOLDEN / f"{language}.png") as golden:
        golden.load()
        seen = tiles(golden.convert("L"), json.loads(golden.info["names"]))
    assert list(seen) == list(named)
    changed = [name for name in named if ImageChops.difference(named[name].convert("L"), seen[name]).getbbox()]
    assert not changed


def test_there_is_a_sheet_for_every_language_and_no_other() -> None:
    assert {file.name for file in GOLDEN.glob("*")} == {f"{language}.png" for language in languages()}


def write_anew() -> None:
    """Write the golden pictures of the current screens."""
    for old in GOLDEN.glob("*.png"):
        old.unlink()
    for language in languages():
        named = list(pictures(language))
        info = PngInfo()
        info.add_text("names", json.dumps([name for name, _picture in named]))
        sheet = contact_sheet(named, COLUMNS, scale=1).quantize(4)
        sheet.save(GOLDEN / f"{language}.png", optimize=True, pnginfo=info)


if __name__ == "__main__":
    write_anew()
