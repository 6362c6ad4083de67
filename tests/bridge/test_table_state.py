"""The state of a table and its events follow from the log, for every game."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.bridge.table_state import events_between, table_state
from companion.core.events import Undo
from companion.gamelog import replay
from companion.games import GAMES
from companion.ui.translations import Translator
from tests.app.finished_games import random_log

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
        assert {table.led} <= {None, *table.suits}
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


def test_an_undo_is_told_as_a_correction() -> None:
    *_before, last = replay(random_log("gear", 3))
    undone = last.session.add(Undo())
    assert [event.event_type for event in events_between(last.session, undone, ENGLISH)] == ["corrected"]
