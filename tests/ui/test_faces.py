"""People's faces: letters that tell people apart, and a colour that stays the person's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.gamelog import name_key
from companion.history.renamed_and_hidden import People
from companion.journal import Journal
from companion.ui.faces import COLOURS, Faces, at_one_table, places_of
from companion.web.history_worker import OpenHistory
from tests.app.boxes import begin, new_box, press
from tests.web.history_folder import NAMES, fill


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (("Céline", "dario"), "C D"),
        (("Céline", "Cem"), "Cé Ce"),
        (("Anna", "Anton", "Bea"), "Ann Ant B"),
        (("Zoé Lüdenscheid", "Zoé Maier"), "ZL ZM"),
        (("P1", "P2", "P3"), "P1 P2 P3"),
        (("Joueur 1", "Joueur 2"), "J1 J2"),
        (("さくら", "さとし", "田中"), "さく さと 田"),
        (("👩‍👩‍👧", "👩‍👩‍👦"), "👩‍👩‍👧 👩‍👩‍👦"),
    ],
)
def test_letters_are_as_many_as_tell_a_table_apart(names: tuple[str, ...], letters: str) -> None:
    assert [face.letters for face in at_one_table(names)] == letters.split()


NAME = st.text("abAB é李2", min_size=1, max_size=6).map(str.strip).filter(bool)


@given(st.lists(NAME, min_size=1, max_size=8, unique_by=name_key), st.data())
def test_nobody_at_a_table_of_eight_shares_letters_or_colour(names: list[str], data: st.DataObject) -> None:
    place = st.none() | st.integers(0, 30)
    faces = at_one_table(names, data.draw(st.lists(place, min_size=len(names), max_size=len(names))))
    assert len({face.letters for face in faces}) == len({face.colour for face in faces}) == len(names)
    assert all(0 <= face.colour < COLOURS for face in faces)


def test_the_place_of_a_person_survives_a_new_name() -> None:
    games = [(1, ("Anna", "Bo")), (2, ("bo", "Cyr", "Anna")), (3, ("Éva", "Anna"))]
    assert places_of(games, People().rename("Anna", "Ann", 2)) == {"ann": 0, "bo": 1, "cyr": 2, "éva": 3, "anna": 4}
    assert places_of([(1, ("Anna",)), (2, ("Anna",))], People().rename("Anna", "Ann", 1)) == {"ann": 0, "anna": 1}


def test_only_the_later_of_two_with_one_colour_takes_another() -> None:
    faces = at_one_table(("Anna", "Bo", "Cyr", "Dan"), (1, 9, 2, 10))
    assert [face.colour for face in faces] == [1, 3, 2, 4]


def test_a_person_without_a_game_has_a_colour_by_name() -> None:
    assert Faces().of("Zoë") == Faces().of("ZOË")
    assert len({Faces().of(f"Guest {number}").colour for number in range(40)}) == COLOURS


def test_a_game_of_new_people_gives_them_the_places_that_the_history_shows(tmp_path: Path) -> None:
    fill(tmp_path)
    journal = Journal(tmp_path)
    box = begin(new_box(journal), ("Nina", NAMES[1], "Otto", NAMES[0]))
    seated = [box.state.table.faces.of(name) for name in ("Nina", NAMES[1], "Otto", NAMES[0])]
    press(box, "72")
    reread = new_box(journal).state.table
    assert [reread.faces.of(name) for name in ("Nina", NAMES[1], "Otto", NAMES[0])] == seated
    journal.close()
    opened = OpenHistory(tmp_path)
    assert opened.places == reread.game_list.places(reread.people)
    assert [opened.faces("Nina", NAMES[1], "Otto", NAMES[0]).of(name).colour for name in NAMES[:2]] == [0, 1]
