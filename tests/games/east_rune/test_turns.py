"""East Rune: a round with its chair, claim, turns, chains, passes and extra turn."""

from __future__ import annotations

from json import loads

import pytest

from companion.gamelog import encode
from companion.games.east_rune.state import MissedClaim, snapshot

from .tables import Table, card, cards, chair, claimed, pair, result, table, unclaimed

# The deal


@pytest.mark.parametrize(("seats", "hand"), [(2, 6), (3, 8), (4, 6)])
def test_hands_are_dealt_before_anybody_is_named(seats: int, hand: int) -> None:
    opened = table(seats)
    assert opened.state.hand == (hand,) * seats
    assert opened.state.may_start == tuple(range(seats))
    assert (opened.state.phase, opened.state.turn, opened.state.dealer) == ("start", None, None)
    assert opened.state.totals == (-hand,) * seats


def test_the_first_dealer_turns_up_the_first_card() -> None:
    begun = table().starts(2)
    assert (begun.state.phase, begun.state.turn, begun.state.dealer) == ("reveal", 2, 2)
    assert begun.state.may_start is None


def test_with_the_blank_character_the_first_dealer_gets_the_card_left_over_and_a_point() -> None:
    begun = table(blank_character=True).starts(1)
    assert begun.state.hand == (8, 9, 8)
    assert begun.state.totals == (-8, -8, -8)
    assert table().starts(1).state.hand == (8, 8, 8)


# The chair and the claim


def test_a_chair_lies_on_the_field_and_waits_for_a_claim() -> None:
    up = table().starts(1).turns_up("beauty")
    assert (up.state.phase, up.state.turn, up.needs) == ("claim", None, None)
    assert up.state.chairs_up == (chair("beauty"),)


def test_who_claims_takes_the_first_turn() -> None:
    at = table().starts(1).turns_up("beauty").claims(2, "night17")
    assert (at.state.phase, at.state.turn, at.needs) == ("play", 2, "dawn")
    assert at.state.pile == cards("night17")
    assert at.state.hand == (8, 8, 7)


def test_where_nobody_claims_the_dealer_takes_it_and_any_domain_may_come() -> None:
    at = table().starts(1).turns_up("beauty").unclaimed()
    assert (at.state.phase, at.state.turn, at.needs) == ("play", 1, None)


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


@pytest.mark.parametrize("rules", [{"blank_chair": True}, {"monarchs": "playable"}])
def test_with_the_blank_chair_or_playable_monarchs_it_can_happen_and_is_none(rules: dict[str, object]) -> None:
    assert unclaimed(**rules).state.alerts == ()  # type: ignore[arg-type]


def test_a_claim_need_not_follow_what_lies_there_from_an_earlier_chair() -> None:
    at = claimed().goes("- - -").turns_up("reason").claims(1, "noon18")
    assert at.state.pile == cards("noon36 noon18")
    assert at.needs == "dusk"


def test_without_a_claim_what_lies_there_is_followed() -> None:
    at = claimed().goes("- - -").turns_up("reason").unclaimed()
    assert (at.needs, at.state.turn) == ("dusk", 0)
    assert at.goes("dusk3").state.phase == "chain"


# Turns and chains


@pytest.mark.parametrize(("seats", "turns"), [(3, [1, 2, 0, 1]), (4, [1, 2, 3, 0])])
def test_turns_run_clockwise_from_whoever_claimed(seats: int, turns: list[int]) -> None:
    at = claimed(seats, by=1)
    found = []
    for word in ("dusk1", "night2", "dawn1", "noon2"):
        found.append(at.state.turn)
        at = at.goes(word)
    assert found == turns


@pytest.mark.parametrize(
    ("domain", "after"), [("noon", "dusk"), ("dusk", "night"), ("night", "dawn"), ("dawn", "noon")]
)
def test_domains_follow_in_their_cycle(domain: str, after: str) -> None:
    assert unclaimed().goes(f"{domain}1").needs == after


def test_the_same_attribute_lets_the_turn_go_on() -> None:
    at = claimed().goes("dusk3")
    assert (at.state.phase, at.state.turn, at.needs) == ("chain", 0, "night")
    assert at.goes("night3").state.phase == "chain"
    assert at.goes("night3 dawn4").state.turn == 1
    assert at.goes("night3 .").state.turn == 1
    assert at.goes("night3 .").needs == "dawn"


def test_another_attribute_ends_the_turn() -> None:
    at = claimed().goes("dusk4")
    assert (at.state.phase, at.state.turn) == ("play", 1)


