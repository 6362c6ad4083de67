"""The screens for phones on the box: pairing, paired phones, guests, the own Wi-Fi."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.app.box import Box
from companion.app.machine import Feature
from companion.app.machine.phones import ADDRESSES, PhonePairing
from companion.app.outputs import MemoryPanel, Outputs
from companion.core.text import Text
from companion.journal import Journal
from companion.ui.keys import Key
from companion.ui.panel import draw
from companion.ui.pictures import pairing_link, qr_rows
from companion.ui.screens.context import MachineStatus, OnMachine, ScreenContext, Status
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.phones import (
    OwnWifiScreen,
    OwnWifiStatus,
    PairedPhonesScreen,
    Phone,
    PhonesScreen,
    PhonesStatus,
    Role,
    SwitchWifi,
)
from companion.ui.translations import Translator
from companion.ui.view import CodeBody, ListBody, View
from hardware.own_wifi import STARTS, SystemdWifi
from tests.app.boxes import begin, press, run_due, says, view_of
from tests.fakes.clock import FixedClock

ADDRESS = "http://192.168.178.123:8080"
OFF = OwnWifiStatus("Companion-7F3A", "kx4973mqpt")


@pytest.fixture
def pairing() -> PhonePairing:
    return PhonePairing(Journal(), FixedClock(), ADDRESS)


@pytest.fixture
def box(pairing: PhonePairing) -> Box:
    clock = FixedClock()
    return Box(Journal(), Outputs(MemoryPanel(), clock), clock, pairing=pairing)


def box_with(clock: FixedClock, *machine: Feature) -> Box:
    """Return an application that can pair phones, on a machine with some features."""
    pairing = PhonePairing(Journal(), clock, ADDRESS)
    return Box(Journal(), Outputs(MemoryPanel(), clock), clock, pairing=pairing, machine=machine)


def context(*statuses: Status) -> ScreenContext:
    """Return a context with phones and Wi-Fi."""
    return ScreenContext(Translator(), machine=MachineStatus(statuses))


def test_a_box_without_a_page_has_no_row_for_phones() -> None:
    rows = view_of(HomeScreen(), context()).body
    assert isinstance(rows, ListBody)
    assert "Phones" not in [text for text, _value in rows.rows]


def test_home_and_settings_lead_to_the_phones(box: Box) -> None:
    press(box, "3")
    assert "Pair a phone" in says(box)
    press(box, "* 2 3")
    assert "Pair a phone" in says(box)


def test_a_menu_leads_to_the_phones_by_the_settings(box: Box) -> None:
    begin(box)
    press(box, "h#9")
    assert "Phones" in says(box)


def test_pairing_shows_a_code_and_the_pin_until_it_is_left(box: Box, pairing: PhonePairing) -> None:
    press(box, "3 1")
    body = box.view().body
    assert isinstance(body, CodeBody)
    assert body.figure == pairing.status.pin
    assert body.rows == qr_rows(pairing.status.link)
    assert len(body.rows) == 29
    assert "".join(map(str, body.words)) == "192.168.178.123:8080"
    assert box.frame.code
    assert body.figure in says(box)
    press(box, "*")
    assert pairing.status.pin == ""
    assert not box.frame.code


@pytest.mark.parametrize("key", ["#", "h*"])
def test_other_keys_leave_the_pairing_too(box: Box, pairing: PhonePairing, key: str) -> None:
    press(box, f"3 1 {key}")
    assert pairing.status.pin == ""
    assert "Pair a phone" in says(box)


def test_the_code_stays_when_too_many_pins_were_wrong(box: Box, pairing: PhonePairing) -> None:
    press(box, "3 1")
    for number in range(ADDRESSES):
        pairing.claim(f"{(int(pairing.status.pin) + 1) % 1_000_000:06}", "Eve", address=str(number))
    box.show_machine()
    body = box.view().body
    assert isinstance(body, CodeBody)
    assert body.figure == ""
    assert body.rows == qr_rows(pairing.status.link) != ()


@pytest.mark.parametrize("address", ["http://255.255.255.255:65535", "http://tabletop-companion.local:65535"])
def test_the_longest_address_has_room_in_the_code(address: str) -> None:
    assert len(qr_rows(pairing_link(address, "A" * 26))) == 29


def test_a_pin_that_has_been_used_is_replaced_by_a_new_one(box: Box, pairing: PhonePairing) -> None:
    press(box, "3 1")
    first = pairing.status.pin
    pairing.claim(first, "Aki", "Phone 1")
    box.show_machine()
    assert "Aki is in. Next?" in says(box)
    assert pairing.status.pin not in ("", first)
    press(box, "*")
    assert pairing.status.pin == ""


def test_a_paired_phone_is_listed_with_its_role_and_revoked_after_a_question(box: Box, pairing: PhonePairing) -> None:
    press(box, "3 2")
    assert "No phone is paired" in says(box)
    for name in ("Aki", "Bea", "Cyr"):
        pairing.claim(pairing.open(), name, "Phone")
    pairing.choose(Phone(2, "Bea", Role.SCORER), Role.SPECTATOR)
    pairing.choose(Phone(3, "Cyr", Role.SCORER), Role.SEAT, "Cyr")
    box.show_machine()
    assert [line for line in box.frame.words if "scores" in line or "watches" in line]
    press(box, "1")
    assert "End the pairing of Aki?" in says(box)
    press(box, "*1#")
    assert [phone.name for phone in pairing.status.paired] == ["Bea", "Cyr"]
    assert "Aki is no longer paired" in says(box)


def test_a_seats_phone_is_listed_with_the_players_name(box: Box, pairing: PhonePairing) -> None:
    pairing.claim(pairing.open(), "phone", "Phone")
    pairing.choose(Phone(1, "phone", Role.SCORER), Role.SEAT, "Bea", ("Aki", "Bea"))
    box.show_machine()
    press(box, "h#9 3 2")
    assert "Bea" in says(box)


def test_guests_are_allowed_by_one_key_and_the_row_stays_highlighted(box: Box, pairing: PhonePairing) -> None:
    press(box, "3 3")
    assert pairing.guests
    assert "> Guests may watch on" in says(box)
    press(box, "3")
    assert not pairing.guests


def test_the_own_wifi_is_a_row_only_where_the_box_can_have_one() -> None:
    screen = PhonesScreen(before=HomeScreen())
    for statuses, count in (((PhonesStatus(ADDRESS),), 3), ((PhonesStatus(ADDRESS), OFF), 4)):
        body = view_of(screen, context(*statuses)).body
        assert isinstance(body, ListBody)
        assert len(body.rows) == count


def test_the_own_wifi_is_switched_on_and_shows_its_code() -> None:
    screen = OwnWifiScreen(PhonesScreen(before=HomeScreen()))
    contents = screen.show(context(OFF))
    assert contents.press(Key("#")).command == OnMachine(SwitchWifi(True))
    assert contents.press(Key("*")).screen == screen.before
    assert contents.press(Key("*", held=True)).command is not None
    on = screen.show(context(replace(OFF, on=True)))
    body = on.view.body
    assert isinstance(body, CodeBody)
    assert len(body.rows) == 29
    assert "".join(map(str, body.words)) == "Companion-7F3Akx4973mqpt"
    assert on.press(Key("#")).command == OnMachine(SwitchWifi(False))


class FakeWifi(SystemdWifi):
    """A Wi-Fi whose state tests set."""

    def __init__(self, clock: FixedClock) -> None:
        super().__init__(clock)
        self.on = self.real = False

    @property
    def status(self) -> OwnWifiStatus:
        return replace(OFF, on=self.on)

    def look(self) -> None:
        self.on = self.real

    def switch(self, on: bool) -> None:
        self.on = on


def is_on(box: Box) -> bool:
    wifi = box.state.table.machine.get(OwnWifiStatus)
    return wifi is not None and wifi.on


@pytest.mark.parametrize(("starts", "message"), [(True, None), (False, Text("The own Wi-Fi did not start"))])
def test_a_wifi_that_did_not_start_is_told(starts: bool, message: Text | None) -> None:
    clock = FixedClock()
    wifi = feature = FakeWifi(clock)
    box = box_with(clock, feature)
    press(box, "34#")
    assert is_on(box)
    wifi.real = starts
    assert feature.tick() is None
    clock.let_pass(STARTS)
    run_due(box, clock)
    assert box.state.panel.message == message
    assert feature.due is None
    assert is_on(box) is starts


def test_a_list_of_phones_that_is_opened_shows_whether_the_wifi_is_on_now() -> None:
    clock = FixedClock()
    wifi = FakeWifi(clock)
    box = box_with(clock, wifi)
    wifi.real = True
    press(box, "3")
    assert "Own Wi-Fi on" in says(box)


def test_screens_stay_when_the_page_has_ended() -> None:
    screen = PairedPhonesScreen(before=PhonesScreen(before=HomeScreen()))
    assert view_of(screen, context()).question == "* back"


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
