"""The likeliest number of a question, at which a board with few keys begins."""

from __future__ import annotations

import pytest

from companion.core.prompt import EnterNumber, Prompt, TallySheet
from companion.core.text import Text


def likely(numbers: tuple[int, ...], *rows: tuple[int | None, ...], cell: tuple[int, int] | None = (0, 0)) -> int:
    """Return the likeliest number for a cell of a sheet; of no sheet if no rows are given."""
    heads = tuple(Text(f"column {column}") for column in range(len(rows[0]))) if rows else ()
    sheet = TallySheet(Text("Round 1"), heads, rows, cell) if rows else None
    return Prompt(Text("How many?"), tuple(map(EnterNumber, numbers)), sheet=sheet).likely(numbers)


@pytest.mark.parametrize(("numbers", "first"), [((3, 4, 5), 3), ((-5, -2, 4), -2), ((0, -1), 0)])
def test_without_a_cell_it_is_the_number_nearest_to_zero(numbers: tuple[int, ...], first: int) -> None:
    assert likely(numbers) == first
    assert likely(numbers, (8,), cell=None) == first


@pytest.mark.parametrize(
    ("numbers", "rows", "cell", "first"),
    [
        (range(13), ((None,), (None,), (None,), (None,)), (0, 0), 3),  # an equal share for each of four
        (range(11), ((None,), (None,), (None,), (None,)), (0, 0), 2),  # ten among four
        (range(9), ((4,), (None,), (None,), (None,)), (1, 0), 2),  # eight are left for three
        (range(6), ((4,), (3,), (None,)), (2, 0), 5),  # all that is left for the last
        (range(5, 9), ((None,), (None,)), (0, 0), 5),
        (range(1, 9), ((None, 7), (None, None)), (0, 0), 4),  # only the open cells of its own column count
        ((-3, -1, 2), ((None,), (None,)), (0, 0), -1),  # below zero there is no share
        (range(13), ((6,), (3,)), (0, 0), 6),  # what stands in a row that is entered again
        (range(5), ((6,), (3,)), (0, 0), 4),  # which cannot stand any more
    ],
)
def test_in_a_sheet_it_is_what_stands_or_an_equal_share(
    numbers: tuple[int, ...], rows: tuple[tuple[int | None, ...], ...], cell: tuple[int, int], first: int
) -> None:
    assert likely(tuple(numbers), *rows, cell=cell) == first
