"""Slips noticed 12 entries later, corrected by keys on a whole box, in every game."""

from __future__ import annotations

import random
from functools import cache

import pytest

from companion.app.box import Box
from companion.cli.log_to_keys import LogToKeys
from companion.core.game import CorrectionLine
from companion.core.session import Session
from companion.gamelog import decode_line, encode_line
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.keys import parse
from tests.app.boxes import lines_of, new_box, press, says, written
from tests.example_counts import examples
from tests.harness.slips.case import Slip, entries
from tests.harness.slips.honest import honest_game
from tests.harness.slips.late import late

MOST: dict[Slip, int] = {"forgotten": 8, "twice": 6, "swapped": 6}
"""The most keys that a correction takes."""


@cache
def wrong_games(game: str, slip: Slip) -> tuple[tuple[Session, CorrectionLine], ...]:
    """Return games with a slip 12 entries ago, each with the line that corrects it."""
    dealt = (honest_game(game, seed) for seed in range(examples(4, 200)))
    found = (late(honest, slip, random.Random(f"{slip} {seed}")) for seed, honest in enumerate(dealt))
    return tuple(each for each in found if each is not None)


def box_with(session: Session, journal: Journal) -> Box:
    """Return a box that has just taken up a game."""
    lines = (encode_line(event) for event in entries(session))
    journal.set_open_game(written(journal, session.header.written, *lines))
    return new_box(journal)


def events_on(box: Box) -> tuple[object, ...]:
    """Return the entries that a box has."""
    assert box.game is not None
    return entries(box.game.session)


@pytest.mark.unmeasured
@pytest.mark.parametrize("slip", MOST)
@pytest.mark.parametrize("game", GAMES)
def test_a_slip_12_entries_ago_is_corrected_by_a_few_keys_as_one_line_and_one_undo_takes_it_back(
    game: str, slip: Slip
) -> None:
    for session, line in wrong_games(game, slip):
        journal = Journal()
        box = box_with(session, journal)
        keys = LogToKeys(session).spell(line)
        assert len(parse(keys)) <= MOST[slip], (session.header.written, session.head.number, line, keys)
        before = lines_of(journal)
        press(box, keys)
        told = (session.header.written, session.head.number, line, keys, says(box))
        assert events_on(box) == entries(session.add(line)), told
        assert lines_of(journal)[:-1] == before, told
        assert decode_line(lines_of(journal)[-1], session.header) == line, told
        press(box, "*")
        assert events_on(box) == entries(session), told
        assert box.game is not None
        assert box.game.session.state == session.state, told
