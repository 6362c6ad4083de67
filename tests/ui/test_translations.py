"""Every visible text is a template that is translated into every language."""

import ast
import errno
import re
from string import Formatter

import pytest

from companion.core.text import NC_, NN_, Glyph, Part, Seat, Text, why
from companion.games import GAMES
from companion.journal import JournalError
from companion.ui.fonts import face
from companion.ui.pictures import PICTURES
from companion.ui.symbols import GLYPHS
from companion.ui.translations import CATALOGUES, DOMAIN, NAMES, Translator, languages
from companion.ui.view import SeatRow
from tools.catalogues import CONTEXT, PLURAL, read
from tools.extract_words import templates

SCREENS = CATALOGUES.parent / "screens"
SPOKEN = {
    language: read(CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.po")
    for language in languages()
    if language != "en"
}
NARROW = "\u202f"
KANA_AND_KANJI = "[\u3040-\u30ff\u4e00-\u9fff]"
ELIDED = (
    r"(?i)(?:\b(?:d|l|n|s|j|m|t|c|qu|jusqu|lorsqu|puisqu)’"
    r"|\b(?:de|le|la|ne|se|je|me|te|ce|que|jusque|lorsque|puisque|si) )\{(?P<name>\w+)\}"
)
"""A word that is written in another way before a vowel, and the name of what follows."""
OTHER_WORDS = {
    "fr": r"Par carte jouée|technique|qui a pris la dernière",
    "ja": r"プレッジ|注意|通常どおり|\{player\}の後手|(?<!樹)(?<!^)木(?!）)|組(?!合)|:",
}
"""Words that translations must not use, because the usual word differs."""


EACH = pytest.mark.parametrize("language", SPOKEN)


def said(language: str) -> list[tuple[str, str]]:
    """Return every template with its translation."""
    return [*SPOKEN[language].items()]


def names(template: str) -> set[str | None]:
    return {name for _before, name, _form, _conversion in Formatter().parse(template) if name is not None}


def test_a_whole_view_is_told_and_what_has_no_text_stays_as_it_is() -> None:
    row, known = SeatRow(Seat(0), Text("home")), SeatRow("Bea", piles=(1, 2))
    words = Translator("fr", ("Aki", "Bea"))
    told = words.told((row, known, (Glyph("pen"), 3), None))
    assert told == (SeatRow("Aki", "accueil"), known, (GLYPHS["pen"], 3), None)
    assert words.told(Part(Text("home"), lambda word: word[:3])) == "acc"


def test_a_view_is_told_once_while_it_stays_and_anew_for_other_players_and_languages() -> None:
    row, words = SeatRow(Seat(0), Text("home")), Translator("fr", ["Aki"])
    told = words.told(row)
    assert words.told(row) is told
    assert words.told(SeatRow(Seat(0), Text("games"))) != told
    assert words.told(row) == told
    assert words.at(["Bea"]).told(row) == SeatRow("Bea", "accueil")
    assert Translator("en", ["Aki"]).told(row) == SeatRow("Aki", "home")


def test_a_template_is_used_by_its_name_only_once_filled_in() -> None:
    for template in templates():
        assert template.strip() == template
        assert template.count("{") == template.count("}")


def test_no_screen_says_anything_that_is_not_on_the_list() -> None:
    for file in SCREENS.glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "words":
                assert not any(isinstance(arg, ast.Constant) for arg in call.args), f"{file.name}:{call.lineno}"


def test_the_box_speaks_english_french_and_japanese() -> None:
    assert languages() == ("en", "fr", "ja")
    assert set(NAMES) == set(languages())


@EACH
def test_a_language_has_words_for_everything_and_none_for_what_nobody_says(language: str) -> None:
    assert [template for template in templates() if not SPOKEN[language].get(template)] == []
    assert SPOKEN[language].keys() - templates().keys() == set()


@EACH
def test_what_goes_into_a_sentence_and_its_keys_are_the_same_in_every_language_in_letters_that_can_be_drawn(
    language: str,
) -> None:
    for template, words in said(language):
        assert {frozenset(names(form)) for form in words.split(PLURAL)} == {
            frozenset(names(template.rpartition(CONTEXT)[2]))
        }, words
        assert [template.count(key) for key in "#*"] == [words.count(key) for key in "#*"], words
        lacking = [sign for sign in words.replace(PLURAL, "") for name in ("text", "small") if not face(name).has(sign)]
        assert not lacking, words


def test_french_keeps_a_narrow_space_before_its_high_signs_and_its_own_apostrophe() -> None:
    for _template, words in said("fr"):
        assert not re.search(rf"(?<![{NARROW}])[:;?!]", words), words
        assert "'" not in words, words


def test_no_french_word_that_elides_stands_before_a_name() -> None:
    numbers = {"least", "most", "number", "count", "left", "points", "step", "figure", "theirs", "ours"}
    listed = {"methods", "wanted"}  # never begin with a vowel
    found = [(match["name"], words) for _template, words in said("fr") for match in re.finditer(ELIDED, words)]
    assert [words for name, words in found if name not in numbers | listed] == []


def test_japanese_has_no_latin_signs_no_spaces_between_words_and_the_wave_dash_of_its_fonts() -> None:
    for _template, words in said("ja"):
        assert not re.search(rf"(?<={KANA_AND_KANJI})[,.?!;]|[,.?!;](?={KANA_AND_KANJI})", words), words
        assert not re.search(rf"{KANA_AND_KANJI} {KANA_AND_KANJI}", words), words
        assert "\uff5e" not in words


@EACH
def test_one_thing_has_one_word(language: str) -> None:
    assert [words for _template, words in said(language) if re.search(OTHER_WORDS[language], words)] == []


def test_a_suit_of_hipparchus_is_one_word_in_french() -> None:
    stars = [template for template, files in templates().items() if all("hipparchus" in file for file in files)]
    assert [SPOKEN["fr"][template] for template in stars if "famille" in SPOKEN["fr"][template]] == []


GAMES_COUNTED = NN_("{count} game", "{count} games")
STARTS = Text("{player} starts", player=Seat(1))
FULL = why(OSError(errno.ENOSPC, "No space left on device"))
FAULT = JournalError(Text("{what} cannot be read: {why}", what=Text("Game {number}", number=3), why=FULL))


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", STARTS, "Bea starts"),
        ("fr", STARTS, "Bea commence"),
        ("ja", STARTS, "Beaから開始"),
        ("en", Seat(4), "seat 5"),
        # Two words that are one in English
        ("ja", Text("Earth"), "大地"),
        ("ja", Text(NC_("planet", "Earth")), "地球"),
        ("en", Text(NC_("planet", "Earth")), "Earth"),
        # What is wrong with the disk, and what has no words
        ("en", FAULT.text, "Game 3 cannot be read: the disk is full"),
        ("fr", FAULT.text, f"Partie 3{NARROW}: lecture impossible (le disque est plein)"),
        ("fr", JournalError("game 3 is gone").text, "game 3 is gone"),
        # Things that are counted
        ("en", Text(GAMES_COUNTED, count=0), "0 games"),
        ("en", Text(GAMES_COUNTED, count=1), "1 game"),
        ("en", Text(GAMES_COUNTED, count=2), "2 games"),
        ("fr", Text(GAMES_COUNTED, count=0), "0 partie"),
        ("fr", Text(GAMES_COUNTED, count=2), "2 parties"),
        ("ja", Text(GAMES_COUNTED, count=1), "1ゲーム"),
    ],
)
def test_a_text_is_worded_in_the_language_of_the_table_with_its_names(
    language: str, text: Text | Seat, words: str
) -> None:
    assert Translator(language, ("Aki", "Bea"))(text) == words
    assert Translator(language).at(("Aki", "Bea"))(text) == words
    assert language != "en" or isinstance(text, Seat) or text is STARTS or str(text) == words


