"""The state of a table and its events follow from the log, for every game."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from companion.bridge.table_state import TableEvent, events_between, table_state
from companion.core.game import Amend, Redo, Substitute, Undo
from companion.gamelog import replay
from companion.games import GAMES
from companion.games.kit.tricks import DIAMONDS, SPADES
from companion.ui.translations import Translator
from tests.cli.finished_games import random_log

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
ENGLISH = Translator("en")


@pytest.mark.parametrize("name", GAMES)
def test_it_says_what_the_game_says_after_each_line(name: str) -> None:
    sessions = [step.session for step in replay(random_log(name, 3))]
    ends = 0
    for before, after in pairwise(sessions):
        table, progress = table_state(after, ENGLISH), after.progress
        assert [seat.score for seat in table.seats] == list(progress.totals)
        assert [seat.won for seat in table.seats] == [
            seat in (progress.winners or ()) for seat in range(len(table.seats))
        ]
        assert table.turn == (None if progress.turn is None else after.header.players[progress.turn])
        assert (table.round, table.over) == (progress.round, progress.over)
        ends += [event.event_type for event in events_between(before, after, ENGLISH)].count("game_end")
    assert ends == 1
    assert table.over


def test_it_names_trump_led_suit_and_trick() -> None:
    happened: set[str] = set()
    trumps, leds = set[str | None](), set[str | None]()
    sessions = [step.session for step in replay(random_log("eternity", 3))]
    for before, after in pairwise(sessions):
        table = table_state(after, Translator("fr"))
        trumps.add(table.trump)
        leds.add(table.led)
        happened |= {event.event_type for event in events_between(before, after, ENGLISH)}
    assert trumps == leds == {None, "Mer", "Ciel", "Terre"}
    assert happened >= {"trump_changed", "trick", "round_end", "game_end"}


@pytest.mark.parametrize(
    ("log", "trumps"),
    [
        (
            "wizard/two-rounds-and-a-revoke",
            {("Pique", "spades", SPADES.colour), ("Carreau", "diamonds", DIAMONDS.colour)},
        ),
        ("spades/three-tricks-and-two-revokes", {("Pique", "spades", SPADES.colour)}),
    ],
)
def test_every_game_tells_its_trump_with_the_colour_of_the_lamp_until_its_end(
    log: str, trumps: set[tuple[str, str, tuple[int, int, int]]]
) -> None:
    steps = [step.session for step in replay((TRANSCRIPTS / f"{log}.jsonl").read_bytes())]
    told = [table_state(session, Translator("fr")) for session in steps]
    assert {(table.trump, table.trump_suit, table.colour) for table in told} == {(None, None, None), *trumps}
    assert all(table.trump is None for table in told if table.over)


@pytest.mark.parametrize("game", GAMES)
def test_every_event_has_words(game: str) -> None:
    sessions = [step.session for step in replay(random_log(game, 3))]
    events = [event for pair in pairwise(sessions) for event in events_between(*pair, ENGLISH)]
    assert [event for event in events if not event.text] == []


def test_an_undo_is_told_as_a_correction() -> None:
    *_before, last = replay(random_log("gear", 3))
    undone = last.session.add(Undo())
    assert [event.event_type for event in events_between(last.session, undone, ENGLISH)] == ["corrected"]


def test_a_game_that_the_table_ends_early_is_over_with_the_points_of_its_finished_rounds() -> None:
    sessions = [step.session for step in replay((TRANSCRIPTS / "eternity/finish-in-a-trick.jsonl").read_bytes())]
    before, ended = sessions[-2:]
    playing, table = table_state(before, ENGLISH), table_state(ended, ENGLISH)
    assert (playing.led, playing.over, playing.ended_early) == ("Sea", False, False)
    assert (table.led, table.turn, table.trump, table.over, table.ended_early) == (None, None, None, True, True)
    assert [(seat.score, seat.won) for seat in table.seats] == [(6, False), (2, False), (6, True), (4, False)]
    assert events_between(before, ended, ENGLISH) == [TableEvent("game_end", "Cyr ahead, ended early")]
    undone = ended.add(Undo())
    assert [event.event_type for event in events_between(ended, undone, ENGLISH)] == ["corrected"]
    again = undone.add(Redo())
    assert [event.event_type for event in events_between(undone, again, ENGLISH)] == ["game_end"]


def test_of_a_game_that_is_ended_early_with_the_entry_before_it_is_not_said_that_nobody_wins() -> None:
    log = b"""{"format":1,"game":"together","players":["Aki","Bea"],"rules":{"games":3}}
{"type":"won","figure":1}
{"type":"finish"}
"""
    before, _won, ended = [step.session for step in replay(log)]
    assert [event.text for event in events_between(before, ended, ENGLISH) if event.event_type == "game_end"] == [
        "Ended early"
    ]


def test_a_correction_before_the_finish_is_told_as_one() -> None:
    log = TRANSCRIPTS / "eternity/finish-behind-a-correction.jsonl"
    sessions = [step.session for step in replay(log.read_bytes())]
    amended = next(number for number, session in enumerate(sessions) if isinstance(session.latest, Amend))
    events = events_between(sessions[amended - 1], sessions[amended], ENGLISH)
    assert [event.event_type for event in events] == ["corrected"]


def test_who_has_taken_a_seat_is_named_from_then_on_and_no_event() -> None:
    *_before, last = replay((TRANSCRIPTS / "gear/header-alone.jsonl").read_bytes())
    before, after = last.session, last.session.add(Substitute(1, "Eva"))
    assert table_state(after, ENGLISH).seats[1].name == "Eva"
    assert events_between(before, after, ENGLISH) == []
    assert [event.event_type for event in events_between(after, after.add(Undo()), ENGLISH)] == ["corrected"]
