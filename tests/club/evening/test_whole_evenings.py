"""Whole evenings with what happens at one, ranked by a second program that was written from docs/club.md."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest

from companion.club.evening.evening_state import (
    Entrant,
    EntrantCame,
    EntrantLeft,
    EntrantRenamed,
    EntrantsAdded,
    EventTakenBack,
    PenaltyGiven,
    Presence,
    TableResult,
    TableVoid,
)
from companion.club.evening.ranking import ranking
from companion.club.evening.replay import follow
from companion.club.evening.seating import draw
from companion.core.game import Best

from .evenings import begun, replay

PLAYERS, ROUNDS = 24, 4
Table = tuple[tuple[int, ...], tuple[int, ...]]  # players and points by seat; no points where the table is void


def shares(table: Table, best: Best) -> dict[int, tuple[Fraction, Fraction]]:
    """Return rank share and points share of each player of a table."""
    players, points = table
    if not points:
        return dict.fromkeys(players, (Fraction(1, 2), Fraction(1, 2)))
    good = points if best is Best.HIGHEST else [-each for each in points]
    lead = [each - min(good) for each in good]
    found = {}
    for player, own, ahead in zip(players, good, lead, strict=True):
        beaten = sum(Fraction(2 * (own > other) + (own == other), 2) for other in good) - Fraction(1, 2)
        found[player] = (
            beaten / (len(good) - 1),
            Fraction(ahead * len(lead), 2 * sum(lead)) if any(lead) else Fraction(1, 2),
        )
    return found


def places(tables: Sequence[Table], penalties: dict[int, int], listed: set[int], best: Best) -> dict[int, int]:
    """Return each player's place: rank share, points share, direct meetings, best table; level players share it."""
    own = {player: [shares(table, best)[player] for table in tables if player in table[0]] for player in listed}
    totals = {
        player: (sum(r for r, _p in found) - Fraction(penalties.get(player, 0), 100), sum(p for _r, p in found))
        for player, found in own.items()
    }
    keys = {}
    for player in listed:
        direct = 0
        for table in tables:
            for other in set(table[0]) & listed - {player} if player in table[0] and table[1] else ():
                if totals[other] == totals[player]:
                    mine, theirs = shares(table, best)[player][0], shares(table, best)[other][0]
                    direct += (mine > theirs) - (mine < theirs)
        played = [shares(table, best)[player] for table in tables if player in table[0] and table[1]]
        keys[player] = (*totals[player], direct, max(played, default=(Fraction(0), Fraction(0))))
    return {player: 1 + sum(other > key for other in keys.values()) for player, key in keys.items()}


@pytest.mark.parametrize("seed", range(16))
def test_the_ranking_of_an_evening_with_disasters_is_that_of_a_second_program(seed: int) -> None:
    chance = Random(seed)
    best = chance.choice([*Best])
    moment = replay(begun([f"P{number}" for number in range(PLAYERS)], best=best, seed=seed))
    late = Entrant(PLAYERS + 1, "Late", Presence.LATE)
    moment = follow(moment, EntrantsAdded((late,)))
    tables: list[Table] = []
    penalties: dict[int, int] = {}
    for number in range(1, ROUNDS + 1):
        if number == 2:
            moment = follow(moment, EntrantCame(late.number))
        moment = follow(moment, draw(moment.evening))
        disasters = chance.sample(["leaves", "void", "wrong", "penalty", "undone", "misspelt"], 2)
        if "undone" in disasters:
            moment = follow(follow(moment, EventTakenBack()), draw(moment.before.evening, seed))  # type: ignore[union-attr]
        if "leaves" in disasters:
            big = [table for table in moment.evening.rounds[-1].tables if len(table.players) > 2]
            moment = follow(moment, EntrantLeft(chance.choice(chance.choice(big).players)))
        if "misspelt" in disasters:
            moment = follow(moment, EntrantRenamed(1 + chance.randrange(PLAYERS), f"Another {number}"))
        if "penalty" in disasters:
            fined, hundredths = 1 + chance.randrange(PLAYERS), chance.choice([-25, 50, 100])
            moment = follow(moment, PenaltyGiven(fined, hundredths))
            penalties[fined] = penalties.get(fined, 0) + hundredths
        tables += [((player,), ()) for player in moment.evening.rounds[-1].byes]
        for table in moment.evening.rounds[-1].tables:
            points = tuple(chance.randint(-9, 9) for _player in table.players)
            if "void" in disasters and table.number == 1:
                moment = follow(moment, TableVoid(number, 1))
                tables.append((table.players, ()))
                continue
            wrong = "wrong" in disasters and table.number == 2
            moment = follow(moment, TableResult(number, table.number, points[::-1] if wrong else points))
            if wrong:
                moment = follow(moment, TableResult(number, table.number, points, corrects=True))
            tables.append((table.players, points))
    evening = moment.evening
    listed = {player for table in tables for player in table[0]} | set(evening.present)
    expected = places(tables, penalties, listed, best)
    assert {row.entrant.number: row.place for row in ranking(evening)} == expected
