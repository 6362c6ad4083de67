"""Rows on the panel: six to eight seats stand in two columns, choices in their columns, and nothing overlaps."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.ui.fonts import FaceName
from companion.ui.panel import draw
from companion.ui.symbols import glyph
from companion.ui.view import LargeSymbol, OpenGame, SeatRow, TableBody, View
from tests.ui.pixels import dark_on, rows_of, stands

SEVEN = tuple(SeatRow(f"P{number}", figures="12/3") for number in range(1, 8))
LONG = "Domingue"


def shown(*seats: SeatRow) -> list[bytes]:
    """Return the rows of pixels of a table without a large symbol."""
    return rows_of(draw(View(OpenGame("Points", "Round 1", None, (), (), seats), "Points?")))


def test_the_seat_to_act_is_marked() -> None:
    rows = shown(*SEVEN[:6], replace(SEVEN[6], turn=True))
    assert dark_on(rows, "P7")
    assert not dark_on(rows, "P6")


def test_a_seat_that_is_chosen_by_its_key_is_named_whole_before_its_figures_have_room() -> None:
    told = shown(*SEVEN[:6], SeatRow(LONG, figures="12/3"))
    chosen = shown(*SEVEN[:6], SeatRow(LONG, figures="12/3", key="7"))
    assert not stands(told, LONG, "text")
    assert stands(chosen, f"7 {LONG}", "text")


@pytest.mark.parametrize("suit", ["clubs", "diamonds", "hearts", "spades"])
def test_a_led_card_is_whole_beside_a_long_name_and_the_trump(suit: str) -> None:
    card = f"{glyph(suit)}13"
    led = SeatRow(LONG, cards=card, figures="0/1", leads=True)
    body = OpenGame("Cards", "R1", LargeSymbol(suit, suit, "#ffffff"), (), (), (*SEVEN[:5], led))
    assert stands(rows_of(draw(View(body, "Card?"))), card, "small")


def test_cards_that_are_wider_than_a_column_end_in_a_dot() -> None:
    rows = shown(*SEVEN[:6], SeatRow("P7", cards="10-11-12-13-14-15"))
    assert stands(rows, "P7", "text")
    assert not stands(rows, "10-11-12-13-14-15", "small")


def test_a_table_of_several_columns_stands_in_halves_with_the_columns_that_matter_most() -> None:
    names = tuple(seat.name for seat in SEVEN)
    figures = tuple((str(10 + seat), str(30 + seat)) for seat in range(7))
    rows = rows_of(draw(View(TableBody("Scores", ("1", "Sum"), names, figures))))
    for name, (_first, total) in zip(names, figures, strict=True):
        assert stands(rows, name, "text")
        assert stands(rows, total, "text")


def test_a_whole_sheet_of_several_columns_shows_all_figures_of_a_row_as_one() -> None:
    names, rows = tuple(seat.name for seat in SEVEN), (("1", "2", "30"),) * 7
    sheet = TableBody("Round 1", ("Bid", "Tricks", "Bonus"), names, rows, sheet=True)
    others = replace(sheet, cell=(6, 2)), replace(sheet, sheet=False)
    whole, asked, result = (rows_of(draw(View(body))) for body in (sheet, *others))
    assert stands(whole, "1/2/30", "text")
    assert stands(whole, "B/T/B", "small")
    assert not stands(asked, "1/2/30", "text")
    assert not stands(result, "1/2/30", "text")


def test_of_more_than_five_players_totals_stand_without_their_lines() -> None:
    names = tuple(seat.name for seat in SEVEN)
    body = TableBody("Course", ("R1", "end"), names, (("1", "9"),) * 7)
    assert draw(View(replace(body, lines=((1, 5, 9),) * 7))).tobytes() == draw(View(body)).tobytes()


def listed(*choices: str) -> list[bytes]:
    """Return the picture of a question with more choices than the bottom line has room for."""
    body = OpenGame("Game", "Round 1", None, (), (), SEVEN[:3])
    return rows_of(draw(View(body, "Which is it?", hint=" ".join(choices), choices=choices)))


@pytest.mark.parametrize(
    ("count", "word", "face_name"), [(4, "of diamonds", "text"), (8, "club", "text"), (8, "clubs again", "small")]
)
def test_choices_without_room_in_the_bottom_line_are_listed_whole_above_it(
    count: int, word: str, face_name: FaceName
) -> None:
    choices = [f"{number} {word}" for number in range(1, count + 1)]
    rows = listed(*choices)
    for choice in choices:
        assert stands(rows, choice, face_name), choice


def test_long_names_have_the_room_of_a_large_symbol_that_is_not_there() -> None:
    long = "Konstantin-Alexander"
    seats = (SeatRow(long, figures="12"), SeatRow("Bea", figures="3", turn=True), SeatRow("Cyr", figures="4"))
    assert stands(shown(*seats), long, "text")
