"""East Rune: capture, columns, score, ties and the end of a game."""

from __future__ import annotations

import pytest

from .tables import Table, cards, claimed, pair, result, table

# Capture


def test_characters_are_dealt_out_from_the_top_beginning_after_the_capturer() -> None:
    at = claimed().goes("dusk1 night2 dawn1 noon2 - -")
    assert at.state.dealt == ()
    at = at.goes("-")
    assert [(dealt.player, dealt.card) for dealt in at.state.dealt] == list(
        zip((1, 2, 0, 1, 2), cards("noon2 dawn1 night2 dusk1 noon36"), strict=True)
    )
    assert [at.front(seat) for seat in range(3)] == [["night2"], ["noon2 dusk1"], ["dawn1"]]
    assert at.state.monarchs == (0, 0, 1)
    assert at.state.chairs == (1, 0, 0)
    assert (at.state.pile, at.state.chairs_up, at.needs) == ((), (), None)


def test_a_monarch_is_kept_apart_and_the_next_vassal_opens_the_column() -> None:
    at = claimed(monarchs="playable").goes("dusk1 night2 dawn3 noon27 - - - -")
    assert [dealt.player for dealt in at.state.dealt] == [0, 1, 2, 0, 1]
    assert [at.front(seat) for seat in range(3)] == [["dusk1"], ["dawn3"], ["night2"]]
    assert at.state.monarchs == (1, 1, 0)


def test_a_later_capture_opens_a_column_beside_the_others() -> None:
    at = claimed().goes("dusk1 night2 dawn1 noon2 - - -").turns_up("light").unclaimed().goes("dusk3 - - -")
    assert [at.front(seat) for seat in range(3)] == [["night2"], ["noon2 dusk1", "dusk3"], ["dawn1"]]
    assert [dealt.card for dealt in at.state.dealt] == list(cards("dusk3"))


def test_a_round_that_nobody_captures_leaves_what_was_dealt_before() -> None:
    at = claimed().goes("dusk1 - - -").turns_up("light").unclaimed().goes("- - -")
    assert [dealt.card for dealt in at.state.dealt] == list(cards("dusk1 noon36"))


def test_chairs_that_were_left_go_with_the_next_capture() -> None:
    at = claimed().goes("- - -").turns_up("light").claims(1, "noon26").goes("dusk1 - - -")
    assert at.state.chairs == (0, 2, 0)
    assert at.state.monarchs == (1, 1, 0)
    assert at.state.dealer == 1


def test_with_two_players_the_capturer_has_the_monarchs_and_the_vassals_are_dealt_out() -> None:
    at = pair().goes("- - ").turns_up("night17").goes("dawn2 noon3 - dusk4")
    assert at.state.monarchs == (0, 2)
    assert [(dealt.player, dealt.card) for dealt in at.state.dealt] == list(
        zip((0, 1, 0), cards("dusk4 noon3 dawn2"), strict=True)
    )
    assert [at.front(seat) for seat in range(2)] == [["dusk4 dawn2"], ["noon3"]]
    assert at.state.totals == (-5, 4 - 6)


# Cards from the front


def dealt_out() -> Table:
    """Return a game after a capture; seat 0 is to play, and any domain may follow.

    Seat 1 has dusk 1 on noon 2 in front, seat 2 dawn 1, seat 0 night 2.
    """
    return claimed().goes("dusk1 night2 dawn1 noon2 - - -").turns_up("light").unclaimed()


def test_an_uncovered_vassal_is_laid_from_the_front() -> None:
    at = dealt_out().goes("+night2")
    assert (at.front(0), at.state.hand) == ([], dealt_out().state.hand)
    assert at.state.pile == cards("night2")


def test_it_uncovers_what_lay_under_it() -> None:
    at = dealt_out().goes("noon3 +dusk1")
    assert at.front(1) == ["noon2"]
    assert at.goes("night3 dawn3 . +noon2").front(1) == []


def test_of_two_alike_the_leftmost_goes() -> None:
    at = dealt_out().goes("dusk1 - - -").turns_up("beauty").unclaimed()
    assert at.front(1) == ["noon2 dusk1", "dusk1"]
    assert at.goes("noon5 +dusk1").front(1) == ["noon2", "dusk1"]
    assert at.goes("noon5 +dusk1 - night3 dawn2 noon1 +dusk1").front(1) == ["noon2"]


