"""Slips noticed 12 entries later, corrected by keys on a whole box, in every game."""

from __future__ import annotations

import random
from functools import cache

import pytest

from companion.app.box import Box
from companion.cli.log_to_keys import ENTRIES, LogToKeys
from companion.core.events import CorrectionLine, ReplaceEvent
from companion.core.session import Session
from companion.gamelog import decode_line, encode_line
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.key_grammar import AnswerCodes
from companion.ui.keys import BUTTONS, KeyLayout, parse
from companion.ui.screens.corrections import way
from tests.app.boxes import lines_of, new_box, press, says, written
from tests.app.selecting import JOYSTICK, KNOB, on, turn_to, turn_to_row
from tests.example_counts import examples
from tests.harness.slips.case import Slip, entries
from tests.harness.slips.honest import honest_game
from tests.harness.slips.late import late

MOST: dict[Slip, int] = {"forgotten": 8, "twice": 6, "swapped": 6}
"""The most keys that a correction takes."""

REPLACE, INSERT, DELETE, SWAP = "#", "C", "D", "h#"
"""The keys that correct the highlighted entry; with few keys they are rows, in this order."""

SPARE = KeyLayout.of("<>^vo#D*")
"""A joystick and a few keys of the keypad."""

BOARDS = (BUTTONS, KNOB, JOYSTICK, SPARE)


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


def corrected_with_few_keys(box: Box, session: Session, line: CorrectionLine) -> None:
    """Correct an entry with the keys of a board without a keypad."""
    number = min(line.event, session.head.number)
    keys = LogToKeys(session).spell(line).removeprefix(ENTRIES + way(session.head.number, number))
    kinds = (REPLACE, INSERT, DELETE, SWAP)
    kind = next(kind for kind in kinds if keys.startswith(kind))
    turn_to(box, ENTRIES)
    turn_to_row(box, number - 1)
    turn_to_row(box, kinds.index(kind))
    if kind in (REPLACE, INSERT):
        game, state = session.header.game, session.before(number)
        put = line.to if isinstance(line, ReplaceEvent) else line.put[0]
        for answer in game.answers(state, put):
            assert box.ring.asked is not None
            turn_to(box, AnswerCodes(box.ring.asked).spell(answer))
    if events_on(box) == entries(session):
        turn_to(box, REPLACE)


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


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"{board.kind}{board.keys}")
@pytest.mark.parametrize("game", GAMES)
def test_with_few_keys_it_is_corrected_too(board: KeyLayout, game: str) -> None:
    slip = [*MOST][(BOARDS.index(board) + [*GAMES].index(game)) % len(MOST)]  # every board and every game has every one
    for session, line in wrong_games(game, slip)[:2]:
        journal = Journal()
        box_with(session, journal)
        box = on(board, journal)
        corrected_with_few_keys(box, session, line)
        assert events_on(box) == entries(session.add(line)), (session.header.written, line, says(box))
