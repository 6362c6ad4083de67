"""Random players: enter games that were dealt, and press other keys."""

from __future__ import annotations

import json
import random

from companion.app.box import Box
from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.core.prompt import ChooseSeat, Prompt
from companion.core.text import IllegalEventError
from companion.gamelog import LogError, decode_line
from companion.games import GAMES
from companion.ui.keys import NAMES, parse
from companion.ui.screens.home import HistoryScreen
from companion.ui.screens.table import LOTS, START, PlayScreen
from tests.games.seeds import Dealt, deal

ASIDE = 0.03
"""How often a player does something other than the next entry: looks, corrects, undoes."""

SLIPS = 0.03
"""How often a player presses any key at all."""

UNDOING = {"*": 0.15, "h*": 0.06, "h#": 0.04}
"""The probability of a key that undoes or leads away from the table, relative to an answer."""


class Hands:
    """A player who presses random keys on a box, and reacts to its screens.

    Attributes:
        chance: The random numbers.
        dealt: The game to enter as dealt; None while the entries come from random keys alone.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.dealt: Dealt | None = None
        self._next: list[str] = []

    def deal(self) -> Dealt:
        """Deal a game of any kind, to be begun next."""
        name, seed = self.chance.choice(tuple(GAMES)), self.chance.randrange(2**32)
        self.dealt = deal(name, seed, coarse=self.chance.choice([0.05, 0.2, 0.5]))
        self._next = []
        return self.dealt

    def resume(self) -> None:
        """Continue on a restarted box, which may have lost some of the last keys."""
        self._next = []

    def line(self, box: Box, most: int = 6) -> str:
        """Press some keys and return them; none after one that leads to the history."""
        keys = []
        for _ in range(self.chance.randint(1, most)):
            key = self._key(box)
            keys.append(key)
            for pressed in parse(key):
                box.take(PANEL, pressed)
            if reads_history(box):
                break
        return "".join(keys)

    def _key(self, box: Box) -> str:
        """Return a key, but none that lets chance say who starts: two boxes would say different people."""
        key = self._any_key(box)
        return key if key != LOTS or not draws_lots(box) else "1"

    def _any_key(self, box: Box) -> str:
        if self.chance.random() < SLIPS:
            self._next = []
            slip: str = self.chance.choice([*NAMES, "h#", "h*"])
            return slip
        if not self._next and self.chance.random() >= ASIDE:
            self._next = self._entry(box)
        return self._next.pop(0) if self._next else self._whatever(box)

    def _entry(self, box: Box) -> list[str]:
        """Return the remaining keys for the next line of the game that was dealt."""
        game, dealt, screen = box.game, self.dealt, box.state.panel.screen
        if dealt is None or game is None or not isinstance(screen, PlayScreen):
            return []
        if game.session.header.players != tuple(dealt.header["players"]) or box.lines >= len(dealt.lines):
            self.dealt = None
            return []
        try:
            line = decode_line(json.dumps(dealt.lines[box.lines]), game.session.header)
            keys = [str(key) for key in parse(LogToKeys(game.session, game.tracking).spell(line))]
        except (IllegalEventError, LogError):  # something else was entered in between, or another game begun
            self.dealt = None
            return []
        begun = [str(key) for key in parse("".join(screen.keys) + screen.typed)]
        fits = screen == PlayScreen(screen.answers, screen.keys, screen.typed)
        return keys[len(begun) :] if fits and keys[: len(begun)] == begun else []

    def _whatever(self, box: Box) -> str:
        """Return a random key, more likely one that leads on."""
        labels = box.frame.labels
        table = "h#" in labels
        weights = [UNDOING.get(key, 1.0) if table else 3.0 if key == "#" else 1.0 for key in labels]
        return self.chance.choices(list(labels), weights)[0]


def draws_lots(box: Box) -> bool:
    """Return whether it is asked who starts, which chance may say."""
    game, screen = box.game, box.state.panel.screen
    if game is None or not isinstance(screen, PlayScreen) or game.session.progress.phase != START:
        return False
    asked = screen.position(game).ask(screen.answers)
    return isinstance(asked, Prompt) and all(isinstance(answer, ChooseSeat) for answer in asked.answers)


def reads_history(box: Box) -> bool:
    """Return whether the screen shows what has been read of the history so far, and may lead elsewhere later."""
    return type(box.state.panel.screen).__module__.startswith(HistoryScreen.__module__)
