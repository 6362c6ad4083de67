"""A box handled at random: any key at any moment, a loose cable, a disk that refuses, time that passes."""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, field

from PIL import Image

from companion.app.box import Box
from companion.app.inputs import TypedAnswer
from companion.app.outputs import MemoryPanel, Outputs, PanelTimeouts
from companion.app.ports import BoxOutput, DeviceError, PageKey
from companion.app.state import PANEL
from companion.core.text import Text
from companion.gamelog import read
from companion.journal import Journal
from companion.ui.keys import FEW, HOLDABLE, NAMES, POWER, Key, KeyLayout, parse
from companion.ui.screens.context import Screen
from companion.ui.screens.corrections import ConflictScreen
from companion.ui.screens.saved_drafts import NOTHING
from companion.ui.screens.table import PlayScreen
from tests import raised_errors
from tests.fakes.clock import FixedClock
from tests.games.seeds import written

from .ways_home import NEAR, Scout, way_home

raised_errors.raise_them()  # in whichever process

STRETCH = 150
"""Keys after which cable and disk work for a moment, and everything is compared."""
TEXTS = ("Aki", "Bea", " Cyr ", "はるな", "Émile-Gustave", "P2", "", "x" * 30, "\x07", "家" * 20, "\ud800")
BACKWARD = {"*": 0.3, "h*": 0.15, "h#": 0.2, "ho": 0.3}
"""The probability that a player presses a key that leads back, relative to another."""
TICKS = 2000
"""The most calls that can be due in ten minutes."""
PATIENCE = 20.0
"""Seconds after which refused writes have been retried."""
UNDER = ("before", "menu", "table", "seating", "agreeing", "person", "roster", "home")


class LoosePanel(MemoryPanel):
    """A panel with a loose cable.

    Attributes:
        loose: The probability that it fails.
        faults: How often it failed.
    """

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self.loose, self.faults, self._chance = 0.0, 0, chance

    def show(self, picture: Image.Image) -> None:
        self._hear()
        super().show(picture)

    def shine(self, level: int) -> None:
        self._hear()
        super().shine(level)

    def refresh(self) -> None:
        self._hear()

    def _hear(self) -> None:
        if self._chance.random() < self.loose:
            self.faults += 1
            raise DeviceError("The panel does not answer.")


class Onlooker:
    """A page that records its frames."""

    def __init__(self) -> None:
        self.frame: BoxOutput | None = None

    wanted: frozenset[PageKey] = frozenset()

    def show(self, frame: BoxOutput) -> None:
        self.frame = frame


@dataclass(slots=True)
class Seen:
    """The results of all boxes.

    Attributes:
        counts: How often each thing happened.
        kinds: The kinds of screens, each with those it was opened from.
        worst: The longest way home of each board: number of keys, where from, and the keys.
    """

    counts: Counter[str] = field(default_factory=Counter)
    kinds: set[str] = field(default_factory=set)
    worst: dict[str, tuple[int, str, str]] = field(default_factory=dict)

    def add(self, other: Seen) -> None:
        self.counts += other.counts
        self.kinds |= other.kinds
        self.worst = {
            board: max(worst[board] for worst in (self.worst, other.worst) if board in worst)
            for board in (*self.worst, *other.worst)
        }

    def home(self, board: str, kind: str, way: str) -> None:
        self.counts["ways"] += 1
        self.worst[board] = max(self.worst.get(board, (-1, "", "")), (len(parse(way)), kind, way))


def kind_of(screen: Screen | None) -> str:
    kinds = []
    while screen is not None:
        kinds.append(type(screen).__name__)
        below = (getattr(screen, name, None) for name in UNDER)
        screen = next((one for one in below if hasattr(one, "press")), None)
    return " < ".join(kinds)


