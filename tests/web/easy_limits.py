"""Limits of the server so high that no client of a test is refused."""

from __future__ import annotations

from companion.web.limits import Limits, Rate
from tests.waiting import LAST_RESORT

OFTEN = Rate(1e6, 1_000_000)
EASY = Limits(phone=OFTEN, history=OFTEN, role=OFTEN, stranger=OFTEN, strangers=OFTEN, timeout=LAST_RESORT)
"""Limits so high that no client is refused."""


def once(burst: int) -> Rate:
    """Return a rate of so many, and then none for the length of a test."""
    return Rate(1e-6, burst)
