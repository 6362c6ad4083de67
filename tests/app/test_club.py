"""A club's box beside `club.txt`: the call of the director in the journal, and a box without a club."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from msgspec import structs

from companion.app.box import Box
from companion.app.inputs import HubNews
from companion.app.machine.club_calls import SETTING, ClubCalls
from companion.app.outputs import MemoryPanel, Outputs
from companion.journal import Journal
from companion.journal.folder import DIRECTOR_CALL, director_call
from companion.ui.club import HubMessage, SeatCall, minutes_left
from companion.ui.screens.phones import Phone, Role
from hardware.machine.update import InstallUpdate
from tests.app.boxes import ask, begin, new_box, press, run_due, says, tap
from tests.fakes.clock import FixedClock

WATCHES = Phone(9, "Zoe", Role.SCORER)
CALLED = SeatCall(2, 7, ("Dai", "Aki", "Cyr", "Bea"))


def club_box(clock: FixedClock, journal: Journal) -> Box:
    return Box(journal, Outputs(MemoryPanel(), clock), clock, machine=[ClubCalls(journal, clock)])


def test_the_bridge_reads_the_call_in_the_journal_s_files_and_every_call_has_another_number(tmp_path: Path) -> None:
    clock, journal = FixedClock(), Journal(tmp_path / "journal")
    assert (director_call(tmp_path / "journal"), director_call(tmp_path / "nowhere")) == (0, 0)
    box = club_box(clock, journal)
    begun = int(clock.now())
    for number in (begun, -begun, begun + 1):
        press(box, "C")
        assert int(journal.setting(DIRECTOR_CALL) or 0) == number
    assert director_call(tmp_path / "journal") == begun + 1
    journal.keep_setting(DIRECTOR_CALL, "of a later version")
    assert director_call(tmp_path / "journal") == 0
    journal.close()


def test_the_minutes_are_told_at_the_table_whoever_looked_at_an_update_last() -> None:
    clock, journal = FixedClock(), Journal()
    box = begin(club_box(clock, journal))
    tap(box, "menu", WATCHES)
    box.take(WATCHES.number, InstallUpdate())
    ask(box, HubNews(HubMessage(structs.replace(CALLED, ends=clock.now() + 630))))
    clock.let_pass(60)
    run_due(box, clock)
    assert box.state.panel.message == minutes_left(10)
    assert box.state.viewers[WATCHES.number].message is None


def test_a_seat_call_of_a_later_version_is_none() -> None:
    journal = Journal()
    press(club_box(FixedClock(), journal), "C")
    journal.keep_setting(SETTING, '{"seats":{"table":"of a later version"}}')
    assert "C end call" in says(club_box(FixedClock(), journal))


def test_the_clock_of_a_bottom_line_takes_room_from_no_question() -> None:
    clock = FixedClock()
    box = press(begin(club_box(clock, Journal())), "1 A3 B9 A4 DB11 9 C5 A7 h* 4C")  # a long question
    before = box.picture.copy()
    ask(box, HubNews(HubMessage(structs.replace(CALLED, ends=clock.now() + 2580))))
    assert box.picture == before


def test_a_box_of_no_club_shows_and_takes_nothing_of_it() -> None:
    box = new_box()
    before = says(box)
    assert "belongs to no club" in str(ask(box, HubNews(HubMessage(CALLED))))  # the bridge's log says so
    assert says(box) == before
    assert "director" not in before + says(press(begin(box), "h#"))


def test_without_a_club_nothing_of_it_is_imported_at_the_start() -> None:
    program = "import sys; from companion.app.box import Box; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "companion.ui.screens.home" in modules
    assert not [name for name in modules.split() if name.endswith((".club_calls", ".hub_message", ".club_status"))]
