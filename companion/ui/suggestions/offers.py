"""Chooses the few likeliest corrections; different cards that may be missing at the same place count as one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .search_types import Suggestion

MOST = 3
"""Offers at most."""

LEAST = 0.02
"""The probability below which nothing is offered."""


class Offer(Struct, frozen=True):
    """A correction that is offered."""

    likeliest: Suggestion  # the most likely suggestion of those it stands for
    weight: float  # the probability of all of them together
    # whether it stands for more than one: something was forgotten there, but not even people know what
    open: bool = False


def offers(suggestions: Sequence[Suggestion]) -> tuple[Offer, ...]:
    """Return the few best offers, the most likely first."""
    groups: dict[object, list[Suggestion]] = {}
    for each in suggestions:
        forgotten = not each.replacement.was
        groups.setdefault(each.replacement.number if forgotten else each.replacement, []).append(each)
    made = [Offer(group[0], sum(each.weight for each in group), len(group) > 1) for group in groups.values()]
    return tuple(offer for offer in sorted(made, key=lambda offer: -offer.weight)[:MOST] if offer.weight >= LEAST)
