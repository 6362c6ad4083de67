"""Hipparchus: illegal plays and starts."""

from __future__ import annotations

import pytest

from companion.core.events import Event, Start
from companion.games.hipparchus.events import CannotPlay, EndRound

from .tables import led, play, table, trick


@pytest.mark.parametrize(
    ("before", "event", "reason"),
    [
        ("", play(1, "moon1"), "turn"),
        ("moon3", play(0, "moon1"), "turn"),
        ("", play(2, "moon1"), "seat"),
        ("", play(-1, "moon1"), "seat"),
        ("", play(0, "moon0"), "count"),
        ("", play(0, "moon4"), "count"),
        ("", play(0, "moon-1"), "count"),
        ("moon2", play(1, "moon2"), "same"),
        ("moon3 moon2 moon3", play(1, "moon3"), "same"),
        ("moon3 moon2 moon3 sun1", play(1, "moon3"), "suit"),  # eight of ten were seen
        ("moon3 moon2 moon3", play(1, "earth4"), "count"),
        ("", Start(1), "phase"),
        ("", CannotPlay(0), "lead"),
        ("", CannotPlay(1), "lead"),
        ("moon1", CannotPlay(0), "turn"),
        ("moon1", CannotPlay(2), "seat"),
        ("moon3 moon1", EndRound(), "known"),
        ("moon1", trick(0, "moon3"), "table"),
        ("", trick(2, "moon3"), "seat"),
    ],
)
def test_what_cannot_be_is_refused(before: str, event: Event, reason: str) -> None:
    assert led().lays(before).refuses(event) == reason


@pytest.mark.parametrize("event", [play(0, "moon1"), CannotPlay(1), EndRound(), trick(0, "moon3")])
def test_first_it_is_said_who_starts(event: Event) -> None:
    assert table().refuses(event) == "phase"


@pytest.mark.parametrize("seat", [-1, 2])
def test_only_those_who_sit_there_can_start(seat: int) -> None:
    assert table().refuses(Start(seat)) == "seat"


def test_a_hand_has_fourteen_cards() -> None:
    at = led().lays("sun3 sun2 moon3 moon2 earth3 earth2 sun3 sun1")  # seat 0 has laid twelve
    assert at.state.left == (2, 7)
    assert at.refuses(play(0, "moon3")) == "hand"
    assert at.lays("moon2").state.left == (0, 7)
