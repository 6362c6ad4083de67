"""Limits of the server so high that no client of a test is refused."""

from __future__ import annotations

from companion.web.rate_limits import Limits
from tests.waiting import LAST_RESORT

EASY = Limits(
    phone_rate=1e6,
    phone_burst=1_000_000,
    history_rate=1e6,
    history_burst=1_000_000,
    role_rate=1e6,
    role_burst=1_000_000,
    stranger_rate=1e6,
    stranger_burst=1_000_000,
    all_strangers_rate=1e6,
    all_strangers_burst=1_000_000,
    newcomer_rate=1e6,
    newcomer_burst=1_000_000,
    request_timeout=LAST_RESORT,
    write_timeout=LAST_RESORT,
)
"""Limits so high that no client is refused."""
