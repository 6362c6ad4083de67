"""Pages ask about the figures of a round that has just ended beside these figures, before the next question."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from companion.app.box import Box
from companion.cli.log_to_keys import LogToKeys
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_line
from companion.ui.view import TableBody
from tests.app.boxes import new_box, page_of, press, tap
from tests.games.seeds import Dealt, deal
from tests.harness.slips.honest import HABITS


def entries(dealt: Dealt, box: Box | None = None) -> Iterator[Box]:
    """Yield a box, or a new one, after each entry of a game."""
    box, session = box or new_box(), dealt.session(0)
    box.begin(session.header, DetailLevel.FULL)
    assert box.game is not None
    typist = LogToKeys(box.game.session)
    for line in dealt.lines:
        press(box, typist.spell(decode_line(json.dumps(line), session.header)))
        yield box


def ends(dealt: Dealt, box: Box | None = None) -> Iterator[Box]:
    """Yield a box, or a new one, after each entry of a game that ended a round."""
    return (box for box in entries(dealt, box) if box.view().question == "Same on the table?")


@pytest.mark.parametrize("game", ["eternity", "gear", "hipparchus"])
def test_a_phone_asks_about_the_figures_beside_them_before_the_next_question(game: str) -> None:
    box = next(ends(deal(game, 3, **{**HABITS, "most_rounds": 3})))
    page = page_of(box)
    assert page.check is not None
    assert (page.check.text, page.check.choices[-1].label) == ("Same on the table?", "no")
    assert isinstance(page.body, TableBody)
    assert page.question.text.startswith("R2 ")
    assert "Same on the table?" not in page.notice
    assert not {choice.name for choice in page.check.choices} & {action.name for action in page.actions}
    tap(box, page.check.choices[0].name)
    assert page_of(box).check is None


def test_ok_says_yes_and_never_fills_in_the_next_round_s_sheet() -> None:
    dealt = deal("gear", 8, **{**HABITS, "most_rounds": 3, "coarse": 1.0})
    box = next(box for box in ends(dealt) if (box.view().following or "").startswith("R2 Price"))
    assert box.game is not None
    entered = box.game.session.head.number
    assert (box.frame.labels["#"], box.frame.labels["*"]) == ("yes", "no")
    assert "# yes" in box.view().hint
    press(box, "#")
    assert box.game.session.head.number == entered
    assert box.view().question.startswith("Price")
    assert box.frame.labels["#"] == "rest 0"


@pytest.mark.parametrize("switches", [False, True])
def test_keys_of_a_log_enter_a_sheet_of_zeros_after_a_round_at_any_level(switches: bool) -> None:
    dealt = deal("gear", 9 if switches else 8, **{**HABITS, "most_rounds": 3, "coarse": 0.5 if switches else 1.0})
    box = next(ends(dealt))
    assert box.game is not None
    assert (box.game.tracking is DetailLevel.FULL) is switches
    session = box.game.session
    typist = LogToKeys(session, box.game.tracking)
    typist._report = session.outcome
    line = decode_line(json.dumps({"type": "prices", "prices": [0] * len(session.header.players)}), session.header)
    press(box, typist.spell(line))
    assert box.game.session.latest == line


def test_at_a_game_s_end_the_figures_can_be_called_wrong_there_too() -> None:
    dealt = (deal("eternity", seed, **{**HABITS, "most_rounds": 6}) for seed in range(100))
    *_, box = ends(next(each for each in dealt if each.session().progress.over))
    page = page_of(box)
    assert box.game is not None
    assert box.game.over
    assert page.check is not None
    assert [choice.label for choice in page.check.choices] == ["no"]
    assert [action.label for action in page.actions][:2] == ["play again", "home"]
    assert page_of(press(box, "*")).question.text == "Which row is wrong?"


@pytest.mark.parametrize(("game", "kind"), [("eternity", "Trump"), ("gear", "")])
def test_a_phone_says_that_a_picture_is_the_trump(game: str, kind: str) -> None:
    pages = (page_of(box).table for box in entries(deal(game, 3, **{**HABITS, "most_rounds": 1})))
    assert {page.symbol.kind for page in pages if page is not None and page.symbol is not None} == {kind}
