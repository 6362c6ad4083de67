"""The evening's script: a game with every key that enters it, and the picture a box shows after each.

The expected pictures are those of a box with the same program, which never loses a panel, a process or its power. The
expected states are those of the oracle, which dealt the game and knows nothing of boxes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from PIL import Image

from companion.app.box import Box
from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.cli.start_notices import FAILURES, OTHER_FAILURE
from companion.core.text import Text
from companion.gamelog import replay
from companion.journal import Journal
from companion.ui.keys import Key, parse
from companion.ui.translations import _
from tests.app.boxes import idle, new_box
from tests.games.seeds import Dealt, deal

SEED = 49
ROUNDS = 6
NEW_GAME = parse("1 1 C 2 # C 3 # C 4 # C 5 # # 3 99 # #")
"""Eternity with A, D, G and J, to a total that nobody reaches: a long evening."""

PLAYERS = ["A", "D", "G", "J"]
HABITS: dict[str, Any] = {
    "coarse": 0,
    "edits": 0,
    "misplay": 0.1,
    "stop": 0,
    "seats": 4,
    "edition": "jp",
    "tiles": ["sea", "sky", "earth"],
    "ending": {"target": 99},
    "neutral": "aside",
    "tokens": "substitute",
}


@dataclass(frozen=True)
class Script:
    """A game in keys.

    Attributes:
        dealt: The game as the oracle dealt it.
        round: The number of lines of its first round.
        keys: Every key from home on.
        ends: The number of keys after which each line is entered; the first is that of the header.
    """

    dealt: Dealt
    round: int
    keys: tuple[Key, ...]
    ends: tuple[int, ...]

    def entered(self, pressed: int) -> int:
        """Return how many lines have been entered after so many keys; -1 while there is no game."""
        return sum(end <= pressed for end in self.ends) - 1

    def box(self, pressed: int, journal: Journal | None = None) -> Box:
        """Return a box after so many keys."""
        box = new_box(journal)
        for key in self.keys[:pressed]:
            box.take(PANEL, key)
        return box

    def restarted(self, pressed: int) -> Box:
        """Return a box that was switched off and on again after so many keys."""
        journal = Journal()
        self.box(pressed, journal)
        return new_box(journal)

    def gone_back(self, pressed: int, version: str, before: str, how: str) -> Image.Image:
        """Return the picture after a roll-back: the sentence about it, over the question after so many keys.

        Args:
            pressed: The number of keys.
            version: The version that failed.
            before: The one that runs instead.
            how: How it failed, in systemd's words.
        """
        journal = Journal()
        self.box(pressed, journal)
        sentence = FAILURES.get(how, OTHER_FAILURE)
        journal.notices.append(Text(sentence.template, version=version, before=before))
        return new_box(journal).picture

    def updated(self, pressed: int, version: str) -> Image.Image:
        """Return the picture at the first start of a newer version: a sentence over the question after so many keys."""
        box = self.restarted(pressed)
        box.upkeep.tell_news(_("Updated to {version}", version=version))
        return box.picture

    def rest(self, pressed: int) -> tuple[Key, ...]:
        """Return the keys that finish the entry under way on a box that was restarted after so many keys."""
        lines = self.entered(pressed)
        entry = self.keys[self.ends[lines] : self.ends[lines + 1]]
        for first in range(len(entry) + 1):
            box = self.restarted(pressed)
            for key in entry[first:]:
                box.take(PANEL, key)
            if idle(box).picture == self.pictures[self.ends[lines + 1]]:
                return entry[first:]
        raise AssertionError("no key of the entry leads on")

    @cached_property
    def pictures(self) -> tuple[Image.Image, ...]:
        """Return the picture after each key, once no search for corrections goes on."""
        box = new_box()
        pictures = [box.picture]
        for key in self.keys:
            box.take(PANEL, key)
            pictures.append(idle(box).picture)
        return tuple(pictures)

    @cached_property
    def log(self) -> list[str]:
        """Return the log that the keys make: a header, and a line for each entry."""
        journal = Journal()
        self.box(len(self.keys), journal)
        (game,) = journal.games()
        return [game.header, *journal.lines(game.name)]

    def snapshot(self, lines: int) -> dict[str, Any]:
        """Return the oracle's snapshot of the game after so many lines."""
        found: dict[str, Any] = self.dealt.referee.snapshot(self.dealt.header, self.dealt.lines[:lines])
        return found


def written(seed: int = SEED) -> Script:
    first, dealt = (deal("eternity", seed, most_rounds=rounds, **HABITS) for rounds in (1, ROUNDS))
    assert dealt.lines[: len(first.lines)] == first.lines
    dealt.header["players"] = PLAYERS
    keys, ends = list(NEW_GAME), [len(NEW_GAME)]
    speller: LogToKeys | None = None
    for reading in replay(dealt.bytes()):
        if speller is None or reading.line is None:
            speller = LogToKeys(reading.session)
            continue
        keys += parse(speller.spell(reading.line))
        ends.append(len(keys))
    script = Script(dealt, len(first.lines), tuple(keys), tuple(ends))
    assert [json.loads(line)["type"] for line in script.log[1:]] == [line["type"] for line in dealt.lines]
    return script
