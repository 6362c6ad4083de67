"""East Rune properties on random games: prompts agree with rules, no card is lost, entries take few keys."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from msgspec import UNSET, UnsetType

from companion.cli.log_to_keys import LogToKeys
from companion.core.game import Event, Start, event_from_answers
from companion.core.prompt import Answer, Prompt
from companion.core.text import IllegalEventError
from companion.games.east_rune import EAST_RUNE
from companion.games.east_rune.asks import answers, ask
from companion.games.east_rune.rules import DECK, Claim, EndTurn, Pass, Play, Result, Reveal, State, apply
from companion.ui.keys import parse
from tests.example_counts import examples
from tests.games.seeds import Dealt, deal, events, games, random_answer, written
from tests.games.table import FULL, ROUND


def accepted(state: State, event: Event) -> bool:
    """Return whether an event is legal; assert that an illegal one changes nothing."""
    before = written(state)
    try:
        apply(state, event)
    except IllegalEventError:
        return False
    finally:
        assert written(state) == before
    return True


# Questions


def everything(seats: int) -> Iterator[Event]:
    """Yield every event except `Result`, legal or not."""
    yield Claim(None)
    for card in DECK:
        yield Reveal(card)
        for seat in range(seats):
            yield Claim(seat, card)
            yield Play(seat, card, "hand")
            yield Play(seat, card, "front")
    for seat in range(seats):
        yield from (Start(seat), EndTurn(seat), Pass(seat))


def offered(state: State, given: tuple[Answer, ...] = ()) -> Iterator[Event]:
    """Yield every event that the prompts lead to, trying each answer."""
    asked = ask(state, FULL, given)
    if isinstance(asked, Event):
        yield asked
    elif asked is not None:
        assert len(set(asked.answers)) == len(asked.answers)
        for answer in asked.answers:
            yield from offered(state, (*given, answer))


@settings(max_examples=examples(20, 800))
@given(games("east-rune"))
def test_what_is_offered_is_what_can_be(dealt: Dealt) -> None:
    state = dealt.session(dealt.rng.randint(0, len(dealt.lines))).state
    found = list(offered(state))
    assert len(set(found)) == len(found)
    assert set(found) == {event for event in everything(state.seats) if accepted(state, event)}
    for event in found:
        assert event_from_answers(EAST_RUNE, state, FULL, answers(state, event)) == event


@settings(max_examples=examples(20, 800))
@given(games("east-rune"))
def test_whole_ends_that_can_be_can_be_entered_and_what_is_asked_for_makes_one(dealt: Dealt) -> None:
    chance, state = dealt.rng, dealt.session(dealt.rng.randint(0, len(dealt.lines))).state
    for _ in range(20):
        figures = [tuple(chance.choice((0, 0, 1, 1, 2, 3)) for _ in range(state.seats)) for _ in range(3)]
        last: int | UnsetType | None = chance.choice((UNSET, None, *range(state.seats)))
        event = Result((0, 0) if state.seats == 2 else figures[0], figures[1], figures[2], last)
        if accepted(state, event):
            assert event_from_answers(EAST_RUNE, state, ROUND, answers(state, event)) == event
    given: tuple[Answer, ...] = ()
    while isinstance(asked := ask(state, ROUND, given), Prompt):
        given = (*given, random_answer(asked, chance))
    assert asked is None or accepted(state, asked)
    assert asked is None or event_from_answers(EAST_RUNE, state, ROUND, answers(state, asked)) == asked


@settings(max_examples=examples(20))
@given(games("east-rune", edits=0.0))
def test_no_card_is_lost_or_found(dealt: Dealt) -> None:
    for step in dealt.session().steps():
        state: State = step.state
        if isinstance(step.event, Result):
            continue
        lying = sum(len(column) for columns in state.front for column in columns) + len(state.pile)
        dealt_out = {2: 12, 3: 24, 4: 24}[state.seats] + state.rules.blank_character
        drawn = 2 * len(state.monarchs_seen) if state.seats == 2 else 0  # the monarch itself, and a vassal
        assert lying + sum(state.monarchs) + sum(state.hand) == dealt_out + drawn
        assert len(state.chairs_up) + sum(state.chairs) == len(state.seats_seen)


def test_an_entry_takes_few_keys() -> None:
    counts = []
    for seed in range(20):
        dealt = deal("east-rune", seed, coarse=0.0, stop=0.0, misplay=0.05, edits=0.0)
        speller = LogToKeys(dealt.session(0))
        for event in events(dealt.session()):
            keys = len(parse(speller.spell(event)))
            counts += [keys] if isinstance(event, Play) else []
    assert sum(counts) / len(counts) < 1.45
