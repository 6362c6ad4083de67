"""The search for single corrections: what it finds, and how it ranks."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from typing import Any

import pytest

from companion.core.game import Event, Start
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, EnterNumber, LayCard, Prompt, Skip, TakeAlternative
from companion.core.session import Session
from companion.core.text import IllegalEventError, Text
from companion.gamelog import decode_header
from companion.games import GAMES
from companion.games.eternity.rules import Play
from companion.games.gear.rules import DECK
from companion.games.hipparchus.asks import pick
from companion.ui.keys import AnswerCodes
from companion.ui.offered_corrections import SearchReason, offers
from companion.ui.suggestions import ChangesToTry, EntryToCheck, Search, answered, other_answers, suggest
from tests.harness.slips.case import Case, entries
from tests.harness.slips.cases import cases
from tests.harness.slips.searching import asked, suggestions


@cache
def with_slips(game: str) -> tuple[Case, ...]:
    """Return some games with a slip each; played once for all tests."""
    return tuple(cases(game, range(5)))


def noticed(game: str, alarm: str) -> list[Case]:
    """Return some games with a slip that was noticed in a way."""
    return [found for found in with_slips(game) if found.alarm == alarm and not found.right]


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", [*GAMES])
def test_every_suggestion_makes_the_game_legal_and_together_they_are_at_most_certain(game: str) -> None:
    for found in noticed(game, "refused")[:3] + noticed(game, "alert")[:3]:
        session, made = asked(found), suggestions(found)
        assert made is not None
        assert sum(each.weight for each in made) <= 1
        assert [each.weight for each in made] == sorted((each.weight for each in made), reverse=True)
        alerts = len(found.header.game.optional.alerts(session.state)) - (found.alarm == "alert")
        for each in made[:10]:
            corrected = session.add(each.line)
            assert len(found.header.game.optional.alerts(corrected.state)) <= alerts
            assert entries(corrected) != entries(session)


def test_offers_are_few_and_one_place_is_offered_once() -> None:
    for found in noticed("eternity", "alert"):
        offered = offers(suggestions(found) or ())
        assert len(offered) <= 3
        places = [offer.number for offer in offered if not offer.was]
        assert len(places) == len(set(places))


def test_a_refused_event_of_another_player_makes_it_that_player_s_turn() -> None:
    found = next(each for each in noticed("eternity", "refused") if isinstance(each.refused, Play) and each.session)
    assert isinstance(found.refused, Play)
    session = asked(found)
    turn = session.state.turn
    other = next(seat for seat in range(len(found.header.players)) if seat != turn)
    alarm = SearchReason.of_event(session, Play(other, found.refused.card))
    assert alarm.seat == other
    for each in suggest(session, alarm):
        assert getattr(entries(session.add(each.line))[-1], "player", None) == other
    assert SearchReason.of_event(session, Play(turn, found.refused.card)).seat is None


def test_an_entry_that_is_impossible_before_its_last_answer_has_no_other_answers() -> None:
    session = Session(next(cases("gear", range(20))).header).add(Start(0))
    ace, two = (LayCard(card) for card in DECK.cards[:2])
    refused: tuple[Answer, ...] = (TakeAlternative(), ace, ace, ace, two)
    assert suggest(session, SearchReason(refused)) == ()


def test_the_same_number_of_another_suit_may_have_been_meant() -> None:
    plays = tuple(pick(suit, count) for suit in range(3) for count in (1, 2, 3))
    codes = AnswerCodes(Prompt(Text("?"), plays))
    assert other_answers(codes, pick(1, 2), None) == {pick(0, 2): 0.5, pick(2, 2): 0.5}


def test_the_search_gives_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.ui.suggestions.EFFORT", 50)
    search = Search(asked(noticed("eternity", "alert")[0]), SearchReason())
    assert sum(1 for _step in search.steps()) < 60


def tried(game: str, players: int, *answers: Answer, tracking: DetailLevel = DetailLevel.FULL) -> list[Any]:
    """Return the events that other figures would make in the place of those of an entry, made by the last answers."""
    names = ["Aki", "Bea", "Cyr"][:players]
    session = Session(decode_header(json.dumps({"format": 1, "game": game, "players": names, "rules": {}})))
    given: tuple[Answer, ...] = ()
    for answer in answers:
        given = (*given, answer)
        made = session.header.game.ask(session.state, tracking, given)
        if isinstance(made, Event):
            session, given = session.add(made), ()
    step = session.head
    assert step.event is not None
    assert step.before is not None
    of, before = session.header.game, step.before.state
    entry = EntryToCheck(of, step.event, before, of.answers(before, step.event), None, 0.0)
    found: list[Any] = []
    for change in ChangesToTry(of, [entry]):
        (put,) = change.put
        assert isinstance(put, tuple)
        with suppress(IllegalEventError):
            found.append(answered(of, before, put, change.tracking)[0])
    return [each for each in found if type(each) is type(step.event)]


def test_another_figure_of_a_sheet_leaves_what_was_answered_after_it() -> None:
    sheet = (EnterNumber(1), EnterNumber(2), ChooseSeat(0), ChooseSeat(1), ChooseSeat(0), ChooseSeat(1), Skip())
    events = tried("scopa", 2, ChooseSeat(0), *sheet, tracking=DetailLevel.ROUND)
    others = [each for each in events if each.sweeps != (2, 1)]
    assert len({each.sweeps for each in others}) > 5
    assert {(each.cards, each.coins, each.seven, each.prime) for each in others} == {(0, 1, 0, 1)}


def test_another_figure_can_end_the_round_which_is_then_agreed_to() -> None:
    bids, tricks = (tuple(map(EnterNumber, figures)) for figures in ((1, 1, 1), (1, 0, 0)))
    events = tried("skull-king", 3, ChooseSeat(0), *bids, *tricks)  # Bea was exact, and is asked for her bonus
    assert (0, 0, 0) in {each.figures for each in events}  # nobody was
