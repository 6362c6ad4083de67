"""The box with its journal and several phones, under random inputs on every board and in every language.

Keys, taps, texts, corrections, a full disk, a loose cable, hours that pass, games from files and restarts, in any
order. `python -m tests.harness.stress table` runs it longer.
"""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any, ClassVar

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace
from PIL import Image

from companion.app.box import Box
from companion.app.inputs import Tap, TypedAnswer
from companion.app.outputs import WANDER, MemoryPanel, PanelTimeouts, moved
from companion.app.ports import DeviceError
from companion.app.state import PANEL, Who
from companion.cli.common import CommandError
from companion.cli.imports import read_log, take_log
from companion.cli.log_to_keys import ENTRIES
from companion.cli.press import answer
from companion.core.prompt import DetailLevel
from companion.core.text import Text
from companion.gamelog import decode_header, encode, read
from companion.games import GAMES
from companion.ui.keys import HOLDABLE, KEYPAD, MISSED, POWER, Key, KeyLayout
from companion.ui.live_page.content import LivePageContent
from companion.ui.screens.corrections import INSERT, REMOVE, SWAP, ConflictScreen, way
from companion.ui.screens.phones import Phone, Role
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import languages
from companion.ui.view import View
from hardware.board import load, names
from tests import raised_errors
from tests.app.boxes import view_of
from tests.example_counts import MANY, examples
from tests.gamelog.corruption import bytes_spoilt, value_spoilt
from tests.games.seeds import deal
from tests.harness.taps.tapper import Tapper, at_seat

from .boxes import FillableJournal, press
from .ways_home import NEAR, offered, way_home

PHONES = (Phone(1, "Ida", Role.SCORER), Phone(2, "Jon", Role.SCORER), at_seat(1), Phone(9, "Zoe", Role.SPECTATOR))
BOARDS = {name: load(name).keyed() for name in names()} | {"knob": KeyLayout.of("<o>", knob=True), "keypad": KEYPAD}
TEXTS = ("Eva", " Aki ", "", "はるな", "x" * 30, "\x07", "家" * 20, "\ud800")
LINES = ("1A3B9", "h*3", "7é", "h", "1 2 \x00", "ho>>", "#" * 40, "٣")
WRONG = ("nothing", "number 99", "row 1", "letter é")
BACK = ("*", "h*", "h#", "ho")
SETTINGS = ("language", "sounds", "roster")
MOST_CALLS = 2000
"""The most calls that can be due in ten minutes."""
PATIENCE = 20
"""Seconds after which refused writes have been tried again."""

WHICH = st.integers(0, 199)
SEED = st.integers(0, 2**32 - 1)


class LoosePanel(MemoryPanel):
    """A panel whose cable may be loose."""

    loose = False

    def show(self, picture: Image.Image) -> None:
        if self.loose:
            raise DeviceError("The panel does not answer.")
        super().show(picture)


def choices(content: LivePageContent) -> list[str]:
    """Return the names of everything that a page offers, and of some things that it does not."""
    question = content.question
    cards = [card.name for row in question.suits for card in (*row.cards, *row.other) if card is not None]
    others = (*question.answers, *question.others, *content.offers, *content.actions)
    check = () if content.check is None else content.check.choices
    numbers = () if question.numbers is None else (f"number {question.numbers[0]}",)
    return [*cards, *numbers, *(choice.name for choice in (*others, *check)), *WRONG]


def half_entered(box: Box) -> View:
    """Return what the panel shows of what is half entered."""
    screen, context = box.state.panel.screen, replace(box.state.context(box.state.panel), report=None, offered=None)
    return view_of((screen.calm if isinstance(screen, PlayScreen) else screen), context)


def language_of(box: Box) -> str:
    """Return the language of the panel: a setting that was spoilt is that of nobody."""
    return box.state.context(box.state.panel).words.language


