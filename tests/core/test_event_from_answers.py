"""Converting between events and answers, and the tracking an event needs."""

from types import SimpleNamespace
from typing import Any

import pytest

from companion.core.game import Event, Start, event_from_answers, refusal_of, tracking_of
from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    DetailLevel,
    EnterNumber,
    LayCard,
    Prompt,
    Skip,
    TakeAlternative,
    TallySheet,
)
from companion.core.text import IllegalEventError, Text
from companion.games.eternity import ETERNITY
from companion.games.eternity.rules import DECK, Play, Round, Rules, start

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


def refusing(prompt: Prompt, wrong: Answer) -> Any:
    """Return a game with one question, which refuses the event that one answer makes."""

    def ask(state: str, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event:
        assert (state, tracking) == ("state", DetailLevel.QUICK)
        return Start(int(answers == (wrong,))) if answers else prompt

    def apply(state: str, event: Start) -> None:
        assert state == "state"
        if event.player:
            raise IllegalEventError("wrong", "that cannot be")

    return SimpleNamespace(ask=ask, apply=apply)


ONE, TWO, ALTERNATIVE = EnterNumber(1), EnterNumber(2), TakeAlternative()
WHOLE, OPEN = (TallySheet(Text("Round 1"), (Text("points"),), ((1,),), cell) for cell in (None, (0, 0)))
ITEM = ChooseItem(1, Text("one"))


@pytest.mark.parametrize(
    ("prompt", "wrong", "refused"),
    [
        (Prompt(Text("?"), (ONE, TWO)), ONE, True),  # the first answer stands for all
        (Prompt(Text("?"), (TWO, ONE)), ONE, False),
        (Prompt(Text("?"), (), deck=DECK.cards), LayCard(CARD), True),  # an impossible answer, where there is no other
        (Prompt(Text("?"), (), deck=DECK.cards[1:]), LayCard(CARD), False),
        (Prompt(Text("?"), (), picks=(ITEM,)), ITEM, True),
        (Prompt(Text("?"), ()), ONE, False),  # nothing can be answered
        (Prompt(Text("?"), (ONE,), note=Text("another row is wrong")), ONE, False),  # another answer may put it right
        (Prompt(Text("?"), (ALTERNATIVE, Skip()), sheet=WHOLE), Skip(), True),  # a whole sheet is agreed to
        (Prompt(Text("?"), (ALTERNATIVE, Skip()), sheet=WHOLE), ALTERNATIVE, False),
        (Prompt(Text("?"), (ONE, Skip()), sheet=OPEN), Skip(), False),
        (Prompt(Text("?"), (ONE, Skip())), Skip(), False),
    ],
)
def test_answers_are_refused_once_they_can_lead_to_nothing_legal(prompt: Prompt, wrong: Answer, refused: bool) -> None:
    why = refusal_of(refusing(prompt, wrong), "state", DetailLevel.QUICK, ())
    assert (why is not None) is refused


def test_a_card_that_was_seen_is_refused_in_the_middle_of_an_entry() -> None:
    begun = ETERNITY.apply(start(4, Rules()), Start(0))
    first, second = (LayCard(card) for card in DECK.cards[:2])
    assert refusal_of(ETERNITY, begun, DetailLevel.FULL, (first,)) is None
    assert refusal_of(ETERNITY, begun, DetailLevel.FULL, (first, second)) is None
    refused = refusal_of(ETERNITY, begun, DetailLevel.FULL, (first, first))
    assert refused is not None
    assert refused.reason == "seen"
