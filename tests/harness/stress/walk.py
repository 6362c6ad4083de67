"""A walk over every way to answer: keys, taps of a phone, restarts on another board, imports of other games.

After each restart the box shows the game and what is half entered as before, and nothing was logged.
"""

from __future__ import annotations

import json
import random
from collections import Counter, deque
from collections.abc import Iterator

from msgspec import structs, to_builtins
from msgspec.structs import replace

from companion.app.box import Box
from companion.app.inputs import Look, PageRequest, Tap, TypedAnswer
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.state import PANEL
from companion.cli.log_import import read_log, take_log
from companion.core.text import Text
from companion.gamelog import decode_header
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.key_grammar import answer_name
from companion.ui.keys import HOLDABLE, Key, KeyLayout
from companion.ui.phone_roles import THIS_COMPUTER
from companion.ui.screens.saved_drafts import NOTHING
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import languages
from tests import raised_errors
from tests.fakes.clock import FixedClock
from tests.games.seeds import deal

from .keys import boards
from .random_handling import BACKWARD, TEXTS
from .ways_home import Scout

raised_errors.raise_them()

LIFE = 2000
"""Inputs until the journal is replaced."""
RESTART = 0.04
"""The probability that the box is started anew before an input."""
IMPORT = 0.3
"""The probability that a game is imported at a restart."""
MOST_LOGS = 30
"""The most games that are imported into one journal."""


def run(times: int, seed: int) -> Iterator[str]:
    """Give so many inputs."""
    seen = Counter[str]()
    chance = random.Random(f"{seed}/walk")
    for begun in range(0, times, LIFE):
        Walk(chance, seen).go(min(LIFE, times - begun))
    yield (
        f"{seen['keys']:,} keys, {seen['taps']:,} taps of a phone ({seen['refused']:,} refused) and {seen['texts']:,} "
        f"texts in {seen['games']:,} games with {seen['lines']:,} lines: no fault"
    )
    yield (
        f"{seen['restarts']:,} restarts, {seen['boards']:,} of them on another board, with {seen['imports']:,} imports:"
        f" the same question each time, {seen['drafts']:,} times with what was half entered"
    )


