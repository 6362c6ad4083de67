"""Time limits: enforced where ``make stress`` has the machine for itself, but not in the suite."""

from __future__ import annotations

from tests.waiting import LAST_RESORT

promised = True
"""Whether exceeding a time limit breaks a promise."""


def within(seconds: float) -> float:
    """Return the time limit, or a very long one where limits are not enforced."""
    return seconds if promised else LAST_RESORT
