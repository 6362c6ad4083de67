"""Keys of a declared game's numbers: what ends a number enters nothing else."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from tests.app.boxes import FOUR, begin, new_box, press, says


def begun(game: str, seats: int, keys: str) -> Box:
    return press(begin(new_box(), FOUR[:seats], "round" if game == "hearts" else "full", game), keys)


@pytest.mark.parametrize(
    ("game", "seats", "keys", "question", "skip", "told"),
    [
        # 3 of 26 counts at once, as 30 cannot be
        ("hearts", 4, "1 3", "Taken: Cyr", "rest: 0", "3 counts already, without #"),
        # here the first # made it count
        ("hearts", 4, "1 2 #", "Taken: Cyr", "rest: 0", "# ends a number; C: rest: 0"),
        ("scopa", 2, "1 3 4", "Cards?", "even", "The entry counts already, without #"),
    ],
)
def test_a_surplus_ok_after_a_number_enters_nothing(
    game: str, seats: int, keys: str, question: str, skip: str, told: str
) -> None:
    box = begun(game, seats, keys)
    before = box.view().question
    assert before == question
    press(box, "#")
    assert told in says(box)
    assert box.view().question == before
    assert box.frame.labels["C"] == skip
    press(box, "C")
    assert (box.view().question, box.view().ahead) != (before, "")


def test_a_minus_sign_before_the_key_of_the_rest_enters_nothing() -> None:
    box = begun("tally", 3, "A C")
    assert (box.view().question, box.view().typed) == ("Points: Aki", "−")
    assert "# OK" not in box.view().hint
    assert "# OK" in press(box, "5").view().hint


def test_ok_still_ends_the_naming_of_seats() -> None:
    box = begun("doppelkopf", 4, "1 2")
    assert (box.frame.labels["#"], "C" in box.frame.labels) == ("no more", False)
    assert box.view().question != begun("doppelkopf", 4, "1 2 #").view().question


def test_zero_for_the_rest_is_not_offered_for_one_figure_that_the_sum_settles() -> None:
    box = begun("hearts", 4, "1 3 4")
    assert (box.view().question, "C" in box.frame.labels) == ("Taken: Dai", False)
    assert "C" in begun("hearts", 4, "1 3").frame.labels


def test_no_digit_of_a_long_number_counts_for_the_next_player() -> None:
    box = begun("tally", 3, "1 5 0 0")
    assert (box.view().question, box.view().typed) == ("Points: Aki", "1500 …")
    assert press(box, "#").view().question == "Points: Bea"
    assert press(box, "9 9 9 9 9").view().question == "Points: Bea"
    assert "From −99999 to 99999" in says(press(box, "9"))
    press(box, "# # A 5 #")  # the first # clears the sentence
    assert [row[0] for row in box.view().body.rows] == ["1500", "99999", "−5"]  # type: ignore[union-attr]
