"""QR codes: seen on the panel through a simulated camera, drawn on pages; when a question is shown on the wall."""

from __future__ import annotations

import sys
from xml.etree import ElementTree

import pytest
from PIL import ImageChops

from companion.ui.live_page.svg import QUIET_ZONE, pairing_code, pairing_svg
from companion.ui.pictures import pairing_link
from tests.ui.camera import ANGLES, PAIRING, WIFI, panel, read, seen
from tests.ui.test_svg_symbols import painted

LINK = pairing_link("http://192.168.178.123:8080", "MZXW6YTBOI3TAMJSGQZTQNJWG4")


def test_the_code_of_a_link_is_of_version_three_with_a_quiet_zone() -> None:
    code = pairing_code(LINK)
    assert code is not None
    assert code.size == (29 + 2 * QUIET_ZONE,) * 2
    assert code.getbbox() == (QUIET_ZONE, QUIET_ZONE, QUIET_ZONE + 29, QUIET_ZONE + 29)
    assert len(LINK) <= 61


def test_the_svg_draws_the_same_modules_dark_on_white() -> None:
    code = pairing_code(LINK)
    white, dark = ElementTree.fromstring(pairing_svg(LINK))
    assert (white.get("fill"), dark.get("fill")) == ("#fff", "#000")
    assert painted(dark.get("d", ""), (37, 37)) == code
    assert white.get("d") == "M0 0h37v37h-37z"


def test_without_a_link_there_is_no_code() -> None:
    assert pairing_code("") is None
    assert pairing_svg("") == ""


def test_without_segno_there_is_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    assert pairing_svg("HTTP://10.0.0.1/P/A") == ""


@pytest.mark.parametrize("text", [PAIRING, WIFI], ids=["pairing", "wifi"])
@pytest.mark.parametrize(("distance", "blur", "angle"), [(2.2, 0.9, 0), (3.0, 0.4, 1), (4.0, 1.4, 2)])
def test_a_camera_reads_the_code_on_the_panel(text: str, distance: float, blur: float, angle: int) -> None:
    assert read(seen(panel(text), distance, blur, ANGLES[angle])) == text


def test_the_simulated_camera_reads_no_code_without_a_lit_margin() -> None:
    picture = panel(PAIRING)
    picture.paste(0, (0, 0, 7, 64))
    picture.paste(0, (0, 0, 64, 7))
    assert read(seen(picture, 3.0, 0.9, ANGLES[0])) == ""
    assert ImageChops.difference(picture, panel(PAIRING)).getbbox() is not None