class Handled:
    """A box handled at random."""

    def __init__(
        self, name: str, board: KeyLayout, language: str | None, chance: random.Random, seen: Seen, page: bool = True
    ) -> None:
        self.name, self.board, self.language, self.chance, self.seen = name, board, language, chance, seen
        self.clock, self.journal = FixedClock(), Journal()
        self.panel, self.onlooker = LoosePanel(chance), Onlooker()
        self.box = self._box(self.panel, *((self.onlooker,) if page else ()))
        held = (Key(key, held=True) for key in board.keys if key in HOLDABLE)
        menu = Key("#" if "#" in board.keys else "o", held=True)
        self._keys = tuple((Key(key),) for key in board.keys) + tuple((key,) for key in held) + ((menu, POWER),)
        self._last = deque[str](maxlen=40)
        self._playing = True

    def _box(self, panel: MemoryPanel, *mirrors: Onlooker) -> Box:
        outputs = Outputs(panel, self.clock, mirrors=mirrors, timeouts=PanelTimeouts())
        return Box(self.journal, outputs, self.clock, language=self.language, board=self.board)

    def live(self, keys: int) -> None:
        """Press so many keys, and check the box after each.

        Raises:
            AssertionError: A promise was broken, or an exception was raised.
        """
        try:
            self._live(keys)
        except AssertionError:
            raise
        except Exception as error:
            raise AssertionError(f"{self.where}: {error!r}") from error

    def _live(self, keys: int) -> None:
        for number in range(keys):
            if number % STRETCH == 0:
                self._settle()
                self._playing = self.chance.random() < 0.7
                self.panel.loose = self.chance.choice((0.0, 0.0, 0.1, 1.0))
                if self.chance.random() < 0.1:
                    self.journal.fault = Text("the disk is full")
                    self.seen.counts["full"] += 1
            self._press()
            self._pass(self.chance.uniform(0, 3) if self.chance.random() < 0.99 else self.chance.uniform(0, 700))
            self._look()
        self._settle()
        self._count()

    # Keys

    def _press(self) -> None:
        if self.box.state.panel.screen.expected_text(self.box.state.table) and self.chance.random() < 0.05:
            self.seen.counts["texts"] += 1
            self._last.append(repr(text := self.chance.choice(TEXTS)))
            self.box.take(PANEL, TypedAnswer(text))
            return
        child = self.chance.random() < (0.1 if self._playing else 0.8)
        for key in self.chance.choice(self._keys) if child else (self._sensible(),):
            self.seen.counts["held" if key.held else "pressed"] += 1
            self._last.append(str(key))
            self.box.take(PANEL, key)

    def _sensible(self) -> Key:
        offered = Scout(self.box).offers()
        weights = [BACKWARD.get(str(key), 2.0 if str(key) == "o" else 1.0) for key in offered]
        return self.chance.choices(offered, weights)[0]

    def _pass(self, seconds: float) -> None:
        """Advance the clock, and run what is due."""
        end = self.clock.run + seconds
        for _tick in range(TICKS):
            due, attendant = min(
                ((one.due, one) for one in (self.box.outputs, self.box.upkeep) if one.due is not None),
                key=lambda pair: pair[0],
                default=(end, None),
            )
            if attendant is None or due > end:
                break
            self.clock.let_pass(max(0.0, due - self.clock.run))
            attendant.tick()
        else:
            raise AssertionError(f"{self.where}: something is due again and again")
        self.clock.let_pass(max(0.0, end - self.clock.run))

    # What must be so

    def _look(self) -> None:
        picture, frame = self.box.picture, self.onlooker.frame
        assert picture.size == (128, 64), picture.size
        assert picture.mode == "1", picture.mode
        if frame is not None:
            assert frame.words, f"{self.where}: nothing is said"
            assert frame.picture is picture, f"{self.where}: the page shows another picture"
            for label, does in frame.labels.items():
                assert label.removeprefix("h") in NAMES + FEW, f"{self.where}: a label for no key: {label}"
                assert does or label not in self.board.keys, f"{self.where}: {label} has no label"
        self.seen.kinds.add(kind_of(self.box.state.panel.screen))
        screen = self.box.state.panel.screen
        half = isinstance(screen, PlayScreen | ConflictScreen) and screen.draft != NOTHING
        if half and self.journal.fault is None and self.box.upkeep.mark is None and self.chance.random() < 0.1:
            self._compare_with_log()

    def _settle(self) -> None:
        """Repair all faults, and compare the box with what it should be."""
        self.panel.loose = 0.0
        self._pass(PATIENCE)
        assert self.box.upkeep.mark is None, f"{self.where}: something is not saved"
        assert self.box.outputs.fault is None, f"{self.where}: {self.box.outputs.fault}"
        if not self.box.outputs.asleep:
            assert self.panel.picture is not None
            wanted = self.box.outputs._display.seen
            assert wanted is not None
            assert self.panel.picture.tobytes() == wanted.tobytes(), f"{self.where}: another picture"
        self._compare_with_log()
        kind = kind_of(self.box.state.panel.screen)
        way = way_home(self.box)
        assert way is not None, (
            f"on {self.name}, home is more than {NEAR} keys away from {kind}, {self.box.state.panel.selector}"
        )
        self.seen.kinds.add(kind)
        self.seen.home(self.name, kind, way)

    def _compare_with_log(self) -> None:
        """Compare the table with the game in its log, and with a newly started box."""
        game, screen = self.box.game, self.box.state.panel.screen
        if game is not None and game.read_only:  # only looked at: the next start does not open it again
            return
        again = self._box(MemoryPanel())
        assert (again.game is None) == (game is None), f"{self.where}: another game after a start"
        if game is None or again.game is None:
            return
        log = read("\n".join((self.journal.saved(game.name).header, *self.journal.lines(game.name))).encode())
        assert written(log.state) == written(game.session.state), f"{self.where}: not what its log says"
        assert written(again.game.session.state) == written(game.session.state)
        assert again.game.tracking is game.tracking
        if isinstance(screen, PlayScreen | ConflictScreen):
            assert isinstance(again.state.panel.screen, PlayScreen | ConflictScreen), (
                f"{self.where}: {kind_of(again.state.panel.screen)} after a start"
            )
            assert again.state.panel.screen.draft == screen.draft, (
                f"{self.where}: {again.state.panel.screen.draft} after a start, {screen.draft}"
            )
        self.seen.counts["compared"] += 1

    def _count(self) -> None:
        games = self.journal.games()
        self.seen.counts["boxes"] += 1
        self.seen.counts["faults"] += self.panel.faults
        self.seen.counts["games"] += len(games)
        self.seen.counts["finished"] += sum(saved.over for saved in games)
        self.seen.counts["entries"] += sum(saved.lines for saved in games)

    @property
    def where(self) -> str:
        """Return which box this is, what it shows, and the last keys."""
        return f"on {self.name} in {self.language}, {kind_of(self.box.state.panel.screen)} after {' '.join(self._last)}"
