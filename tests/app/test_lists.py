"""Lists read the games that they show and no more, and a row is drawn with what stands below it."""

from __future__ import annotations

import json

import pytest

from companion.app import store
from companion.core.game import LogHeader
from companion.gamelog import decode_header
from companion.journal import Journal, StoredGame
from companion.ui.fonts import LINES
from companion.ui.panel import draw
from companion.ui.screens.contents import PAGE
from companion.ui.view import ListBody, View, spoken
from tests.app.boxes import key_of, new_box, playing, press, says, written


def test_lists_read_the_headers_of_the_games_they_show_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded = list[str]()

    def decode(header: str) -> LogHeader:
        decoded.append(header)
        return decode_header(header)

    monkeypatch.setattr(store, "decode_header", decode)
    journal = Journal()
    for game in range(60):
        header = {"format": 1, "game": "eternity", "players": ["Aki", f"Bea {game}"]}
        written(journal, json.dumps(header), over=True)
    box = new_box(journal)
    assert "Play with regulars 10" in says(box)
    assert len(decoded) == 10
    press(box, "B A B A")
    assert len(decoded) == 10
    press(box, key_of(box, "All games") + "0")
    assert len(decoded) == 2 * PAGE


def test_a_box_that_starts_in_a_game_reads_no_list() -> None:
    class Unlisted(Journal):
        listed = True

        def games(self) -> list[StoredGame]:
            assert self.listed
            return super().games()

    journal = Unlisted()
    playing("1", journal=journal)
    journal.listed = False
    assert press(new_box(journal), "1 A3 B9").view().question == "Aki:"


# Drawing of the lines below rows


def rows(chosen: int, *below: str) -> View:
    texts = tuple((f"row {row}", "") for row in range(6))
    return View(ListBody("Rows", texts, chosen, below=tuple((text, "") for text in below)))


def test_a_row_with_a_line_below_it_is_seen_whole_where_it_is_highlighted() -> None:
    for chosen in range(6):
        picture = draw(rows(chosen, *["below"] * 6))
        lit = [y for y in range(11, 11 + 11 * LINES) if picture.getpixel((1, y))]
        assert len(lit) == 22, chosen


def test_no_line_stands_at_the_top_without_its_row() -> None:
    apart = draw(rows(2, "below", "", "below"))
    other = draw(rows(2, "other", "", "below"))
    assert apart.tobytes() == other.tobytes()  # the line below row 0 is hidden, too


def test_what_stands_below_a_row_is_spoken_with_it() -> None:
    assert spoken(rows(1, "", "below"), str)[1:4] == ("row 0", "> row 1 below", "row 2")


def test_the_game_of_a_set_up_is_on_the_panel_where_it_has_room() -> None:
    rows = (("Detail", "Every card"),)
    named = ListBody("Aki·Bea", rows, game="Eternity")
    assert draw(View(named)).tobytes() == draw(View(ListBody("Eternity · Aki·Bea", rows))).tobytes()
    names = ("Konstantin", "Alexander", "Wilhelmine")
    long = ListBody("·".join(names), rows, names=names, game="Eternity")
    assert draw(View(long)).tobytes() == draw(View(ListBody("·".join(names), rows, names=names))).tobytes()
