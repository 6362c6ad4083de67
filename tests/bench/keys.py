"""The number of keys per entry, beside the least that any grammar of sixteen keys could take.

The least is the information limit: log2 of the number of possible answers, divided by the 4 bits of a key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.event_answers import event_from_answers, tracking_of
from companion.core.events import Event
from companion.core.game import Game
from companion.core.prompt import Prompt, Skip, Tracking
from companion.gamelog import replay
from companion.games import GAMES
from companion.games.east_rune.events import Result
from companion.ui.key_grammar import AnswerCodes
from companion.ui.keys import parse
from tests.games.seeds import deal

from .table import Limit, Row

SEEDS = range(40)
PLEDGED = 1 / 3
"""The share of the turns after the lead that are pledges, while one is allowed."""

HABITS: dict[str, Any] = {"misplay": 0.0, "edits": 0.0, "stop": 0.0, "most_rounds": 12}


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one entry.

    Attributes:
        kind: The name of its event.
        keys: How many keys it takes.
        bits: Its information: log2 of the number of possible answers, summed over its questions.
    """

    kind: str
    keys: int
    bits: float


def cost(game: Game[Any], state: Any, tracking: Tracking, event: Event) -> Cost:
    """Return the cost of an event with some tracking; keys to change the tracking do not count."""
    tracking = tracking_of(game, tracking, state, event)
    given = game.answers(state, event)
    prompts = [game.ask(state, tracking, given[:count]) for count in range(len(given))]
    keys, bits = 0, 0.0
    for prompt, answer in zip(prompts, given, strict=True):
        assert isinstance(prompt, Prompt)  # `tracking_of` went this way before
        keys += len(parse(AnswerCodes(prompt).spell(answer)))
        bits += log2(len(prompt.answers))
    return Cost(type(event).__name__, keys, bits)


def costs(logs: Iterator[bytes], tracking: Tracking) -> Iterator[Cost]:
    """Yield the cost of every entry of some games; optional cells of a sheet are left out."""
    for log in logs:
        state = None
        for reading in replay(log):
            if isinstance(reading.line, Event):
                game = reading.session.header.game
                yield cost(game, state, tracking, needed(game, state, reading.line))
            state = reading.session.state


def needed(game: Game[Any], state: Any, event: Event) -> Event:
    """Return an event without the last player, if that is not asked for."""
    for name in ("last", "last_chair", "second"):
        if getattr(event, name, UNSET) is not UNSET:
            less = replace(event, **{name: UNSET})
            given = game.answers(state, less)
            if Skip() not in given[-1:] and event_from_answers(game, state, Tracking.ROUND, given) == less:
                return less
    return event


# The games that are measured


def full(game: str, seeds: range) -> Iterator[bytes]:
    """Yield random games entered card by card."""
    return (deal(game, seed, coarse=0.0, pledge=PLEDGED, **HABITS).bytes() for seed in seeds)


def quick(game: str, seeds: range) -> Iterator[bytes]:
    """Yield random games entered trick by trick; in Eternity every second trick has a pledge."""
    for seed in seeds:
        seats = 2 + seed % 4
        able = 3 if seats == 2 else seats - 1  # turns after the lead
        pledge = 1 - 0.5 ** (1 / able)
        yield deal(game, seed, coarse=1.0, pledge=pledge, seats=_seated(game, seats), **HABITS).bytes()


def rounds(game: str, seeds: range) -> Iterator[bytes]:
    """Yield random games of four players (Hipparchus: of two), entered by the sheet of each round."""
    seats = _seated(game, 4)
    return (deal(game, seed, coarse=3.0, pledge=PLEDGED, seats=seats, **HABITS).bytes() for seed in seeds)


def _seated(game: str, seats: int) -> int | None:
    """Return the number of players to deal for; None if the game fixes or excludes it."""
    return seats if seats in GAMES[game].seats and len(GAMES[game].seats) > 1 else None


def ends(seeds: range) -> Iterator[Cost]:
    """Yield the cost of the sheet at the end of East Rune with four players."""
    game = GAMES["east-rune"]
    for seed in seeds:
        dealt = deal("east-rune", seed, coarse=0.0, seats=4, **HABITS)
        end, begun = dealt.session().state, dealt.session(1).state
        result = Result(end.chairs, end.monarchs, end.hand, None if end.chairs_up else end.last)
        yield cost(game, begun, Tracking.ROUND, needed(game, begun, result))


# The figures


@dataclass(frozen=True, slots=True)
class Kind:
    """Entries that are counted together.

    Attributes:
        label: Their name.
        events: The names of their events.
        aim: The most keys they should take, if there is a goal.
    """

    label: str
    events: tuple[str, ...]
    aim: float | None = None


FULL = {
    "eternity": (Kind("card", ("Play", "Pledge"), 1.75), Kind("columns", ("Deal",)), Kind("neutral pair", ("Reveal",))),
    "gear": (Kind("card or pair", ("Play",), 1.9), Kind("bid", ("Bid",)), Kind("lots", ("Lots",))),
    "hipparchus": (Kind("play", ("Play",), 1.1), Kind("stuck", ("Stuck",))),
    "east-rune": (
        Kind("play", ("Play",), 1.9),
        Kind("pass or stop", ("Pass", "Stop")),
        Kind("turned up", ("Reveal",)),
        Kind("claim", ("Claim",)),
    ),
}
QUICK = {
    "eternity": (Kind("trick", ("Trick",), 3.0),),
    "gear": (Kind("trick", ("Trick",)), Kind("auction", ("Prices",))),
    "hipparchus": (Kind("trick", ("Trick",)), Kind("end of round", ("End", "Stuck"))),
}
ROUND = {
    "eternity": (Kind("sheet of four", ("Round",), 10.0),),
    "gear": (Kind("sheet of four", ("Round",), 10.0),),
    "hipparchus": (Kind("sheet of two", ("Round",)),),
}
RESULT = Kind("sheet of four", ("Result",), 10.0)


def figures(seeds: range = SEEDS) -> Iterator[tuple[str, Kind, list[Cost]]]:
    """Yield each kind of entry with its game, tracking and costs."""
    for way, kinds, logs, tracking in (
        ("full", FULL, full, Tracking.FULL),
        ("quick", QUICK, quick, Tracking.QUICK),
        ("rounds", ROUND, rounds, Tracking.ROUND),
    ):
        for game, wanted in kinds.items():
            found = list(costs(logs(game, seeds), tracking))
            for kind in wanted:
                yield f"{game}, {way}", kind, [each for each in found if each.kind in kind.events]
    yield "east-rune, end", RESULT, list(ends(seeds))


def mean(found: list[Cost]) -> float:
    """Return the mean number of keys of some entries."""
    return sum(each.keys for each in found) / len(found)


def rows() -> Iterator[Row]:
    """Count keys entry by entry, over whole random games, and yield the means beside the information limit."""
    for way, kind, found in figures():
        least = sum(each.bits for each in found) / len(found) / 4
        limits = () if kind.aim is None else (Limit(kind.aim),)
        yield Row(f"{way}: {kind.label}", mean(found), "keys", "log2 of the answers / 4", least, limits)
