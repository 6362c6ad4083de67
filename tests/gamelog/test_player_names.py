"""Players' names in any script: counted, compared and refused."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.gamelog import LogError, check_names, is_too_long, name_key, without_last
from companion.gamelog.player_names import MOST_CODE_POINTS

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
FLAG = "🇫🇷"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
NEWEST_EMOJI = "\U0001fadf\U0001faef"
"""Emoji of Unicode 16 and 17, unknown to Python 3.11."""
UNASSIGNED_PICTURE = "\U0001fad7\u200d\U0001fadf"


def fault(*names: str) -> str:
    with pytest.raises(LogError) as caught:
        check_names(list(names))
    return str(caught.value)


@pytest.mark.parametrize(
    "character",
    [
        "x",
        "春",
        "e\u0301",
        FLAG,
        "👍🏽",
        "❤️",
        "각",
        "\u1100\u1161\u11a8",
        "नि",
        "👩\u200d🚀",
        NEWEST_EMOJI[0],
        NEWEST_EMOJI[1],
    ],
    ids=ascii,
)
def test_a_name_has_up_to_20_characters_as_people_count_them(character: str) -> None:
    assert check_names([character * 20]) == (character * 20,)
    assert fault(character * 21).startswith("a name has 1 to 20 characters: ")


def test_a_name_has_a_bounded_number_of_code_points() -> None:
    most = "e" + "\u0301" * (MOST_CODE_POINTS - 1)
    assert check_names([most]) == (most,)
    assert fault(most + "\u0301") == "a name has up to 80 code points"
    assert fault("e" + "\u0301" * 1_000_000) == "a name has up to 80 code points"
    assert fault("é" * 1_000_000) == f"a name has 1 to 20 characters: {'é' * 39!r}"[:-1] + "…'"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_name_is_one_with_itself_in_every_form_and_case(name: str) -> None:
    for form in ("NFC", "NFD"):
        assert name_key(unicodedata.normalize(form, name)) == name_key(name)
    assert name_key(name_key(name)) == name_key(name)


@given(st.text(max_size=100))
def test_any_text_is_a_name_or_refused(name: str) -> None:
    with suppress(LogError):
        assert check_names([name]) == (name.strip(),)
        assert not is_too_long(name.strip())


@pytest.mark.parametrize(
    ("name", "left"),
    [("ab", "a"), ("a ", "a"), ("a" + FAMILY, "a"), (FLAG * 2, FLAG), ("xq\u0303", "x"), ("👍🏽", ""), ("かが", "か")],
)
def test_the_last_character_is_taken_away_as_a_whole(name: str, left: str) -> None:
    assert without_last(name) == left


def test_a_name_of_20_code_points_is_counted_without_the_tables_of_graphemes() -> None:
    program = """import sys
from companion.gamelog import check_names
check_names(["春菜" * 10, "x" * 20])
print("grapheme" in sys.modules)"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
