"""What pages offer to a phone by its role: nothing that is refused then, and the way to more."""

from __future__ import annotations

import json

import pytest
from msgspec import structs

from companion.app.box import Box
from companion.app.inputs import ChooseRole, Look, Tap
from companion.app.machine.club_calls import ClubCalls
from companion.app.machine.phones import PhonePairing
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.rights import ONLY_WATCHES
from companion.app.state import State
from companion.app.step import step
from companion.core.text import Text
from companion.journal import Journal
from companion.ui.keys import BUTTONS, KEYPAD, KeyLayout
from companion.ui.live_page.build import live_page_content
from companion.ui.live_page.content import Button, LivePageContent
from companion.ui.screens.context import SCORES
from companion.ui.screens.phones import THIS_COMPUTER, Phone, Role
from tests.app.boxes import ask, begin, finished, idle, press, tap, written
from tests.app.test_round_comparison import ends
from tests.app.test_viewers import AKI, at_the_table
from tests.fakes.clock import FixedClock
from tests.games.seeds import deal
from tests.harness.slips.honest import HABITS
from tests.harness.taps.tapper import Tapper, at_seat

CYR, DAI = at_seat(2), at_seat(3)


def with_an_alert(board: KeyLayout = KEYPAD, *, club: bool = False) -> Box:
    """Return a box that pairs phones, with an old game, and one in which a revoke offers corrections."""
    clock, journal = FixedClock(), Journal()
    finished(journal)
    pairing = PhonePairing(journal, clock, "http://192.168.1.7:8080")
    machine = [ClubCalls(journal, clock)] if club else []
    dealt = deal("eternity", 3, **{**HABITS, "misplay": 0.3})
    journal.set_open_game(written(journal, json.dumps(dealt.header), *map(json.dumps, dealt.lines[:26])))
    box = Box(journal, Outputs(MemoryPanel(), clock), clock, pairing=pairing, board=board, machine=machine)
    tap(box, "sky-3")
    return idle(box)


def page_for(state: State, box: Box, phone: Phone) -> LivePageContent[object]:
    viewer = state.viewers[phone.number]
    contents = box._known.contents(state, phone.number)
    return live_page_content(viewer.screen, state.context(viewer), contents, viewer.number)


def refusals(box: Box, phone: Phone) -> dict[str, Text | None]:
    """Tap all that a phone is offered beside the answers, on each screen. Return why it does not count, by the tap."""
    box.take(phone.number, Look("en", phone))
    told: dict[str, Text | None] = {}
    waiting, seen = [box.state], set[str]()
    while waiting:
        state = waiting.pop(0)
        page, at = page_for(state, box, phone), type(state.viewers[phone.number].screen).__name__
        for button in (*page.actions, *page.offers, *(() if page.check is None else page.check.choices)):
            if button.name == "undo":  # the page shows it to those whose entry it is
                continue
            done = step(state, phone.number, Tap(page.number, button.name, phone=phone), box._known)
            viewer = done.state.viewers[phone.number]
            told[f"{at}: {button.name}"] = done.why_not
            # a warning is another question; a game that is only looked at has another menu
            screen = f"{type(viewer.screen).__name__} {viewer.reading is None} {viewer.message is None}"
            if screen not in seen:
                seen.add(screen)
                waiting.append(done.state)
    return told


@pytest.mark.parametrize(("board", "club"), [(KEYPAD, False), (KEYPAD, True), (BUTTONS, False)])
def test_a_player_s_phone_is_offered_nothing_that_is_refused_since_it_does_not_score(
    board: KeyLayout, club: bool
) -> None:
    told = refusals(with_an_alert(board, club=club), DAI)
    assert len(told) > 30
    assert [name for name, why in told.items() if why in (SCORES, ONLY_WATCHES)] == []


def at_an_old_entry(tapper: Tapper, phone: Phone) -> LivePageContent:
    """Return what a phone shows that has chosen the third of several entries."""
    tapper.box.take(phone.number, Look("en", phone))
    return tapper.tap("entries", "row 3", phone=phone).shown_to(phone)


def names(page: LivePageContent) -> list[str]:
    return [action.name for action in page.actions if not action.name.startswith("row ")]


def test_an_old_entry_is_corrected_by_one_tap_that_makes_the_phone_a_scorer_and_goes_on() -> None:
    tapper = at_the_table("1 A3 B5 A7 A8")
    page = at_an_old_entry(tapper, CYR)
    assert names(page) == ["back", "home"]
    assert page.as_scorer == Button("correct", "correct as scorer")
    scorer = structs.replace(CYR, role=Role.SCORER)
    tapper.tap("correct", phone=scorer)
    assert tapper.told() is None
    assert tapper.shown_to(scorer).question.text.endswith("3: Aki:")


def test_a_scorer_s_phone_is_offered_all_that_can_be_done_with_an_old_entry() -> None:
    page = at_an_old_entry(at_the_table("1 A3 B5 A7 A8"), AKI)
    assert names(page) == ["correct", "insert", "remove", "swap", "back", "home"]
    assert page.as_scorer is None


def test_the_menu_of_a_player_s_phone_offers_the_rest_to_scorers() -> None:
    tapper = at_the_table("1 A3 B5 A7 A8")
    tapper.tap("menu", phone=CYR)
    page = tapper.shown_to(CYR)
    assert [action.label for action in page.actions] == ["Entries", "Alerts", "Leave the game", "back"]
    assert page.as_scorer == Button("", "more as scorer")


def test_a_phone_that_stops_scoring_in_a_correction_comes_to_the_table() -> None:
    clock, journal = FixedClock(), Journal()
    pairing = PhonePairing(journal, clock, "http://192.168.1.7:8080")
    box = press(begin(Box(journal, Outputs(MemoryPanel(), clock), clock, pairing=pairing)), "1 A3 B5 A7 A8")
    pairing.claim(pairing.open(), "Cyr")
    (phone,) = pairing.status.paired
    for choice in ("entries", "correct"):
        tap(box, choice, phone)
    assert not box.state.viewers[phone.number].at_rest
    ask(box, ChooseRole(Role.SEAT, "Cyr"), phone)
    assert box.state.viewers[phone.number].at_rest


def test_a_phone_pairs_another_from_the_menu_of_the_game_in_two_taps() -> None:
    clock, journal = FixedClock(), Journal()
    pairing = PhonePairing(journal, clock, "http://192.168.1.7:8080")
    box = begin(Box(journal, Outputs(MemoryPanel(), clock), clock, pairing=pairing))
    tap(box, "menu")
    rows = {str(button.label): button.name for button in page_for(box.state, box, THIS_COMPUTER).actions}
    tap(box, rows["Pair a phone"])
    assert page_for(box.state, box, THIS_COMPUTER).pin
    for _screen in ("menu", "table"):
        tap(box, "back")
    assert box.state.viewers[THIS_COMPUTER.number].at_rest


@pytest.mark.parametrize("game", ["gear", "hipparchus"])
def test_every_player_s_phone_answers_whether_a_round_s_figures_are_those_on_the_table(game: str) -> None:
    box = next(ends(deal(game, 3, **{**HABITS, "most_rounds": 3})))
    assert box.game is not None
    for name in box.game.players:
        told = refusals(box, Phone(7, name, Role.SEAT, name))
        assert {"PlayScreen: same", "PlayScreen: back"} < set(told)
        assert [name for name, why in told.items() if why is not None and "bring back" not in str(why)] == []
