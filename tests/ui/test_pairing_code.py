"""The QR code that pairs a phone, and when a question is shown on the wall."""

from __future__ import annotations

import sys
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from companion.ui.native_page.pairing_code import QUIET_ZONE, pairing_code, pairing_svg
from companion.ui.native_page.wall_texts import question_shown
from companion.ui.qr_code import pairing_address
from companion.ui.view import ListBody
from tests.ui.test_native_symbols import painted
from tests.web.native_samples import MOMENTS, empty, sample

ADDRESS, PIN = "http://192.168.178.123:8080", "483921"


def test_the_code_of_an_address_and_a_pin_is_of_version_two_with_a_quiet_zone() -> None:
    code = pairing_code(ADDRESS, PIN)
    assert code is not None
    assert code.size == (25 + 2 * QUIET_ZONE,) * 2
    assert code.getbbox() == (QUIET_ZONE, QUIET_ZONE, QUIET_ZONE + 25, QUIET_ZONE + 25)
    assert len(pairing_address(ADDRESS, PIN)) <= 38


def test_the_svg_draws_the_same_modules_dark_on_white() -> None:
    code = pairing_code(ADDRESS, PIN)
    white, dark = ElementTree.fromstring(pairing_svg(ADDRESS, PIN))
    assert (white.get("fill"), dark.get("fill")) == ("#fff", "#000")
    assert painted(dark.get("d", ""), (33, 33)) == code
    assert white.get("d") == "M0 0h33v33h-33z"


@pytest.mark.parametrize(("address", "pin"), [("", PIN), (ADDRESS, "")])
def test_without_address_or_pin_there_is_no_code(address: str, pin: str) -> None:
    assert pairing_code(address, pin) is None
    assert pairing_svg(address, pin) == ""


def test_without_segno_there_is_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    assert pairing_svg("http://10.0.0.1", "000000") == ""


@pytest.mark.parametrize(
    ("text", "begun", "expected"),
    [("Béatrice:", "", ""), ("Béatrice\u202f:", "Sea", "Béatrice"), ("Who takes it?", "", "Who takes it?")],
)
def test_a_question_is_shown_unless_it_only_names_a_player(text: str, begun: str, expected: str) -> None:
    content = sample(MOMENTS[0])
    asked = replace(content, question=replace(content.question, text=text, begun=begun))
    assert question_shown(asked) == expected
    assert question_shown(replace(asked, body=ListBody("Menu", (("a", ""),)))) == ""
    assert question_shown(empty()) == ""
