"""Entries after a correction: kept where they fit, else given to the player whose turn it is."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from companion.core.correction import Correction, CorrectionKind, apply_later, apply_or_reseat, player_by_turn
from companion.core.game import Event, Game, Progress, Splice, Start, event_from_answers
from companion.core.prompt import Answer, DetailLevel, EnterNumber, Prompt
from companion.core.session import Session
from companion.core.text import IllegalEventError, Text
from companion.gamelog import decode_header, decode_line
from companion.games.east_rune.rules import Pass, Play, Stop
from tests.games.seeds import events

from .toy import HEAP, ROOM, Heap, Put, heap, put


def game(name: str, players: int, *lines: str, **rules: object) -> Session:
    """Return a session with some lines, each a JSON object without braces."""
    names = ["Aki", "Bea", "Cyr", "Dai"][:players]
    session = Session(decode_header(json.dumps({"format": 1, "game": name, "players": names, "rules": rules})))
    for line in lines:
        session = session.add(decode_line("{" + line + "}", session.header))
    return session


def sea(player: int, rank: int) -> str:
    return f'"type":"play","player":{player},"card":"sea-{rank}"'


ETERNITY = ('"type":"start","player":0', '"type":"deal","board":["earth-3","sky-9"]')
RUNES = (
    '"type":"start","player":0',
    '"type":"reveal","card":"light"',
    '"type":"claim","player":0,"card":"noon-animal-light"',
)


def test_an_event_that_does_not_fit_is_given_to_the_player_whose_turn_it_is() -> None:
    session = game("eternity", 4, *ETERNITY, sea(0, 4), sea(1, 5), sea(2, 6))
    declared, laid = session.header.game, events(session)
    given, after = apply_or_reseat(declared, session.before(4), laid[4])
    assert (given.player, after.turn) == (1, 2)  # type: ignore[attr-defined]
    assert apply_or_reseat(declared, session.before(5), laid[4])[0] is laid[4]
    with pytest.raises(IllegalEventError):  # who starts does not follow from the turn
        apply_or_reseat(declared, session.state, laid[0])
    with pytest.raises(IllegalEventError):  # it is nobody's turn
        apply_or_reseat(declared, session.header.first, laid[4])


def test_what_fits_stays_and_what_fits_nobody_is_refused_with_its_reason() -> None:
    session = game("eternity", 4, *ETERNITY, sea(0, 4), sea(1, 5))
    declared, laid = session.header.game, events(session)
    assert apply_later(declared, session.before(4), session.before(4), laid[3])[0] is laid[3]
    with pytest.raises(IllegalEventError, match="already seen"):  # not: it is another player's turn
        apply_later(declared, session.before(4), session.state, laid[3])
    with pytest.raises(IllegalEventError, match="10 more do not fit"):
        apply_later(HEAP, (), (5,), Put(10))


def chain(*cards: str) -> Session:
    """Return a game of East Rune in which players laid cards or pressed OK, each given by whoever's turn it was."""
    session = game("east-rune", 3, *RUNES)
    declared = session.header.game
    for card in cards:
        made: Event | None
        if card == "#":
            made = event_from_answers(
                declared, session.state, DetailLevel.FULL, declared.answers(session.state, Pass(0))
            )
        else:
            made = Play(session.state.turn, declared.cards[card], "hand")
        assert made is not None
        session = session.add(made)
    return session


def test_the_key_that_ended_a_turn_is_a_pass_where_no_turn_has_begun_and_the_reverse() -> None:
    stopped = chain("dusk-animal", "#")
    assert isinstance(events(stopped)[-1], Stop)
    removed = Correction(stopped, 4, CorrectionKind.REMOVE).leave_out()
    assert events(Session(stopped.header, removed.stand.step))[-1] == Pass(0)
    passed = chain("#")
    inserted = Correction(passed, 4, CorrectionKind.INSERT).put(
        Play(0, passed.header.game.cards["dusk-animal"], "hand")
    )
    assert inserted.stand.step.event == Stop(0)
    assert inserted.stand.moved == ((Pass(0), Stop(0)),)


