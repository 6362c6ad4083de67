"""Limits of the server so high that no client of a test is refused."""

from __future__ import annotations

from companion.web.rate_limits import Limits
from tests.waiting import LAST_RESORT

EASY = Limits(
    phone_a_second=1e6,
    phone_at_once=1_000_000,
    history_a_second=1e6,
    history_at_once=1_000_000,
    roles_a_second=1e6,
    roles_at_once=1_000_000,
    stranger_a_second=1e6,
    stranger_at_once=1_000_000,
    strangers_a_second=1e6,
    strangers_at_once=1_000_000,
    newcomers_a_second=1e6,
    newcomers_at_once=1_000_000,
    request_within=LAST_RESORT,
    taken_within=LAST_RESORT,
)
"""Limits so high that no client is refused."""
