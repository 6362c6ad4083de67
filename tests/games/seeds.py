"""Random games from seeds, dealt by the oracle's referees, as the lines of a log."""

from __future__ import annotations

import inspect
import json
import random
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st

from companion.core.game import Event
from companion.core.prompt import Answer, Prompt, TakeAlternative
from companion.core.session import Session
from companion.gamelog import decode_header, decode_line
from companion.games import GAMES
from tests.oracle.shared import some_amend, some_splice, twisted

REFEREES: dict[str, Any] = {name: import_module(f"tests.oracle.{name.replace('-', '_')}") for name in GAMES}

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"

_WRITER = msgspec.json.Encoder(enc_hook=repr)  # cards and suits are encoded as their names


def written(state: object) -> bytes:
    """Return a state as complete JSON, for comparison."""
    return _WRITER.encode(state)


@dataclass(frozen=True)
class Dealt:
    """A random game from a seed: header, lines, and the random generator to continue with."""

    seed: int
    header: dict[str, Any]
    lines: list[dict[str, Any]]
    rng: random.Random = field(repr=False)

    @property
    def referee(self) -> Any:
        return REFEREES[self.header["game"]]

    def session(self, count: int | None = None) -> Session:
        """Return the session after the first ``count`` lines; by default all."""
        session = Session(decode_header(json.dumps(self.header)))
        for line in self.lines[:count]:
            session = session.add(decode_line(json.dumps(line), session.header))
        return session

    def bytes(self) -> bytes:
        """Return the log file's bytes."""
        return "".join(json.dumps(line) + "\n" for line in (self.header, *self.lines)).encode()


def deal(game: str, seed: int, **habits: Any) -> Dealt:
    """Return a random game from a seed; for ``habits`` see ``games``."""
    rng = random.Random(seed)
    random_game = REFEREES[game].random_game
    chosen = {
        "coarse": rng.choice([0.0, 0.1, 0.5]),
        "misplay": rng.choice([0.0, 0.1, 0.5]),
        "edits": rng.choice([0.0, 0.1]),
        "stop": 0.005,
        "most_rounds": rng.choice([1, 1, 1, 3, 4]),
        **habits,
    }
    known = {*inspect.signature(random_game).parameters, *getattr(REFEREES[game], "DEFAULTS", ())}
    header, lines = random_game(rng, **{name: value for name, value in chosen.items() if name in known})
    return Dealt(seed, header, lines, rng)


def games(*names: str, **habits: Any) -> st.SearchStrategy[Dealt]:
    """Return a Hypothesis strategy for random games.

    Args:
        names: Names of the games; by default all.
        habits: Probabilities that players misplay, correct, leave cards out or stop; random by default.
    """
    seeds = st.integers(0, 2**32 - 1)
    return st.builds(lambda name, seed: deal(name, seed, **habits), st.sampled_from(names or tuple(GAMES)), seeds)


def random_answer(asked: Prompt, chance: random.Random) -> Answer:
    """Return an answer that leads on: a whole sheet is not entered again, which random answers would do without end."""
    whole = asked.sheet is not None and asked.sheet.cell is None
    return chance.choice([answer for answer in asked.answers if not (whole and answer == TakeAlternative())])


def events(session: Session) -> list[Event]:
    """Return the current events of a session, in order."""
    return [step.event for step in session.steps() if step.event is not None][::-1]


def slips(dealt: Dealt, count: int, chance: random.Random) -> list[dict[str, Any]]:
    """Return lines that may be wrong: what comes next here, or came at other tables of this size, with a slip in it."""
    book = dealt.referee.Book.of(dealt.header, dealt.lines[:count])
    game, seats = dealt.header["game"], len(dealt.header["players"])
    words = [*GAMES[game].cards] or ["sun", "moon", "earth"]
    here = [*dealt.lines[max(0, count - 3) : count + 3], *book.events[-3:]]
    elsewhere = chance.choices(lines_of_transcripts(game, seats), k=12)
    corrections = [some(chance, book, words) for some in (some_amend, some_splice) for _ in range(3)]
    found = [*here, *elsewhere, *corrections]
    return [*found, *(twisted(chance, line, words) for line in found * 2), {}, {"type": "undo"}, {"type": "redo"}]


@cache
def lines_of_transcripts(game: str, seats: int) -> list[dict[str, Any]]:
    """Return the lines of the games worked out by hand, at tables with so many players."""
    found = []
    for path in sorted((TRANSCRIPTS / game).rglob("*.jsonl")):
        header, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found += lines if len(header["players"]) == seats else []
    return found
