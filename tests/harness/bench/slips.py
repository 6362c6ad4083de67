"""What a slip costs: how often it is found, suggested and left wrong, and how many keys its correction takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games import GAMES
from tests.harness.slips.case import Slip
from tests.harness.slips.figures import BEST, measure
from tests.harness.slips.late import LATER

from .table import Limit, Row

WHOLE, SHORT = range(80), range(4)
"""The games of each kind that are played, with one slip of each kind in it."""

FOUND = {"eternity": (37, 67), "gear": (55, 71), "hipparchus": (26, 39), "east-rune": (75, 84)}
"""The least percentages of alarms at which the first offer, or one of three, leads to the true events: what was
measured on 28 November 2026, less three for chance. More was wanted (60 and 80, 55 and 75, 40 and 60, 75 and 90)."""

SILENT = 0.6
"""The most percent of slips that may leave a wrong score when people compare the figures of each round."""

ACCUSED = {"eternity": 8.5}
"""The most percent of slips that may accuse somebody without the true correction beside it."""

KEYS: dict[Slip, float] = {"forgotten": 8.0, "twice": 6.0, "swapped": 6.0}
"""The most keys of a correction, by what it corrects."""

CARD = {"eternity": 1.73}
"""The most keys of a card without a slip."""


HELPS = "as right as it was: more needs other evidence than the keys, not other weights"
RIGHT = "a round's figures show what is wrong"
FAIR = "nobody is accused without the reason beside it"
SHORTER = "correcting is shorter than entering the round again"
PLAIN = "a game without a slip takes no more keys for all this"


def limits(bound: float | None, why: str, *, least: bool = False) -> tuple[Limit, ...]:
    return () if bound is None else (Limit(bound, why, least=least),)


def rows(seeds: range) -> Iterator[Row]:
    """Play games with slips, and yield the figures row by row."""
    for game in GAMES:
        figures = measure(game, seeds)
        first, three = FOUND[game]
        yield Row(f"{game}: noticed at once", figures.share(lambda each: each.right), "%")
        yield Row(f"{game}: right offer first", figures.offered(1), "%", limits=limits(first, HELPS, least=True))
        yield Row(f"{game}: among {BEST} offers", figures.offered(BEST), "%", limits=limits(three, HELPS, least=True))
        yield Row("  the true line itself first", figures.found(1), "%")
        yield Row(f"  the true line among {BEST}", figures.found(BEST), "%")
        yield Row(f"{game}: accused unexplained", figures.accused(), "%", limits=limits(ACCUSED.get(game), FAIR))
        yield Row(f"{game}: wrong score, unseen", figures.silent(), "%", limits=limits(SILENT, RIGHT))
        yield Row(f"{game}: card without a slip", figures.keys_a_card(), "keys", limits=limits(CARD.get(game), PLAIN))
        for slip, found in figures.late.items():
            yield from late(f"{game}: {slip}, {LATER} later", found, KEYS[slip])


def late(figure: str, found: Sequence[int | None], most: float) -> Iterator[Row]:
    """Yield the mean keys of some corrections; nothing if no such slip stays unseen for so long."""
    spelt = [keys for keys in found if keys is not None]
    if found:
        yield Row(figure, sum(spelt) / len(spelt) if spelt else float("inf"), "keys", limits=limits(most, SHORTER))
        yield Row("  of these, entered by keys", 100 * len(spelt) / len(found), "%")
