"""Honest games: every card entered, nobody revokes, nothing mistyped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from companion.core.game import Event, LogHeader, Table
from companion.core.prompt import Answer
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.gamelog import decode_header, decode_line
from companion.games.east_rune.rules import Play as RunePlay
from companion.games.eternity.rules import Play, Pledge
from companion.games.gear.rules import Play as GearPlay
from companion.games.hipparchus.rules import Play as SunPlay
from tests.games.seeds import deal

from .box import Box, Entered

HABITS: dict[str, Any] = {"coarse": 0.0, "misplay": 0.0, "edits": 0.0, "stop": 0.0, "most_rounds": 12, "pledge": 1 / 3}
"""The habits of the random dealer: every card is entered, and nobody revokes."""

LAID = (Play, Pledge, GearPlay, SunPlay, RunePlay)
"""Entries of a card, or cards, that a player lays."""


@dataclass(frozen=True, slots=True)
class Said:
    """An entry as an honest person types it.

    Attributes:
        event: The entry.
        answers: Its answers, each with its keys.
        by_player: Whether the question names a player.
        after: The session after it.
        sheet: The figures of the round, or in East Rune of the game, that it ended.
    """

    event: Event
    answers: tuple[tuple[Answer, str], ...]
    by_player: bool
    after: Session
    sheet: Table | None

    @property
    def keys(self) -> str:
        return "".join(keys for _answer, keys in self.answers)

    @property
    def laid(self) -> bool:
        """Return whether a player lays a card, or cards."""
        return isinstance(self.event, LAID)

    @property
    def seat(self) -> int | None:
        """Return the player who lays a card; None if nobody does."""
        return self.event.player if isinstance(self.event, LAID) else None


@dataclass(frozen=True, slots=True)
class Honest:
    """An honest game.

    Attributes:
        header: The game.
        said: Its entries; entry 1 is at place 0.
    """

    header: LogHeader
    said: tuple[Said, ...]

    def after(self, count: int) -> Session:
        return self.said[count - 1].after if count else Session(self.header)

    def events(self, count: int) -> tuple[Event, ...]:
        return tuple(said.event for said in self.said[:count])


@lru_cache(maxsize=64)  # many tests look at the first few
def honest_game(game: str, seed: int) -> Honest:
    """Return an honest random game of any number of players and any rules.

    >>> len(honest_game("hipparchus", 1).said) > 10
    True
    """
    dealt = deal(game, seed, **HABITS)
    header = decode_header(json.dumps(dealt.header))
    box = Box(Session(header), {})
    said: list[Said] = []
    for line in dealt.lines:
        event = decode_line(json.dumps(line), header)
        assert isinstance(event, Event)
        said.append(_typed(box, event))
    return Honest(header, tuple(said))


def answers_for(session: Session, event: Event) -> tuple[Answer, ...] | None:
    """Return the answers by which a person enters an event here, whoever the box believes has the turn."""
    state = session.state
    turn = getattr(state, "turn", None)
    if turn is not None and isinstance(event, LAID):
        event = replace(event, player=turn)
    try:
        return session.header.game.answers(state, event)
    except (IllegalEventError, LookupError, TypeError, AssertionError):
        return None


def sheet_of(done: Entered, session: Session) -> Table | None:
    """Return the figures that an entry shows: of the round, or in East Rune of the game, that it ended."""
    game = session.header.game
    if game.name == "east-rune":
        return game.score_sheet(session.state) if session.state.phase == "over" else None
    return done.outcome.table


def _typed(box: Box, event: Event) -> Said:
    answers = box.session.header.game.answers(box.session.state, event)
    spelt: list[tuple[Answer, str]] = []
    by_player = True
    for answer in answers:
        assert box.prompt is not None
        by_player = box.prompt.seat is not None
        keys = box.spell(answer)
        assert keys is not None
        spelt.append((answer, keys))
        done = None
        for key in keys:
            assert done is None
            done = box.press(key)
    assert isinstance(done, Entered)
    assert done.event == event
    return Said(event, tuple(spelt), by_player, box.session, sheet_of(done, box.session))