def test_the_first_character_of_all_starts_no_chain() -> None:
    at = unclaimed().goes("dusk4")
    assert (at.state.phase, at.state.turn) == ("play", 1)
    assert at.goes("night4").state.phase == "chain"


def test_sacred_and_mineral_are_one_where_the_table_says_so() -> None:
    assert claimed(monarch="noon16").goes("dusk2").state.phase == "play"
    rich = claimed(monarch="noon16", sacred_is_mineral=True)
    assert rich.goes("dusk2").state.phase == "chain"
    assert rich.goes("dusk1").state.phase == "chain"
    assert rich.goes("dusk3").state.phase == "play"


def test_who_has_passed_is_left_out_for_the_round() -> None:
    at = claimed().goes("dusk1 - night2")
    assert (at.state.passed, at.state.turn) == ((1,), 0)
    assert at.goes("dawn1").state.turn == 2
    assert claimed(4, by=2).goes("dusk1 - - night2 -").state.passed == (0, 2, 3)


# The end of a round


def test_a_round_with_a_vassal_ends_when_all_but_its_layer_have_passed() -> None:
    at = claimed().goes("dusk1 - -")
    assert (at.state.phase, at.state.turn, at.needs) == ("extra", 0, "night")
    assert at.state.passed == (1, 2)


def test_also_when_the_only_one_left_lays_the_first_vassal() -> None:
    at = claimed().goes("- - dusk1")
    assert (at.state.phase, at.state.turn) == ("extra", 2)


def test_a_chain_is_finished_first() -> None:
    at = claimed().goes("- - dusk3")
    assert (at.state.phase, at.state.turn) == ("chain", 2)
    assert at.goes(".").state.phase == "extra"


def test_the_extra_turn_is_whose_who_laid_the_last_vassal_passed_or_not() -> None:
    at = claimed().goes("dusk1 - night2 -")
    assert (at.state.phase, at.state.turn, at.state.passed) == ("extra", 2, (0, 1))
    gone = claimed(monarchs="playable").goes("dusk1 night26 - - -")
    assert (gone.state.phase, gone.state.turn, gone.state.passed) == ("extra", 0, (0, 1, 2))


def test_who_has_not_passed_is_asked_before_the_extra_turn_though_the_last_layer_has_passed() -> None:
    at = claimed(monarchs="playable").goes("dusk1 night26 - -")  # Aki laid the last vassal and passed, Bea has not
    assert (at.state.phase, at.state.turn, at.state.passed) == ("play", 1, (0, 2))
    assert (at.state.last, at.needs) == (0, "dawn")


def test_the_only_one_left_goes_on_alone_until_a_pass_or_a_vassal() -> None:
    at = claimed(monarchs="playable").goes("dusk1 night26 - -")
    alone = at.goes("dawn37")
    assert (alone.state.phase, alone.state.turn) == ("play", 1)
    assert (alone.goes("-").state.phase, alone.goes("-").state.turn) == ("extra", 0)
    assert (alone.goes("noon4").state.phase, alone.goes("noon4").state.turn) == ("extra", 1)
    chained = alone.goes("noon3")
    assert (chained.state.phase, chained.goes(".").state.phase, chained.goes(".").state.turn) == ("chain", "extra", 1)


def test_two_who_have_not_passed_both_go_on_after_the_last_layer_has() -> None:
    at = table(4, blank_chair=True).starts(0).turns_up("blank").claims(2, "noon3").goes("- - dusk1 -")
    assert (at.state.phase, at.state.turn, at.state.passed) == ("extra", 0, (1, 2, 3))
    other = table(4, blank_chair=True).starts(0).turns_up("blank").claims(2, "noon3").goes("- -")
    assert (other.state.turn, other.goes("-").state.turn, other.goes("-").state.phase) == (0, 1, "play")
    assert (other.goes("- -").state.phase, other.goes("- -").state.turn) == ("extra", 2)


def test_the_extra_turn_may_be_declined() -> None:
    at = claimed().goes("dusk1 - - -")
    assert (at.state.phase, at.state.round, at.state.dealer) == ("reveal", 2, 0)
    assert at.state.chairs == (1, 0, 0)


def test_or_taken_with_its_chain() -> None:
    at = claimed().goes("dusk1 - - night1")
    assert (at.state.phase, at.state.turn) == ("extra-chain", 0)
    assert at.goes("dawn1").state.phase == "extra-chain"
    assert at.goes("dawn2").state.phase == "reveal"
    assert at.goes(".").state.phase == "reveal"
    assert at.goes(".").state.dealt[0].card is card("night1")


