"""Measures evenings of several sizes on one core, and prints what each takes: ``python -m tests.club.evening``."""

from __future__ import annotations

from itertools import combinations
from random import Random
from time import perf_counter

from companion.club.evening.evening_state import TableResult
from companion.club.evening.ranking import ranking
from companion.club.evening.replay import follow
from companion.club.evening.seating import draw, meet_again

from .evenings import begun, replay

ROUNDS = 6


def measure(players: int) -> None:
    """Play an evening with random points, and print its time and repeated pairs."""
    random, began, again = Random(1), perf_counter(), list[int]()
    slowest = 0.0
    moment = replay(begun([f"P{number}" for number in range(players)]))
    for number in range(1, ROUNDS + 1):
        before = perf_counter()
        drawn = draw(moment.evening)
        slowest = max(slowest, perf_counter() - before)
        moment = follow(moment, drawn)
        again.append(meet_again(moment.evening, number))
        for table in moment.evening.rounds[-1].tables:
            points = tuple(random.randint(-50, 200) for _player in table.players)
            moment = follow(moment, TableResult(number, table.number, points))
        ranking(moment.evening)
    seated = [table.players for each in moment.evening.rounds for table in each.tables]
    pairs = sum(len(list(combinations(table, 2))) for table in seated)
    print(
        f"{players:4} players, {ROUNDS} rounds: {perf_counter() - began:.2f} s in all, slowest draw {slowest:.3f} s; "
        f"pairs that met again in each round {again}, of {pairs} in all"
    )


if __name__ == "__main__":
    for count in (8, 12, 17, 24, 40, 100, 200):
        measure(count)
