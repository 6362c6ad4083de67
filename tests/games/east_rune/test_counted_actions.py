"""East Rune: which deeds an event counts for whom."""

from __future__ import annotations

import pytest

from companion.core.game import Event
from companion.games.east_rune import EAST_RUNE
from companion.games.east_rune.rules import Claim, EndTurn, Pass, Rules, start

from .tables import Table, card, play, result

TABLE = Table(start(3, Rules(monarchs="playable", blank_chair=True))).starts(0)
BEGUN = TABLE.turns_up("light").unclaimed().goes("noon5")
EXTRA = BEGUN.goes("- -")


def done(at: Table, event: Event) -> list[tuple[str, int, int]]:
    """Return what an event counts: the deed, its seat and its amount; 0 is left out."""
    made = EAST_RUNE.optional.counted_actions(at.state, event, at.enters(event).state)
    return [(deed.what, deed.seat, deed.amount) for deed in made if deed.amount]


@pytest.mark.parametrize(
    ("at", "event", "expected"),
    [
        (TABLE.turns_up("light"), Claim(2, card("noon16")), [("claims", 2, 1)]),
        (TABLE.turns_up("light"), Claim(None), []),
        (TABLE.turns_up("blank"), Claim(1, card("noon1")), [("claims", 1, 1), ("vassals", 1, 1)]),
        (BEGUN, play(1, "dusk1"), [("vassals", 1, 1)]),
        (BEGUN, play(1, "dusk16"), []),
        (BEGUN.goes("dusk5"), play(1, "night1"), [("vassals", 1, 1), ("chained", 1, 1)]),
        (BEGUN.goes("dusk5"), play(1, "night17"), [("chained", 1, 1)]),
        (BEGUN.goes("dusk5"), EndTurn(1), []),
        (BEGUN, Pass(1), [("passes", 1, 1)]),
        (EXTRA, Pass(0), [("captures", 0, 1), ("dealt", 1, 1)]),
        (EXTRA, play(0, "dusk1"), [("vassals", 0, 1), ("captures", 0, 1), ("dealt", 1, 1), ("dealt", 2, 1)]),
        (
            BEGUN,
            result("4 2 0", "1 2 3", "0 0 5"),
            [
                *(("chairs", 0, 4), ("chairs", 1, 2), ("monarchs", 0, 1), ("monarchs", 1, 2)),
                *(("monarchs", 2, 3), ("left", 2, 5)),
            ],
        ),
    ],
)
def test_an_event_counts_for_who_did_it(at: Table, event: Event, expected: list[tuple[str, int, int]]) -> None:
    assert done(at, event) == expected


def test_a_field_that_nobody_captures_counts_for_nobody() -> None:
    at = TABLE.turns_up("light").unclaimed().goes("- -")
    assert done(at, Pass(2)) == [("passes", 2, 1)]
    assert at.goes("-").state.finished == 1