def test_answers_that_make_another_players_kind_of_entry_are_not_given_again() -> None:
    session = game("hipparchus", 2, '"type":"start","player":0', *('"type":"play","player":0,"suit":"sun","count":1',))
    stuck = session.add(decode_line('{"type":"stuck","player":1}', session.header))
    removed = Correction(stuck, 2, CorrectionKind.REMOVE).leave_out()
    assert not removed.fits
    assert removed.entry.number == 3


class Take(Event, frozen=True, tag="take"):
    """Counters are taken off the heap."""

    count: int


def apply(heap: Heap, event: Event) -> Heap:
    """Return the heap with counters added or taken off."""
    if not isinstance(event, Take):
        return put(heap, event)
    if sum(heap) < event.count:
        raise IllegalEventError("too-few", "{count} are not there", count=event.count)
    return (*heap, -event.count)


def typed_as(**made: Event) -> Game[Heap]:
    """Return the game of the heap in which any number makes a certain event on each level of detail."""

    def ask(_heap: Heap, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event:
        return made[tracking.value] if answers else Prompt(Text("how many?"), tuple(map(EnterNumber, range(ROOM))))

    return replace(
        HEAP,
        trackings={DetailLevel(name): Text(name) for name in made},
        apply=apply,
        ask=ask,
        optional=replace(HEAP.optional, by_turn=(Put, Take)),
    )


def test_the_same_answers_are_given_again_on_each_level_of_detail_for_another_kind_of_entry() -> None:
    declared = typed_as(full=Put(1), quick=Take(9), round=Take(2))
    assert apply_later(declared, (), (8,), Put(5)) == (Take(2), (8, -2))


@pytest.mark.parametrize("made", [Put(1), Take(9), Start(0)])
def test_what_the_same_answers_make_is_left_if_it_is_no_other_kind_or_does_not_fit_either(made: Event) -> None:
    with pytest.raises(IllegalEventError, match="5 more do not fit"):
        apply_later(typed_as(full=made), (), (8,), Put(5))


def test_an_entry_that_no_questions_lead_to_stays_if_it_fits() -> None:
    declared = replace(typed_as(full=Put(1)), optional=HEAP.optional)
    assert apply_later(declared, (), (1,), Put(5)) == (Put(5), (1, 5))


def in_phases(heap: Heap, event: Event) -> Heap:
    """Return the heap after an event; where it is full, counters are to be taken off first."""
    try:
        return apply(heap, event)
    except IllegalEventError as refused:
        raise IllegalEventError("phase" if refused.reason == "full" else refused.reason, "no") from None


PHASES = replace(
    HEAP,
    apply=in_phases,
    answers=lambda _heap, event: (EnterNumber(event.count),),
    progress=lambda heap: Progress((sum(heap),), None, round=1),
)


@pytest.mark.parametrize(("taken", "counts"), [(1, (9, -1, 2)), (0, (9, 0))])
def test_an_entry_that_only_lacked_one_of_another_kind_before_it_stays(taken: int, counts: Heap) -> None:
    session = heap(8, 2, game=PHASES)
    put_in = Correction(session, 1).put(Put(9)).put(Take(taken))
    assert put_in.fits
    assert put_in.state == counts


@pytest.mark.parametrize(
    ("following", "superfluous"),
    [(None, False), (Put(2), False), (Take(9), True), (Take(10), False)],  # the last fits only after what is asked for
)
def test_an_entry_is_superfluous_if_the_next_of_another_kind_fits_in_its_place(
    following: Event | None, superfluous: bool
) -> None:
    session = heap(6, 2, 2, game=PHASES) if isinstance(following, Put) else heap(6, 4, game=PHASES)
    if isinstance(following, Take):
        session = session.add(following)
    conflict = Correction(session, 1).put(Put(9))
    assert conflict.superfluous is superfluous
    assert conflict.without_superfluous().fits is superfluous


def test_an_entry_of_a_turn_is_replaced_and_never_superfluous() -> None:
    turns = replace(PHASES, optional=replace(HEAP.optional, by_turn=(Put, Take)))
    conflict = Correction(heap(6, 4, game=turns).add(Take(9)), 1).put(Put(9))
    assert (conflict.superfluous, conflict.inserts) == (False, False)
    without_rounds = replace(PHASES, progress=HEAP.progress)
    assert not Correction(heap(6, 4, game=without_rounds).add(Take(9)), 1).put(Put(9)).superfluous
    assert conflict.put(Take(1)).given == (Put(9), Take(1))
    assert len([*conflict.put(Take(1)).stand.step.back()]) == 2  # the refused entry is gone


def test_an_entry_of_a_later_round_than_the_correction_began_in_is_never_superfluous() -> None:
    later = replace(PHASES, progress=lambda heap: Progress((sum(heap),), None, round=1 + sum(heap) // 3))
    assert not Correction(heap(6, 4, game=later), 1).put(Put(9)).superfluous


def test_the_same_answers_are_not_offered_as_another_kind_of_entry() -> None:
    def ask(at: Heap, _tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event:
        made = Take(4) if sum(at) > ROOM - 2 else Put(4)
        return made if answers else Prompt(Text("how many?"), tuple(map(EnterNumber, range(ROOM))))

    conflict = Correction(heap(6, 4, game=replace(PHASES, ask=ask)), 1).put(Put(9))
    assert conflict.entry.number == 2
    assert conflict.as_typed(DetailLevel.FULL) is None


def test_an_entry_of_the_turn_that_names_no_player_is_given_to_nobody() -> None:
    declared, laid = typed_as(full=Put(1)), Put(5)
    assert player_by_turn(declared, laid) is None
    with pytest.raises(IllegalEventError):
        apply_or_reseat(declared, (8,), laid)


# Inserting, removing, swapping


def test_what_is_inserted_moves_the_cards_after_it_on() -> None:
    session = game("eternity", 4, *ETERNITY, sea(0, 4), sea(1, 6), sea(2, 7))
    opened = Correction(session, 4, CorrectionKind.INSERT)
    assert (opened.inserts, opened.was) == (True, events(session)[3])
    play = decode_line("{" + sea(1, 5) + "}", session.header)
    assert isinstance(play, Event)
    inserted = opened.put(play)
    assert (inserted.fits, inserted.inserts, inserted.stand.changed) == (True, False, (4, 5))
    now = [(event.player, event.card.rank) for event in events(Session(session.header, inserted.stand.step))[2:]]  # type: ignore[attr-defined]
    assert now == [(0, 4), (1, 5), (2, 6), (3, 7)]
    line = inserted.line()
    assert isinstance(line, Splice)
    assert (line.event, line.drop, len(line.put)) == (4, 2, 3)


def test_what_no_longer_fits_after_an_insertion_is_asked_for_as_an_old_entry() -> None:
    full = Correction(heap(1, 2, 3), 2, CorrectionKind.INSERT).put(Put(6))
    assert (full.fits, full.inserts, full.entry.number, full.was) == (False, False, 3, Put(3))
    assert full.put(Put(1)).line() == Splice(2, 2, (Put(6), Put(2), Put(1)))


def test_two_neighbours_change_places_and_the_seats_stay() -> None:
    session = game("eternity", 4, *ETERNITY, sea(0, 4), sea(1, 6))
    swapped = Correction(session, 3, CorrectionKind.SWAP)
    now = [(event.player, event.card.rank) for event in events(Session(session.header, swapped.stand.step))[2:]]  # type: ignore[attr-defined]
    assert now == [(0, 6), (1, 4)]
    assert (swapped.stand.changed, swapped.kind, swapped.fits) == ((3, 4), CorrectionKind.SWAP, True)
    assert Correction(heap(2, 2), 1, CorrectionKind.SWAP).line() is None


@pytest.mark.parametrize("number", [0, 2, 4])
def test_what_cannot_change_places_is_refused(number: int) -> None:
    with pytest.raises(IllegalEventError):
        assert Correction(game("eternity", 4, *ETERNITY, sea(0, 4), sea(1, 6)), number, CorrectionKind.SWAP).stand
