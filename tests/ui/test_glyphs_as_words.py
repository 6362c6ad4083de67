"""Lines for screen readers use the same words as other sentences, and repeat none."""

from __future__ import annotations

import re

import pytest

from companion.core.text import Text
from companion.ui.symbols import GLYPHS, SYMBOL_WORDS
from companion.ui.translations import Translator, languages
from companion.ui.view import TableBody, View, spoken
from tests.ui.scenes import BY_NAME, seen
from tools.extract_words import templates

TWICE = re.compile(r"(?<!\w)([^\W\d]\w+|[\u3040-\u9fff])\s+\1(?!\w)")
TOGETHER = re.compile(r"[a-zà-ÿ]\d|\d(?!nd\b|er\b|d\b)[a-zà-ÿ]|[a-zà-ÿ][A-Z]")
PLAYING_CARDS = (
    "clubs",
    "diamonds",
    "hearts",
    "spades",
    "coins",
    "cups",
    "swords",
    "batons",
    "acorns",
    "leaves",
    "bells",
)
MARKS = ("turn", "check", "lead", "alert", "undo", "back", *PLAYING_CARDS, "roses", "shields", "joker")
"""Glyphs that do not belong to a game, and those for any game."""
KANA_OR_KANJI = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


@pytest.mark.unmeasured
@pytest.mark.parametrize("language", languages())
def test_no_word_is_said_twice_in_a_row_and_no_two_words_as_one(language: str) -> None:
    for scene in BY_NAME:
        frame = seen(scene, language).frame
        assert [line for line in (*frame.words, *frame.labels.values()) if TWICE.search(line.casefold())] == [], scene
        said = [line for line in frame.words if not KANA_OR_KANJI.search(line)]
        assert [line for line in said if TOGETHER.search(line)] == [], scene


@pytest.mark.unmeasured
def test_what_a_screen_shows_can_be_heard_too() -> None:
    for scene in BY_NAME:
        frame = seen(scene).frame
        assert frame.words, scene
        said = (*frame.words, *frame.labels.values())
        assert not [sign for line in said for sign in line if 0xE000 <= ord(sign) < 0xF000], scene


@pytest.mark.unmeasured
@pytest.mark.parametrize("language", languages())
def test_a_glyph_is_called_what_the_sentences_call_it(language: str) -> None:
    words = Translator(language)
    said = (words(Text(template)) for template in templates() if template not in SYMBOL_WORDS.values())
    known = " ".join(said).casefold()
    for name in (words(Text(sign, count=2)).casefold() for glyph, sign in SYMBOL_WORDS.items() if glyph not in MARKS):
        found = name in known if KANA_OR_KANJI.search(name) else re.search(rf"(?<!\w){name}(?!\w)", known)
        assert found, name


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{chair} Chair", "Chair"),
        ("Chair {chair}", "Chair"),
        ("{chair}{chair}", "chair, chair"),
        ("1{crown} {dawn}2", "1 monarch dawn 2"),
        ("Who claims {light}?", "Who claims light?"),
        ("1{peninsula}2{tree}", "1 trick 2 trees"),
        ("11{peninsula}1{tree}", "11 tricks 1 tree"),
        ("0{tree} 2{crown} 1{chair}", "0 trees 2 monarchs 1 chair"),
        ("1{sun} 4{moon} 7{globe}", "1 sun 4 moon 7 earth"),
    ],
)
def test_a_glyph_beside_its_own_word_is_not_said_again(line: str, said: str) -> None:
    assert Translator().aloud(line.format_map(GLYPHS)) == said


def test_who_has_won_is_said() -> None:
    figures = TableBody("Scores", ("R1", "total"), ("Aki", "Bea"), (("3", "3"), ("5", "5")), marked=(1,))
    assert spoken(View(figures), Translator().aloud)[1:3] == ("R1, total", "Aki: 3, 3")
    assert spoken(View(figures), Translator().aloud)[3] == "Bea, winner: 5, 5"
    assert "勝者" in spoken(View(figures), Translator("ja").aloud)[3]


def test_the_crown_of_a_winner_and_that_of_a_monarch_are_one_drawing_and_two_words() -> None:
    assert Translator().aloud(f"{GLYPHS['crown']} {GLYPHS['winner']}") == "monarch winner"