def test_an_extra_turn_without_a_chain_is_one_card() -> None:
    at = claimed().goes("dusk1 - - night2")
    assert (at.state.phase, at.state.round) == ("reveal", 2)


def test_without_a_vassal_nobody_captures_and_all_stays() -> None:
    at = claimed(by=1).goes("- - -")
    assert (at.state.phase, at.state.round, at.state.dealer, at.state.turn) == ("reveal", 2, 0, 0)
    assert (at.state.chairs_up, at.state.pile, at.state.passed) == ((chair("light"),), cards("noon36"), ())
    assert at.state.chairs == (0, 0, 0)


def test_monarchs_laid_in_turns_do_not_count_as_vassals() -> None:
    at = claimed(monarchs="playable").goes("- - dusk17")
    assert (at.state.phase, at.state.turn) == ("play", 2)
    assert at.goes("night28 -").state.round == 2
    assert at.goes("night28 -").state.chairs == (0, 0, 0)
    assert at.goes("night2").state.phase == "extra"


def test_a_monarch_laid_in_a_turn_chains_like_any_card() -> None:
    assert claimed(monarchs="playable").goes("dusk37").state.phase == "chain"


# Variants


def test_a_vassal_claims_the_blank_chair_and_counts_as_laid() -> None:
    at = table(blank_chair=True).starts(0).turns_up("blank").claims(1, "noon3")
    assert (at.state.turn, at.needs, at.state.last) == (1, "dusk", 1)
    assert at.goes("- -").state.turn == 0
    assert (at.goes("- - -").state.phase, at.goes("- - -").state.turn) == ("extra", 1)


def test_the_blank_character_takes_the_domain_that_was_needed_and_shares_any_attribute() -> None:
    at = claimed(blank_character=True).goes("blank")
    assert (at.state.phase, at.needs, at.state.hand) == ("chain", "night", (7, 8, 8))
    assert at.goes("night5").state.phase == "chain"


def test_with_no_character_under_it_any_domain_may_follow() -> None:
    at = unclaimed(blank_character=True).goes("blank")
    assert (at.state.phase, at.state.turn, at.needs) == ("play", 1, None)
    assert at.goes("dawn5").state.phase == "chain"
    assert at.goes("dawn5").needs == "noon"


@pytest.mark.parametrize("seat", range(3))
def test_the_blank_character_can_be_in_any_hand(seat: int) -> None:
    at = claimed(by=seat, blank_character=True).goes("blank")  # seat 0 dealt first
    assert (at.state.phase, at.state.turn, at.state.pile[-1], at.state.last) == ("chain", seat, card("blank"), seat)
    assert at.state.hand == tuple((9 if each == 0 else 8) - 2 * (each == seat) for each in range(3))


@pytest.mark.parametrize("seat", range(3))
def test_it_may_claim_the_blank_chair_from_any_hand(seat: int) -> None:
    at = table(blank_chair=True, blank_character=True).starts(0).turns_up("blank").claims(seat, "blank")
    assert (at.state.turn, at.needs, at.state.last) == (seat, None, seat)


def test_the_point_of_the_card_left_over_stays_with_the_first_dealer_whoever_lays_the_blank() -> None:
    at = claimed(blank_character=True).goes("dusk1 blank . - -")
    assert at.state.hand == (7, 7, 8)
    assert at.state.totals == (1 - 7, -7, -8)


# Two players


def test_with_two_players_a_monarch_is_turned_up_and_the_other_draws() -> None:
    at = pair()
    assert (at.state.phase, at.state.turn, at.needs) == ("play", 0, "dusk")
    assert (at.state.hand, at.state.pile, at.state.chairs_up) == ((6, 7), cards("noon36"), ())
    assert at.goes("dusk3").state.phase == "chain"


def test_sacred_and_mineral_can_be_one_for_them_too() -> None:
    assert pair("noon16").goes("dusk2").state.phase == "play"
    assert pair("noon16", sacred_is_mineral=True).goes("dusk2").state.phase == "chain"


def test_they_lay_in_turns() -> None:
    at = pair().goes("dusk1 night2")
    assert at.state.turn == 0
    assert at.goes("-").state.phase == "extra"
    assert at.goes("-").state.turn == 1


# The snapshot


def test_the_needed_domain_is_shown_only_in_turns() -> None:
    at: Table = claimed().goes("- - -")
    assert at.state.follows is not None
    assert snapshot(at.state)["needs"] is None
    assert snapshot(at.turns_up("light").state)["needs"] is None
    assert snapshot(claimed().state)["needs"] == "dusk"
    assert snapshot(unclaimed().state)["needs"] is None