class Walk:
    """A box that is answered at random and restarted."""

    def __init__(self, chance: random.Random, seen: Counter[str]) -> None:
        self.chance, self.seen = chance, seen
        self.clock, self.journal, self.imported = FixedClock(), Journal(), 0
        self.language = chance.choice(languages())
        self.name, self.box = self._start()
        self.last = deque[str](maxlen=30)
        self._answering = True

    def go(self, inputs: int) -> None:
        """Give so many inputs.

        Raises:
            AssertionError: A promise was broken, or an exception was raised.
        """
        try:
            for number in range(inputs):
                if number % 100 == 0:
                    self._answering = self.chance.random() < 0.8
                if self.chance.random() < RESTART:
                    self._restart()
                self._input()
        except Exception as error:
            raise AssertionError(f"{self._where}: {error!r}") from error
        self.seen["games"] += len(self.journal.games())
        self.seen["lines"] += sum(saved.lines for saved in self.journal.games())

    def _start(self) -> tuple[str, Box]:
        there: dict[str, KeyLayout] = boards()
        name = self.chance.choice(tuple(there))
        outputs = Outputs(MemoryPanel(), self.clock)
        return name, Box(self.journal, outputs, self.clock, language=self.language, board=there[name])

    # Inputs

    def _input(self) -> None:
        box = self.box
        if box.game is None and self.chance.random() < 0.03:
            self._begin()
        elif box.state.panel.screen.expected_text(box.state.table) and self.chance.random() < 0.1:
            self._note("texts", text := self.chance.choice(TEXTS))
            box.take(PANEL, TypedAnswer(text))
        elif self.chance.random() < 0.4:
            self._tap()
        else:
            self._note("keys", str(key := self._key()))
            box.take(PANEL, key)
        self.clock.let_pass(self.chance.uniform(0, 3))

    def _begin(self) -> None:
        dealt = deal(self.chance.choice(tuple(GAMES)), self.chance.randrange(2**32))
        header = decode_header(json.dumps(dealt.header))
        self._note("begun", header.game.name)
        self.box.begin(header, self.chance.choice(tuple(header.game.trackings)))

    def _key(self) -> Key:
        keys = self.box.state.table.key_layout.keys
        if self.chance.random() < (0.05 if self._answering else 0.5):
            name = self.chance.choice(keys)
            return Key(name, name in HOLDABLE and self.chance.random() < 0.3)
        offered = Scout(self.box).offers()
        return self.chance.choices(offered, [BACKWARD.get(str(key), 1.0) for key in offered])[0]

    def _tap(self) -> None:
        if THIS_COMPUTER.number not in self.box.state.viewers:
            self._ask(Look(self.language))
        taps = self.box._known.contents(self.box.state, THIS_COMPUTER.number)
        names = [f"row {row + 1}" for row in range(taps.rows)]
        names += [] if taps.codes is None else 3 * [answer_name(answer) for answer in taps.codes.prompt.answers]
        names += [f"letter {self.chance.choice('AeÉ家はx')}", f"number {self.chance.randrange(200)}"]
        choice = self.chance.choice([*names, *(each.name for each in taps.choices if each.name)])
        self._note("taps", repr(choice))
        number = self.box.state.viewers[THIS_COMPUTER.number].number
        self.seen["refused"] += self._ask(Tap(number, choice, language=self.language)) is not None

    def _ask(self, asked: Look | Tap) -> Text | None:
        replies = list[Text | None]()
        self.box.pages.serve(PageRequest(asked, THIS_COMPUTER, replies.append))
        assert len(replies) == 1, "a request has one reply"
        return replies[0]

    # Restarts

    def _restart(self) -> None:
        before, name = self.box, self.name
        assert before.upkeep.mark is None
        imports = self.imported < MOST_LOGS and self.chance.random() < IMPORT
        if imports:
            self._import()
        self.name, self.box = self._start()
        self._note("restarts", f"[{self.name}]")
        self.seen["boards"] += self.name != name
        self._compare(before, self.box, imports)

    def _import(self) -> None:
        log = deal(self.chance.choice(tuple(GAMES)), self.chance.randrange(2**32), most_rounds=1)
        text = "\n".join(map(json.dumps, (log.header, *log.lines)))
        self._note("imports", "import")
        self.imported += 1
        take_log(self.journal, read_log("a.jsonl", f"{text}\n".encode()))

    def _compare(self, before: Box, after: Box, imported: bool) -> None:
        game, again = before.state.table.changeable, after.state.table.changeable
        assert (game is None) == (again is None), "another game after a restart"
        if game is not None and again is not None:
            assert again.name == game.name
            assert again.session.state == game.session.state
            assert again.tracking is game.tracking
        here, there = before.state.panel, after.state.panel
        assert there.message is None, f"{there.message} after a restart"
        half, again_half = (to_builtins(box.state.draft) for box in (before, after))
        assert again_half == half, f"{again_half} after a restart, {half} before"
        self.seen["drafts"] += before.state.draft != NOTHING
        if here.screen.draft is not None and here.reading is None:  # the next start opens no game that is looked at
            assert type(there.screen) is type(here.screen), f"{there.screen} after a restart, {here.screen} before"
            was, now = _asked(before), _asked(after)
            if imported:  # it brings people, who are listed
                was["rows"] = now["rows"]
            differs = {name: (was[name], now[name]) for name in was if was[name] != now[name]}
            assert not differs, f"before and after a restart: {differs}"

    def _note(self, kind: str, what: str) -> None:
        self.seen[kind] += 1
        self.last.append(what)

    @property
    def _where(self) -> str:
        screen = type(self.box.state.panel.screen).__name__
        return f"on {self.name} in {self.language}, {screen} after {' '.join(map(ascii, self.last))}"


def _asked(box: Box) -> dict[str, object]:
    """Return what a box asks, whatever its keys: the list, the question, what is given and the table.

    The outcome of the latest entry is left out: a restarted box does not tell it again.
    """
    screen, context = box.state.panel.screen, replace(box.state.context(box.state.panel), report=None, offered=None)
    taps = (screen.calm if isinstance(screen, PlayScreen) else screen).show(context)
    asked = {"rows": taps.rows, "begun": taps.begun, "prompt": None if taps.codes is None else taps.codes.prompt}
    return asked | ({} if taps.table is None else structs.asdict(taps.table))