def test_the_blank_character_is_laid_from_the_front_by_anybody_it_was_dealt_to() -> None:
    at = claimed(blank_character=True).goes("blank . - - -")
    assert at.front(1) == ["blank"]
    at = at.turns_up("light").claims(1, "noon16").goes("+blank")
    assert (at.state.phase, at.front(1), at.state.vassals_seen) == ("chain", [], 0)


# The end


def rounds(at: Table, *chairs: str) -> Table:
    """Return the table after rounds in which nobody claims or captures anything."""
    for word in chairs:
        at = at.turns_up(word).unclaimed().goes("- " * at.state.seats)
    return at


FIVE = ("light", "beauty", "beauty", "reason", "reason")


def test_the_game_ends_with_the_last_chair_and_the_rest_belongs_to_nobody() -> None:
    at = rounds(claimed().goes("dusk1 - - -"), *FIVE)
    assert (at.state.phase, at.state.turn, at.state.round, at.needs) == ("over", None, 6, None)
    assert at.state.totals == (2 - 6, -8, 1 - 8)
    assert at.state.winners == (0,)
    assert (len(at.state.chairs_up), at.state.passed, at.state.dealer) == (5, (0, 1, 2), 0)


def test_with_the_blank_chair_it_is_seven_rounds() -> None:
    at = rounds(claimed(blank_chair=True).goes("- - -"), *FIVE)
    assert (at.state.phase, at.state.round) == ("reveal", 7)
    assert rounds(at, "blank").state.phase == "over"


def test_a_capture_in_the_last_round_breaks_the_tie() -> None:
    at = rounds(table().starts(0), "light", *FIVE[:-1]).turns_up("reason").unclaimed()
    assert at.goes("dusk1 night2 dawn3 - - -").state.winners == (2,)
    assert at.goes("dusk1 night2 dawn3 - - -").state.dealer == 0


def test_a_tie_that_nobody_breaks_is_shared() -> None:
    at = rounds(table().starts(0), "light", *FIVE)
    assert at.state.winners == (0, 1, 2)


@pytest.mark.parametrize(
    ("event", "winners"),
    [
        (result("2 2 2", "2 2 2", "1 2 3"), (0,)),
        (result("2 2 2", "2 2 2", "1 1 3", 1), (1,)),  # who captured the last chair
        (result("2 1 1", "0 2 0", "1 1 0", None), (0,)),  # nobody did: most chairs
        (result("2 1 3", "0 2 0", "1 1 6", 2), (0,)),  # somebody else did
        (result("1 1 1", "1 2 0", "1 2 3", None), (0,)),  # the fewest cards in hand
        (result("1 1 1", "1 1 0", "1 1 3", None), (0, 1)),
    ],
)
def test_a_whole_end_names_the_winners(event: object, winners: tuple[int, ...]) -> None:
    at = claimed().enters(event)  # type: ignore[arg-type]
    assert (at.state.phase, at.state.turn, at.state.winners) == ("over", None, winners)


def test_it_leaves_the_rest_as_it_was() -> None:
    before = claimed().goes("dusk3")
    at = before.enters(result("1 2 3", "0 1 2", "1 2 3"))
    assert (at.state.chairs, at.state.monarchs, at.state.hand) == ((1, 2, 3), (0, 1, 2), (1, 2, 3))
    assert (at.state.pile, at.state.round, at.state.dealer, at.needs) == (before.state.pile, 1, 0, None)


def test_the_point_for_the_blank_character_counts_in_it() -> None:
    at = table(blank_character=True).starts(2).enters(result("2 2 2", "2 2 2", "0 0 0"))
    assert (at.state.totals, at.state.winners) == ((6, 6, 7), (2,))


def test_two_players_read_monarch_for_chair() -> None:
    at = pair()
    assert at.enters(result("0 0", "3 2", "2 0", 0)).state.winners == (0,)
    assert at.enters(result("0 0", "3 2", "2 0", None)).state.winners == (0,)
    assert at.enters(result("0 0", "3 2", "2 0", 1)).state.winners == (1,)
    assert at.enters(result("0 0", "3 3", "12 6")).state.totals == (-6, 0)


def test_a_game_of_two_ends_with_the_last_monarch() -> None:
    at = table(2).starts(0)
    for word in ("noon16", "noon26", "noon17", "noon27", "noon18"):
        at = at.turns_up(word).goes("- -")
    at = at.turns_up("noon28").goes("dusk1 - -")
    assert (at.state.phase, at.state.monarchs, at.state.hand) == ("over", (6, 0), (5, 12))
    assert at.state.winners == (0,)
