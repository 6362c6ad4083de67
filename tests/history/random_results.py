"""Random results of finished games, from a seed: twelve people, four kinds of games, seasons of evenings."""

from __future__ import annotations

import random
from datetime import datetime

from msgspec import json

from companion.history.results import GameResult

PEOPLE = ("Aki", "Bea", "Cyr", "Dai", "Eve", "Finn", "Gil", "Hana", "Ida", "Jon", "Kei", "Zoë")
SEATS = {"eternity": (3, 5), "gear": (3, 4), "hipparchus": (2, 2), "east-rune": (2, 6)}
DEEDS = {
    "eternity": ("tricks", "pledges", "revokes"),
    "gear": ("tricks", "paid", "revokes"),
    "hipparchus": ("tricks",),
    "east-rune": ("captures", "passes"),
}
FIRST = datetime(2026, 1, 2, 19, 30).timestamp()


def random_results(count: int, seed: int = 0, people: tuple[str, ...] = PEOPLE) -> list[GameResult]:
    """Return random results, oldest first; about one in forty is of a clock that was not set."""
    rng, moment, found = random.Random(seed), FIRST, []
    for number in range(1, count + 1):
        if rng.random() < 0.2:
            moment = moment + rng.randrange(1, 6) * 86_400
        result = random_result(rng, number, moment, people)
        moment += result.seconds + rng.randrange(600)
        found.append(result)
    return found


def random_result(rng: random.Random, number: int, moment: float, people: tuple[str, ...] = PEOPLE) -> GameResult:
    game = rng.choice(list(SEATS))
    few, many = SEATS[game]
    players = [rng.choice((name, name, name.upper())) for name in rng.sample(people, rng.randint(few, many))]
    seats = range(len(players))
    rounds = [tuple(rng.randrange(-6, 12) for _seat in seats) for _round in range(rng.randint(1, 8))]
    totals = [tuple(sum(points[seat] for points in rounds[:last]) for seat in seats) for last in range(len(rounds) + 1)]
    scores, teams = totals[-1], game == "gear" and len(players) == 4 and rng.random() < 0.5
    own = [scores[seat] + (scores[(seat + 2) % 4] if teams else 0) for seat in seats]
    winners = tuple(seat for seat in seats if own[seat] == max(own))
    if len(winners) > 1 and not teams and rng.random() < 0.5:  # a tie broken
        winners = winners[:1]
    seconds = float(rng.randrange(300, 7200))
    is_set = rng.random() < 0.975
    counts = {what: tuple(rng.choice((0, 0, 1, 3)) for _seat in seats) for what in DEEDS[game]}
    return GameResult(
        name=f"{number:06d}-{game}-{rng.randrange(1 << 32):08x}",
        number=number,
        game=game,
        players=tuple(players),
        rules=json.encode({"teams": teams, "target": None, "rounds": len(rounds)} if game == "gear" else {}).decode(),
        begun=moment if is_set else 0.0,
        ended=moment + seconds if is_set else 0.0,
        seconds=seconds,
        tracking="full",
        starter=rng.choice((*seats, None)),
        scores=scores,
        winners=winners,
        rounds=tuple(rounds),
        course=tuple(totals),
        counts={} if rng.random() < 0.1 else {what: by_seat for what, by_seat in counts.items() if any(by_seat)},
        entries=rng.randrange(20, 200),
    )