@pytest.mark.parametrize("language", ["", "xx", "../../fr", "/etc", "\x00", "\ud800", "e" * 300])
def test_english_stands_in_for_a_language_there_are_no_words_in(language: str) -> None:
    assert Translator(language).language == "en"
    assert Translator(language)(Text("New game")) == "New game"


COUNTED = re.compile(
    r"\{[a-z]+\} (more )?"
    r"(aces|cards|chairs|entries|games|lots|monarchs|phones|players|rounds|seats|trees|tricks|vassals)\b"
)
NEVER_ONE = {
    "All {count} tricks",
    "Every {count} tricks",
    "First to {count} rounds",
    "Nobody has {least} games yet, so one is enough for a place.",
    "Round {round}: {out} trees are out, of 18",
    "a price is said for each of the {count} seats",
    "all {most} vassals were seen already",
    "every figure is said for each of the {count} seats",
    "there are only {most} vassals",
    "there are {count} lots, one for each player",
    "tricks and aces are said for each of the {count} seats",
    "tricks and trees are said for each of the {count} seats",
    "{count} monarchs in all, but there are {most}",
    "{count} phones are paired already. Remove one at the table: Settings, Phones",
    "{count} players",
    "{count} players or more",
    "{least} to {most} players",
    "{count} players, but it is a game for {least} to {most}",
    "{count} trees in all, but {most} is the most",
    "with {count} players, everybody sits out",
    "with {count} players, no game ended in {rounds} rounds, whatever was entered: can this become true?",
    "{hand} cards for each of {count} players are more than the {cards} of the deck",
    "{hand} cards, {tricks} tricks",
    "{number} entries cannot be dropped",
    "{player} cannot have more than {most} cards",
    "{sum} aces in all, but there are 4",
    "{sum} cards in all, but 28 were dealt",
}
"""Templates that count things of which there are always several."""


def test_a_sentence_that_counts_things_has_a_plural_unless_there_are_always_several() -> None:
    assert {each for each in templates() if PLURAL not in each and COUNTED.search(each)} == NEVER_ONE


def test_every_suit_has_its_glyph_in_both_sizes() -> None:
    suits = {card.suit.sign for game in GAMES.values() for card in game.cards.values()}
    assert suits <= GLYPHS.keys() & set(PICTURES)
    assert len(Translator()(Glyph("sea"))) == 1
