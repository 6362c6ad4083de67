"""Exceptions at a key or at the start: only what is shown gets written, and the application goes on."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace
from PIL import Image

from companion.app import loop, show, step
from companion.app.box import Box
from companion.app.failures import survive
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import Motif
from companion.app.state import PANEL
from companion.core.prompt import Answer, DetailLevel, Prompt
from companion.gamelog import decode_header, read
from companion.journal import Journal, JournalError
from companion.ui import panel
from companion.ui.keys import BUTTONS, KEYPAD, POWER, Key, KeyLayout, parse
from companion.ui.screens.contents import ListContents
from companion.ui.screens.context import BeginGame, ScreenContents, ScreenContext, Transition
from companion.ui.screens.game_choice import GameChoiceScreen
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.settings import SettingsScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.view import View
from tests import raised_errors
from tests.fakes.clock import FixedClock
from tests.fakes.lamp_and_buzzer import MemoryBuzzer
from tests.fakes.onlooker import Onlooker
from tests.games.fifth import LAST_STONE
from tests.games.unguarded import unguarded

from . import selecting
from .boxes import begin, finished, key_of, lines_of, name_of, new_box, playing, press, says
from .selecting import way
from .test_loop import Evening

HEADER = json.dumps({"format": 1, "game": "last-stone", "players": ["Aki", "Bea"]})
NEEDED = ("start", "ask", "apply", "progress", "view", "outcome", "score_sheet", "describe", "answers")
OPTIONAL = ("alerts", "rules_card")
FUNCTIONS = (*(name for name in NEEDED if name != "progress"), *OPTIONAL, "draw")
EVENING = (
    *("2", "1", "h# 1 # * * *", "h# 3 * *", "2"),
    *("h* # 3", "*", "h# 4", "h* A # 3", "*", "3", "2", "h* A A A # 3 * *", "1"),
)
"""Key sequences in a game, each with or without an entry: sheet, alerts, rules, corrections, undo and redo."""


class Illness(Exception):
    """The exception that a failing function raises."""


class Patient:
    """The functions of a game, and the drawing of pictures. One of them can be made to fail.

    Attributes:
        sick: The failing function, if any.
        lasting: Whether it fails every time; otherwise only once.
        count: How often each was called.
    """

    def __init__(self) -> None:
        self.sick: str | None = None
        self.lasting = True
        self.count = Counter[str]()

    def may_raise(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that raises while it is the failing one."""

        def called(*args: Any) -> Any:
            self.count[name] += 1
            if self.sick == name:
                self.sick = name if self.lasting else None
                raise Illness(name)
            return function(*args)

        return called


