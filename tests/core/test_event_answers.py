"""Converting between events and answers, and the tracking an event needs."""

import pytest

from companion.core.event_answers import event_from_answers, tracking_of
from companion.core.events import Start
from companion.core.prompt import ChooseSeat, DetailLevel
from companion.games.eternity import ETERNITY
from companion.games.eternity.cards import DECK
from companion.games.eternity.events import Play, Round
from companion.games.eternity.options import Rules
from companion.games.eternity.state import start

OPENING = start(2, Rules())
CARD = DECK.cards[0]


def test_the_present_way_of_following_is_kept_where_it_will_do() -> None:
    for tracking in (DetailLevel.FULL, DetailLevel.QUICK):
        assert tracking_of(ETERNITY, tracking, OPENING, Start(1)) is tracking


def test_another_way_is_found_where_it_will_not() -> None:
    assert tracking_of(ETERNITY, DetailLevel.ROUND, OPENING, Start(1)) is DetailLevel.FULL
    assert tracking_of(ETERNITY, DetailLevel.FULL, OPENING, Round((3, 4), (0, 0))) is DetailLevel.ROUND


def test_an_event_that_no_way_leads_to_is_not_found() -> None:
    with pytest.raises(LookupError):
        tracking_of(ETERNITY, DetailLevel.FULL, OPENING, Play(0, CARD))


def test_answers_that_are_not_offered_make_nothing() -> None:
    assert event_from_answers(ETERNITY, OPENING, DetailLevel.FULL, (ChooseSeat(0),)) == Start(0)
    assert event_from_answers(ETERNITY, OPENING, DetailLevel.FULL, (ChooseSeat(2),)) is None
    assert event_from_answers(ETERNITY, OPENING, DetailLevel.FULL, (ChooseSeat(0), ChooseSeat(0))) is None
    assert event_from_answers(ETERNITY, OPENING, DetailLevel.FULL, ()) is None
