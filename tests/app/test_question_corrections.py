"""Corrections of games that are entered question by question: what is missing, superfluous, or asked for now."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.box import Box
from companion.core.correction import Correction
from companion.core.game import LogHeader
from companion.core.session import Session
from companion.games import shipped

from .boxes import begin, new_box, playing, press, says
from .test_declared_at_table import begun, shows

SKAT = "1 2 24 2 1 1 1 12 1 # 0 0 4 0 C"
"""Two rounds of Skat that were won and lost, and one that was passed out."""
EXACT = "1 0 1 1 0 1 0 20 # 0 #"
"""A round of Skull King: Aki bid 1, Béatrice 0, Cyr 1; the last two were exact, Béatrice with 20."""


def totals(box: Box) -> tuple[int, ...]:
    assert box.game is not None
    return box.game.session.progress.totals


def test_a_bid_that_is_exact_now_asks_for_its_bonus_and_keeps_the_others() -> None:
    box = begun("skull-king", f"{EXACT} h* A A # # # 0", 3, "full")
    assert "Bonus of Aki is asked for now" in says(box)
    press(box, "#")  # entered again: Béatrice keep 20, Cyr keep 0
    assert "# keep 20" in says(box)
    assert "# keep 0" in says(press(box, "#"))
    press(box, "# 3 0 # #")
    assert totals(box) == (40, 30, 20)


def test_a_bonus_stays_with_its_player_when_another_is_no_longer_asked_for() -> None:
    box = begun("skull-king", "1 0 1 0 0 1 0 20 # 0 # 30 # h* A A # # # 1", 3, "full")
    assert "No longer fits: Bonus of Aki is not asked for" in says(box)
    press(box, "# # # # #")
    assert totals(box) == (-10, 30, 20)


def test_figures_are_not_offered_to_other_players_than_they_were_said_of() -> None:
    box = begun("skull-king", "1 1 1 0 1 0 0 0 0 # 1 1 1 1 1 0 1 0 # 3 0 # h* 0 5 # 2 1 0", 3, "full")
    assert "No longer fits: Bonus of Cyr is not asked for" in says(box)
    assert "Now:" not in says(box)
    assert "# keep 30" in says(press(box, "#"))
    assert totals(press(box, "# 0 # #")) == (60, 40, -20)


def test_an_entry_that_nobody_was_asked_for_comes_before_the_next_which_stays() -> None:
    box = begun("skull-king", "1 1 0 1 0 1 0 # 1 1 2 h* A A # # 1 #", 3, "full")
    assert "first enter Bonus" in says(box)
    assert "# enter" in says(box)
    assert "New, before: Bid: 1 2 1" in says(press(box, "#"))
    press(box, "30 # #")
    assert totals(box) == (-10, -10, 50)
    assert box.view().question == "Tricks: Cyr"  # of the second round: its bids are known


def test_all_that_a_round_lacks_is_asked_for_in_turn_and_later_rounds_stay() -> None:
    box = begun("skat", f"{SKAT} 1 11 1 # 0 1 2 10 3 1 1 h* 1 3 # 2 #", 3, "full")
    for answer, question in (("9", "With, without:"), ("2", "Steps:"), ("0", "Won:")):
        assert press(box, answer).view().question.endswith(question)
    assert "Scores: Béatrice 146 → 173" in says(press(box, "1"))
    assert totals(press(box, "#")) == (-74, 173, 0)


def test_what_can_be_chosen_is_listed_below_what_the_entry_was() -> None:
    view = begun("skat", f"{SKAT} h* 0 3 #", 3, "full").view()
    assert all(shows(view, words) for words in ("Was: Game: grand", "9 diamonds", "59 null"))


def test_all_that_has_no_place_in_its_round_any_more_is_removed_with_one_key() -> None:
    box = begun("skat", "1 2 24 2 1 1 1 2 9 1 1 1 h* 0 2 # C", 3, "full")
    assert "# remove" in says(box)
    assert "Scores: Béatrice 96 → 0" in says(press(box, "#"))
    assert totals(press(box, "#")) == (0, 0, 0)


def test_an_entry_is_removed_if_the_next_fits_in_its_place() -> None:
    box = begun("belote", "1 2 1 162 1 3 0 9 0 h* 0 4 # 1 0 0", 4, "full")
    assert "No longer fits: first enter Taker" in says(box)
    assert totals(press(box, "# #")) == totals(begun("belote", "1 2 1 1 0 0 3 0 9 0", 4, "full"))


def test_bids_that_are_removed_are_not_taken_from_the_tricks() -> None:
    box = begun("skull-king", f"{EXACT} h* 2 D", 3, "full")
    assert "first enter Bid" in says(box)
    assert "Now:" not in says(box)


def test_who_won_last_stays_although_it_need_not_be_known() -> None:
    box = playing("3 1 # 3 2 2 2 0 1 h* 1 # 2 # #", tracking="round")
    assert "# keep Aki" in says(box)
    assert "Nothing was changed" in says(press(box, "#"))


@pytest.mark.parametrize(
    ("game", "keys"), [("belote", "1 2 1 81 3 0 9 0 h* 0 3 # 80"), ("skat", f"{SKAT} h* 0 6 # 0 # 2 0 #")]
)
def test_scores_that_no_sheet_has_shown_are_shown_before_a_correction_is_written(game: str, keys: str) -> None:
    assert "Scores: " in says(begun(game, keys, 3 if game == "skat" else 4, "full"))


def test_a_forgotten_round_is_entered_whole_before_the_next_which_stays() -> None:
    box = begun("belote", "1 2 1 81 3 0 9 0 4 0 100 h* 0 5 C 1", 4, "full")
    assert press(box, "0").view().question.endswith("Points of the takers:")
    assert "Scores: Béatrice 273 → 435" in says(press(box, "80"))
    assert totals(press(box, "#")) == (233, 435, 233, 435)


FOUR = "3 4 35 1 C 2 35 1 1 35 1 1 35 1 2 35 1"
"""Six rounds of Skat at a table of four, where the dealer sits out; the second was passed out."""


@pytest.mark.parametrize("keys", ["0 6 C C", "0 5 D"])
def test_who_sits_out_of_a_later_round_now_is_entered_again_and_no_round_is_removed(keys: str) -> None:
    box = begun("skat", f"{FOUR} h* {keys}", 4, "full")
    assert "sits out this round" in says(box)
    assert "# again" in says(box)
    assert press(box, "#").view().question.endswith("Declarer?")


def test_prices_whose_rest_is_0_are_corrected() -> None:
    box = press(begin(new_box(), ("Aki", "Bea", "Cyr"), "quick", "gear"), "1 5 # h* #")
    assert "Was: Prices: 5 0 0" in says(box)


def test_how_many_entries_go_is_said() -> None:
    assert "4 entries go" in says(begun("skat", "1 2 24 2 1 1 1 2 9 1 1 1 h* 0 2 # C", 3, "full"))


def test_what_later_rounds_ask_is_not_worked_out_again() -> None:
    def calls(rounds: int) -> int:
        made = shipped.game("tally")
        counted: list[int] = []

        def ask(*given: Any) -> Any:
            counted.append(1)
            return made.ask(*given)

        game = replace(made, ask=ask)
        session = Session(LogHeader(game, ("Aki", "Bea"), game.rules(), game.start(2, game.rules()), "{}"))
        kind = game.events[0]
        for _round in range(rounds):
            session = session.add(kind(figures=(1, 2)))
        assert Correction.opening(session, 1).put(kind(figures=(3, 4))).fits
        return len(counted)

    assert calls(20) == calls(2)
