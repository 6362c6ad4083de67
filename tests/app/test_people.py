"""Names: remembered, found while typed, written on a page, renamed, hidden; groups of regular players."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.app.box import Box
from companion.app.inputs import TypedAnswer
from companion.app.state import PANEL
from companion.journal import Journal
from companion.ui.keys import Key
from companion.ui.screens.names import ALPHABETS, TypedName, matching
from tests.app.boxes import FOUR, begin, key_of, new_box, playing, press, says

KANA, KATAKANA = "A", "AA"


def played(*tables: tuple[str, ...], journal: Journal | None = None) -> Journal:
    """Return a journal of games that were begun and left, the oldest first."""
    journal = journal or Journal()
    for players in tables:
        press(begin(new_box(journal), players), "1")  # a game without an entry is removed
        journal.set_open_game(None)
    return journal


def at_names(journal: Journal) -> Box:
    """Return an application at the list of names."""
    box = new_box(journal)
    press(box, key_of(box, "Settings"))
    return press(box, key_of(box, "Names"))


# Typing


def typed(keys: str) -> TypedName:
    name = TypedName()
    for key in keys.replace(" ", ""):
        name = name.press(Key(key)) or name
    return name


@pytest.mark.parametrize(
    ("keys", "known", "offered"),
    [
        ("22", "Aki Béatrice Cyr", "Béatrice"),
        ("2", "Cyr Béatrice Aki", "Aki Cyr Béatrice"),  # letters count before keys: C is on the same key as A
        ("22 33", "Bea béatrice Cyr", "Bea béatrice"),
        ("2 3", "Cyr Bea Ada Émile", "Ada Bea"),
        ("2 3 2", "Bea Beatrice Cyr", "Bea Beatrice"),
        ("6 444", "Мира Olga", "Мира"),  # found by its sound
        ("6 44 4 D 4", "Nhi Mia", ""),
        ("666 33", "Œnone Odo", "Œnone"),
        ("5 33 2 66 11", "Jean-Luc", "Jean-Luc"),
        (f"{KANA} 6 999", "はるな ハルト 春菜", "はるな ハルト"),
        (f"{KANA} 6 9 5", "はるな はると", "はるな"),
        (f"{KATAKANA} 2 9", "がら 春菜", "がら"),
        ("6 9 5", "はるな Nyl", "はるな Nyl"),
        ("2 3 * 3 2", "Bea", "Bea"),
        ("2 3 D * 3 2", "Bea", "Bea"),
        ("22 D 33 * *", "Bea", ""),
        ("", "Aki", ""),
        ("0", "Aki", ""),
        ("2", "Ab Ac Ad Ae", "Ab Ac Ad"),
        ("7777", "Straße Sam", "Straße Sam"),
    ],
)
def test_known_names_are_offered_while_one_is_typed(keys: str, known: str, offered: str) -> None:
    assert matching(typed(keys), known.split()) == tuple(offered.split())


def test_names_in_latin_letters_and_kana_are_found_without_the_tables_of_other_scripts() -> None:
    finding = "matching(TypedName('B'), ['Béa', 'がら', '春菜'])"
    program = f"""import sys
from companion.ui.screens.names import TypedName, matching
print({finding}, 'anyascii' in sys.modules)"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said == "('Béa',) False\n"


LETTERS = [letter for _name, rows in ALPHABETS for row in rows.values() for letter in row if letter.isalpha()]


@given(st.text(st.sampled_from(LETTERS), min_size=1, max_size=20))
def test_every_name_is_found_by_the_keys_its_letters_lie_on(name: str) -> None:
    of = {letter: key for _name, rows in reversed(ALPHABETS) for key, row in rows.items() for letter in row}
    keys = [of[letter] for letter in name]
    tapped = "D".join(keys)  # each pressed once: as letters, they read differently
    assert matching(typed(tapped), [name]) == (name,)


@given(st.text(min_size=1, max_size=20), st.text(max_size=5))
def test_looking_for_a_name_never_fails_whatever_the_script(name: str, begun: str) -> None:
    assert matching(TypedName(begun), [name]) in ((), (name,))
    if name.strip():
        assert matching(TypedName(name), [name]) in ((), (name,))


# Names written on a page


def test_a_name_of_an_older_game_is_the_same_in_either_form() -> None:
    journal = played(("E\u0301va", "Bea"), ("Éva", "Bea"))
    assert "Names | > Éva | Bea |" in says(at_names(journal))
    box = new_box(journal)
    press(box, key_of(box, "New game") + "1")
    assert "> Éva·Bea | Éva | Bea | P1" in says(box)


def test_an_emoji_is_deleted_as_a_whole_and_counts_as_one_letter() -> None:
    journal = played(("👩\u200d🚀" * 19, "Bea"))
    box = at_names(journal)
    press(box, "1 1 2 D 2")
    assert "A name has 1 to 20 characters" in says(box)
    press(box, "* * 2 #")
    box = at_names(journal)
    press(box, key_of(box, "Bea") + "1").take(PANEL, TypedAnswer("Béa"))
    assert ("👩\u200d🚀" * 18 + "a") in says(at_names(journal))


# Renamed while they play

SEATS = "h# 0 1"


def renamed(box: Box, seat: int, name: str) -> Box:
    """Give a person at the table a new name, in all games."""
    press(box, f"{SEATS} {seat} 1").take(PANEL, TypedAnswer(name))
    return box


def seated(box: Box) -> tuple[str, ...]:
    """Return the names by seat."""
    assert box.state.table.game is not None
    return box.state.table.game.players


def test_who_is_renamed_sits_at_the_table_under_the_new_name() -> None:
    box = playing("1")
    renamed(box, 1, "Ada")
    assert seated(box) == ("Ada", "Bea", "Cyr", "Dai")
    renamed(box, 1, "Aki")
    assert seated(box) == FOUR


def test_nobody_new_at_the_table_gets_the_earlier_name_of_somebody_there() -> None:
    box = playing("1")
    renamed(box, 1, "Ada")
    press(box, f"{SEATS} 2 2").take(PANEL, TypedAnswer("Aki"))
    assert "Aki is called Ada now" in says(box)
    press(box, "*" * 5)
    renamed(box, 3, "Aki")
    assert "Aki is called Ada now" in says(box)
    assert seated(box) == ("Ada", "Bea", "Cyr", "Dai")


def test_a_renaming_that_is_taken_back_at_the_table_stays_in_the_history_and_says_so() -> None:
    box = playing("1")
    renamed(box, 1, "Ada")
    press(box, "*")
    assert seated(box) == FOUR
    assert "Took back: players: Ada, Bea, Cyr, Dai. In the history Aki stays Ada" in says(box)
    press(box, f"{SEATS} 2 2").take(PANEL, TypedAnswer("Ada"))
    assert "Ada already has a seat" in says(box)
    press(box, "*" * 5)
    renamed(box, 1, "Ada")
    assert seated(box) == ("Ada", "Bea", "Cyr", "Dai")


def test_to_hide_somebody_changes_nothing_at_the_table() -> None:
    box = playing("1", journal=played(FOUR))
    renamed(box, 1, "Ada")
    press(box, "*")
    assert box.game is not None
    lines = box.game.lines
    press(press(box, "h#"), key_of(box, "Settings"))
    press(box, key_of(box, "Names"))
    press(box, key_of(box, "Cyr") + "2")
    assert box.state.table.people.hides("Cyr")
    assert (seated(box), box.game.lines) == (FOUR, lines)
