"""What a correction changes besides its entry: tricks, trump, scores, winners, alerts, whose entries they are."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.correction import Correction, CorrectionEffects, CorrectionKind, TrickChange, asks, consequences
from companion.core.game import Event, Progress, Undo
from companion.core.session import Session
from companion.core.text import Text
from companion.gamelog import decode_line
from companion.games.east_rune.rules import Play, Stop

from .test_entries_after_correction import ETERNITY, chain, game, sea
from .toy import HEAP, Put, heap

TRICK = (
    sea(0, 4),
    '"type":"pledge","player":1,"card":"sky-11"',
    sea(2, 9),
    '"type":"play","player":3,"card":"earth-5"',
)
ROUNDS = tuple(
    f'"type":"round","tricks":{tricks},"trees":[0,0,0,0],"last":{last}'
    for tricks, last in (("[10,0,0,0]", 0), ("[0,10,0,0]", 1), ("[0,0,5,5]", 2))
)


def event(session: Session, line: str) -> Event:
    decoded = decode_line("{" + line + "}", session.header)
    assert isinstance(decoded, Event)
    return decoded


def test_a_trick_that_somebody_else_wins_is_told_with_who_had_won_it() -> None:
    session = game("eternity", 4, *ETERNITY, *TRICK, sea(2, 7))
    told = consequences(Correction(session, 5).put(event(session, sea(2, 1))))
    ((trick),) = told.tricks
    assert (trick.winner, trick.before, str(trick.moment)) == (0, 2, "R1 T1")
    assert (told.given, told.asks) == (1, True)


def test_a_trick_that_is_complete_only_before_or_only_after_is_told() -> None:
    session = game("eternity", 4, *ETERNITY, *TRICK)
    (trick,) = consequences(Correction(session, 4, CorrectionKind.REMOVE).leave_out()).tricks
    assert (trick.winner, trick.before) == (None, 2)
    short = game("eternity", 4, *ETERNITY, TRICK[0], sea(1, 9), '"type":"play","player":2,"card":"earth-5"')
    (trick,) = consequences(Correction(short, 4, CorrectionKind.INSERT).put(event(short, TRICK[1]))).tricks
    assert (trick.winner, trick.before) == (2, None)


def test_a_trick_that_the_corrected_card_itself_ends_is_told() -> None:
    session = game("eternity", 4, *ETERNITY, *TRICK)
    (trick,) = consequences(Correction(session, 6).put(event(session, sea(3, 10)))).tricks
    assert (trick.winner, trick.before) == (3, 2)


def test_a_trick_of_cards_is_not_compared_with_one_entered_as_a_whole() -> None:
    whole = '"type":"trick","winner":0,"pledges":[]'
    first = game("eternity", 4, *ETERNITY, whole, *TRICK)
    (trick,) = consequences(Correction(first, 3, CorrectionKind.REMOVE).leave_out()).tricks
    assert (trick.winner, trick.before) == (None, 2)
    alone = game("eternity", 4, *ETERNITY, *TRICK)
    inserted = Correction(alone, 3, CorrectionKind.INSERT).put(event(alone, whole))
    (trick,) = consequences(inserted).tricks
    assert (trick.winner, trick.before) == (2, None)


def test_of_tricks_entered_as_a_whole_only_the_trump_is_told() -> None:
    trick = '"type":"trick","winner":1,"pledges":[{"player":2,"card":"earth-11"}]'
    session = game("eternity", 4, *ETERNITY, '"type":"trick","winner":1,"pledges":[]', trick)
    told = consequences(Correction(session, 4, CorrectionKind.REMOVE).leave_out())
    assert (told.tricks, told.asks) == ((), True)
    assert told.symbol is not None
    assert [str(word) for word in told.symbol] == ["Earth", "Sky"]


def test_the_symbol_is_told_where_it_lasts() -> None:
    session = game("eternity", 4, *ETERNITY, *TRICK)
    pledge = event(session, '"type":"pledge","player":1,"card":"sea-11"')
    told = consequences(Correction(session, 4).put(pledge))
    assert told.symbol is not None
    assert [str(word) for word in told.symbol] == ["Sky", "Sea"]
    begun = Correction(session, 2).end_here()
    assert consequences(begun).symbol is None  # nothing was dealt
    runes = game("east-rune", 3, '"type":"start","player":0', '"type":"reveal","card":"light"')
    assert consequences(Correction(runes, 2, CorrectionKind.REMOVE).leave_out()).symbol is None


def test_scores_are_told_if_a_round_ended_since() -> None:
    session = game("eternity", 4, *ROUNDS[:2])
    told = consequences(Correction(session, 1, CorrectionKind.REMOVE).leave_out())
    assert told.totals is not None
    assert told.totals[0] != told.totals[1]
    card = game("eternity", 4, *ETERNITY, sea(0, 4), sea(1, 9))
    assert consequences(Correction(card, 4, CorrectionKind.REMOVE).leave_out()).totals is None


def test_scores_are_told_if_a_round_has_ended_only_before_or_only_after() -> None:
    rounds = game("eternity", 4, *ROUNDS[:2])
    told = consequences(Correction(rounds, 2, CorrectionKind.REMOVE).leave_out())
    assert told.totals == (rounds.progress.totals, rounds.add(Undo()).progress.totals)
    card = game("eternity", 4, *ETERNITY, sea(0, 4))
    told = consequences(Correction(card, 3).put(event(card, ROUNDS[0])))
    assert told.totals is not None
    assert told.totals[0] == card.progress.totals


@pytest.mark.parametrize("by_turn", [(), (Put,)])
@pytest.mark.parametrize("asked", [{}, {"ask": lambda *_: Put(7)}])
def test_scores_are_told_if_an_entry_without_a_sheet_ends_each_round(by_turn: Any, asked: Any) -> None:
    declared = replace(
        HEAP,
        progress=lambda heap: Progress((sum(heap),), None, round=len(heap) + 1),
        optional=replace(HEAP.optional, by_turn=by_turn),
        **asked,  # or nothing leads to it but a log
    )
    assert consequences(Correction(heap(2, 1, game=declared), 1).put(Put(3))).totals == ((3,), (4,))


def test_that_a_sheet_changes_scores_is_no_news() -> None:
    session = game("eternity", 4, *ROUNDS)
    told = consequences(Correction(session, 3).put(event(session, ROUNDS[0])))
    assert (told.totals, told.winners, told.asks) == (None, False, False)
    assert consequences(Correction(session, 2).end_here()).totals is not None  # no sheet has shown what another changes
    told = consequences(Correction(session, 1).put(event(session, ROUNDS[1])))
    assert told.totals is None


def test_who_wins_the_game_is_told() -> None:
    session = game("eternity", 4, *ROUNDS)
    assert consequences(Correction(session, 2, CorrectionKind.REMOVE).leave_out()).winners


def test_new_alerts_and_those_that_are_gone_are_told() -> None:
    session = game("eternity", 4, *ETERNITY, *TRICK, sea(2, 7), sea(3, 8))
    told = consequences(Correction(session, 6).put(event(session, sea(3, 5))))
    assert (len(told.gone), told.alerts) == (1, ())
    session = session.add(event(session, sea(0, 2)))
    was = Correction(session, 6).put(event(session, sea(3, 5)))
    line = was.line()
    assert line is not None
    told = consequences(Correction(session.add(line), 6).put(event(session, TRICK[3])))
    assert (len(told.alerts), told.gone, told.asks) == (1, (), True)


def test_entries_that_become_another_kind_of_entry_are_told_apart_from_those_given_to_others() -> None:
    passed = chain("#")
    card = Play(0, passed.header.game.cards["dusk-animal"], "hand")
    told = consequences(Correction(passed, 4, CorrectionKind.INSERT).put(card))
    assert (told.given, told.other, told.asks) == (0, (Stop(0),), True)


@pytest.mark.parametrize(
    ("effects", "asked"),
    [
        (CorrectionEffects(), False),
        (CorrectionEffects(symbol=(Text("Sky"), Text("Sky"))), False),
        (CorrectionEffects(gone=(Text("a revoke"),)), False),
        (CorrectionEffects(symbol=(Text("Sky"), Text("Sea"))), True),
        (CorrectionEffects(tricks=(TrickChange(Text("R1 T1"), 0, 1),)), True),
        (CorrectionEffects(winners=True), True),
        (CorrectionEffects(totals=((0,), (1,))), True),
        (CorrectionEffects(alerts=(Text("a revoke"),)), True),
        (CorrectionEffects(given=1), True),
        (CorrectionEffects(other=(Put(1),)), True),
    ],
)
def test_each_effect_alone_is_asked_about(effects: CorrectionEffects, asked: bool) -> None:
    assert effects.asks is asked


def test_what_changes_nothing_else_is_not_asked_for_but_a_swap_always_is() -> None:
    session = game("eternity", 4, *ETERNITY, sea(0, 4), sea(1, 6))
    assert not asks(Correction(session, 4).put(event(session, sea(1, 5))))
    assert asks(Correction(session, 3, CorrectionKind.SWAP))
    assert not consequences(Correction(session, 3, CorrectionKind.SWAP)).asks
