"""The codes that the screens for phones show, beside `phones.txt`."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.app.machine.phones import ADDRESSES, PhonePairing
from companion.app.outputs import MemoryPanel, Outputs
from companion.journal import Journal
from companion.ui.panel import draw
from companion.ui.pictures import pairing_link, qr_rows
from companion.ui.screens.context import ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.phones import PairedPhonesScreen, PhonesScreen
from companion.ui.translations import Translator
from companion.ui.view import CodeBody, View
from tests.app.boxes import press, view_of
from tests.fakes.clock import FixedClock


def test_the_code_is_that_of_the_link_and_stays_when_too_many_pins_were_wrong() -> None:
    clock, journal = FixedClock(), Journal()
    pairing = PhonePairing(journal, clock, "http://192.168.178.123:8080")
    box = press(Box(journal, Outputs(MemoryPanel(), clock), clock, pairing=pairing), "3 1")
    body = box.view().body
    assert isinstance(body, CodeBody)
    assert body.rows == qr_rows(pairing.status.link) != ()
    assert box.frame.code
    for number in range(ADDRESSES):
        pairing.claim(f"{(int(pairing.status.pin) + 1) % 1_000_000:06}", "Eve", address=str(number))
    box.show_machine()
    after = box.view().body
    assert isinstance(after, CodeBody)
    assert (after.figure, after.rows) == ("", body.rows)
    assert not press(box, "*").frame.code


@pytest.mark.parametrize("address", ["http://255.255.255.255:65535", "http://tabletop-companion.local:65535"])
def test_the_longest_address_has_room_in_the_code(address: str) -> None:
    assert len(qr_rows(pairing_link(address, "A" * 26))) == 29


def test_screens_stay_when_the_page_has_ended() -> None:
    screen = PairedPhonesScreen(before=PhonesScreen(before=HomeScreen()))
    assert view_of(screen, ScreenContext(Translator())).question == "* back"


@pytest.mark.parametrize("text", ["", "x" * 200])
def test_a_text_without_room_on_the_panel_has_no_code(text: str) -> None:
    assert qr_rows(text) == ()


def test_a_code_without_its_library_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "segno", None)
    assert qr_rows("HTTP://192.168.1.9:8080/P/000002") == ()


def test_a_code_without_rows_is_drawn_as_words_and_a_message_covers_a_code() -> None:
    words = draw(View(CodeBody("Own Wi-Fi", (), ("Companion-7F3A",)), "* back"))
    rows = qr_rows("HTTP://192.168.1.9:8080/P/000001")
    code = draw(View(CodeBody("Own Wi-Fi", rows, ("Companion-7F3A",)), "* back"))
    told = draw(View(CodeBody("Own Wi-Fi", rows, ("Companion-7F3A",)), "* back", notice=("Paired: Aki",)))
    assert code.getpixel((1, 1)) == 255
    assert words.getpixel((1, 63)) == told.getpixel((1, 63)) == 255
    assert len({words.tobytes(), code.tobytes(), told.tobytes()}) == 3
