"""Counts the taps of honest games."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.session import Session
from tests.harness.slips.honest import honest_game

from .log_to_taps import taps_of


def taps_a_card(game: str, seeds: Iterable[int]) -> float:
    """Return the mean number of taps of an entry of a card, or cards, that a player lays."""
    counts: list[int] = []
    for seed in seeds:
        honest = honest_game(game, seed)
        session = Session(honest.header)
        for said in honest.said:
            if said.laid:
                counts.append(sum(taps for _name, taps in taps_of(session, said.event)))
            session = said.after
    return sum(counts) / len(counts)
