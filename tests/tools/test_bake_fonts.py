"""The font files: in step with what they are baked from."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tools.bake_fonts import FONTS, bake


@pytest.mark.unmeasured
@pytest.mark.skipif(
    not all(map(shutil.which, ("pcf2bdf", "bdftopcf"))) or not Path("/usr/share/fonts/truetype/misaki").exists(),
    reason="needs the fonts and tools of Debian",
)
def test_baking_again_makes_the_same_files(tmp_path: Path) -> None:
    bake(tmp_path)
    for made in tmp_path.iterdir():
        assert made.read_bytes() == (FONTS / made.name).read_bytes(), made.name


def test_the_licences_name_each_font_file_that_is_there() -> None:
    named = re.findall(r"^\S+\.pcf", (FONTS / "LICENSES").read_text("utf-8"), flags=re.MULTILINE)
    assert sorted(named) == sorted(file.name for file in FONTS.glob("*.pcf"))
