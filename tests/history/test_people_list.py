"""The stored list of people, intact and damaged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.history.renamed_and_hidden import NameChange, People, read, written

CHANGED = People((NameChange("Aki", "Akiko", 3),), ("Bea",))


def test_what_was_written_down_is_read() -> None:
    assert read(written(CHANGED)) == CHANGED
    assert read(None) == People()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "junk",
        "null",
        "[]",
        '{"renamed":[{"old":"Aki","new":"Akiko"}]}',
        '{"hidden":["\\ud800"]}',
        '{"hidden":["\ud800"]}',
        '{"renamed":' + "[" * 100_000,
        '{"renamed":[{"old":"Aki","new":"Bea","games":' + "9" * 5000 + "}]}",
    ],
    ids=lambda line: ascii(line[:40]),
)
def test_a_list_that_cannot_be_read_has_no_changes(line: str) -> None:
    assert read(line) == People()


@pytest.mark.parametrize("name", ["", " ", "x" * 21, "a\\u0000", "\\u202eabc", " Aki"])
def test_nobody_is_called_what_nobody_can_be_called(name: str) -> None:
    junk = f'{{"renamed":[{{"old":"Cyr","new":"{name}","games":9}}],"hidden":["{name}"]}}'
    assert read(junk) == People()
    both = (
        f'{{"renamed":[{{"old":"Cyr","new":"{name}","games":9}},{{"old":"Aki","new":"Akiko","games":3}}],'
        f'"hidden":["{name}","Bea"]}}'
    )
    assert read(both) == CHANGED


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_new_name_counts_for_the_games_there_were(games: int, game: int) -> None:
    people = People().rename("Aki", "Ada", games)
    assert people.now("AKI", game) == ("Ada" if game <= games else "AKI")
    assert people.rename("Ada", "Aki", games).now("Aki", game) == "Aki"
