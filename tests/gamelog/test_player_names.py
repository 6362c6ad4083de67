"""Players' names in any script: counted, compared and refused."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.gamelog import LogError, check_names, decode_header, is_too_long, name_key, without_last
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


@pytest.mark.parametrize(
    "name",
    [
        "علی\u200cرضا",  # Persian: the letters are not joined
        "مَ\u200cم",
        "ශ\u0dca\u200dරී",  # Sinhala: a conjunct
        "അരുണ\u0d4d\u200d",  # Malayalam: a consonant without a vowel, at the end
        "র\u200d\u09cdযাচেল",  # Bengali: Rachel
        FAMILY,
        "🏳️\u200d🌈",
        "❤️\u200d🔥",
        "🧑🏽\u200d🚀",
        "🙂\u200d↔️",
        UNASSIGNED_PICTURE,
        SCOTLAND,
        "1️⃣",
        "葛\U000e0100城",  # the variant of a kanji
        "ᠮᠣᠩ\u180b",
        NEWEST_EMOJI,
        "\u0301a",
        "Jean\u00a0Luc",
        "山田\u3000春菜",
    ],
    ids=ascii,
)
def test_what_a_script_or_an_emoji_needs_is_kept_as_it_is_written(name: str) -> None:
    header = decode_header(json.dumps({"format": 1, "game": "gear", "players": [name, "Bea"]}))
    assert header.players == (name, "Bea")
    assert json.loads(header.written)["players"] == [name, "Bea"]


@pytest.mark.parametrize(
    "character",
    [
        *map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))),  # turn the writing direction
        *"\u200e\u200f\u061c",
        *"\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180e",  # nothing is seen of them
        *"\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159",  # blank letters and symbols
        *"\U000e0001\U000e0067\U000e007f",  # tags without a flag
        *"\x00\x07\t\n\x1b\x7f\x85\u2028\u2029",
        *"\ue000\U0010ffff\ufdd0\ufffe\u2065\ufff0\U000e0080",  # nobody's, or never to be seen
        *"\ud83c\udc00",  # half of one
    ],
    ids=ascii,
)
def test_an_invisible_or_turning_character_is_refused_with_its_number(character: str) -> None:
    says = f"a name has a character that cannot be shown: U+{ord(character):04X}"
    assert fault(f"A{character}ki") == says
    assert fault(f"春{character}菜") == says


@pytest.mark.parametrize(
    "name",
    [
        "\ufe0fa",
        "a \ufe0f",
        "a\ufe0f\ufe0f",
        "م\u200ca",
        "a\u200cم",
        "م\u200c",
        "\u200cم",
        "a\u200d🌈",
        "🏳️\u200d",
        "🏳️\u200da",
        "🏳️\u200c🌈",
        "\U0001f3f4\U000e0067",
    ],
    ids=ascii,
)
def test_a_joiner_or_selector_that_changes_nothing_is_refused(name: str) -> None:
    assert "cannot be shown: U+" in fault(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("e\u0301va", "\u00c9VA"),
        ("E\u0301VA", "éva"),
        ("Å", "\u212b"),
        ("straße", "STRASSE"),
        ("J\u030c", "ǰ"),
        ("علیرضا", "علی\u200cرضا"),
        ("❤", "❤\ufe0f"),
        ("葛城", "葛\U000e0100城"),
        ("Jean Luc", "jean\u00a0 luc"),
        ("山田 春菜", "山田\u3000春菜"),
    ],
)
def test_names_that_differ_in_what_nobody_sees_are_one(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert fault(one, other) == f"two players are called {other}"


@pytest.mark.parametrize(
    ("one", "other"), [("Eve", "Ève"), ("ﬁn", "fln"), ("カナ", "かな"), (FLAG, "🇫🇮"), ("ab", "a b")]
)
def test_names_that_differ_in_what_is_seen_are_two(one: str, other: str) -> None:
    assert check_names([one, other]) == (one, other)


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
