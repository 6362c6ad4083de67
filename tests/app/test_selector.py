"""With left, right and choose, every option can be reached, the likeliest first; labels name no missing keys."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.box import Box
from companion.core.prompt import Answer, EnterNumber, LayCard, Prompt
from companion.core.text import Text
from companion.games.eternity.rules import DECK, SUITS
from companion.ui.few_keys import Option, OptionCursor, asked
from companion.ui.keys import BUTTONS, KEYPAD, AnswerCodes, KeyLayout, UnknownKeyError, parse
from companion.ui.screens.help import GENERAL_KEYS, TURNING, UPRIGHT, keys_of
from companion.ui.symbols import GLYPHS
from companion.ui.translations import Translator
from companion.ui.view import TextBody
from tests.app.boxes import begin, hush
from tests.app.selecting import JOYSTICK, KNOB, does, on, turn_to, way
from tests.example_counts import examples
from tests.games.seeds import Dealt, games
from tests.games.test_asking import CHANCE, points
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at
from tests.ui.scenes import seen

OTHERS = (Option("back", "back"), Option("menu", "menu"), Option("entries", "entries"))
MOST_ANSWERS = 30  # of an entry: at random, a sheet whose figures cannot be is changed for ever
MOST_TURNS = 12
"""Maximum presses for the furthest answer on any board."""


def every_answer(dealt: Dealt, chance: random.Random) -> Iterator[Prompt]:
    """Yield random prompts of a game."""
    for session in points(dealt, chance, 4):
        game, state = session.header.game, session.state
        for tracking in game.trackings:
            said: tuple[Answer, ...] = ()
            while len(said) < MOST_ANSWERS and isinstance(prompt := game.ask(state, tracking, said), Prompt):
                yield prompt
                said = (*said, chance.choice(prompt.answers))


@settings(max_examples=examples(8))
@given(games(), CHANCE)
def test_every_answer_can_be_turned_to_in_a_few_presses(dealt: Dealt, chance: random.Random) -> None:
    for prompt in every_answer(dealt, chance):
        ring = asked(AnswerCodes(prompt), "", OTHERS)
        book = AnswerCodes(prompt)
        assert len(prompt.answers) + len(OTHERS) == sum(len(group.options) for group in ring.groups)
        for joystick in (False, True):
            answer = chance.choice(prompt.answers)
            found = way(ring, book.spell(answer), OptionCursor(joystick))
            assert found is not None
            numbers = isinstance(answer, EnterNumber)  # numbers are in a row, around the likeliest
            assert len(found) <= MOST_TURNS + len(prompt.answers) // (2 if numbers else 10)


@settings(max_examples=examples(8))
@given(games(), CHANCE)
def test_no_two_answers_are_called_the_same(dealt: Dealt, chance: random.Random) -> None:
    words = Translator("en", ("Aki", "Bea", "Cyr", "Dai", "Eve"))
    for prompt in every_answer(dealt, chance):
        ring = asked(AnswerCodes(prompt), "", OTHERS)
        labels = [words(option.label) for group in ring.groups for option in group.options]
        assert len(set(labels)) == len(labels)
        assert all(labels)


OF_A_KEYPAD = re.compile(r"(^|\s)[#*0](\s|$)|by number|\b[A-D] (new|next|move|B)\b|held:|→")


@pytest.mark.unmeasured
@pytest.mark.parametrize("board", [BUTTONS, JOYSTICK], ids=lambda board: board.kind)
def test_nothing_speaks_of_keys_that_are_not_there(board: KeyLayout) -> None:
    lacking = [key for key in "#*" if key not in board.keys]
    for scene in SCENES:
        box = box_at(scene, board=board)
        hush(box)  # removes the message about the keypad keys before
        view = box.view()
        assert not OF_A_KEYPAD.search(f"{view.question} {view.hint}"), (scene.name, view.question)
        assert view.choice or view.question.startswith("●"), scene.name
        if isinstance(view.body, TextBody):
            wrong = [line for line in view.body.sentences for key in lacking if line.startswith(f"{key} ")]
            assert not wrong, scene.name


# prompts of games


def test_the_suits_a_bare_rank_means_are_the_nearest_in_their_order() -> None:
    _sea, sky, earth = SUITS
    cards = tuple(LayCard(card) for card in DECK)
    prompt = Prompt(Text("?"), cards, deck=DECK.cards, suits=SUITS, bare=(earth, sky))
    ring = asked(AnswerCodes(prompt), "")
    assert [str(group.label) for group in ring.groups] == ["Earth", "Sky", "Sea"]


def test_in_gear_lots_are_turned_to_by_their_numbers_and_pairs_by_their_suits() -> None:
    lots, pairs = (
        [seen(scene).state.table.words(group.label) for group in seen(scene).ring.groups]
        for scene in ("few-gear-lots", "few-gear-pair")
    )
    assert lots[:4] == ["lot 1", "lot 2", "lot 3", "lot 4"]
    assert lots[-1] == "lots"
    red, black = GLYPHS["red"], GLYPHS["black"]
    assert pairs[:6] == [red + red, red + black, black + red, black + black, "Red", "Black"]


def written(box: Box, name: str) -> str:
    """Write a name letter by letter, and return the words on the panel."""
    for letter in name:
        ring = box.ring
        option = next(
            each
            for group in ring.groups
            for each in group.options
            if str(each.label).casefold() == letter.casefold() or (letter == " " and each.label == "_")
        )
        turn_to(box, option.name)
    return box.frame.words[1].replace(" ", "")


@settings(max_examples=examples(20))
@given(st.text("abcxyzàéß ", min_size=1, max_size=12).map(str.strip).filter(bool))
def test_any_name_is_written_by_turning(name: str) -> None:
    box = on(BUTTONS)
    for key in ("1", "1", "C"):
        does(box, key)
    assert written(box, name).casefold().startswith(name.replace(" ", "").casefold())


@pytest.mark.parametrize(
    ("keys", "knob", "kind"),
    [("<o>", False, "buttons"), ("<o>*", True, "knob"), ("<>^vo#*", False, "joystick"), (KEYPAD.keys, False, "keypad")],
)
def test_a_board_is_what_its_keys_make_it(keys: str, knob: bool, kind: str) -> None:
    assert KeyLayout.of(keys, knob).kind == kind


def test_keys_a_board_lacks_are_named() -> None:
    with pytest.raises(UnknownKeyError, match="this board has no key 7; it has < o >"):
        parse("o 7", BUTTONS)


@pytest.mark.parametrize(("board", "named"), [(KNOB, (*TURNING,)), (JOYSTICK, (*TURNING, UPRIGHT, *GENERAL_KEYS))])
def test_the_help_on_keys_names_those_of_the_board(board: KeyLayout, named: tuple[Text, ...]) -> None:
    assert keys_of(begin(on(board)).state.table.require_game(), board) == named
