"""Every word people read comes from one place."""

import ast
from pathlib import Path

from companion.core.text import Glyph, Seat, Text
from companion.games import GAMES
from companion.ui.fonts import GLYPHS, PICTURES
from companion.ui.words import CATALOGUES, Words
from companion.ui.words.extract import LIST, templates, written

SCREENS = CATALOGUES.parent / "screens"


def test_the_list_for_translators_holds_every_template_there_is() -> None:
    assert LIST.read_text(encoding="utf-8") == written(), "make words writes it anew"


def test_a_template_is_used_by_its_name_only_once_filled_in() -> None:
    for template in templates():
        assert template.strip() == template
        assert template.count("{") == template.count("}")


def test_no_screen_says_anything_that_is_not_on_the_list() -> None:
    for file in SCREENS.glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "words":
                assert not any(isinstance(arg, ast.Constant) for arg in call.args), f"{file.name}:{call.lineno}"


def test_a_text_is_worded_with_the_names_at_the_table() -> None:
    words = Words(players=("Aki", "Bea"))
    assert words(Text("{player} starts", player=Seat(1))) == "Bea starts"
    assert words(Seat(4)) == "seat 5"
    assert words.at(("Eve",))(Seat(0)) == "Eve"


def test_a_glyph_is_worded_as_its_sign() -> None:
    assert len(Words()(Glyph("sea"))) == 1


def test_a_language_without_a_catalogue_is_english() -> None:
    assert Words("xx")(Text("Who starts?")) == "Who starts?"


def test_every_suit_has_its_glyph_in_both_sizes() -> None:
    suits = {card.suit.sign for game in GAMES.values() for card in game.cards.values()}
    assert suits <= set(GLYPHS)
    assert suits <= set(PICTURES)


def test_the_list_stands_where_catalogues_are_looked_for() -> None:
    assert Path(LIST).parent == CATALOGUES
