"""What a correction changes besides its entry: tricks, trump, scores, winners, alerts, whose entries they are."""

from __future__ import annotations

from companion.core.correction import Correction, CorrectionKind
from companion.core.correction_effects import asks, consequences
from companion.core.events import Event
from companion.core.session import Session
from companion.gamelog import decode_line

from .test_entries_after_correction import ETERNITY, game, sea

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
    told = consequences(Correction.opening(session, 5).put(event(session, sea(2, 1))))
    ((trick),) = told.tricks
    assert (trick.winner, trick.before, str(trick.moment)) == (0, 2, "R1 T1")
    assert (told.given, told.asks) == (1, True)


def test_a_trick_that_is_complete_only_before_or_only_after_is_told() -> None:
    session = game("eternity", 4, *ETERNITY, *TRICK)
    (trick,) = consequences(Correction.removing(session, 4)).tricks
    assert (trick.winner, trick.before) == (None, 2)
    short = game("eternity", 4, *ETERNITY, TRICK[0], sea(1, 9), '"type":"play","player":2,"card":"earth-5"')
    (trick,) = consequences(Correction.opening(short, 4, CorrectionKind.INSERT).put(event(short, TRICK[1]))).tricks
    assert (trick.winner, trick.before) == (2, None)


def test_of_tricks_entered_as_a_whole_only_the_trump_is_told() -> None:
    trick = '"type":"trick","winner":1,"pledges":[{"player":2,"card":"earth-11"}]'
    session = game("eternity", 4, *ETERNITY, '"type":"trick","winner":1,"pledges":[]', trick)
    told = consequences(Correction.removing(session, 4))
    assert (told.tricks, told.asks) == ((), True)
    assert told.symbol is not None
    assert [str(word) for word in told.symbol] == ["Earth", "Sky"]


def test_the_symbol_is_told_where_it_lasts() -> None:
    session = game("eternity", 4, *ETERNITY, *TRICK)
    pledge = event(session, '"type":"pledge","player":1,"card":"sea-11"')
    told = consequences(Correction.opening(session, 4).put(pledge))
    assert told.symbol is not None
    assert [str(word) for word in told.symbol] == ["Sky", "Sea"]
    runes = game("east-rune", 3, '"type":"start","player":0', '"type":"reveal","card":"light"')
    assert consequences(Correction.removing(runes, 2)).symbol is None


def test_scores_are_told_if_a_round_ended_since() -> None:
    session = game("eternity", 4, *ROUNDS[:2])
    told = consequences(Correction.removing(session, 1))
    assert told.totals is not None
    assert told.totals[0] != told.totals[1]
    card = game("eternity", 4, *ETERNITY, sea(0, 4), sea(1, 9))
    assert consequences(Correction.removing(card, 4)).totals is None


def test_that_a_sheet_changes_scores_is_no_news() -> None:
    session = game("eternity", 4, *ROUNDS)
    told = consequences(Correction.opening(session, 3).put(event(session, ROUNDS[0])))
    assert (told.totals, told.winners, told.asks) == (None, False, False)


def test_who_wins_the_game_is_told() -> None:
    session = game("eternity", 4, *ROUNDS)
    assert consequences(Correction.removing(session, 2)).winners


def test_new_alerts_and_those_that_are_gone_are_told() -> None:
    session = game("eternity", 4, *ETERNITY, *TRICK, sea(2, 7), sea(3, 8))
    told = consequences(Correction.opening(session, 6).put(event(session, sea(3, 5))))
    assert (len(told.gone), told.alerts) == (1, ())
    session = session.add(event(session, sea(0, 2)))
    was = Correction.opening(session, 6).put(event(session, sea(3, 5)))
    line = was.line()
    assert line is not None
    told = consequences(Correction.opening(session.add(line), 6).put(event(session, TRICK[3])))
    assert (len(told.alerts), told.gone, told.asks) == (1, (), True)


def test_what_changes_nothing_else_is_not_asked_for_but_a_swap_always_is() -> None:
    session = game("eternity", 4, *ETERNITY, sea(0, 4), sea(1, 6))
    assert not asks(Correction.opening(session, 4).put(event(session, sea(1, 5))))
    assert asks(Correction.swapping(session, 3))
    assert not consequences(Correction.swapping(session, 3)).asks
