"""Eternity: which deeds an event counts for whom."""

from __future__ import annotations

import pytest

from companion.core.game import Event
from companion.games.eternity import ETERNITY
from companion.games.eternity.rules import Play, Pledge

from .tables import Table, card, dealt, trick, whole


def done(at: Table, event: Event) -> dict[str, dict[int, int]]:
    """Return what an event counts, by deed and seat; 0 is left out."""
    found: dict[str, dict[int, int]] = {}
    for deed in ETERNITY.optional.counted_actions(at.state, event, at.enters(event).state):
        if deed.amount:
            found.setdefault(deed.what, {})[deed.seat] = deed.amount
    return found


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (trick(0), {}),
        (trick(0, "1 sea5"), {"pledges": {1: 1}}),
        (trick(0, "1 sky5"), {"pledges": {1: 1}, "bids": {1: 1}}),
        (trick(0, "1 sky5", "2 sky6"), {"pledges": {1: 1, 2: 1}, "bids": {1: 1, 2: 1}}),
        (trick(0, "1 earth5", "2 earth6"), {"pledges": {1: 1, 2: 1}, "bids": {1: 1, 2: 1}, "changes": {1: 1, 2: 1}}),
    ],
)
def test_a_pledge_of_another_suit_is_a_bid_and_may_change_the_trump(
    event: Event, expected: dict[str, dict[int, int]]
) -> None:
    at = dealt(5, board="sea1 earth1").trick(0, "3 sea2")
    assert at.trump == "sea"
    assert done(at, event) == expected


def test_only_who_pledged_the_new_trump_changed_it() -> None:
    at = dealt(5, board="sea1 sky1")
    assert done(at, trick(0, "1 sky5", "2 earth5")) == {
        "pledges": {1: 1, 2: 1},
        "bids": {1: 1, 2: 1},
        "changes": {1: 1},
    }


def test_a_change_counts_once_the_last_card_of_the_trick_lies() -> None:
    at = dealt(4, board="sea1 sky1").lays("sea3")
    assert done(at, Pledge(1, card("sky5"))) == {"pledges": {1: 1}, "bids": {1: 1}}
    last = at.lays("+sky5 sea4")
    assert done(last, Play(3, card("sea6"))) == {"changes": {1: 1}}
    late = at.lays("sea4 sea5")
    assert done(late, Pledge(3, card("sky5"))) == {"pledges": {3: 1}, "bids": {3: 1}, "changes": {3: 1}}


@pytest.mark.parametrize(
    ("neutral", "pledged", "changes"),
    [
        ("sky2 sky3", "sea5", {}),  # the pair alone makes sky trump
        ("sky2 sky3", "sky5", {}),  # it would have done so without the pledge
        ("sky2 earth3", "sky5", {1: 1}),
        ("sea7 earth3", "sky5", {}),
    ],
)
def test_a_change_that_the_neutral_pair_alone_would_make_counts_for_nobody(
    neutral: str, pledged: str, changes: dict[int, int]
) -> None:
    at = dealt(2, board="sea1 sky1", neutral="columns").trick(0, "1 sea2").turns_up(neutral)
    assert at.trump == "sea"
    assert done(at, trick(0, f"1 {pledged}")).get("changes", {}) == changes


def test_a_pledge_in_the_last_trick_is_a_bid_but_changes_no_trump() -> None:
    at = dealt(4, board="sea1 sky1").tricks(*[0] * 9)
    made = done(at, trick(0, "1 sky5"))
    assert made["pledges"] == {1: 1}
    assert made["bids"] == {1: 1}
    assert "changes" not in made


def test_tricks_and_trees_count_when_the_round_ends() -> None:
    at = dealt(4)
    assert done(at, whole("4 3 3 0", "4 5 1 0")) == {
        "tricks": {0: 4, 1: 3, 2: 3},
        "trees": {0: 4, 1: 5, 2: 1},
        "kept": {0: 1, 3: 1},
        "scored": {0: 4, 2: 1},
        "lost": {1: 5},
    }


def test_a_revoke_counts_at_the_card_that_proves_it() -> None:
    at = dealt(4).lays("sky3 earth4 sky5 sky6 sky7 sky8")
    assert done(at, Play(1, card("sky9"))) == {"revokes": {1: 1}}
    assert done(at, Play(1, card("earth9"))) == {}


def test_tokens_that_ran_out_are_no_revoke() -> None:
    at = dealt(4)
    for rank in range(10, 15):
        at = at.trick(0, f"1 sea{rank}").trick(0, f"1 sky{rank}") if rank < 14 else at.trick(0, f"1 sea{rank}")
    assert done(at, trick(0, "1 sky14")) == {
        "pledges": {1: 1},
        "bids": {1: 1},
        "tricks": {0: 10},
        "trees": {1: 20},
        "kept": {2: 1, 3: 1},
        "lost": {1: 20},
    }
