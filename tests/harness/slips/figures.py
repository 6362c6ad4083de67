"""Measures how slips are noticed, and how often the box suggests the true correction."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.ui.offered_corrections import Suggestion, offers

from .case import SLIPS, Case, Noticed, Slip, entries
from .cases import case
from .honest import Honest, honest_game
from .late import CORRECTED, keys_to_correct
from .searching import asked, sought, suggestions

BEST = 3
"""How many suggestions people look at."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one slip.

    Attributes:
        slip: The kind of slip.
        alarm: How it was noticed.
        unasked: How it would have been noticed if nobody had compared the figures of a round.
        right: Whether there was nothing to correct.
        later: How many entries after the slip it was noticed.
        wrong: Whether totals stay wrong that people do not see or cannot put right with the figures of a round.
        searched: Whether the box looked for a correction.
        rank: The place of the true correction among the suggestions, from 1; None if it is not there.
        offered: The place of the offer beside the alert that leads to the true events; None if none does.
        seconds: How long the search took.
    """

    slip: Slip
    alarm: Noticed
    unasked: Noticed
    right: bool
    later: int
    wrong: bool = False
    searched: bool = False
    rank: int | None = None
    offered: int | None = None
    seconds: float = 0.0

    @property
    def accuses(self) -> bool:
        """Return whether the box raised an alert about somebody who did nothing wrong, and did not say what it was."""
        return self.alarm == "alert" and self.offered is None


def calls(result: Result) -> bool:
    """Return whether a refusal or an alert made the box look for a correction."""
    return result.searched and result.alarm in ("refused", "alert")


def is_later(alarm: Noticed) -> bool:
    return alarm in ("refused", "alert", "kind")


@dataclass(slots=True)
class Figures:
    """The figures of a game.

    Attributes:
        game: The game's name.
        results: What became of each slip.
        games: How many games were played.
        shared: The share of games with each event that not every game has.
        keys: The keys of each card without a slip.
        late: The keys of each correction 12 entries later, by the slip; None where no keys make it.
    """

    game: str
    results: list[Result] = field(default_factory=list)
    games: int = 0
    shared: Counter[str] = field(default_factory=Counter)
    keys: list[int] = field(default_factory=list)
    late: dict[Slip, list[int | None]] = field(default_factory=dict)

    def take(self, honest: Honest, late: Mapping[Slip, Iterable[int | None]]) -> None:
        """Count an honest game, and its late corrections."""
        self.games += 1
        self.shared.update({type(said.event).__name__ for said in honest.said})
        self.keys += [len(said.keys) for said in honest.said if said.laid]
        for slip, keys in late.items():
            self.late.setdefault(slip, []).extend(keys)

    def share(self, chosen: Callable[[Result], bool], among: Callable[[Result], bool] = lambda _each: True) -> float:
        counted = [each for each in self.results if among(each)]
        return 100 * sum(map(chosen, counted)) / len(counted) if counted else 0.0

    def found(self, most: int, among: Callable[[Result], bool] = calls) -> float:
        """Return the percentage of searches with the true correction among the first so many suggestions."""
        return self.share(lambda each: each.rank is not None and each.rank <= most, among)

    def offered(self, most: int, among: Callable[[Result], bool] = calls) -> float:
        """Return the percentage of searches in which one of the first so many offers leads to the true events."""
        return self.share(lambda each: each.offered is not None and each.offered <= most, among)

    def silent(self) -> float:
        """Return the percentage of slips that leave wrong totals although people enter the figures of each round."""
        return self.share(lambda each: each.wrong)

    def accused(self) -> float:
        """Return the percentage of slips with an alert about an innocent, and without the true correction beside it."""
        return self.share(lambda each: each.accuses)

    def keys_a_card(self) -> float:
        """Return the mean number of keys of a card without a slip."""
        return sum(self.keys) / len(self.keys)

    def entries_later(self) -> tuple[float, int]:
        """Return after how many entries slips are noticed that are noticed later: median, and 90 of 100."""
        later = sorted(each.later for each in self.results if is_later(each.unasked) and not each.right)
        return (median(later), later[len(later) * 9 // 10]) if later else (0, 0)

    def seconds(self) -> tuple[float, float]:
        """Return the mean and the longest time of a search."""
        times = [each.seconds for each in self.results if each.searched] or [0.0]
        return sum(times) / len(times), max(times)


def measure(game: str, seeds: Iterable[int]) -> Figures:
    """Return the figures of a game: one honest game a seed, with one slip of each kind."""
    figures = Figures(game)
    for seed in seeds:
        honest = honest_game(game, seed)
        late = {slip: keys_to_correct(honest, slip, random.Random(f"{slip} {seed}")) for slip in CORRECTED}
        figures.take(honest, late)
        for slip in SLIPS:
            found = case(honest, slip, seed)
            figures.results += [] if found is None else [result(found, suggestions)]
    return figures


def result(found: Case, search: Callable[[Case], Sequence[Suggestion] | None]) -> Result:
    """Return what becomes of a case, with the suggestions of a search."""
    begun = time.perf_counter()
    suggested = search(found)
    seconds = time.perf_counter() - begun
    return Result(
        found.slip,
        found.alarm,
        found.unasked,
        found.right,
        later=len(found.truth) - found.at,
        wrong=stays_wrong(found),
        searched=suggested is not None,
        rank=rank(suggested or (), found),
        offered=offered(suggested or (), found),
        seconds=seconds,
    )


def stays_wrong(found: Case) -> bool:
    """Return whether nobody sees that totals are wrong, or the figures of the round do not put them right."""
    if found.result is None:
        return found.alarm == "never-wrong"
    game, head, true = found.header.game, found.session.head, Session(found.header)
    for event in found.truth:
        true = true.add(event)
    assert head.before is not None
    assert head.event is not None
    shown = game.outcome(head.before.state, head.event, head.state).table is not None
    ended = shown or head.state.phase == "over"
    try:
        state = game.apply(head.before.state if ended else head.state, found.result)
    except IllegalEventError:
        return True
    return bool(game.snapshot(state)["totals"] != game.snapshot(true.state)["totals"])


def rank(suggestions: Iterable[Suggestion], found: Case) -> int | None:
    """Return the place of the first suggestion after which exactly the true events are in force, from 1."""
    session = asked(found)
    for number, suggestion in enumerate(suggestions, 1):
        try:
            corrected = session.add(suggestion.line)
        except IllegalEventError:
            continue
        if entries(corrected) == sought(found):
            return number
    return None


def offered(suggestions: Sequence[Suggestion], found: Case) -> int | None:
    """Return the place of the offer beside the alert that leads to the true events, from 1.

    An offer for a forgotten card stands for every card that may be missing there; people know which one it was.
    """
    for number, offer in enumerate(offers(suggestions), 1):
        meant = [offer]
        if offer.open:
            meant = [each for each in suggestions if not each.was and each.number == offer.number]
        if rank(meant, found) is not None:
            return number
    return None
