"""Random games: dealt and written down by the referee, in the lines of a log."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from companion.core.events import Event
from companion.core.session import Session
from companion.log import decode_header, decode_line
from tests.referee import eternity as referee


@dataclass(frozen=True)
class Dealt:
    """A game dealt from a seed: its header, its lines, and the chance that goes on with it."""

    seed: int
    header: dict[str, Any]
    lines: list[dict[str, Any]]
    rng: random.Random = field(repr=False)

    def session(self, count: int | None = None) -> Session:
        """Return the game after so many lines."""
        session = Session(decode_header(json.dumps(self.header)))
        for line in self.lines[:count]:
            session = session.add(decode_line(json.dumps(line), session.header))
        return session

    def bytes(self) -> bytes:
        """Return the log."""
        return "".join(json.dumps(line) + "\n" for line in (self.header, *self.lines)).encode()


def games(**habits: Any) -> st.SearchStrategy[Dealt]:
    """Return random games.

    Args:
        habits: How often people misplay, correct, leave cards out, stop; at random where it is not said.
    """

    def deal(seed: int) -> Dealt:
        rng = random.Random(seed)
        chosen = {
            "coarse": rng.choice([0.0, 0.1, 0.5]),
            "misplay": rng.choice([0.0, 0.1, 0.5]),
            "edits": rng.choice([0.0, 0.1]),
            "stop": 0.005,
            "most_rounds": rng.choice([1, 1, 1, 3, 4]),
            **habits,
        }
        header, lines = referee.random_game(rng, **chosen)
        return Dealt(seed, header, lines, rng)

    return st.integers(0, 2**32 - 1).map(deal)


def events(session: Session) -> list[Event]:
    """Return the events that stand, first to last."""
    return [step.event for step in session.steps() if step.event is not None][::-1]
