"""Who sits where can be mended at any time: one line, one undo, looked over before it counts."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.gamelog import read
from companion.journal import Journal
from companion.ui.fonts import LINES, page_lines
from companion.ui.view import TextBody
from tests.app.boxes import FOUR, page_of, playing, press

TRICK = "1 A3 B9 A4 DB11 9 C5"
PLAYERS = "h# 0 4"


def review(box: Box) -> tuple[str, ...]:
    """Return the sentences of the review."""
    body = box.view().body
    assert isinstance(body, TextBody)
    return body.sentences


def shown(box: Box) -> list[str]:
    """Return the sentences of the review that begin on the panel."""
    body = box.view().body
    assert isinstance(body, TextBody)
    room, found = LINES, []
    for piece in body.sentences[body.first :]:
        room -= len(page_lines(piece))
        if room >= 0:
            found.append(piece)
        else:
            break
    return found


@pytest.mark.parametrize(
    ("players", "pair", "divided"),
    [
        (("Alexandrine", "Bartholomew", "Constantin", "Desdemona", "Emmanuelle"), 2, True),
        (("Alexandrine", "Bo", "Constantin", "Di", "Em"), 1, False),  # a line is left where the next sentence has four
    ],
)
def test_a_sentence_of_a_review_that_is_cut_stands_whole_on_the_next_page(
    players: tuple[str, ...], pair: int, divided: bool
) -> None:
    box = press(playing(players=players), f"1 A1 B1 C1 h#0 4 {pair}")
    whole, read = review(box), shown(box)
    while "B" in box.frame.labels:
        assert box.frame.words[-1].endswith("A B")
        press(box, "B")
        read += shown(box)
    assert tuple(read) == whole
    assert any("\n" in piece for piece in whole) is divided  # whether the scores take more than a page
    body = page_of(box).body
    assert isinstance(body, TextBody)
    assert " ".join(body.sentences) == " ".join(whole).replace("\n", " ")


def test_a_log_that_swaps_players_says_so_in_its_snapshot() -> None:
    journal = Journal()
    press(playing(TRICK, journal=journal), f"{PLAYERS} 1 #")
    session = read(journal.log(journal.names()[0]).encode())
    assert session.seat_names == ("Bea", "Aki", "Cyr", "Dai")
    assert session.first_line.players == FOUR
