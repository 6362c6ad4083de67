"""A club's box: seat call, round clock and call of the director. Without a club none of them is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from companion.app.box import NO_CLUB, Box
from companion.app.bridge_secret import drawn, state_of
from companion.app.inputs import HubNews
from companion.app.machine.club_calls import SETTING, ClubCalls
from companion.app.outputs import MemoryPanel, Outputs, PanelTimeouts
from companion.cli.device import club_features
from companion.core.text import Text
from companion.journal import Journal
from companion.journal.folder import DIRECTOR_CALL, director_call
from companion.ui.club import HubMessage, SeatCall
from companion.ui.keys import KEYPAD, KeyLayout
from hardware.owner_settings import defaults
from tests.app.boxes import ask, begin, new_box, press, run_due, says
from tests.fakes.clock import FixedClock
from tests.waiting import LAST_RESORT
from tests.web.test_evening import simulating

NAMES = ("Dai", "Aki", "Cyr", "Bea")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


def club_box(clock: FixedClock, journal: Journal | None = None, board: KeyLayout = KEYPAD) -> Box:
    journal = journal or Journal()
    outputs = Outputs(MemoryPanel(), clock, timeouts=PanelTimeouts())
    return Box(journal, outputs, clock, board=board, machine=[ClubCalls(journal, clock)])


def called(clock: FixedClock, minutes: float = 0.0, table: int = 7) -> HubMessage:
    return HubMessage(SeatCall(2, table, NAMES, clock.now() + 60 * minutes if minutes else 0.0))


def hear(box: Box, message: HubMessage) -> Text | None:
    answer: Text | None = ask(box, HubNews(message))
    return answer


def wait(box: Box, clock: FixedClock, seconds: float) -> None:
    for _second in range(int(seconds)):
        clock.let_pass(1)
        run_due(box, clock)


@pytest.mark.parametrize("minutes", [-13 * 60.0, 13 * 60.0])
def test_a_box_whose_clock_is_wrong_shows_no_minutes(clock: FixedClock, minutes: float) -> None:
    box = club_box(clock)
    hear(box, called(clock, minutes))
    assert "Table 7, R2 Dai" in says(box)


def test_a_box_whose_clock_is_set_after_the_start_counts_from_then_on(clock: FixedClock) -> None:
    clock.time -= 7 * 86400
    box = begin(club_box(clock))
    hear(box, HubMessage(SeatCall(2, 7, NAMES, clock.now() + 7 * 86400 + 660)))
    assert not box.view().clock
    clock.time += 7 * 86400
    wait(box, clock, 60)
    assert box.words() == "10 minutes left in this round"
    clock.time -= 7 * 86400
    wait(box, clock, 60)
    assert (box.words(), box.view().clock) == (None, "")


def test_home_counts_the_minutes_too(clock: FixedClock) -> None:
    box = club_box(clock)
    hear(box, called(clock, minutes=2))
    assert "2 min" in says(box)
    wait(box, clock, 60)
    assert "1 min" in says(box)
    clock.time -= 60  # it is set back
    wait(box, clock, 60)
    assert "1 min" in says(box)
    press(box, "3")  # the settings, which ask the whole machine
    assert "Settings" in says(box)


def test_the_clock_of_a_bottom_line_takes_room_from_no_question(clock: FixedClock) -> None:
    box = press(begin(club_box(clock)), "1 A3 B9")
    quiet = box.picture.copy()
    hear(box, called(clock, minutes=43))
    assert box.picture != quiet
    press(box, "A4 DB11 9 C5 A7 h* 4C")  # a long question
    before = box.picture.copy()
    hear(box, HubMessage())
    assert box.picture == before


@pytest.mark.parametrize(("keys", "calling"), [("C", "C"), ("h# C", "h# C")])
def test_one_key_calls_the_director_and_ends_the_call(clock: FixedClock, keys: str, calling: str) -> None:
    journal = Journal()
    box = club_box(clock, journal)
    if "#" in keys:
        begin(box)
    press(box, keys)
    assert box.words() == "The table calls the director"
    assert int(journal.setting(DIRECTOR_CALL) or 0) == clock.now()
    press(box, calling)
    assert box.words() == "The table no longer calls the director"
    assert int(journal.setting(DIRECTOR_CALL) or 0) == -clock.now()
    press(box, calling)
    assert int(journal.setting(DIRECTOR_CALL) or 0) == clock.now() + 1  # another call has another number


def test_the_director_s_tick_ends_the_call_it_is_about_and_no_later_one(clock: FixedClock) -> None:
    journal = Journal()
    box = press(club_box(clock, journal), "C")
    number = int(journal.setting(DIRECTOR_CALL) or 0)
    hear(box, HubMessage(attended=number - 1))
    assert "end call" in says(box)
    hear(box, HubMessage(attended=number))
    assert "end call" not in says(box)
    assert box.words() is None  # the message goes with its reason
    press(box, "C")
    hear(box, HubMessage(attended=number))
    assert box.words() == "The table calls the director"


def test_seat_call_and_call_are_there_again_after_a_restart(clock: FixedClock) -> None:
    journal = Journal()
    box = club_box(clock, journal)
    hear(box, called(clock, minutes=30))
    press(box, "C")
    clock.let_pass(600)
    again = says(club_box(clock, journal))
    assert "Table 7, R2 20 min" in again
    assert "C end call" in again
    journal.keep_setting(SETTING, '{"seats":{"table":"of a later version"}}')
    assert "C end call" in says(club_box(clock, journal))


def test_the_bridge_reads_the_call_in_the_journal_s_files(clock: FixedClock, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    assert (director_call(tmp_path / "journal"), director_call(tmp_path / "nowhere")) == (0, 0)
    press(club_box(clock, journal), "C")
    assert director_call(tmp_path / "journal") == clock.now()
    journal.keep_setting(DIRECTOR_CALL, "of a later version")
    assert director_call(tmp_path / "journal") == 0
    journal.close()


def test_a_box_of_no_club_shows_and_takes_nothing_of_it() -> None:
    box = new_box()
    before = says(box)
    assert "belongs to no club" in str(hear(box, HubMessage(SeatCall(1, 1, NAMES))))  # the bridge's log says so
    assert says(box) == before
    assert "director" not in before + says(press(begin(box), "h#"))


@pytest.mark.parametrize(("words", "why"), [(["--club"], ""), ([], NO_CLUB.template)])
def test_the_simulator_is_the_box_of_a_club_if_it_is_told_so(tmp_path: Path, words: list[str], why: str) -> None:
    state = state_of(tmp_path / "data")
    state.mkdir()
    secret = {"Authorization": f"Bearer {drawn(state)}"}
    with simulating(tmp_path / "data", *words) as url:
        answer = httpx.post(f"{url}hub", json={"seats": None, "attended": 0}, headers=secret, timeout=LAST_RESORT)
    assert answer.json() == {"why": why}


def test_without_a_club_nothing_of_it_is_imported_at_the_start() -> None:
    program = "import sys; from companion.app.box import Box; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "companion.ui.screens.home" in modules
    assert not [name for name in modules.split() if name.endswith((".club_calls", ".hub_message", ".club_status"))]


@pytest.mark.parametrize(("club", "page", "features"), [(True, True, 1), (True, False, 0), (False, True, 0)])
def test_a_box_belongs_to_a_club_where_its_settings_say_so_and_its_page_is_served(
    clock: FixedClock, club: bool, page: bool, features: int
) -> None:
    settings = defaults()
    settings = replace(settings, bridge=replace(settings.bridge, club=club), page=replace(settings.page, on=page))
    assert len([*club_features(settings, Journal(), clock)]) == features