class Table:
    """An application in a game of Last Stone, with a page.

    Attributes:
        shown: The words shown last.
    """

    def __init__(self, patient: Patient, board: KeyLayout) -> None:
        self.patient, self.board = patient, board
        self.journal, self.page, self.clock = Journal(), Onlooker(), FixedClock()
        self.box = self.started()
        self.box.begin(decode_header(HEADER), DetailLevel.FULL)

    def started(self) -> Box:
        """Return an application started on the journal."""
        outputs = Outputs(MemoryPanel(), self.clock, page=self.page)
        return Box(self.journal, outputs, self.clock, board=self.board)

    @property
    def shown(self) -> str:
        return " | ".join(self.page.frames[-1].words)

    @property
    def at_the_table(self) -> bool:
        screen = self.box.state.panel.screen
        return isinstance(screen, PlayScreen) and screen.calm == PlayScreen()

    def keys(self, wanted: str) -> tuple[Key, ...]:
        """Return the board's keys with the effect of a key of the keypad."""
        selector = self.box.state.panel.selector
        if selector is None:
            return parse(wanted)
        if wanted == "A" and self.box.ring.before is not None:
            return parse("<")
        if wanted == "*":
            turned = self.box.ring.held_choose in (None, selector.at) or "again takes back" in self.shown
            return parse("ho" if turned else "ho o")
        keys = way(self.box.ring, selecting.name_of(self.box, wanted), selector)
        assert keys is not None, f"{wanted}: {says(self.box)}"
        return parse(keys)

    def do(self, *wanted: str) -> None:
        for one in wanted:
            self.hear_what_it_takes_back(one)
            for key in self.keys(one):
                self.box.take(PANEL, key)

    def hear_what_it_takes_back(self, wanted: str) -> None:
        """Press back once more if the first press only announces what it would undo."""
        game = self.box.game
        if wanted == "*" and game is not None and game.resumed and self.at_the_table:
            for key in self.keys("*"):
                self.box.take(PANEL, key)
            assert "again takes back" in self.shown

    def do_ill(self, wanted: str, sick: str) -> bool:
        """Press keys while a function fails. Return whether it was called."""
        self.hear_what_it_takes_back(wanted)
        keys = self.keys(wanted)
        lines = lines_of(self.journal)
        with raised_errors.expected() as logged:
            for key in keys:
                self.patient.sick = sick
                self.box.take(PANEL, key)
                self.patient.sick = None
                if logged:
                    break
        if logged:
            assert {type(error) for error in logged} == {Illness}
            assert lines_of(self.journal) == lines, "written, and not shown"
        return bool(logged)

    def is_sound(self) -> None:
        """Check that the current state is that of the journal, and the one that a start shows."""
        game = self.box.game
        log = read("\n".join((HEADER, *lines_of(self.journal))).encode())
        if game is None:
            assert isinstance(self.box.state.panel.screen, HomeScreen)
        else:
            assert game.session.state == log.state
            assert self.box.lines == len(lines_of(self.journal))
        again = self.started()
        assert again.game is not None
        assert again.game.session.state == log.state
        assert again.lines == len(lines_of(self.journal))

    def starts_ill(self, sick: str) -> bool:
        """Check that the application starts while a function fails. Return whether it was called."""
        lines, draft = lines_of(self.journal), self.journal.draft(name_of(self.journal))
        with raised_errors.expected() as logged:
            self.patient.sick = sick
            box = self.started()
            self.patient.sick = None
        if logged and self.patient.lasting:
            assert box.game is None
            named = "Game 1" if sick == "start" else "Last Stone"
            assert sick == "draw" or f"{named} cannot be shown; it is kept as it is" in self.shown
        elif not logged:
            assert box.game is not None
        assert (lines_of(self.journal), self.journal.draft(name_of(self.journal))) == (lines, draft)
        press(box, "h#")  # the application still works
        return bool(logged)

    def go_back_to_the_table(self) -> None:
        if self.box.game is None:
            self.do("1")
        for _step in range(6):
            if not self.at_the_table:
                self.do("*")
        assert self.at_the_table, self.shown


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> Iterator[Patient]:
    """Add a game whose functions can fail."""
    patient = Patient()
    needed, optional = (
        {name: patient.may_raise(name, getattr(part, name)) for name in names}
        for part, names in ((LAST_STONE, NEEDED), (LAST_STONE.optional, OPTIONAL))
    )
    parts = replace(LAST_STONE.optional, **optional)
    monkeypatch.setattr(show, "draw", patient.may_raise("draw", panel.draw))
    with unguarded(replace(LAST_STONE, optional=parts, **needed)):
        yield patient


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    ("board", "lasting"), [(KEYPAD, True), (KEYPAD, False), (BUTTONS, False)], ids=["lasting", "once", "once-few-keys"]
)
@pytest.mark.parametrize("sick", FUNCTIONS)
def test_whatever_raises_at_any_key_the_box_lives_and_has_written_what_it_shows(
    sick: str, board: KeyLayout, lasting: bool, patient: Patient
) -> None:
    table, noticed = Table(patient, board), 0
    patient.lasting = lasting
    for walk in EVENING:
        keys = (
            walk.replace(" # 3", " # 1 3") if board.few else walk
        ).split()  # few keys choose what to do with an entry
        for place, key in enumerate(keys):
            if not table.do_ill(key, sick):
                continue
            noticed += 1
            if sick != "draw" or not lasting:
                assert "Something went wrong" in table.shown or "Last Stone cannot be shown" in table.shown
            table.is_sound()
            table.go_back_to_the_table()
            table.do(*keys[: place + 1])
        noticed += table.starts_ill(sick)
    table.is_sound()
    assert noticed


def test_a_fault_at_home_is_said_there(monkeypatch: pytest.MonkeyPatch, patient: Patient) -> None:
    table = Table(patient, KEYPAD)
    table.do("h#")
    table.do(key_of(table.box, "Leave the game"))
    monkeypatch.setattr(SettingsScreen, "show", patient.may_raise("show", SettingsScreen.show))
    assert table.do_ill(key_of(table.box, "Settings"), "show")
    assert table.shown.startswith("Something went wrong; nothing was lost | Tabletop Companion")


