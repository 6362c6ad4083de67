"""Every screen looks as it did in every language, and so do views that no scene reaches: as its golden picture.

The golden pictures are of a keypad: of all boards it has the most on its glass, numbers before rows and keys in hints.
The scenes that begin with `few` show buttons; what other boards say is compared as text (`test_scenes_as_text`). After
an intended change of a screen, write them again with ``python -m tests.ui.test_pictures`` and look at them. Those that
are not as they were stand in build/pictures, beside what they were.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from companion.ui.panel import draw
from companion.ui.translations import languages
from tests.scenes.screenshots import contact_sheet, pictures
from tests.ui.made_views import VIEWS
from tools import ROOT

GOLDEN = Path(__file__).parents[1] / "golden"
MADE = "made"
"""The folder of views that no scene reaches."""


@pytest.mark.unmeasured
@pytest.mark.one_python
@pytest.mark.parametrize("language", languages())
def test_every_screen_looks_as_it_did(language: str) -> None:
    assert_golden(language, dict(pictures(language)))


def test_every_view_that_is_made_by_hand_looks_as_it_did() -> None:
    assert_golden(MADE, {name: draw(view) for name, view in VIEWS.items()})


def assert_golden(folder: str, named: Mapping[str, Image.Image]) -> None:
    """Assert that pictures are those of a folder; draw those that are not beside what they were."""
    golden = {file.stem: Image.open(file).convert("L") for file in (GOLDEN / folder).glob("*.png")}
    assert golden.keys() == named.keys()
    changed = [name for name in named if ImageChops.difference(named[name].convert("L"), golden[name]).getbbox()]
    if changed:
        beside = [pair for name in changed for pair in ((f"{name} was", golden[name]), (name, named[name]))]
        (ROOT / "build" / "pictures").mkdir(parents=True, exist_ok=True)
        contact_sheet(beside, 2, scale=2).save(ROOT / "build" / "pictures" / f"{folder}.png")
    assert not changed


def test_there_is_a_folder_for_every_language_and_one_of_made_views_and_no_other() -> None:
    assert {folder.name for folder in GOLDEN.iterdir()} == {*languages(), MADE}


def write_anew() -> None:
    """Write the golden pictures of the current screens."""
    shutil.rmtree(GOLDEN)
    made = {name: draw(view) for name, view in VIEWS.items()}
    for folder, named in {**{each: dict(pictures(each)) for each in languages()}, MADE: made}.items():
        (GOLDEN / folder).mkdir(parents=True)
        for name, picture in named.items():
            picture.convert("1").save(GOLDEN / folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    write_anew()
