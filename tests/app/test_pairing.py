"""Pairing of phones: PINs, secrets, roles, and what the panel and the journal have of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from companion.app.box import Box
from companion.app.inputs import ChooseRole, ClaimPairing, Look, Notice, PageRequest, Tap, TypedAnswer
from companion.app.loop import Inbox, Stop, run
from companion.app.machine.phones import (
    ADDRESSES,
    HOSTED,
    LOOK_EVERY,
    MOST,
    OPEN_FOR,
    REPEATS,
    SETTING,
    TRIES,
    PhonePairing,
    hash_of,
    new_seats,
)
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.state import PANEL
from companion.app.step import TOO_LATE
from companion.core.text import Seat, Text
from companion.journal import Journal
from companion.ui.screens.phones import (
    THIS_COMPUTER,
    AllowGuests,
    OpenPairing,
    Phone,
    PhonesStatus,
    RenamePlayers,
    RevokePhone,
    Role,
    people_at_hand,
    seat_of,
)
from companion.ui.view import CodeBody
from companion.web.page_mirror import PageMirror
from tests import raised_errors
from tests.app.boxes import FOUR, ask, begin, key_of, press, says, tap
from tests.app.test_loop import Evening
from tests.fakes.clock import FixedClock

ADDRESS = "http://192.168.1.7:8080"


class Table:
    """A box on which phones can be paired."""

    def __init__(self, journal: Journal | None = None) -> None:
        self.clock = FixedClock()
        self.journal = journal or Journal()
        self.pairing = PhonePairing(self.journal, self.clock, ADDRESS)
        self.box = Box(self.journal, Outputs(MemoryPanel(), self.clock), self.clock, pairing=self.pairing)
        self.answers: list[str | Text | None] = []

    @property
    def phones(self) -> PhonesStatus:
        shown = self.box.state.table.machine.get(PhonesStatus)
        assert shown is not None
        return shown

    @property
    def token(self) -> str:
        return self.pairing.status.link.rpartition("/")[2]

    def claim(self, code: str, name: str = "Aki", address: str = "192.168.1.20") -> str | Text | None:
        self.box.pages.serve(PageRequest(ClaimPairing(code, name, address), None, self.answers.append))
        return self.answers[-1]

    def paired(self, name: str = "Aki") -> str:
        secret = self.pairing.claim(self.pairing.open(), name)
        assert isinstance(secret, str)
        return secret


def wrong(pin: str) -> str:
    return f"{(int(pin) + 1) % 1_000_000:06}"


# the PIN


def test_a_pin_has_six_digits_and_the_next_is_another() -> None:
    pairing = Table().pairing
    pins = {pairing.open() for _ in range(20)}
    assert all(len(pin) == 6 and pin.isdecimal() and pin.isascii() for pin in pins)
    assert len(pins) > 15


@pytest.mark.parametrize("typed", ["{}", " {} ", "{:.3} {:.3}"])
def test_a_right_pin_pairs_a_phone(typed: str) -> None:
    table = Table()
    pin = table.pairing.open()
    typed = f"{pin[:3]} {pin[3:]}" if ":" in typed else typed.format(pin)
    secret = table.claim(typed)
    assert isinstance(secret, str)
    assert len(secret) >= 43
    assert table.pairing.phone_with(secret) == Phone(1, "Aki", Role.SCORER, "Aki", chosen=False)
    assert table.phones == PhonesStatus(ADDRESS, (Phone(1, "Aki", Role.SCORER, "Aki", chosen=False),))
    assert says(table.box).startswith("Paired: Aki")


def test_digits_of_a_japanese_keyboard_are_digits() -> None:
    table = Table()
    pin = table.pairing.open()
    assert isinstance(table.claim(pin.translate({ord("0") + n: chr(0xFF10 + n) for n in range(10)})), str)


def test_a_pin_is_used_once() -> None:
    table = Table()
    pin = table.pairing.open()
    assert isinstance(table.claim(pin), str)
    assert isinstance(table.claim(pin), Text)
    assert table.phones.link == ""
    assert len(table.phones.paired) == 1


def test_a_claim_without_an_open_pairing_is_refused() -> None:
    table = Table()
    assert table.claim("000000") == Text("No pairing is open. Open one at the table: Settings, Phones")


@pytest.mark.parametrize("typed", ["", "1", "abcdef", "٤٨٣٩٢١", "\0", "\ud800", "9" * 1000])
def test_what_is_not_six_digits_counts_for_nothing(typed: str) -> None:
    table = Table()
    pin = table.pairing.open()
    for _ in range(2 * TRIES):
        assert table.claim(typed) == Text("A PIN has six digits")
    assert isinstance(table.claim(pin), str)


def test_five_wrong_pins_of_an_address_end_its_tries_and_those_of_no_other() -> None:
    table = Table()
    pin = table.pairing.open()
    said = [table.claim(wrong(pin)) for _ in range(TRIES)]
    assert [text.args.get("count") for text in said if isinstance(text, Text)] == [4, 3, 2, 1, None]
    assert table.claim(pin) == Text("Too many wrong PINs. Open another pairing at the table: Settings, Phones")
    assert isinstance(table.claim(pin, address="192.168.1.21"), str)


def test_a_whole_network_that_guesses_leaves_a_try_to_a_phone_that_comes_last() -> None:
    table = Table()
    pin = table.pairing.open()
    for _ in range(TRIES):
        for number in range(254):
            assert isinstance(table.claim(wrong(pin), address=f"10.77.1.{number}"), Text)
    assert isinstance(table.claim(pin), str)


def test_a_pin_is_tried_three_hundred_times_at_most_and_then_only_the_code_pairs() -> None:
    table = Table()
    pin, token = table.pairing.open(), table.token
    for number in range(2 * ADDRESSES):
        for _ in range(TRIES):
            assert isinstance(table.claim(wrong(pin), address=f"fe80::{number:x}"), Text)
    opened = table.pairing.pin
    assert opened is not None
    assert sum(opened.wrong.values()) == ADDRESSES + REPEATS == 300
    assert table.phones.pin == ""
    assert says(table.box).startswith("Too many wrong PINs. Scan the code, or show a new PIN")
    assert isinstance(table.claim(pin, address="fe80::ffff"), Text)
    assert isinstance(table.claim(token, address="fe80::1"), str)


def test_the_token_of_the_link_has_128_bits_and_is_used_once() -> None:
    table = Table()
    tokens = set()
    for _ in range(20):
        table.pairing.open()
        tokens.add(table.token)
    assert len(tokens) == 20
    assert all(re.fullmatch("[A-Z2-7]{26}", token) for token in tokens)
    assert table.pairing.status.link == f"{ADDRESS}/p/{table.token}".upper()
    token = table.token
    assert isinstance(table.claim(token.lower()), str)
    assert isinstance(table.claim(token), Text)
    assert table.phones.link == ""


def test_a_link_works_after_any_number_of_wrong_pins_and_ends_with_its_pin() -> None:
    table = Table()
    pin = table.pairing.open()
    for _ in range(2 * TRIES):
        table.claim(wrong(pin))
    assert isinstance(table.claim(table.token), str)
    table.pairing.open()
    token = table.token
    table.clock.let_pass(OPEN_FOR)
    assert isinstance(table.claim(token), Text)
    assert table.phones.link == ""


def test_wrong_pins_are_not_counted_against_the_next_pairing() -> None:
    table = Table()
    for _ in range(3):
        pin = table.pairing.open()
        for _ in range(TRIES - 1):
            assert isinstance(table.claim(wrong(pin)), Text)
    assert isinstance(table.claim(pin), str)


def test_a_pin_ends_after_two_minutes() -> None:
    table = Table()
    pin = table.pairing.open()
    table.clock.let_pass(OPEN_FOR - 0.1)
    assert table.pairing.invites(table.token)
    table.clock.let_pass(0.1)
    assert isinstance(table.claim(pin), Text)


def test_the_next_pin_is_shown_by_itself_while_somebody_looks_at_it_for_a_while() -> None:
    table = Table()
    table.pairing.do(OpenPairing())
    seen = set()
    for _ in range(int(HOSTED / OPEN_FOR)):
        seen.add(table.pairing.status.pin)
        table.clock.let_pass(OPEN_FOR)
        assert table.pairing.tick() is not None
    assert len(seen) > 5
    assert table.pairing.status.pin == ""


def test_a_new_pin_makes_the_old_one_useless() -> None:
    table = Table()
    old, new = table.pairing.open(), table.pairing.open()
    assert isinstance(table.claim(old), Text) or old == new
    assert isinstance(table.claim(new), str)


def test_the_screens_learn_that_a_pin_has_ended_and_nothing_else_wakes_the_loop() -> None:
    table = Table()
    quiet = Evening(table.clock, [], end=3600)
    run(table.box, quiet, table.clock)
    table.pairing.open()
    table.box.show_machine()
    assert len(table.phones.pin) == 6
    evening = Evening(table.clock, [], end=table.clock.run + 3600)
    run(table.box, evening, table.clock)
    assert table.phones.pin == ""
    assert evening.wakes <= 3


def test_code_and_address_appear_when_a_network_comes() -> None:
    addresses = ["http://127.0.0.1:8080"]
    clock, journal = FixedClock(), Journal()
    pairing = PhonePairing(journal, clock, lambda: addresses[-1])
    mirror = PageMirror()
    box = Box(journal, Outputs(MemoryPanel(), clock, page=mirror), clock, pairing=pairing)
    pairing.open(600)
    box.show_machine()
    press(box, "3 1")
    assert "A phone can join once there is a network" in " ".join(box.frame.words)
    task = next(task for task in box.tasks if task.due == LOOK_EVERY)
    clock.let_pass(LOOK_EVERY)
    task.tick()
    assert not isinstance(box.view().body, CodeBody)
    addresses.append("http://192.168.1.7:8080")
    clock.let_pass(LOOK_EVERY)
    task.tick()
    assert isinstance(box.view().body, CodeBody)
    assert pairing.due == pairing.pin.ends  # type: ignore[union-attr]


# paired phones


def test_of_a_secret_only_the_hash_is_kept() -> None:
    table = Table()
    secret = table.paired()
    kept = table.journal.setting(SETTING)
    assert kept is not None
    assert secret not in kept
    assert '"hash":"' in kept


def test_paired_phones_outlast_a_restart_but_a_pin_does_not(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    table = Table(journal)
    one, other = table.paired("Aki"), table.paired("はるな")
    table.pairing.choose(Phone(2, "はるな", Role.SCORER), Role.SEAT, "はるな")
    table.pairing.do(AllowGuests(True))
    table.pairing.open()
    journal.close()
    again = Table(Journal(tmp_path))
    assert again.pairing.phone_with(one) == Phone(1, "Aki", Role.SCORER, "Aki", chosen=False)
    assert again.pairing.phone_with(other) == Phone(2, "はるな", Role.SEAT, "はるな")
    assert again.pairing.guests
    assert again.phones.pin == ""
    assert again.phones.paired == (
        Phone(1, "Aki", Role.SCORER, "Aki", chosen=False),
        Phone(2, "はるな", Role.SEAT, "はるな"),
    )
    again.journal.close()


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"phones": 1}', '{"phones": [{"number": 1}], "guests": true}'])
def test_a_damaged_list_of_phones_lets_nobody_in(kept: str) -> None:
    journal = Journal()
    journal.keep_setting(SETTING, kept)
    assert Table(journal).phones == PhonesStatus(ADDRESS)


def test_a_revoked_phone_is_unknown_and_no_other_gets_its_number() -> None:
    table = Table()
    first, second = table.paired("Aki"), table.paired("Bea")
    table.pairing.do(RevokePhone(1))
    assert table.pairing.phone_with(first) is None
    assert table.pairing.phone_with(second) == Phone(2, "Bea", Role.SCORER, "Bea", chosen=False)
    third = table.paired("Cyr")
    assert table.pairing.phone_with(third) == Phone(3, "Cyr", Role.SCORER, "Cyr", chosen=False)
    assert [phone.name for phone in table.pairing.status.paired] == ["Bea", "Cyr"]
    assert table.pairing.phone_with(first) is None


def test_a_pairing_that_is_hosted_shows_the_next_pin_once_a_phone_has_joined() -> None:
    table = Table()
    first = table.pairing.host(600)
    assert isinstance(table.claim(first, "Aki"), str)
    assert table.pairing.status.joined == "Aki"
    assert table.pairing.status.pin not in ("", first)
    assert isinstance(table.claim(table.pairing.status.pin, "Bea"), str)


def test_the_pin_that_is_shown_already_stays_until_a_new_one_is_asked_for() -> None:
    pairing = Table().pairing
    pairing.do(OpenPairing())
    first = pairing.status.pin
    pairing.do(OpenPairing())
    assert pairing.status.pin == first
    pairing.do(OpenPairing(anew=True))
    assert pairing.status.pin not in ("", first)


def test_a_revoked_phone_chooses_no_role() -> None:
    table = Table()
    phone = table.pairing.phone_with(table.paired())
    assert phone is not None
    table.pairing.do(RevokePhone(1))
    assert table.pairing.choose(phone, Role.SPECTATOR) == Text("Only a paired phone has a role")


def test_the_seventeenth_phone_is_refused_and_the_pin_stays() -> None:
    table = Table()
    for number in range(MOST):
        table.paired(f"Aki {number}")
    pin = table.pairing.open()
    refusal = Text("{count} phones are paired already. Remove one at the table: Settings, Phones", count=16)
    assert table.claim(pin) == refusal
    table.pairing.do(RevokePhone(7))
    assert isinstance(table.claim(pin), str)
    assert table.pairing.status.paired[-1].name == "Aki"


def test_a_television_is_no_player_and_need_not_say_who_holds_it() -> None:
    table = Table()
    secret = table.pairing.claim(table.pairing.open(), "Television", role=Role.SPECTATOR)
    assert table.pairing.phone_with(str(secret)) == Phone(1, "Television", Role.SPECTATOR)
    table.paired("Aki")
    table.box.show_machine()
    assert people_at_hand(table.box.state.table) == ("Aki",)


@pytest.mark.parametrize("role", [Role.SCORER, Role.SPECTATOR])
def test_who_has_joined_may_be_seated_whatever_their_phone_does_until_it_is_handed_on(role: Role) -> None:
    table = Table()
    secret = table.paired("Eve")
    phone = table.pairing.phone_with(secret)
    assert phone is not None
    table.pairing.choose(phone, role)
    table.box.show_machine()
    assert people_at_hand(table.box.state.table) == ("Eve",)
    table.pairing.do(RenamePlayers(("Eve",), ("Eva",)))
    table.box.show_machine()
    assert people_at_hand(table.box.state.table) == ("Eva",)
    table.pairing.choose(phone, Role.SEAT, "Aki", ("Aki", "Bea"))
    table.box.show_machine()
    assert people_at_hand(table.box.state.table) == ("Aki",)


def test_a_phone_that_was_paired_by_an_earlier_version_is_not_asked_who_holds_it() -> None:
    journal = Journal()
    kept = {"number": 1, "name": "Aki", "hash": hash_of("secret"), "role": "scorer", "person": "Aki"}
    journal.keep_setting("phones", json.dumps({"phones": [kept]}))
    assert PhonePairing(journal, FixedClock(), ADDRESS).phone_with("secret") == Phone(1, "Aki", Role.SCORER, "Aki")


@pytest.mark.parametrize("name", ["A" * 21, "\u202e", "a\u0000b", "new\nline"])
def test_a_name_that_cannot_be_shown_is_refused_and_the_pin_stays(name: str) -> None:
    table = Table()
    pin = table.pairing.open()
    assert isinstance(table.claim(pin, name), Text)
    assert isinstance(table.claim(pin, "Aki"), str)


@pytest.mark.parametrize("name", ["", "  "])
def test_a_phone_without_a_name_is_called_by_its_number(name: str) -> None:
    table = Table()
    table.claim(table.pairing.open(), name)
    assert [phone.name for phone in table.phones.paired] == ["Phone 1"]
    assert says(table.box).startswith("Paired: Phone 1")


@pytest.mark.parametrize(
    ("role", "person", "taken"),
    [
        (Role.SCORER, "", True),
        (Role.SPECTATOR, "", True),
        (Role.SEAT, "Bea", True),
        (Role.SEAT, "Aki", True),
        (Role.SEAT, "", False),
        (Role.SEAT, "Zoë", False),  # who does not play
    ],
)
def test_a_phone_says_who_it_is(role: Role, person: str, taken: bool) -> None:
    table = Table()
    begin(table.box)
    secret = table.paired()
    phone = table.pairing.phone_with(secret)
    assert phone is not None
    table.answers.append(ask(table.box, ChooseRole(role, person), phone))
    assert table.answers == [None if taken else Text("Choose who you are")]
    assert table.pairing.phone_with(secret) == (Phone(1, "Aki", role, person or "Aki") if taken else phone)
    if taken:
        assert table.phones.paired == (Phone(1, "Aki", role, person or "Aki"),)


@pytest.mark.parametrize(
    ("players", "told"),
    [
        (("Dai", "Cyr", "Bea", "Aki"), None),
        (("Cyr", "Dai", "Bea", "Aki"), Text("{player} is asked", player=Seat(0))),
        (("Cyr", "Bea", "Aki", "Eve"), Text("You do not play in this game")),  # Dai does not play
    ],
)
def test_a_phone_follows_its_person_into_the_next_game(players: tuple[str, ...], told: Text | None) -> None:
    table = Table()
    begin(table.box)
    phone = table.pairing.phone_with(table.paired("My phone")) or THIS_COMPUTER
    table.answers.append(ask(table.box, ChooseRole(Role.SEAT, "Dai"), phone))
    press(begin(table.box, players), "1 A3 B9")
    table.answers.append(tap(table.box, "sea-5", phone))
    assert table.answers == [None, told]


def test_phones_kept_with_the_number_of_a_seat_stay_paired_and_are_nobodys() -> None:
    journal = Journal()
    kept = {"number": 1, "name": "Aki", "hash": hash_of("secret"), "role": "seat", "seat": 2}
    journal.keep_setting(SETTING, json.dumps({"phones": [kept], "guests": False, "numbers": 1}))
    assert Table(journal).pairing.phone_with("secret") == Phone(1, "Aki", Role.SEAT)


@pytest.mark.parametrize(
    ("names", "seats"),
    [
        ("Cyr Bea Aki Dai", [2, 1, 0, 3]),
        ("Bea Cyr Aki Dai", [2, 0, 1, 3]),
        ("Akiko Bea Cyr Dai", [0, 1, 2, 3]),  # a name corrected
        ("Bea Akiko Cyr Dai", [1, 0, 2, 3]),  # and two swapped
        ("Bea Cyr Dai Eve", [3, 0, 1, 2]),
    ],
)
def test_every_person_has_one_seat_when_names_move_and_the_way_back_is_the_same(names: str, seats: list[int]) -> None:
    moved = new_seats(FOUR, tuple(names.split()))
    assert moved == dict(enumerate(seats))
    assert new_seats(tuple(names.split()), FOUR) == {now: seat for seat, now in moved.items()}


def test_a_phone_follows_its_person_when_players_are_swapped_and_with_undo_and_redo() -> None:
    table = Table()
    begin(table.box)
    roles = {"Aki": (Role.SEAT, "Aki"), "Bea": (Role.SEAT, "Bea"), "Zoë": (Role.SPECTATOR, "")}
    phones = {name: table.pairing.phone_with(table.paired(name)) or THIS_COMPUTER for name in roles}
    for name, (role, person) in roles.items():
        table.answers.append(ask(table.box, ChooseRole(role, person), phones[name]))
    table.answers.clear()

    def seated() -> list[int | None]:
        assert PhonePairing(table.journal, table.clock, ADDRESS).status.paired == table.pairing.status.paired
        return [seat_of(phone.person, table.box.state.table.words.players) for phone in table.pairing.status.paired]

    for keys, seats in (("h# 0 4 1 #", [1, 0, None]), ("*", [0, 1, None]), ("h# 4", [1, 0, None])):
        press(table.box, keys)
        assert seated() == seats
    press(table.box, "h# 0 2 2")
    table.box.take(PANEL, TypedAnswer("Eva"))
    for keys, seats in (("#", [None, 0, None]), ("*", [1, 0, None])):  # who plays on is not the one who has left
        press(table.box, keys)
        assert seated() == seats
    press(table.box, "1 A3 B9")
    for name in ("Aki", "Bea"):  # Bea, who is on the first seat now, leads
        table.answers.append(tap(table.box, "sea-5", phones[name]))
    assert table.answers == [Text("{player} is asked", player=Seat(0)), None]


def test_a_phone_follows_a_person_who_is_renamed() -> None:
    table = Table()
    begin(table.box)
    phone = table.pairing.phone_with(table.paired("My phone")) or THIS_COMPUTER
    table.answers.append(ask(table.box, ChooseRole(Role.SEAT, "Dai"), phone))
    for old, new in (("Dai", "Daisy"), ("Daisy", "Daisy D.")):
        press(table.box, "h#")
        for row in ("Settings", "Names", old, "Rename"):
            press(table.box, key_of(table.box, row))
        table.box.take(PANEL, TypedAnswer(new))
        press(table.box, "h*")
        # the second time the game is not on the table any more
        assert table.pairing.status.paired == (Phone(1, "My phone", Role.SEAT, "Daisy"),)
    begin(table.box, ("Daisy D.", "Bea", "Cyr", "Aki"))
    assert table.pairing.status.paired == (Phone(1, "My phone", Role.SEAT, "Daisy D."),)


def test_a_browser_on_this_computer_has_no_role_to_choose() -> None:
    table = Table()
    table.answers.append(ask(table.box, ChooseRole(Role.SPECTATOR, ""), Phone(0, "", Role.SCORER)))
    assert table.answers == [Text("Only a paired phone has a role")]


def test_every_change_is_told_to_listeners() -> None:
    table, told = Table(), []
    with table.pairing.listening(lambda: told.append((table.pairing.pin, table.pairing.phones))):
        table.paired()
        table.pairing.do(AllowGuests(True))
        table.pairing.do(RevokePhone(1))
    table.pairing.do(AllowGuests(False))
    assert [(pin is not None, phones.guests, len(phones.phones)) for pin, phones in told] == [
        (True, False, 0),
        (False, False, 1),
        (False, True, 1),
        (False, True, 0),
    ]


def test_the_address_is_asked_for_anew() -> None:
    addresses = iter(["http://127.0.0.1:8080", "http://192.168.1.7:8080"])
    pairing = PhonePairing(Journal(), FixedClock(), lambda: next(addresses))
    assert [pairing.status.address for _ in range(2)] == ["http://127.0.0.1:8080", "http://192.168.1.7:8080"]


# requests on their way


def test_without_a_page_nobody_is_paired() -> None:
    clock, answers = FixedClock(), list[object]()
    box = Box(Journal(), Outputs(MemoryPanel(), clock), clock)
    assert box.state.table.machine.get(PhonesStatus) is None
    answers.append(ask(box, ClaimPairing("123456", "Aki", "")))
    answers.append(ask(box, ChooseRole(Role.SCORER, ""), Phone(1, "Aki", Role.SCORER)))
    box.show_machine()
    assert answers == [Text("No phone can be paired here")] * 2


def test_a_request_that_fails_is_answered_all_the_same() -> None:
    table = Table()
    pin, phone = table.pairing.open(), Phone(1, "Aki", Role.SCORER)

    def fail(*_: object) -> None:
        raise RuntimeError

    table.pairing.claim = table.pairing.choose = fail  # type: ignore[method-assign, assignment]
    with raised_errors.expected() as logged:
        table.claim(pin)
        table.answers.append(ask(table.box, ChooseRole(Role.SCORER, ""), phone))
    assert logged
    assert table.answers == [Text("Something went wrong; nothing was lost")] * 2


def test_a_pin_that_has_run_out_meanwhile_was_not_guessed_wrong() -> None:
    table = Table()
    pin = table.pairing.open()
    table.clock.let_pass(OPEN_FOR)
    assert isinstance(table.claim(pin), Text)
    assert table.box.state.panel.message is None
    assert table.phones.pin == ""


def test_a_tap_of_a_phone_revoked_meanwhile_does_not_count() -> None:
    table = Table()
    phone = table.pairing.phone_with(table.paired())
    assert phone is not None
    table.pairing.do(RevokePhone(phone.number))
    table.answers.append(tap(table.box, "row 1", phone))
    assert table.answers == [Text("This phone is no longer paired with the table")]


def looking() -> Table:
    """Return a table with a game, at which a paired phone looks."""
    table = Table()
    phone = table.pairing.phone_with(table.paired())
    begin(table.box)
    table.box.pages.serve(PageRequest(Look("en"), phone, table.answers.append))
    return table


def test_a_phone_whose_pairing_has_ended_keeps_no_game_on_the_table() -> None:
    table = looking()
    table.box.take(PANEL, RevokePhone(1))
    press(table.box, "h* h*")
    assert table.box.game is None
    assert table.journal.open_game() is None


def test_news_reach_the_panel_after_a_phone_has_ended_its_own_pairing() -> None:
    table = looking()
    table.box.take(1, RevokePhone(1))
    table.box.show_machine(Notice(Text("Backup written")))
    assert says(table.box).startswith("Backup written")


@pytest.mark.parametrize("letter", ["x" * 500, "\x00", "", "ab"])
def test_a_phone_chooses_no_letter_that_the_alphabet_lacks(letter: str) -> None:
    table = Table()
    press(table.box, "1 1 C")
    scorer = Phone(0, "", Role.SCORER)
    table.answers.append(tap(table.box, f"letter {letter}", scorer))
    assert table.answers == [Text("This cannot be chosen now")]
    assert table.box.state.panel.message is None


def test_requests_reach_the_box_through_the_queue_of_the_page() -> None:
    table = Table()
    pin = table.pairing.open()
    inbox, phone = Inbox(), Phone(1, "Aki", Role.SCORER)
    requests = (
        (ClaimPairing(pin, "Aki", ""), None),
        (Look("en"), phone),
        (Tap(0, "h#"), phone),
        (ChooseRole(Role.SPECTATOR, ""), phone),
    )
    assert all(inbox.put_of_page(PageRequest(asked, who, table.answers.append)) for asked, who in requests)
    inbox.put(Stop())
    run(table.box, inbox, table.clock)
    assert isinstance(table.answers[0], str)
    assert table.answers[1:] == [None, TOO_LATE, None]
    assert table.phones.paired == (Phone(1, "Aki", Role.SPECTATOR, "Aki"),)


def test_a_browser_on_this_computer_that_opened_the_link_is_let_in_after_the_next_starts_too() -> None:
    table = Table()
    secret = table.pairing.own_secret
    table.pairing.keep_own()
    for _ in range(3):
        assert table.pairing.phone_with(secret) == THIS_COMPUTER
        table = Table(table.journal)
        table.pairing.keep_own()
    assert table.pairing.phone_with(secret) == THIS_COMPUTER
    table.pairing.keep_own()
    assert table.pairing.phone_with(secret) is None
    assert secret not in (table.journal.setting("phones") or "")
