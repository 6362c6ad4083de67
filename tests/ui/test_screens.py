"""The screens' reactions to rarely used keys."""

from __future__ import annotations

from itertools import product

import pytest
from PIL import Image

from companion.core.prompt import EnterNumber, LayCard, LayPair, Prompt
from companion.core.text import Text
from companion.games.eternity.cards import DECK as FOREST
from companion.games.eternity.cards import SUITS
from companion.games.gear.cards import DECK
from companion.ui.keys import Key, parse
from companion.ui.panel import draw
from companion.ui.screens.context import BeginGame, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.list_selection import confirmed_row, moved_row, path, row_labels
from companion.ui.screens.names import TypedName
from companion.ui.screens.questions import explained, hints
from companion.ui.screens.set_up import SetUp, SetUpStep
from companion.ui.tables import BODY, ROW
from companion.ui.translations import Translator
from companion.ui.view import ListBody, TextBody, TypingBody, View
from tests.app.boxes import press
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at

WORDS = Translator("en", ("Aki", "Bea"))


# Lists


@pytest.mark.parametrize("count", [1, 3, 10, 11, 27])
def test_the_way_to_every_row_of_a_list_settles_on_it(count: int) -> None:
    for start, wanted in product(range(count), repeat=2):
        *moves, last = parse(path(count, start, wanted))
        row: int | None = start
        for key in moves:
            assert row is not None
            row = moved_row(count, row, key)
        assert row is not None
        assert confirmed_row(count, row, last) == wanted


def test_a_list_too_long_for_numbers_is_walked_through_with_the_digits_around_five_which_settles() -> None:
    assert [moved_row(30, 12, Key(key)) for key in "2846"] == [11, 13, 7, 17]
    assert confirmed_row(30, 12, Key("5")) == 12
    assert confirmed_row(30, 12, Key("3")) is None
    assert confirmed_row(3, 0, Key("4")) is None


def test_what_moves_says_so_in_lists_and_on_pages_and_nothing_elsewhere() -> None:
    assert row_labels(ListBody("", (("one", ""), ("two", "")))) == {"B": "▼", "1": "one", "2": "two"}
    assert row_labels(TextBody("", ("one", "two", "three"), 1)) == {"A": "▲", "B": "▼"}
    assert row_labels(TypingBody("", "", "", ())) == {}


# Screens of a game


def test_a_number_that_cannot_be_is_answered_with_those_that_can() -> None:
    prompt = Prompt(Text("how many?"), (EnterNumber(2), EnterNumber(3), EnterNumber(7)))
    assert WORDS(explained(prompt, "", "8", None)) == "A number from 2 to 7, please"


def test_a_refused_number_is_told_the_step() -> None:
    tens = Prompt(Text("Bonus:"), tuple(map(EnterNumber, range(0, 60, 10))))
    assert WORDS(explained(tens, "", "8", None)) == "0, 10 and so on to 50, please"
    uneven = Prompt(Text("Bonus:"), tuple(map(EnterNumber, (0, 10, 30, 40, 50))))
    assert WORDS(explained(uneven, "", "8", None)) == "A number from 0 to 50, please"


def test_pairs_and_numbers_given_so_far_are_shown() -> None:
    prompt = Prompt(Text("and?"), ())
    pair = LayPair(DECK.by_name["red-3"], DECK.by_name["black-4"])
    assert WORDS(hints(prompt, (pair, EnterNumber(5)))[0]) == f"{WORDS(pair.first.sign)}{WORDS(pair.second.sign)} 5"


def test_a_suit_of_which_every_card_was_seen_is_not_among_them() -> None:
    left = tuple(LayCard(card) for card in FOREST if card.suit is not SUITS[1])
    prompt = Prompt(Text("?"), left, deck=FOREST.cards, suits=SUITS, bare=SUITS)
    words = Translator("en")
    signs = words(SUITS[0].sign), words(SUITS[2].sign)
    assert words.told(hints(prompt, ())) == (f"A{signs[0]}C{signs[1]}", "".join(signs))


# Setting up


def test_what_cannot_be_begun_is_said_and_not_begun() -> None:
    context = ScreenContext(WORDS)
    able, unable = (
        SetUp(game="eternity", asks=SetUpStep.RULES, players=players) for players in (("Aki", "Bea"), ("Aki", "Aki"))
    )
    assert isinstance(able.show(context).press(Key("#")).command, BeginGame)
    move = unable.show(context).press(Key("#"))
    assert move.command is None
    assert move.message is not None


