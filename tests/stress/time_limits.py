"""How long things may take: promised where ``make stress`` has a machine for itself, and not in the suite."""

from __future__ import annotations

from tests.waiting import LAST_RESORT

promised = True
"""Whether what takes too long breaks a promise."""


def within(seconds: float) -> float:
    """Return how long something may take."""
    return seconds if promised else LAST_RESORT
