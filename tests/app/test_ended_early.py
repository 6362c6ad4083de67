"""A game that the table has ended early, or in which somebody else has taken a seat, at a box that is started again."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.app.state import PANEL
from companion.app.step import step
from companion.app.store import Write
from companion.app.viewers import entered
from companion.core.events import Finish, Line, Redo, SeatNames, Substitute, Undo
from companion.journal import Journal
from companion.ui.screens.context import EnterLine
from tests.app.boxes import FOUR, key_of, new_box, playing, press, says

EVA = ("Eva", *FOUR[1:])
ROUND = '{"type":"round","tricks":[4,3,2,1],"trees":[4,1,0,0],"last":0}'


class Known:
    """Notes whose phones move."""

    def __init__(self) -> None:
        self.moves: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    def rename_phones(self, before: tuple[str, ...], after: tuple[str, ...]) -> Write:
        self.moves.append((before, after))
        return Write(self.rename_phones)

    def write_line(self, *_: object) -> Write:
        return Write(self.write_line)


def resumed(*lines: str, over: bool = True, players: tuple[str, ...] = ()) -> tuple[Journal, Box]:
    """Return a box that has been started again in a game with some lines more."""
    journal = Journal()
    playing("", journal=journal)
    (name,) = journal.names()
    for number, line in enumerate(lines, 1):
        last = number == len(lines)
        journal.append(name, line, now=number, tracking="round", over=over and last, players=players)
    return journal, new_box(journal)


def test_a_game_that_was_ended_early_shows_its_scores_and_asks_nothing() -> None:
    journal, box = resumed(ROUND, '{"type":"finish"}')
    assert "Ended early: Aki | R1, total | Aki, winner: 6, 6" in says(box)
    assert box.game is not None
    assert box.game.over
    press(box, "5")
    assert journal.saved(journal.names()[0]).lines == 2


def test_one_undo_goes_on_with_the_game() -> None:
    journal, box = resumed(ROUND, '{"type":"finish"}')
    assert "again takes back: the game ends here" in says(press(box, "*"))
    assert "Took back: the game ends here" in says(press(box, "*"))
    assert "Round 2" in says(box)
    assert journal.saved(journal.names()[0]).over is False


def test_a_game_that_was_ended_early_is_told_apart_in_the_history_and_not_counted() -> None:
    _journal, box = resumed(ROUND, '{"type":"finish"}')
    press(box, "#")
    press(box, key_of(box, "History"))
    assert "ended early" in says(press(box, key_of(box, "Games")))
    press(box, "*")
    assert "No game is finished yet" in says(press(box, key_of(box, "League")))


def test_who_took_a_seat_is_asked_and_undo_says_who_it_was() -> None:
    _journal, box = resumed('{"type":"substitute","player":0,"name":"Eva"}', over=False, players=EVA)
    assert "Eva" in says(box)
    press(box, "*")
    assert "Took back: from now on Eva" in says(press(box, "*"))
    assert "Aki" in says(box)


@pytest.mark.parametrize(
    ("before", "line", "moves"),
    [
        ((), SeatNames(EVA), [(FOUR, EVA)]),
        ((SeatNames(EVA),), Undo(), [(EVA, FOUR)]),
        ((SeatNames(EVA), Undo()), Redo(), [(FOUR, EVA)]),
        ((), Substitute(0, "Eva"), []),
        ((Substitute(0, "Eva"),), Undo(), []),
        ((Substitute(0, "Eva"), Undo()), Redo(), []),
    ],
)
def test_a_phone_moves_with_a_corrected_name_and_stays_with_who_has_left(
    before: tuple[Line, ...], line: Line, moves: list[tuple[tuple[str, ...], tuple[str, ...]]]
) -> None:
    state, known = playing().state, Known()
    for each in (*before, line):
        known.moves.clear()
        done, _dropped = entered(state, PANEL, EnterLine(each), known)  # type: ignore[arg-type]
        state = done.state
    assert known.moves == moves
    assert state.table.words.players == state.table.require_game().session.header.players


def test_the_line_that_ends_a_game_early_is_written_as_its_end() -> None:
    journal = Journal()
    box = playing("", journal=journal)
    done = step(box.state, PANEL, EnterLine(Finish()), box._known)
    (written,) = done.writes
    assert (written.args[1], written.keywords["over"]) == ('{"type":"finish"}', True)
    assert done.state.table.report is None
