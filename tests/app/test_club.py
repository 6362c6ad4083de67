"""A club's box: seat call, round clock and call of the director. Without a club none of them is there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from companion.app.box import NO_CLUB, Box
from companion.app.bridge_secret import drawn, state_of
from companion.app.machine.club_calls import SETTING, ClubCalls
from companion.app.managed_panel import PanelTimeouts
from companion.app.memory_panel import MemoryPanel
from companion.app.output_devices import Outputs
from companion.app.request_types import HubNews
from companion.cli.device import club_features
from companion.core.text import Text
from companion.journal import Journal
from companion.journal.folder import DIRECTOR_CALL, director_call
from companion.ui.hub_message import HubMessage, SeatCall
from companion.ui.keys import BUTTONS, KEYPAD, KeyLayout
from companion.ui.screens.setup import RulesScreen
from hardware.owner_settings import defaults
from tests.app.boxes import FOUR, begin, hush, new_box, page_of, press, run_due, says, written
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
    answers: list[Text | None] = []
    box.pages.serve(HubNews(message, answers.append))
    return answers[0]


def wait(box: Box, clock: FixedClock, seconds: float) -> None:
    for _second in range(int(seconds)):
        clock.let_pass(1)
        run_due(box, clock)


def test_home_shows_the_table_and_who_sits_there_on_panel_and_page(clock: FixedClock) -> None:
    box = club_box(clock)
    assert "Table 7" not in says(box)
    assert hear(box, called(clock)) is None
    assert "> Table 7, R2 Dai·Aki·Cyr·Bea" in says(box)
    assert page_of(box).actions[0].label == "Table 7, R2"
    hear(box, HubMessage())
    assert "Table 7" not in says(box)


def test_a_new_game_is_set_up_with_the_called_seats_by_one_key(clock: FixedClock) -> None:
    box = club_box(clock)
    hear(box, called(clock))
    press(box, "2 1")  # a new game, of Eternity
    assert "> Dai·Aki·Cyr·Bea" in says(box)
    press(box, "1")
    assert isinstance(box._state.screen, RulesScreen)
    press(box, "#")
    assert box.game is not None
    assert box.game.session.header.players == NAMES


def test_the_called_seats_are_not_proposed_for_a_game_of_another_size(clock: FixedClock) -> None:
    box = club_box(clock)
    hear(box, called(clock))
    press(box, "1 3")  # Hipparchus, for two
    assert "Dai·Aki" not in says(box)


def test_a_seat_call_wakes_the_panel_once_but_interrupts_no_game(clock: FixedClock) -> None:
    box = club_box(clock)
    wait(box, clock, 3600)
    slept = box.outputs.asleep
    hear(box, called(clock))
    assert (slept, box.outputs.asleep) == (True, False)
    wait(box, clock, 3600)
    hear(box, called(clock))  # the broker sends it again
    assert box.outputs.asleep
    hear(box, called(clock, minutes=50))  # the director gives more minutes
    assert box.outputs.asleep
    begin(box)
    shown = says(box)
    hear(box, called(clock, table=3))
    assert (says(box), box.message) == (shown, None)


def test_after_the_end_of_a_game_the_next_table_is_told(clock: FixedClock) -> None:
    journal, header = Journal(), json.dumps({"format": 1, "game": "eternity", "players": FOUR, "rules": {}})
    rounds = ['{"type":"round","tricks":[3,2,5,0],"trees":[3,2,4,1],"last":2}'] * 3
    journal.set_open_game(written(journal, header, *rounds))
    box = club_box(clock, journal)
    assert box.game is not None
    assert box.game.over
    hear(box, called(clock))
    assert box.words() == "Table 7, round 2"


def test_the_minutes_of_the_round_are_counted_and_the_last_are_told(clock: FixedClock) -> None:
    box = begin(club_box(clock))
    hear(box, called(clock, minutes=11.5))
    assert box.view().clock == "12'"
    told = []
    for _second in range(800):
        wait(box, clock, 1)
        if box.words() is not None:
            told.append((box.words(), 690 - (_second + 1)))
            hush(box)
    assert told == [
        ("10 minutes left in this round", 600),
        ("5 minutes left in this round", 300),
        ("The time of this round is over", 0),
    ]
    assert box.view().clock == "0'"
    assert box.machine.features[0].due is None


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
    box = begin(club_box(clock))
    quiet = box.picture.copy()
    hear(box, called(clock, minutes=43))
    assert box.picture != quiet
    press(box, "1 A3 B9 A4 DB11 9 C5 A7 h* 4C")  # a long question
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


def test_messages_about_the_clock_and_the_seats_go_when_the_hub_says_otherwise(clock: FixedClock) -> None:
    box = press(begin(club_box(clock)), "0")
    kept = box.words()
    hear(box, called(clock, minutes=10.5))
    assert box.words() == kept  # it is not about the club
    wait(box, clock, 60)
    assert box.words() == "10 minutes left in this round"
    hear(box, called(clock, minutes=30))
    assert box.words() is None
    hear(box, called(clock, minutes=0.5))
    wait(box, clock, 30)
    assert box.words() == "The time of this round is over"
    hear(box, HubMessage())
    assert box.words() is None


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


def test_boards_with_few_keys_and_phones_have_an_entry_that_calls(clock: FixedClock) -> None:
    box = press(begin(club_box(clock, board=BUTTONS)), "h#")
    assert [group.label for group in box.ring.groups].count("call the director") == 1
    assert "call the director" in [action.label for action in page_of(box).actions]


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
