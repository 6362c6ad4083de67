"""Eternity: before the first trick: the starter, the first cards of the columns, and illegal early events."""

from __future__ import annotations

import pytest

from companion.core.events import Event, Start
from companion.games.eternity.events import Deal, Play, Pledge, Reveal
from companion.games.eternity.state import snapshot

from .tables import Table, card, cards, dealt, pair, table, trick

TEN = "earth1 earth2 earth3 earth4 earth5 earth6 earth7 earth8 earth9 earth10"


@pytest.mark.parametrize("seat", [-1, 4, 10**30])
def test_a_seat_nobody_sits_at_cannot_start(seat: int) -> None:
    assert table().refuses(Start(seat)) == "seat"


def test_only_those_who_are_asked_for_may_start() -> None:
    asked = table().round("5 0 5 0", "0 0 0 0")
    assert asked.state.may_start == (0, 2)
    assert asked.refuses(Start(1)) == "may-not-start"
    assert asked.refuses(Start(3)) == "may-not-start"
    assert asked.refuses(Start(4)) == "seat"
    assert asked.starts(2).state.leader == 2


@pytest.mark.parametrize(
    ("seats", "board", "shown", "reason"),
    [
        (3, "sea1 sea1", "", "seen"),
        (3, "sea1 earth10", TEN, "seen"),
        (3, "sea1 sea2", TEN.replace("earth2", "earth1"), "seen"),
        (3, "sea1 sea2", "earth1", "shown"),
        (3, "sea1 sea2", TEN.removesuffix(" earth10"), "shown"),
        (3, "sea1 sea2", TEN + " earth11", "shown"),
        (4, "sea1 sea2", TEN, "shown"),
        (5, "sea1 sea2", TEN, "shown"),
        (4, "sky9 sky9", "", "seen"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(seats: int, board: str, shown: str, reason: str) -> None:
    assert table(seats).starts(0).refuses(Deal(pair(board), cards(shown))) == reason


START, DEAL, REVEAL = Start(0), Deal(pair("sea1 sea2")), Reveal(pair("sea1 sea2"))
PLAY, PLEDGE, TRICK = Play(0, card("sky1")), Pledge(0, card("sky1")), trick(0)


@pytest.mark.parametrize(
    ("at", "event"),
    [
        *((table(4), event) for event in (DEAL, REVEAL, PLAY, PLEDGE, TRICK)),
        *((table(2), event) for event in (DEAL, REVEAL, PLAY, PLEDGE, TRICK)),
        *((table(4).starts(0), event) for event in (START, REVEAL, PLAY, PLEDGE, TRICK)),
        *((table(2).starts(0), event) for event in (START, DEAL, PLAY, PLEDGE, TRICK)),
        *((dealt(4), event) for event in (START, DEAL, REVEAL)),
        *((dealt(2), event) for event in (START, DEAL)),
        *((dealt(2, neutral="columns").trick(0), event) for event in (START, DEAL, PLAY, PLEDGE, TRICK)),
    ],
)
def test_what_comes_too_early_or_too_late_is_refused(at: Table, event: Event) -> None:
    assert at.refuses(event) == "phase"


@pytest.mark.parametrize("event", [START, DEAL, REVEAL, PLAY, PLEDGE, TRICK])
def test_nothing_comes_after_the_end(event: Event) -> None:
    over = table().round("10 0 0 0", "0 0 0 0").round("10 0 0 0", "0 0 0 0").round("10 0 0 0", "0 0 0 0")
    assert over.state.phase == "over"
    assert over.refuses(event) == "over"


def test_before_the_deal_there_is_no_trump() -> None:
    opened = table().starts(0)
    assert opened.trump is None
    assert snapshot(table().state)["trump"] is None
    assert snapshot(opened.state)["forecast"] == {"sea": 1, "sky": 1, "earth": 1}
