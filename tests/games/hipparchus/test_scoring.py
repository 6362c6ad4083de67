"""Hipparchus: end of a round: sheets that cannot be, nothing after the end, the snapshot."""

from __future__ import annotations

import pytest

from companion.core.events import Event, Start
from companion.games.hipparchus.events import CannotPlay, EndRound
from companion.games.hipparchus.state import RoundResult, snapshot

from .tables import led, play, table, trick, whole

# The whole round


def test_a_whole_round_needs_the_second_where_the_points_tie() -> None:
    assert table().refuses(whole("3 0 0", "0 3 0")) == "second"
    assert table().round("3 0 0", "0 3 0", 1).state.rounds == (RoundResult((0, 0), 1),)
    assert table().round("3 0 0", "0 3 0", 0).state.leader == 0


@pytest.mark.parametrize(
    ("ours", "theirs", "second", "reason"),
    [
        ("-1 0 0", "3 0 0", None, "sheet"),
        ("3 0 0", "0 0 -1", None, "sheet"),
        ("6 0 0", "5 0 0", None, "suit-sum"),
        ("0 0 11", "0 0 0", None, "suit-sum"),
        ("5 5 5", "5 5 4", None, "sum"),
        ("3 0 0", "2 0 0", 2, "seat"),
        ("3 0 0", "2 0 0", -1, "seat"),
        ("5 5 5", "5 5 5", 0, "sum"),
        ("5 5 4", "5 5 4", None, "second"),
    ],
)
def test_sums_that_do_not_add_up_are_refused(ours: str, theirs: str, second: int | None, reason: str) -> None:
    for at in (table(), led().lays("moon3")):
        assert at.refuses(whole(ours, theirs, second)) == reason


# The end


@pytest.mark.parametrize(
    "event", [Start(0), play(0, "moon1"), CannotPlay(1), EndRound(), trick(0, "moon3"), whole("3 0 0", "0 0 0", 0)]
)
def test_nothing_comes_after_the_end(event: Event) -> None:
    over = table().round("3 3 3", "2 2 2").round("3 3 3", "2 2 2")
    assert over.refuses(event) == "over"


def test_the_snapshot_shows_it_as_the_log_format_says() -> None:
    at = led(1).lays("moon3 moon1 sun2")
    assert snapshot(at.state) == {
        "game": "hipparchus",
        "phase": "play",
        "round": 1,
        "turn": 0,
        "leader": 1,
        "may_start": None,
        "table": at.state.table,
        "last_trick": at.state.last_trick,
        "captured": [{"sun": 0, "moon": 0, "earth": 0}, {"sun": 0, "moon": 4, "earth": 0}],
        "left": (13, 9),
        "rounds": (),
        "wins": (0, 0),
        "totals": (0, 0),
        "winners": None,
        "alerts": (),
    }
    assert snapshot(led().trick(0, "moon3").state)["left"] == (None, None)
