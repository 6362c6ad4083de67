"""Every screen in every language and on every kind of board is the same as its golden picture.

The golden pictures are contact sheets. After an intended change of a screen, write them again with
``python -m tests.ui.test_pictures`` and look at them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo

from companion.cli.board_key_layout import board_named
from companion.ui.translations import languages
from tests.scenes.screenshots import contact_sheet, pictures

GOLDEN = Path(__file__).parents[1] / "golden"
BOARDS = ("keypad-4x4", "three-buttons", "oled-bonnet")
SHEETS = [(language, board) for language in languages() for board in BOARDS]
COLUMNS = 8


def sheet_of(named: list[tuple[str, Image.Image]]) -> Image.Image:
    """Return a contact sheet of pictures at original size."""
    return contact_sheet(named, COLUMNS, scale=1)


def tiles(sheet: Image.Image, names: list[str]) -> dict[str, Image.Image]:
    """Return the pictures of a contact sheet, by name."""
    blank = [(name, Image.new("1", (128, 64))) for name in names]
    assert sheet.size == sheet_of(blank).size
    across, down = 128 + 12, 64 + 24
    corners = ((12 + place % COLUMNS * across, 12 + place // COLUMNS * down) for place in range(len(names)))
    return {name: sheet.crop((x, y, x + 128, y + 64)) for name, (x, y) in zip(names, corners, strict=True)}


@pytest.mark.unmeasured
@pytest.mark.one_python
@pytest.mark.parametrize(("language", "board"), SHEETS)
def test_every_screen_looks_as_it_did(language: str, board: str) -> None:
    named = dict(pictures(language, board_named(board)))
    with Image.open(GOLDEN / f"{language}-{board}.png") as golden:
        golden.load()
        seen = tiles(golden.convert("L"), json.loads(golden.info["names"]))
    assert list(seen) == list(named)
    changed = [name for name in named if ImageChops.difference(named[name].convert("L"), seen[name]).getbbox()]
    assert not changed


def test_there_is_a_sheet_for_every_language_and_kind_of_board_and_no_other() -> None:
    assert {file.stem for file in GOLDEN.glob("*")} == {"-".join(sheet) for sheet in SHEETS}


def test_the_contact_sheet_has_a_place_for_each() -> None:
    sheet = contact_sheet([("a", Image.new("1", (128, 64), 1))] * 5, columns=2)
    assert sheet.size == (2 * 268 + 12, 3 * 152 + 12)


def write_anew() -> None:
    """Write the golden pictures of the current screens."""
    for old in GOLDEN.glob("*.png"):
        old.unlink()
    for language, board in SHEETS:
        named = list(pictures(language, board_named(board)))
        info = PngInfo()
        info.add_text("names", json.dumps([name for name, _picture in named]))
        sheet = sheet_of(named).quantize(4)
        sheet.save(GOLDEN / f"{language}-{board}.png", optimize=True, pnginfo=info)


if __name__ == "__main__":
    write_anew()
