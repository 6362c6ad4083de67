"""Made-up results, for tests of what is computed from them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.history.results import GameResult

EVENING = 1_795_372_200.0
"""22 November 2026, 18:30 UTC."""

GAME = GameResult(
    name="000012-eternity-7f3a9c21",
    number=12,
    game="eternity",
    players=("Aki", "Bea", "Cyr", "Dai"),
    rules='{"edition":"fr","tokens":"limited"}',
    begun=EVENING,
    ended=EVENING + 3000,
    seconds=2700.0,
    tracking="full",
    starter=2,
    scores=(5, -3, 12, 12),
    winners=(2,),
    rounds=((2, -3, 4, 4), (3, 0, 8, 8)),
    course=((0, 0, 0, 0), (2, -3, 4, 4), (5, -3, 12, 12)),
    counts={"tricks": (3, 0, 5, 4)},
    entries=80,
)


def made(**changes: Any) -> GameResult:
    """Return a result of Eternity with changes."""
    return replace(GAME, **changes)