# Names


def test_what_no_key_typed_has_no_keys_to_be_found_by() -> None:
    assert TypedName("Aki").keys == ""
    assert TypedName("Aki", pressed=("2", "55", "444")).keys == "255444"


@pytest.mark.parametrize(
    ("name", "alphabet"), [("マリー", 2), ("はるー", 1), ("Zoë", 0), ("Ann 7", 0), ("ー", 1), ("", 1), ("春", 1)]
)
def test_a_name_is_corrected_in_the_alphabet_of_its_last_letter_that_only_one_has(name: str, alphabet: int) -> None:
    assert TypedName.begin("ja", name).alphabet == alphabet


def test_a_key_that_is_held_types_nothing() -> None:
    assert TypedName().press(Key("#", held=True)) is None


def test_of_a_name_too_long_for_the_line_the_end_is_seen() -> None:
    long, longer, other = (
        draw(View(TypingBody("Name", name, "x", ())))
        for name in ("m" * 40 + "the end", "m" * 50 + "the end", "m" * 50 + "an end")
    )
    assert long == longer
    assert long != other


@pytest.mark.parametrize("rest", [(), ("One more.",)])
def test_a_sentence_longer_than_the_panel_shows_that_there_is_more(rest: tuple[str, ...]) -> None:
    long, short = ("word " * words for words in (40, 4))
    bar = (126, 12, 128, 52)
    assert draw(View(TextBody("Alerts", (long, *rest)))).crop(bar).getbbox() is not None
    assert draw(View(TextBody("Alerts", (short, *rest)))).crop(bar).getbbox() is None


# Home


@pytest.mark.unmeasured
def test_home_is_at_most_two_keys_away() -> None:
    for scene in SCENES:
        if scene.few:
            continue
        box = box_at(scene)
        for key in ("h*", "h*"):  # at the table the first one opens the entries
            if not isinstance(box.state.panel.screen, HomeScreen):
                press(box, key)
        assert isinstance(box.state.panel.screen, HomeScreen), scene.name


def entries_drawn(*rows: str, chosen: int = 0, names: tuple[str, ...] = ()) -> Image.Image:
    """Return the picture of a list of entries."""
    listed = tuple((row, "") for row in rows)
    return draw(View(ListBody("Entries", listed, chosen, by_number=False, counted=True, names=names)))


def line(picture: Image.Image, number: int) -> bytes:
    """Return a line of a list, right of the number of its entry."""
    top = BODY + number * ROW
    return picture.crop((18, top, 124, top + ROW)).tobytes()


def test_an_entry_that_is_too_long_goes_on_in_a_second_line() -> None:
    whole = entries_drawn("none", "R: Bid: 2 3 4 4, Tricks: 2 3 7 1")
    assert line(whole, 1) == line(entries_drawn("none", "R: Bid: 2 3 4 4,"), 1)
    other = entries_drawn("none", "R: Bid: 2 3 4 4, Tricks: 2 3 6 2")
    assert line(whole, 1) == line(other, 1)
    assert line(whole, 2) != line(other, 2)


def test_names_in_an_entry_are_shortened_before_it_takes_a_second_line() -> None:
    entry, names = "Alexandrine 12, Bartholomew 13", ("Alexandrine", "Bartholomew")
    after = entries_drawn("none", entry, "none", names=names)
    assert line(after, 2) == line(entries_drawn("none", "none", "none"), 2)


def test_an_entry_of_many_lines_is_cut_after_three() -> None:
    words = " ".join(["figures"] * 30)
    assert line(entries_drawn(words), 2) != line(entries_drawn(" ".join(["figures"] * 5)), 2)  # that one has two lines
    assert line(entries_drawn(words), 2) == line(entries_drawn(f"{words} more"), 2)
    assert line(entries_drawn(words), 3) == line(entries_drawn(f"{words} more"), 3)


def test_an_entry_with_a_moment_beside_it_is_not_cut_in_its_first_line() -> None:
    def drawn(entry: str) -> bytes:
        rows = ((entry, "M2"), ("none", ""))
        return line(draw(View(ListBody("Entries", rows, 0, by_number=False, counted=True))), 0)

    assert drawn("M\u202f: 1/1 4/2 2/2 3/4") == drawn("M\u202f: 1/1 4/2 2/2") == drawn("M\u202f: 1/1 4/2")
