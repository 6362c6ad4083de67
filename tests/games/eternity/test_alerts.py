"""Eternity: alerts for proved revokes, and for more trees than tokens."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.eternity.state import Revoke, TokensExceeded

from .tables import Table, card, dealt, table


def revokes(at: Table) -> list[tuple[int, int, int, str]]:
    """Return the proved revokes: player, trick, trick of the proof, and the card that proves it."""
    return [
        (alert.player, alert.trick, alert.shown_in, alert.card.name)
        for alert in at.state.alerts
        if isinstance(alert, Revoke)
    ]


# In these games sea is trump and seat 0 leads sky in trick 1; seat 1 plays off suit.
FOLLOWED = "sky6 sky7"


@pytest.mark.parametrize(
    ("wrong", "shown", "proves"),
    [
        ("earth5", "sky1", True),  # it had the led suit
        ("earth5", "sea5", True),  # it had none of the led suit, but a trump
        ("earth5", "earth6", False),
        ("sea5", "sky1", True),  # it trumped while it could follow
        ("sea5", "sea6", False),
        ("sea5", "earth6", False),
        ("sky5", "sky1", False),  # it followed
        ("+earth5", "sky1", False),  # a pledge says nothing about the hand
        ("+earth5", "sea5", False),
    ],
)
@pytest.mark.parametrize("manner", ["", "+"], ids=["played", "pledged"])
def test_a_card_that_comes_out_of_the_same_hand_later_proves_a_revoke(
    wrong: str, shown: str, proves: bool, manner: str
) -> None:
    at = dealt().lays(f"sky4 {wrong} sky6 sky14")
    if manner:
        at = at.trick(3)  # the leader cannot pledge
        at = at.lays("earth10 earth11")
    else:
        at = at.trick(1)
    assert revokes(at) == []
    at = at.lays(f"{manner}{shown}")
    word = card(shown).name
    assert revokes(at) == ([(1, 1, at.state.trick, word)] if proves else [])


def test_a_pledge_within_a_whole_trick_proves_too() -> None:
    at = dealt().lays("sky4 earth5 sky6 sky7").trick(3, "1 sky1")
    assert revokes(at) == [(1, 1, 2, "sky-1")]


def test_another_hand_proves_nothing() -> None:
    at = dealt().lays("sky4 earth5 sky6 sky7").lays("sky8 sky9 earth1 sky10")
    assert revokes(at) == []  # seat 0 follows, seat 1 throws again, seat 2 follows


def test_a_leader_shows_nothing_by_what_it_leads() -> None:
    at = dealt().lays("earth4 earth5 earth6 earth7").lays("earth8 earth9 earth10 earth11")
    assert at.lays("sky1").state.alerts == ()


def test_trump_that_was_led_is_all_a_discard_denies() -> None:
    at = dealt().lays("sea4 earth5 sea6 sea7").trick(1)
    assert at.lays("sky5").state.alerts == ()
    assert revokes(at.lays("sea5")) == [(1, 1, 3, "sea-5")]


def test_it_is_judged_by_the_trump_of_the_wrong_play() -> None:
    # The pledge makes earth trump, so the earth card laid before it was not a trump.
    at = dealt(board="sea1 earth1").lays("sky4 earth5 +earth9 sky5")
    assert at.trump == "earth"
    assert revokes(at.trick(1).lays("sea3")) == [(1, 1, 3, "sea-3")]
    assert revokes(at.trick(1).lays("earth6")) == []


def test_each_wrong_play_is_reported_once() -> None:
    at = dealt().lays("sky4 earth5 sky6 sky7").trick(1).lays("sky8 sky9 sky10 sky11").trick(1).lays("sky12")
    assert revokes(at) == [(1, 1, 3, "sky-8")]


def test_one_card_can_prove_several() -> None:
    at = dealt().lays("sky4 earth5 sky6 sky7").lays("sky8 sky9 earth6 sky10").trick(1)
    assert revokes(at.lays("sea5")) == [(1, 1, 4, "sea-5"), (1, 2, 4, "sea-5")]
    assert revokes(at.lays("earth7")) == []


def test_what_one_card_leaves_open_another_may_prove() -> None:
    at = dealt().lays("sky4 sea5 sky6 sky3").trick(0).lays("sea6 earth6 sea7 sea8").trick(1)
    sea = at.lays("sea9")
    assert revokes(sea) == [(1, 3, 5, "sea-9")]
    assert revokes(sea.lays("sea10 sea11 sea12").trick(1).lays("sky9")) == [(1, 3, 5, "sea-9"), (1, 1, 7, "sky-9")]


def test_with_two_players_the_second_card_of_a_trick_can_prove_the_first() -> None:
    assert revokes(dealt(2).lays("sky4 earth5 sky6")) == [(1, 1, 1, "sky-6")]
    assert revokes(dealt(2).lays("sky4 earth5 +sky6")) == [(1, 1, 1, "sky-6")]


def test_with_two_players_both_cards_of_a_trick_can_be_wrong() -> None:
    at = dealt(2).lays("sky4 earth5 earth6 sky7").lays("sky8").lays("sky9")
    assert revokes(at) == [(1, 1, 2, "sky-9"), (1, 1, 2, "sky-9")]


def test_a_revoke_is_never_blocked_and_changes_nothing_else() -> None:
    right, wrong = dealt().trick(1), dealt().lays("sky4 earth5 sky6 sky7").trick(1)
    assert wrong.lays("sky1").state.table == right.lays("sky1").state.table


def test_a_new_round_forgets_what_hands_denied_but_not_the_alerts() -> None:
    running = dealt().lays("sky4 earth5 sky6 sky14").trick(1).lays("sky9 sky10 sky11 sky12").tricks(1, 1, 1, 1, 1, 1)
    again = running.tricks(1).deals("sea1 sea2")
    assert again.state.round == 2
    assert revokes(again) == [(1, 1, 3, "sky-9")]
    assert again.state.alerts[0].round == 1
    assert revokes(again.lays("sea3")) == revokes(again)


def test_a_whole_round_takes_the_alerts_of_that_round_along_and_no_others() -> None:
    first = dealt().lays("sky4 earth5 sky6 sky7").trick(1).lays("sky9").round("4 4 1 1", "10 9 0 0", last=1)
    assert first.state.alerts == (TokensExceeded(1, 19),)
    second = first.deals("sea1 sea2").lays("sky4 earth5 sky6 sky7").trick(1, "2 sky1")
    assert second.state.alerts == (TokensExceeded(1, 19), Revoke(2, 2, 1, 2, card("sky1")))
    assert second.round("4 4 1 1", "0 0 0 0").state.alerts == (TokensExceeded(1, 19),)


# Tokens


def seventeen(**rules: Any) -> Table:
    """Return a table of five with 17 trees handed out; seat 0 leads."""
    at = dealt(5, board="sea1 sky1", **rules)
    pledges = ["sky10", "sky11", "sky12", "sky13", "sky14", "sea10", "sea11", "sea12"]
    for first, second in zip(pledges[::2], pledges[1::2], strict=True):
        at = at.trick(0, f"1 {first}", f"2 {second}")
    return at.trick(0, "1 sea5")


def test_eighteen_trees_have_their_tokens() -> None:
    at = seventeen()
    assert sum(at.state.trees) == 17
    eighteen = at.lays("earth1 +earth5")
    assert sum(eighteen.state.trees) == 18
    assert eighteen.state.alerts == ()


@pytest.mark.parametrize(("words", "out"), [("earth1 +earth10", 19), ("earth1 +earth5 +earth6", 19)])
def test_the_pledge_that_passes_eighteen_is_reported_with_the_trees_then_out(words: str, out: int) -> None:
    assert seventeen().lays(words).state.alerts == (TokensExceeded(1, out),)


def test_from_eighteen_two_more_are_twenty() -> None:
    assert seventeen().lays("earth1 +earth5 +earth10").state.alerts == (TokensExceeded(1, 20),)


def test_it_is_said_once_a_round() -> None:
    at = seventeen().trick(0, "1 earth10", "2 earth11")
    assert at.state.alerts == (TokensExceeded(1, 19),)
    assert sum(at.trick(0, "3 earth12").state.trees) == 23
    assert at.trick(0, "3 earth12").state.alerts == (TokensExceeded(1, 19),)


def test_a_worthless_pledge_at_eighteen_is_no_alert() -> None:
    assert seventeen().trick(0, "1 earth5", "2 earth4").state.alerts == ()


def test_limited_tokens_give_what_is_left_and_no_alert() -> None:
    at = seventeen(tokens="limited").lays("earth1 +earth10")
    assert at.state.trees == (0, 10, 8, 0, 0)
    assert at.lays("+earth11").state.trees == (0, 10, 8, 0, 0)
    assert at.lays("+earth11").state.alerts == ()
    assert seventeen(tokens="limited").trick(0, "1 earth10", "3 earth11").state.trees == (0, 10, 8, 0, 0)


@pytest.mark.parametrize(("trees", "alerts"), [("0 9 9 0 0", ()), ("0 9 9 1 0", (TokensExceeded(1, 19),))])
def test_a_whole_round_reports_its_sum(trees: str, alerts: tuple[TokensExceeded, ...]) -> None:
    assert table(5).round("8 0 0 0 0", trees).state.alerts == alerts


def test_both_alerts_of_one_pledge_come_in_order() -> None:
    at = seventeen().lays("earth1 earth2 earth3 sea2 earth4").lays("earth6 earth7 earth8 earth9 +earth14")
    assert at.state.alerts == (Revoke(1, 3, 6, 7, card("earth14")), TokensExceeded(1, 19))