class Evening(RuleBasedStateMachine):
    """A box, its journal in memory, and phones.

    Attributes:
        counts: How often each thing was done, in all evenings.
    """

    counts: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        raised_errors.raise_them()
        self._start(FillableJournal(), "keypad")

    def _start(self, journal: FillableJournal, board: str) -> None:
        self.journal = journal
        self.panel = LoosePanel()
        self.tapper = Tapper(board=BOARDS[board], journal=journal, panel=self.panel, timeouts=PanelTimeouts())
        self.box = self.tapper.box
        self.box._known._chance = Random(0)  # so that a run can be repeated
        self.seen = {phone.number: self.tapper.shown_to(phone) for phone in PHONES}

    # What people do

    def _press(self, key: Key) -> None:
        self.counts["keys"] += 1
        self.tapper.clock.let_pass(1)
        self.box.take(PANEL, key)

    @rule(which=WHICH, held=st.booleans())
    def press_any_key(self, which: int, held: bool) -> None:
        keys = self.board_keys.keys
        name = keys[which % len(keys)]
        self._press(Key(name, held and name in HOLDABLE))

    @rule(picks=st.lists(WHICH, min_size=1, max_size=8))
    def answer(self, picks: list[int]) -> None:
        """Press keys that lead on, as long as there are some."""
        for which in picks:
            keys = offered(self.box, self.box.state)
            onward = [key for key in keys if str(key) not in BACK] or keys
            self._press(onward[which % len(onward)])

    @rule(which=WHICH)
    def go_back(self, which: int) -> None:
        keys = [key for key in offered(self.box, self.box.state) if str(key) in BACK]
        if keys:
            self._press(keys[which % len(keys)])

    @rule(back=WHICH, how=st.sampled_from(("#", INSERT, REMOVE, SWAP)))
    @precondition(lambda self: self.board_keys.kind == "keypad" and self._at_table(PANEL) and self._lines)
    def correct(self, back: int, how: str) -> None:
        """Begin to correct an entry; answers go on with it."""
        count = self.box.state.table.require_game().session.head.number
        if count:
            press(self.box, ENTRIES + way(count, count - back % min(count, 20)) + how)

    @rule(key=st.sampled_from((POWER, MISSED)))
    def press_what_no_screen_receives(self, key: Key) -> None:
        self._press(key)

    @rule(text=st.sampled_from(LINES))
    def press_a_line_of_text(self, text: str) -> None:
        """Press keys as `companion press -` does: all of a line, or none and a sentence."""
        before = self._lines
        state = json.loads(told := answer(self.box, text, self.board_keys))
        assert "\n" not in told
        if state["message"] is not None and "is no key" in state["message"]:
            assert self._lines == before

    @rule(seed=SEED, game=st.sampled_from([*GAMES]), level=WHICH)
    @precondition(lambda self: self.box.game is None)
    def begin(self, seed: int, game: str, level: int) -> None:
        self.counts["games"] += 1
        header = decode_header(json.dumps(deal(game, seed, most_rounds=1).header))
        levels = [*header.game.trackings]
        self.box.begin(header, DetailLevel(levels[level % len(levels)]))

    @rule(game=st.sampled_from(("eternity", "gear", "oh-hell", "tally")), level=st.sampled_from(("full", "round")))
    @precondition(lambda self: self.box.game is None)
    def begin_with_phones_at_seats(self, game: str, level: str) -> None:
        header = {"format": 1, "game": game, "players": ["Aki", "Bea", "Cyr", "Dai"], "rules": {}}
        self.box.begin(decode_header(json.dumps(header)), DetailLevel(level))

    @rule(phone=st.sampled_from(PHONES), which=WHICH)
    def tap(self, phone: Phone, which: int) -> None:
        self.counts["taps"] += 1
        there = choices(self.tapper.shown_to(phone))
        self.tapper.tap(there[which % len(there)], phone=phone)

    @rule(phone=st.sampled_from(PHONES), which=WHICH)
    def tap_late(self, phone: Phone, which: int) -> None:
        """Tap what the phone showed some inputs ago."""
        content, before = self.seen[phone.number], self._lines
        now, there = self.tapper.shown_to(phone), choices(content)
        self.box.take(phone.number, Tap(content.number, there[which % len(there)]))
        if content.number != now.number:
            assert self._lines == before
        self.seen[phone.number] = self.tapper.shown_to(phone)

    @rule(text=st.sampled_from(TEXTS), phone=st.sampled_from((None, *PHONES)))
    def write(self, text: str, phone: Phone | None) -> None:
        if phone is None:
            self.box.take(PANEL, TypedAnswer(text))
        elif text:
            self.tapper.write(text, phone=phone)

    @rule(seed=SEED, game=st.sampled_from([*GAMES]), damage=st.integers(0, 3))
    @precondition(lambda self: self.journal.fault is None)
    def import_a_game(self, seed: int, game: str, damage: int) -> None:
        """Import a game, whole or damaged; what is no game is refused in a sentence."""
        chance, dealt = Random(seed), deal(game, seed, most_rounds=1)
        lines: list[Any] = [dealt.header, *dealt.lines]
        if damage == 1:
            place = chance.randrange(len(lines))
            lines[place] = value_spoilt(lines[place], chance)
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        try:
            found = read_log("a.jsonl", bytes_spoilt(data, chance) if damage == 2 else data)
        except CommandError as refused:
            said = str(refused)
            assert len(said.splitlines()) == 1
        else:
            take_log(self.journal, found)

    # What happens to the box

    @rule()
    def fill_the_disk(self) -> None:
        """Have the disk refuse; the box notices at the next key that does more than wake the panel."""
        self.journal.full, self.journal.fault = True, Text("the disk is full")
        self._press(MISSED)
        self._press(MISSED)

    @rule()
    def loosen_the_cable(self) -> None:
        self.panel.loose = True

    @rule(seconds=st.sampled_from((1, 5, 70, 400, 100_000)))
    def wait(self, seconds: int) -> None:
        """Let time pass, and what is due be done: nothing is due for ever, and nothing is entered."""
        before, clock, calls = self._lines, self.tapper.clock, 0
        end = clock.run + seconds
        tasks = (self.box.outputs, self.box.upkeep, self.box.search)
        while (dues := [(task.due, task) for task in tasks if task.due is not None]) and calls < MOST_CALLS:
            due, task = min(dues, key=lambda pair: pair[0])
            if due > end:
                break
            clock.let_pass(max(0.0, due - clock.run))
            task.tick()
            calls += 1
        assert calls < max(MOST_CALLS, seconds / 3), "something is due again and again"
        clock.let_pass(max(0.0, end - clock.run))
        assert self._lines == before

    @rule()
    def mend_everything(self) -> None:
        """Empty the disk and fix the cable: soon everything is saved and shown."""
        self.panel.loose = self.journal.full = False
        self.wait(PATIENCE)
        assert self.box.upkeep.mark is None, "something is not saved"
        assert self.box.outputs.fault is None
        wanted = [moved(self.box.picture, offset) for offset in WANDER]
        assert self.box.outputs.asleep or self.panel.picture in wanted

    @rule()
    def look_for_the_way_home(self) -> None:
        self.counts["ways home"] += 1
        assert way_home(self.box) is not None, f"home is more than {NEAR} keys away from {self.box.state.panel.screen}"

    @rule(name=st.sampled_from(SETTINGS), text=st.sampled_from(("xx", "../fr", "on", '{"', *TEXTS[:-1])))
    @precondition(lambda self: not self.journal.full)
    def spoil_a_setting(self, name: str, text: str) -> None:
        """Write a setting past the box, as nobody but a damaged card does: it knows of no write to try again."""
        self.journal.keep_setting(name, text)

    @rule(board=st.sampled_from([*BOARDS]), language=st.sampled_from((None, *languages())))
    @precondition(lambda self: self.box.upkeep.mark is None)
    def restart(self, board: str, language: str | None) -> None:
        """Pull the plug, and start on another board, perhaps in another language; every phone comes back."""
        self.counts["restarts"] += 1
        before, was = self.box, {who: self._asked(who) for who in self.box.state.viewers if self._at_table(who)}
        lines, here = self._lines, self.box.state.panel
        open_game = self.journal.open_game()
        if language is not None:
            self.journal.keep_setting("language", language)
        self._start(self.journal, board)
        game, again = before.state.table.changeable, self.box.state.table.changeable
        assert self._lines == lines
        left = game is not None and game.over  # on the panel; the next start is at home, though phones look at it
        assert left or (game is None) == (again is None), "another game after a restart"
        assert game is None or again is None or again.tracking is game.tracking
        if open_game is not None and was:
            assert self._asked(PANEL) in was.values() or not self._at_table(PANEL)
        now, then = (json.loads(encode(box.state.draft)) for box in (self.box, before))
        assert now == then
        if here.screen.draft is not None and here.reading is None:
            assert type(self.box.state.panel.screen) is type(here.screen)
        if isinstance(here.screen, PlayScreen | ConflictScreen) and game is not None:
            assert self.box.state.panel.screen.draft == here.screen.draft
            same = self.board_keys == before.state.table.key_layout and language_of(self.box) == language_of(before)
            assert not same or half_entered(self.box) == half_entered(before)

    def _at_table(self, who: Who) -> bool:
        state = self.box.state
        viewer = state.viewers[who]
        return state.table.game is not None and state.game_of(viewer) is state.table.game and viewer.at_rest

    def _asked(self, who: Who) -> object:
        """Return what a viewer at the table is asked."""
        state = self.box.state
        game = state.table.require_game()
        screen = state.viewers[who].screen
        return game.session.state, getattr(screen, "answers", None)

    @property
    def board_keys(self) -> KeyLayout:
        return self.box.state.table.key_layout

    @property
    def _lines(self) -> list[str]:
        name = self.journal.open_game()
        return [] if name is None else self.journal.lines(name)

    # What is always so

    @invariant()
    def the_log_is_the_game(self) -> None:
        game, name = self.box.game, self.journal.open_game()
        if game is None or name is None:
            return
        assert game.name == name
        log = self.journal.log(name)
        header = decode_header(log.splitlines()[0])
        assert header.game.name == game.session.header.game.name
        assert read(log.encode()).state == game.session.state

    @invariant()
    def all_at_the_table_are_asked_the_same(self) -> None:
        there = [self._asked(who) for who in self.box.state.viewers if self._at_table(who)]
        assert all(each == there[0] for each in there)

    @invariant()
    def everybody_sees_something(self) -> None:
        for phone in PHONES:
            assert self.tapper.shown_to(phone).number
        frame, board = self.box.frame, self.board_keys
        assert frame.words
        assert (self.box.picture.size, self.box.picture.mode) == ((128, 64), "1")
        assert all(words for key, words in frame.labels.items() if key in board.keys), frame.labels


# A failing evening is reported as it is: shrinking takes an hour.
WITHOUT_SHRINKING = set(Phase) - {Phase.shrink, Phase.explain}
Evening.TestCase.settings = settings(
    max_examples=examples(30, 1000),
    stateful_step_count=60,
    deadline=None,
    phases=set(Phase) if MANY else WITHOUT_SHRINKING,
)
TestEvening = Evening.TestCase
