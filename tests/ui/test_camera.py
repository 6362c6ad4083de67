"""Codes on the panel are read by a decoder through a simulated camera."""

from __future__ import annotations

import pytest
from PIL import ImageChops

from tests.ui.camera import ANGLES, PAIRING, WIFI, installed, panel, seen


@pytest.mark.parametrize("text", [PAIRING, WIFI], ids=["pairing", "wifi"])
@pytest.mark.parametrize(("distance", "blur", "angle"), [(2.2, 0.9, 0), (3.0, 0.4, 1), (4.0, 1.4, 2)])
def test_a_camera_reads_the_code_on_the_panel(text: str, distance: float, blur: float, angle: int) -> None:
    decode = installed()["ZXing"]
    assert decode(seen(panel(text), distance, blur, ANGLES[angle])) == text


def test_the_simulated_camera_reads_no_code_without_a_lit_margin() -> None:
    picture = panel(PAIRING)
    picture.paste(0, (0, 0, 7, 64))
    picture.paste(0, (0, 0, 64, 7))
    decode = installed()["ZXing"]
    assert decode(seen(picture, 3.0, 0.9, ANGLES[0])) == ""
    assert ImageChops.difference(picture, panel(PAIRING)).getbbox() is not None
