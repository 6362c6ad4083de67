"""The box with its journal and several phones under random inputs: keys, taps, texts, restarts, in any order."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.app.inputs import Tap, TypedAnswer
from companion.app.state import PANEL, Who
from companion.gamelog import decode_header, read
from companion.journal import Journal
from companion.ui.keys import Key
from companion.ui.live_page.content import LivePageContent
from companion.ui.phone_roles import Phone, Role
from tests.app.boxes import begin
from tests.harness.taps.tapper import Tapper, at_seat

PHONES = (Phone(1, "Ida", Role.SCORER), Phone(2, "Jon", Role.SCORER), at_seat(1), Phone(9, "Zoe", Role.SPECTATOR))
KEYS = [*"0123456789ABCD*#", "h*", "h#"]
GAMES = ("eternity", "gear", "oh-hell", "skat", "tally")


def choices(content: LivePageContent) -> list[str]:
    """Return the names of everything that a page offers, and of one thing that it does not."""
    question = content.question
    cards = [card.name for row in question.suits for card in (*row.cards, *row.other) if card is not None]
    others = (*question.answers, *question.others, *content.offers, *content.actions)
    check = () if content.check is None else content.check.choices
    numbers = () if question.numbers is None else (f"number {question.numbers[0]}",)
    return [*cards, *numbers, *(choice.name for choice in (*others, *check)), "nothing"]


class Evening(RuleBasedStateMachine):
    """A box, its journal in memory, and phones."""

    def __init__(self) -> None:
        super().__init__()
        self._start(Journal())

    def _start(self, journal: Journal) -> None:
        self.tapper = Tapper(journal=journal)
        self.tapper.box._known._chance = Random(0)  # so that a run can be repeated
        self.seen = {phone.number: self.tapper.shown_to(phone) for phone in PHONES}

    @rule(key=st.sampled_from(KEYS))
    def press(self, key: str) -> None:
        self.tapper.clock.let_pass(1)
        self.tapper.box.take(PANEL, Key(key[-1], held=key.startswith("h")))

    @rule(game=st.sampled_from(GAMES), level=st.sampled_from(("full", "round")))
    @precondition(lambda self: self.tapper.box.game is None)
    def begin(self, game: str, level: str) -> None:
        players = ("Aki", "Bea", "Cyr") if game == "skat" else ("Aki", "Bea", "Cyr", "Dai")
        begin(self.tapper.box, players, level, game)

    @rule(phone=st.sampled_from(PHONES), which=st.integers(0, 199))
    def tap(self, phone: Phone, which: int) -> None:
        content = self.tapper.shown_to(phone)
        offered = choices(content)
        self.tapper.tap(offered[which % len(offered)], phone=phone)

    @rule(phone=st.sampled_from(PHONES), which=st.integers(0, 199))
    def tap_late(self, phone: Phone, which: int) -> None:
        """Tap what the phone showed some inputs ago."""
        content, before = self.seen[phone.number], self._lines
        now = self.tapper.shown_to(phone)
        offered = choices(content)
        self.tapper.box.take(phone.number, Tap(content.number, offered[which % len(offered)]))
        if content.number != now.number:
            assert self._lines == before
        self.seen[phone.number] = self.tapper.shown_to(phone)

    @rule(text=st.sampled_from(("Eva", "", "Aki", "x" * 30)), phone=st.sampled_from((None, *PHONES)))
    def write(self, text: str, phone: Phone | None) -> None:
        if phone is None:
            self.tapper.box.take(PANEL, TypedAnswer(text))
        elif text:
            self.tapper.write(text, phone=phone)

    @rule()
    def restart(self) -> None:
        """Pull the plug, and let every phone come back."""
        before = {who: self._asked(who) for who in self.tapper.box.state.viewers if self._at_table(who)}
        open_game = self.tapper.journal.open_game()
        self._start(self.tapper.journal)
        if open_game is not None and before:
            assert self._asked(PANEL) in before.values() or not self._at_table(PANEL)

    def _at_table(self, who: Who) -> bool:
        state = self.tapper.box.state
        viewer = state.viewers[who]
        return state.table.game is not None and state.game_of(viewer) is state.table.game and viewer.at_rest

    def _asked(self, who: Who) -> object:
        """Return what a viewer at the table is asked."""
        state = self.tapper.box.state
        game = state.table.require_game()
        screen = state.viewers[who].screen
        return game.session.state, getattr(screen, "answers", None)

    @property
    def _lines(self) -> list[str]:
        name = self.tapper.journal.open_game()
        return [] if name is None else self.tapper.journal.lines(name)

    @invariant()
    def the_log_is_the_game(self) -> None:
        game, name = self.tapper.box.game, self.tapper.journal.open_game()
        if game is None or name is None:
            return
        assert game.name == name
        log = self.tapper.journal.log(name)
        header = decode_header(log.splitlines()[0])
        assert header.game.name == game.session.header.game.name
        assert read(log.encode()).state == game.session.state

    @invariant()
    def all_at_the_table_are_asked_the_same(self) -> None:
        there = [self._asked(who) for who in self.tapper.box.state.viewers if self._at_table(who)]
        assert all(each == there[0] for each in there)

    @invariant()
    def everybody_sees_something(self) -> None:
        for phone in PHONES:
            assert self.tapper.shown_to(phone).number


Evening.TestCase.settings = settings(max_examples=30, stateful_step_count=60, deadline=None)
TestEvening = Evening.TestCase
