"""Corrections that may be meant are offered beside an alert, a refusal and a round's figures; one key makes one."""

from __future__ import annotations

from functools import cache
from queue import Empty

import pytest
from msgspec.structs import replace

from companion.app.box import Box
from companion.app.loop import Inbox, Stop, run
from companion.app.state import PANEL
from companion.core.prompt import DetailLevel, EnterNumber, Prompt, Skip
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.keys import AnswerCodes
from companion.ui.screens.game_menu import MenuScreen
from companion.ui.screens.suggestions import SuggestionsScreen, WhatIsWrongScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.suggestions import Search
from companion.ui.view import TableBody
from tests.app.boxes import idle, key_of, new_box, playing, press, says
from tests.fakes.clock import FixedClock
from tests.harness.slips.case import Case, Slip
from tests.harness.slips.cases import cases


@cache
def case_of(game: str, alarm: str, slip: Slip, seeds: range = range(60)) -> Case:
    """Return a game with a slip of a kind that was noticed in some way, with a wrong entry in the log."""
    return next(
        found
        for found in cases(game, seeds, (slip,))
        if found.alarm == alarm and not found.right and (alarm != "round end" or found.result is not None)
    )


def typed_in(found: Case, journal: Journal | None = None) -> Box:
    """Return a box on which a case was typed, up to where it was noticed."""
    box = new_box(journal)
    box.begin(found.header, DetailLevel.FULL)
    for number in range(1, len(found.entries) + 1):
        press(box, found.typed[number])
    return press(box, found.refused_keys)


def events_of(box: Box) -> tuple[object, ...]:
    """Return the events in force."""
    assert box.game is not None
    return tuple(step.event for step in box.game.session.steps())[::-1]


def question(box: Box) -> Prompt:
    """Return the question that a box asks."""
    codes = box.state.panel.screen.show(box.state.table).codes
    assert codes is not None
    return codes.prompt


def enter_figures(found: Case, box: Box) -> str:
    """Enter the rows in which the table differs from the cards, up to the last question; return the keys."""
    assert box.game is not None
    assert found.result is not None
    before = box.game.session.head.before
    assert before is not None
    game, pressed = found.header.game, ""
    answers = game.answers(before.state, found.result)
    whole = game.ask(before.state, DetailLevel.ROUND, answers[:-1])
    assert isinstance(whole, Prompt)
    assert whole.sheet is not None
    while True:
        sheet = question(box).sheet
        assert sheet is not None
        wrong = [seat for seat, row in enumerate(sheet.rows) if row != whole.sheet.rows[seat]]
        if sheet.cell is not None:
            figure = whole.sheet.rows[sheet.cell[0]][sheet.cell[1]]
            assert figure is not None
            keys = AnswerCodes(question(box)).spell(EnterNumber(figure))
        elif not wrong:
            return pressed
        else:
            keys = str(wrong[0] + 1) if str(question(box).text) == "Which row is wrong?" else "D"
        pressed += keys
        press(box, keys)


def agreed(box: Box) -> Box:
    """Say that the figures are right; if the box asks who won or captured last, that somebody did."""
    asked = question(box)
    return press(box, "#" if Skip() in asked.answers else AnswerCodes(asked).spell(asked.answers[0]))


# Beside an alert


def test_an_alert_that_nothing_explains_asks_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "suggestions", lambda _: ())

    box = idle(typed_in(case_of("eternity", "alert", "suit")))
    assert "| # held: …? |" in says(box)
    assert box.frame.labels["h#"] == "What is wrong?"
    assert "What is wrong?" in says(press(box, "h#"))
    assert "may have revoked" in says(press(box, "*"))
    assert "> Scores" in says(press(box, "h# h#"))


TOO_MANY_TREES = "4 9 3 9 2 2 #"
"""The figures of a round in which 20 trees are out; the last player has those that are left, none."""


def test_a_round_entered_as_a_whole_asks_for_its_figures_where_nothing_explains_an_alert(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Search, "suggestions", lambda _: ())
    box = press(playing(TOO_MANY_TREES, tracking="round"), "h#")
    assert "What is wrong?" in says(box)
    assert "A card" not in says(box)
    assert "Which row is wrong?" in says(press(box, "1"))


def test_the_menu_is_the_menu_after_what_is_wrong_was_searched() -> None:
    box = idle(typed_in(case_of("eternity", "alert", "suit")))
    wrong = WhatIsWrongScreen(before=box.state.panel.screen, table=PlayScreen(), menu=MenuScreen(PlayScreen()))
    box.state = box.state.having(PANEL, replace(box.state.panel, screen=wrong))
    for key in ("1", "2"):
        press(box, key)
        if isinstance(box.state.panel.screen, SuggestionsScreen):
            assert isinstance(press(box, "h#").state.panel.screen, MenuScreen)
            return
    pytest.fail("nothing is offered")


def test_what_somebody_forgot_is_asked_for() -> None:
    wanted, told = {"New, before", "What was left out comes next"}, set[str]()
    for found in cases("east-rune", range(60), ("forgotten",)):
        if found.alarm != "refused" or found.right or found.refused is None:
            continue
        box = press(idle(typed_in(found)), "h#")
        if isinstance(box.state.panel.screen, SuggestionsScreen) and box.state.panel.screen.offered.offers[0].open:
            told |= {sentence.split(":")[0] for sentence in says(press(box, "1")).split(" | ")}
        if wanted <= told:
            break
    assert wanted <= told


