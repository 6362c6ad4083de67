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

from companion.core.game import Event, Game, event_from_answers, tracking_of
from companion.core.prompt import DetailLevel, Prompt
from companion.gamelog import replay
from companion.games import GAMES
from companion.games.east_rune import rules as east_rune
from companion.games.eternity import rules as eternity
from companion.games.gear import rules as gear
from companion.games.hipparchus import rules as hipparchus
from companion.ui.keys import parse, spelled
from tests.games.seeds import deal

from .table import Limit, Row

WHOLE, SHORT = range(40), range(8, 12)  # four with every kind of entry
FEW = "sixteen keys, and nobody waits for the one who types"
EACH = "a key for each figure that does not follow, and one that says that the whole sheet is right"
PLEDGED = 1 / 3
"""The share of the turns after the lead that are pledges, while one is allowed."""

HABITS: dict[str, Any] = {"misplay": 0.0, "edits": 0.0, "stop": 0.0, "most_rounds": 12}


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one entry.

    Attributes:
        kind: Its event's type.
        keys: How many keys it takes.
        bits: Its information: log2 of the number of possible answers, summed over its questions.
    """

    kind: type[Event]
    keys: int
    bits: float


def cost(game: Game[Any], state: Any, tracking: DetailLevel, event: Event) -> Cost:
    """Return the cost of an event with some tracking; keys to change the tracking do not count."""
    tracking = tracking_of(game, tracking, state, event)
    given = game.answers(state, event)
    asked = (game.ask(state, tracking, given[:count]) for count in range(len(given)))
    prompts = [prompt for prompt in asked if isinstance(prompt, Prompt)]  # all are: `tracking_of` went this way before
    bits = sum(log2(len(prompt.answers)) for prompt in prompts)
    return Cost(type(event), len(parse("".join(spelled(prompts, given)))), bits)


def costs(logs: Iterator[bytes], tracking: DetailLevel) -> Iterator[Cost]:
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
    given = game.answers(state, event)
    for name in ("last", "last_chair", "second"):
        if getattr(event, name, UNSET) is not UNSET:
            less = replace(event, **{name: UNSET})
            shorter = game.answers(state, less)
            if len(shorter) < len(given) and event_from_answers(game, state, DetailLevel.ROUND, shorter) == less:
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
        result = east_rune.Result(end.chairs, end.monarchs, end.hand, None if end.chairs_up else end.last)
        yield cost(game, begun, DetailLevel.ROUND, needed(game, begun, result))


# The figures


@dataclass(frozen=True, slots=True)
class Kind:
    """Entries that are counted together.

    Attributes:
        label: Their name.
        events: The types of their events.
        aim: The most keys they should take, if there is a goal.
        why: The reason of that goal.
    """

    label: str
    events: tuple[type[Event], ...]
    aim: float | None = None
    why: str = FEW


FULL = {
    "eternity": (
        Kind("card", (eternity.Play, eternity.Pledge), 1.75),
        Kind("columns", (eternity.Deal,)),
        Kind("neutral pair", (eternity.Reveal,)),
    ),
    "gear": (
        Kind("card or pair", (gear.Play,), 1.9),
        Kind("bid", (gear.Bid,)),
        Kind("lots", (gear.Lots,)),
    ),
    "hipparchus": (Kind("play", (hipparchus.Play,), 1.1), Kind("stuck", (hipparchus.Stuck,))),
    "east-rune": (
        Kind("play", (east_rune.Play,), 1.9),
        Kind("pass or end of turn", (east_rune.Pass, east_rune.Stop)),
        Kind("turned up", (east_rune.Reveal,)),
        Kind("claim", (east_rune.Claim,)),
    ),
}
QUICK = {
    "eternity": (Kind("trick", (eternity.Trick,), 3.0),),
    "gear": (Kind("trick", (gear.Trick,)), Kind("auction", (gear.Prices,))),
    "hipparchus": (
        Kind("trick", (hipparchus.Trick,)),
        Kind("end of round", (hipparchus.End, hipparchus.Stuck)),
    ),
}
ROUND = {
    "eternity": (Kind("sheet of four", (eternity.Round,), 10.0),),
    "gear": (Kind("sheet of four", (gear.Round,), 10.0),),
    "hipparchus": (Kind("sheet of two", (hipparchus.Round,)),),
}
RESULT = Kind("sheet of four", (east_rune.Result,), 10.5, EACH)


def figures(seeds: range) -> Iterator[tuple[str, Kind, list[Cost]]]:
    """Yield each kind of entry with its game, tracking and costs."""
    for way, kinds, logs, tracking in (
        ("full", FULL, full, DetailLevel.FULL),
        ("quick", QUICK, quick, DetailLevel.QUICK),
        ("rounds", ROUND, rounds, DetailLevel.ROUND),
    ):
        for game, wanted in kinds.items():
            found = list(costs(logs(game, seeds), tracking))
            for kind in wanted:
                some = [each for each in found if each.kind in kind.events]
                assert some, f"{game}, {way}: these games have no {kind.label}"
                yield f"{game}, {way}", kind, some
    yield "east-rune, end", RESULT, list(ends(seeds))


def mean(found: list[Cost]) -> float:
    return sum(each.keys for each in found) / len(found)


def rows(seeds: range) -> Iterator[Row]:
    """Count keys entry by entry, over whole random games, and yield the means beside the information limit."""
    for way, kind, found in figures(seeds):
        least = sum(each.bits for each in found) / len(found) / 4
        limits = () if kind.aim is None else (Limit(kind.aim, kind.why),)
        yield Row(f"{way}: {kind.label}", mean(found), "keys", "log2(answers)/4", least, limits)
