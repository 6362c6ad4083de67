"""What is said about a game's file that is wrong: tables have the faults, each with line, column and a sentence."""

from __future__ import annotations

import pytest

from companion.games import shipped
from companion.games.toml_games import GameFileError, declared, load
from companion.ui.translations import Translator
from tests.line_tables import Row, cases, given, says

from .edits import text_of
from .files import BIDS, TALLY, findings, game


@pytest.mark.parametrize(("name", "rows"), cases("file-faults", "new-file-faults"))
def test_of_each_file_is_said_what_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


@pytest.mark.parametrize(("_name", "rows"), cases("new-file-faults"))
def test_who_plays_a_file_that_could_not_be_added_now_plays_on(_name: str, rows: list[Row]) -> None:
    assert {says("file-faults")(given(row.given)) for row in rows} == {"nothing"}


def test_examples_name_seats_from_1_and_choices_by_their_words() -> None:
    text = shipped.text("skat").partition("[[example]]")[0]
    for right in ('declarer = 2\ngame = "null"\nwon = "no"\nscore = [0, -46, 0]', "score = [0, 0, 0, 0]"):
        assert declared(f"{text}\n[[example]]\n{right}\n", "skat.toml", new=True)


@pytest.mark.parametrize("name", shipped.names())
def test_games_of_the_program_could_be_added_anew_and_have_examples(name: str) -> None:
    assert len(declared(shipped.text(name), f"{name}.toml", new=True).example) >= 2


def test_findings_are_given_one_by_one() -> None:
    with pytest.raises(GameFileError) as caught:
        load(BIDS.replace("cards = ", "crads = "), "bids.toml")
    assert caught.value.source == "bids.toml"
    assert [(each.line, each.column, str(each.text)) for each in caught.value.findings] == [
        (line, column, "there is no name cards; do you mean crads?")
        for line, column in ((11, 8), (12, 38), (16, 8), (17, 7))
    ]


def test_a_long_file_and_a_long_line_are_refused_unread() -> None:
    assert findings("#\n" * 30_001) == ["game.toml:1:1: the file is longer than 60000 characters"]
    assert findings("\n#" + "a" * 1000) == ["game.toml:2:1: the line is longer than 1000 characters"]


def test_the_words_of_a_file_are_translated_and_common_words_anyway() -> None:
    made = game(BIDS + '[words.fr]\n"Exact bids" = "Paris tenus"\n')
    label = made.optional.action_names["exact"]
    assert [Translator(language)(label) for language in ("en", "fr", "ja")] == [
        "Exact bids",
        "Paris tenus",
        "Exact bids",
    ]
    assert Translator("fr")(made.options[0].label) == "Manches"


def test_a_word_that_is_the_same_in_another_language_is_a_translation() -> None:
    title = game(TALLY.replace('"Points"', '"Belote"') + '[words.fr]\nBelote = "Belote"\n').title
    assert [Translator(language).knows(title) for language in ("en", "fr", "ja")] == [True, True, False]
    assert Translator("fr").knows(game(TALLY).title)  # a common word, in French the same


def test_each_fault_is_found_at_its_own_line() -> None:
    text = text_of("everywhere")
    wrong = {line for line, text in enumerate(text.splitlines(), 1) if text.endswith("# wrong")}
    assert {int(each.split(":")[1]) for each in findings(text)} == wrong
