"""East Rune: unclaimed chairs, the end of the game, and the needed domain."""

from __future__ import annotations

from json import loads

from companion.gamelog import encode
from companion.games.east_rune.state import MissedClaim, snapshot

from .tables import Table, cards, chair, claimed, result, table, unclaimed

# The chair and the claim


def test_a_chair_that_nobody_claims_in_the_default_game_is_an_alert() -> None:
    assert claimed().state.alerts == ()
    first = unclaimed(blank_character=True, sacred_is_mineral=True)
    assert snapshot(first.state)["alerts"] == (MissedClaim(chair("light")),)
    assert loads(encode(first.state.alerts)) == [{"kind": "unclaimed", "chair": "light"}]


def test_there_is_an_alert_for_each_chair_in_order_and_alike_ones_count_twice() -> None:
    at = unclaimed().goes("- - -").turns_up("beauty").claims(0, "noon37").goes("- - -")
    at = at.turns_up("reason").unclaimed().goes("- - -").turns_up("light").unclaimed()
    assert [alert.chair.name for alert in at.state.alerts] == ["light", "reason", "light"]
    assert len(at.enters(result("1 2 3", "0 0 0", "0 0 0")).state.alerts) == 3


def test_a_claim_need_not_follow_what_lies_there_from_an_earlier_chair() -> None:
    at = claimed().goes("- - -").turns_up("reason").claims(1, "noon18")
    assert at.state.pile == cards("noon36 noon18")
    assert at.needs == "dusk"


def test_without_a_claim_what_lies_there_is_followed() -> None:
    at = claimed().goes("- - -").turns_up("reason").unclaimed()
    assert (at.needs, at.state.turn) == ("dusk", 0)
    assert at.goes("dusk3").state.phase == "chain"


# The end


def rounds(at: Table, *chairs: str) -> Table:
    """Return the table after rounds in which nobody claims or captures anything."""
    for word in chairs:
        at = at.turns_up(word).unclaimed().goes("- " * at.state.seats)
    return at


FIVE = ("light", "beauty", "beauty", "reason", "reason")


def test_a_capture_in_the_last_round_breaks_the_tie() -> None:
    at = rounds(table().starts(0), "light", *FIVE[:-1]).turns_up("reason").unclaimed()
    assert at.goes("dusk1 night2 dawn3 - - -").state.winners == (2,)
    assert at.goes("dusk1 night2 dawn3 - - -").state.dealer == 0


# The snapshot


def test_the_needed_domain_is_shown_only_in_turns() -> None:
    at: Table = claimed().goes("- - -")
    assert at.state.follows is not None
    assert snapshot(at.state)["needs"] is None
    assert snapshot(at.turns_up("light").state)["needs"] is None
    assert snapshot(claimed().state)["needs"] == "dusk"
    assert snapshot(unclaimed().state)["needs"] is None