# Beside a refusal, a question, and the figures of a round


@pytest.mark.parametrize(("game", "slip"), [("eternity", "doubled"), ("hipparchus", "twice")])
def test_beside_a_refusal_what_was_refused_goes_in_with_the_correction(game: str, slip: Slip) -> None:
    found = case_of(game, "refused", slip)
    box = idle(typed_in(found))
    assert "# held: did you mean" in says(box)
    press(box, "h#1")
    assert events_of(box) == found.truth


def test_a_step_back_at_a_question_of_another_kind_offers_what_leads_to_another_question() -> None:
    found = next(
        each
        for each in cases("eternity", range(80), ("forgotten", "omitted"))
        if each.alarm == "kind" and each.entries and press(typed_in(each), "*").search.due is not None
    )
    box = press(typed_in(found), "*")
    assert "Took back: " in says(idle(box))
    assert isinstance(press(box, "h#").state.panel.screen, SuggestionsScreen | MenuScreen)


def asks_for_figures(box: Box) -> bool:
    """Return whether a box asks for the figures on the table."""
    return isinstance(box.state.panel.screen, PlayScreen) and box.state.panel.screen.compares


@pytest.mark.parametrize("game", [*GAMES])
def test_at_a_round_s_end_the_back_key_asks_for_the_table_s_figures_and_they_stand(game: str) -> None:
    found = next(
        each
        for each in cases(game, range(200), ("swapped", "mode", "suit"))
        if each.alarm == "round end"
        and each.result is not None
        and each.session.head.before is not None
        and asks_for_figures(press(typed_in(each), "*"))
    )
    box = typed_in(found)
    assert box.frame.labels["*"] == "no"
    assert "Same on the table?" in says(box)
    press(box, "*")
    assert "Which row is wrong?" in says(box)
    # a phone shows the sheet; its figures are not repeated in the question
    assert box.state.panel.screen.show(box.state.table).begun == ""
    enter_figures(found, box)
    assert ", not " in says(box)
    agreed(box)
    assert "The table's figures were kept" in says(box)
    assert isinstance(events_of(box)[-1], type(found.result))
    told = "correction of round " if GAMES[game].optional.whole_round else "correction "
    press(box, "*")
    assert f"Took back: {told}" in says(box)
    press(press(box, "h#"), key_of(box, "Redo"))
    assert f"Brought back: {told}" in says(box)


def test_a_figure_that_differs_is_marked_and_said_and_a_likely_slip_is_offered_before_it_counts() -> None:
    found = case_of("eternity", "round end", "mode")
    box = press(typed_in(found), "*")
    enter_figures(found, box)
    body = idle(box).view().body
    assert isinstance(body, TableBody)
    assert body.changed
    assert body.title.startswith(body.names[body.changed[0][0]].lstrip("123456789 "))
    assert box.frame.labels["h#"] == "Did you mean …?"
    press(box, "h#1")
    assert events_of(box) == found.truth


def test_what_explains_the_table_s_figures_is_offered_after_they_count_too() -> None:
    found = case_of("eternity", "round end", "mode")
    box = press(typed_in(found), "*")
    enter_figures(found, box)
    assert "# held: did you mean" in says(idle(agreed(box)))
    press(box, "h#1")
    assert events_of(box) == found.truth


# From the menu


@pytest.mark.parametrize(("slip", "keys", "seed"), [("twice", "61", 187), ("forgotten", "62", 1)])
def test_people_who_notice_a_card_too_many_or_one_too_few_are_offered_corrections(
    slip: Slip, keys: str, seed: int
) -> None:
    found = next(
        each
        for each in cases("eternity", range(seed, 400), (slip,))  # from the first that is one, to find it soon
        if each.alarm in ("kind", "round end") and not each.right and len(each.entries) > 4
    )
    box = press(typed_in(found), "h#" + keys)
    assert isinstance(box.state.panel.screen, SuggestionsScreen)
    offered = box.state.panel.screen.offered
    assert all(len(offer.was) == (slip == "twice") for offer in offered.offers)
    assert len(set(map(str, offered.sentences))) == len(offered.offers)


# The search


def test_the_keys_really_typed_are_known_after_a_restart() -> None:
    found, journal = case_of("eternity", "alert", "suit"), Journal()
    typed_in(found, journal)
    again = new_box(journal)
    assert again.game is not None
    assert [step.typed for step in again.game.session.steps()][::-1] == [*found.typed.values()]


# In the loop


class MovingClock(FixedClock):
    """A clock that goes on by a millisecond whenever somebody looks at it, as a real one does."""

    def passed(self) -> float:
        self.let_pass(0.001)
        return self.run


class Idle(Inbox):
    """A queue on which no key comes; it stops the loop once that sleeps, or does not come to an end."""

    def __init__(self) -> None:
        self.turns = 0

    def get(self, block: bool = True, timeout: float | None = None) -> Stop:
        self.turns += 1
        if block or self.turns > 1000:
            return Stop()
        raise Empty


def test_the_loop_searches_in_short_turns_and_then_sleeps() -> None:
    found, clock, idle_queue = case_of("eternity", "alert", "suit"), MovingClock(), Idle()
    box = new_box(clock=clock)
    box.begin(found.header, DetailLevel.FULL)
    for number in range(1, len(found.entries) + 1):
        press(box, found.typed[number])
    assert box.search.due is not None
    run(box, idle_queue, clock)
    assert 1 < idle_queue.turns < 1000
    assert "# held: did you mean" in says(box)