def test_a_game_that_fails_with_what_was_half_entered_is_taken_up_without(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal()
    playing("1 A3", journal=journal)

    def ill(_prompt: Prompt, _name: str) -> Answer:
        raise Illness

    monkeypatch.setattr("companion.app.drafts.answer_named", ill)
    with raised_errors.expected() as logged:
        box = new_box(journal)
    assert len(logged) == 1
    assert box.view().question == "Column card 1:"
    assert "Something went wrong" not in says(box)


def test_a_game_whose_header_fails_keeps_no_other_from_being_listed(patient: Patient) -> None:
    table = Table(patient, KEYPAD)
    table.do("2")  # a game without an entry would be put away
    begin(table.box)
    patient.sick = "start"
    box = new_box(table.journal)
    assert box.game is not None
    assert box.game.session.header.game.name == "eternity"
    with raised_errors.expected() as logged:
        press(box, "h#8")
    assert logged
    assert "All games 2" in says(box)


def test_a_game_of_which_nobody_can_tell_who_leads_is_listed_all_the_same(patient: Patient) -> None:
    table = Table(patient, KEYPAD)
    table.do("2", "h#")
    leave = key_of(table.box, "Leave the game")
    patient.sick = "progress"
    with raised_errors.expected() as logged:
        press(table.box, leave)
    assert len(logged) == 1
    assert "Go on: Last Stone" in table.shown
    press(table.box, key_of(table.box, "All games"))
    assert "Last Stone" in table.shown


class Machine:
    """A machine that can be switched off."""

    on = True

    def may(self) -> bool:
        return True

    def off(self) -> None:
        self.on = False


def test_a_key_that_fails_while_it_is_held_does_not_keep_the_machine_on(patient: Patient) -> None:
    machine, clock = Machine(), FixedClock()
    box = Box(Journal(), Outputs(MemoryPanel(), clock), clock, power=machine)
    box.begin(decode_header(HEADER), DetailLevel.FULL)
    patient.sick = "draw"
    with raised_errors.expected():
        box.take(PANEL, Key("#", held=True))
    patient.sick = None
    box.take(PANEL, POWER)
    assert not machine.on


def test_a_fault_of_going_back_to_before_a_held_key_does_not_keep_the_machine_on(
    monkeypatch: pytest.MonkeyPatch, patient: Patient
) -> None:
    machine, clock = Machine(), FixedClock()
    box = begin(Box(Journal(), Outputs(MemoryPanel(), clock), clock, power=machine, board=BUTTONS))
    press(box, "h#")
    monkeypatch.setattr(step, "_undo_held_key", patient.may_raise("back", step._undo_held_key))
    patient.sick = "back"
    with raised_errors.expected() as logged:
        box.take(PANEL, POWER)
    assert len(logged) == 1
    assert not machine.on


def test_a_fault_after_everything_was_written_takes_nothing_back(patient: Patient) -> None:
    class Hoarse(MemoryBuzzer):
        def play(self, motif: Motif) -> None:
            raise Illness

    clock = FixedClock()
    box = Box(Journal(), Outputs(MemoryPanel(), clock, buzzer=Hoarse()), clock)
    begin(box)
    with raised_errors.expected() as logged:
        press(box, "1")
    assert logged
    assert box.lines == 1
    assert "Something went wrong in Eternity" in says(box)
    assert box.view().question == "Column card 1:"


def test_a_panel_that_raises_what_no_panel_should_stops_no_game(patient: Patient) -> None:
    class Wild(MemoryPanel):
        def show(self, picture: Image.Image) -> None:
            raise Illness

    clock = FixedClock()
    with raised_errors.expected() as logged:
        box = press(begin(Box(Journal(), Outputs(Wild(), clock), clock)), "1 A3 B9")
    assert logged
    assert box.lines == 2
    assert "Something went wrong" not in says(box)


def test_a_journal_that_raises_what_no_journal_should_is_read_anew(patient: Patient) -> None:
    class Wild(Journal):
        def append(self, *arguments: Any, **named: Any) -> None:
            super().append(*arguments, **named)
            raise Illness

    journal = Wild()
    with raised_errors.expected() as logged:
        box = press(begin(new_box(journal)), "1 A3 B9")
    assert len(logged) == 2
    assert box.lines == len(lines_of(journal)) == 2
    assert "Something went wrong in Eternity" in says(box)


def test_a_fault_is_logged_with_its_trace_and_what_ends_the_program_is_let_through(
    patient: Patient, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise Illness("bad")

    def stop() -> None:
        raise SystemExit

    with raised_errors.expected(propagate=True):
        assert not survive("key 7", fail)
        with pytest.raises(SystemExit):
            survive("key 7", stop)
    (record,) = caplog.records
    assert (record.levelno, record.getMessage()) == (logging.ERROR, "companion: key 7: Illness('bad')")
    assert record.exc_info is not None
    assert record.exc_info[2] is not None


def test_the_loop_goes_on_after_a_key_that_fails_and_lets_an_attendant_that_fails_rest(patient: Patient) -> None:
    class Weak:
        due: float | None = 1.0

        def __init__(self) -> None:
            self.called = list[float]()

        def tick(self) -> None:
            self.called.append(clock.passed())
            raise Illness

    table, weak = Table(patient, KEYPAD), Weak()
    clock = table.clock
    coming = Evening(clock, [(3, Key("2")), (15, Key("2")), (16, Key("3"))], end=30)
    patient.sick, patient.lasting = "outcome", False
    with raised_errors.expected() as logged:
        loop.run(table.box, coming, clock, [weak])
    assert weak.called == [1, 11, 21]
    assert [str(error) for error in logged] == ["", "outcome", "", ""]
    assert table.box.lines == 2


def test_a_test_fails_where_a_box_survives_what_nobody_expected(patient: Patient) -> None:
    table = Table(patient, KEYPAD)
    patient.sick = "view"
    with pytest.raises(Illness):
        table.do("2")


def test_a_game_that_a_fault_finds_finished_is_not_offered_to_go_on_with(patient: Patient) -> None:
    class Wild(Journal):
        def append(self, *arguments: Any, over: bool = False, **named: Any) -> None:
            super().append(*arguments, over=over, **named)
            if over:
                patient.sick = "start"
                raise Illness

    box = new_box(Wild())
    box.begin(decode_header(HEADER), DetailLevel.FULL)
    with raised_errors.expected():
        for _entry in range(40):
            if box.game is not None:
                press(box, "1")
        patient.sick = None
    assert box.game is None
    press(box, "9")
    assert "Go on" not in says(box)


def test_a_fault_that_touched_nothing_leaves_the_screen_and_what_was_set_up() -> None:
    class Weak:
        due: float | None = 1.0

        def tick(self) -> None:
            raise Illness

    clock = FixedClock()
    box = press(new_box(clock=clock), "1 1")
    screen, draft = box.state.panel.screen, box.state.draft
    assert not isinstance(screen, HomeScreen)
    with raised_errors.expected() as logged:
        loop.run(box, Evening(clock, [], end=35), clock, [Weak()])
    assert len(logged) == 4
    assert "Something went wrong; nothing was lost" in says(box)
    assert (box.state.panel.screen, box.state.draft) == (screen, draft)


def test_a_screen_that_fails_for_good_is_left_for_home() -> None:
    journal = Journal()
    box = press(new_box(journal), "1")

    def view(contents: ListContents) -> View[object]:
        assert not isinstance(contents.screen, GameChoiceScreen)
        return View(contents.body, contents.foot)

    with pytest.MonkeyPatch.context() as patch, raised_errors.expected() as logged:
        patch.setattr(ListContents, "view", property(view))
        press(box, "9")
    assert len(logged) == 3  # the key, the same screen with a sentence, what was half entered
    assert isinstance(box.state.panel.screen, HomeScreen)
    assert "Something went wrong; every game is kept" in says(box)


def test_a_game_that_may_have_been_begun_before_a_fault_is_listed_after_it(patient: Patient) -> None:
    class Wild(Journal):
        def set_open_game(self, game: str | None) -> None:
            raise Illness

    class Pressed(HomeScreen, frozen=True):
        def show(self, context: ScreenContext) -> ScreenContents:
            shown = super().show(context)
            assert isinstance(shown, ListContents)
            begins = Transition(PlayScreen(), BeginGame(decode_header(HEADER), DetailLevel.FULL))
            return replace(shown, leading=tuple(replace(row, leads=begins) for row in shown.leading))

    box = new_box(Wild())
    box.state = box.state.having(PANEL, structs.replace(box.state.panel, screen=Pressed()))
    with raised_errors.expected() as logged:
        press(box, "#")
    assert len(logged) == 1
    press(box, "9")
    assert "Go on: Last Stone" in says(box)


@pytest.mark.parametrize("left_in_a_game", [True, False])
def test_a_start_whose_home_fails_shows_a_sentence(monkeypatch: pytest.MonkeyPatch, left_in_a_game: bool) -> None:
    journal, panel, clock = Journal(), MemoryPanel(), FixedClock()
    if left_in_a_game:
        playing("1", journal=journal)
    for screen in (HomeScreen, PlayScreen):
        monkeypatch.setattr(screen, "show", lambda *_arguments: 1 / 0)
    with raised_errors.expected() as logged:
        box = Box(journal, Outputs(panel, clock), clock)
    assert logged
    assert panel.picture == box.picture
    assert box.picture.getbbox() is not None


def test_who_leads_a_game_is_read_again_after_the_journal_could_not_be_read() -> None:
    class Torn(Journal):
        torn = False

        def lines(self, game: str) -> list[str]:
            if self.torn:
                raise JournalError("it cannot be read")
            return super().lines(game)

    journal = Torn()
    finished(journal)
    game_list = new_box(journal).state.table.game_list
    (listed,) = game_list.games
    journal.torn = True
    assert game_list.standing(listed) is None
    journal.torn = False
    assert game_list.standing(listed) is not None
