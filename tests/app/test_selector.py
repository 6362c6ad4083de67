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
from companion.games.eternity.cards import DECK, SUITS
from companion.games.eternity.events import Pledge
from companion.journal import Journal
from companion.ui.few_key_choices import asked
from companion.ui.few_key_selector import OptionCursor
from companion.ui.fonts import GLYPHS
from companion.ui.key_grammar import AnswerCodes
from companion.ui.keys import BUTTONS, KEYPAD, KeyLayout, UnknownKeyError, parse
from companion.ui.screens.key_help import GENERAL_KEYS, TURNING, UPRIGHT, keys_of
from companion.ui.translations import Translator
from companion.ui.view import ListBody, TextBody
from tests.app.boxes import FOUR, begin, hush, new_box, press, says
from tests.app.selecting import JOYSTICK, KNOB, does, key_of, on, turn_to, turn_to_row, way
from tests.example_counts import examples
from tests.games.seeds import Dealt, games
from tests.games.test_asking import CHANCE, points
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at
from tests.ui.scenes import seen

LABELS = {"h#": "menu", "h*": "entries", "*": "back"}
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
    words = Translator("en", ("Aki", "Bea", "Cyr", "Dai", "Eve"))
    for prompt in every_answer(dealt, chance):
        ring = asked(AnswerCodes(prompt), "", LABELS, words)
        book = AnswerCodes(prompt)
        assert len(prompt.answers) + len(LABELS) == sum(len(group.options) for group in ring.groups)
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
        ring = asked(AnswerCodes(prompt), "", LABELS, words)
        labels = [option.label for group in ring.groups for option in group.options]
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


# lists and texts


def test_a_list_is_walked_through_and_chosen_from() -> None:
    box = press(on(BUTTONS), "o >>")
    assert "> Hipparchus" in says(box)
    assert "Seat 1: who?" in says(press(box, "o"))


def test_what_else_can_be_done_stands_below_a_list() -> None:
    box = press(on(BUTTONS), "o o")
    assert "home | back | > new name" in says(press(box, "<"))  # the most frequent choice is nearest
    assert "> back" in says(press(box, "<"))
    assert "Which game?" in says(press(box, "o"))


def test_holding_choose_steps_back() -> None:
    assert "Tabletop Companion" in says(press(on(BUTTONS), "o o ho ho"))


def test_a_long_list_is_walked_through_row_by_row() -> None:
    box = press(begin(on(BUTTONS)), "1 A3 B9 A4 5 6 7 h*")
    press(box, "< <")
    turn_to_row(box, 2)
    press(box, "o")
    assert "Was: " in says(box)


def test_a_joystick_goes_through_a_long_list_by_five() -> None:
    box = press(begin(on(JOYSTICK)), "1 A3 B9 A4 5 6 7 B1 5 6 7 h*")
    last = box.view().body
    press(box, "<")
    assert last.chosen - box.view().body.chosen == 5  # type: ignore[union-attr]


def test_a_text_is_scrolled_and_left() -> None:
    box = press(begin(new_box()), "h# 9 3 ><")
    top = box.frame.words
    assert press(box, ">").frame.words != top
    assert press(box, "<").frame.words == top
    assert "Settings" in says(press(box, "o"))


def test_a_row_that_was_changed_stays_turned_to() -> None:
    box = on(BUTTONS)
    for key in ("1", "1", "1", "1", "0"):
        does(box, key)
    turn_to(box, "4")
    body = box.view().body
    assert isinstance(body, ListBody)
    assert body.chosen == 3
    assert press(box, "o").view().body != body


# prompts of games


def suit_first(box: Box) -> list[str]:
    """Go once through all options, and return what was shown."""
    seen: list[str] = []
    while (label := box.view().choice) not in seen:
        seen.append(label)
        press(box, ">")
    return seen


def test_many_cards_are_turned_to_by_suit() -> None:
    box = press(begin(on(BUTTONS)), "1 A3 B9")
    assert suit_first(box) == ["Sea…", "Sky…", "Earth…", "entries", "menu", "undo", "home"]
    press(box, "> o")
    assert box.view().choice == "Sky 1"
    press(box, "< o")
    assert "Sky 12" in " ".join(box.frame.words) or box.lines == 3


def test_the_led_suit_is_the_nearest_and_pledges_lie_on_the_other_side() -> None:
    box = press(begin(on(BUTTONS)), "1 A3 B9 B4")
    assert box.view().choice == "Sky…"
    assert press(box, "<").frame.labels["o"] == "pledge Sky…"


def test_the_suits_a_bare_rank_means_are_the_nearest_in_their_order() -> None:
    _sea, sky, earth = SUITS
    cards = tuple(LayCard(card) for card in DECK)
    prompt = Prompt(Text("?"), cards, deck=DECK.cards, suits=SUITS, bare=(earth, sky))
    ring = asked(AnswerCodes(prompt), "", {}, Translator())
    assert [group.label for group in ring.groups] == ["Earth", "Sky", "Sea"]


def test_in_gear_lots_are_turned_to_by_their_numbers_and_pairs_by_their_suits() -> None:
    lots, pairs = ([group.label for group in seen(scene).ring.groups] for scene in ("few-gear-lots", "few-gear-pair"))
    assert lots[:4] == ["lot 1", "lot 2", "lot 3", "lot 4"]
    assert lots[-1] == "lots"
    red, black = GLYPHS["red"], GLYPHS["black"]
    assert pairs[:6] == [red + red, red + black, black + red, black + black, "Red", "Black"]


def test_known_names_come_right_after_the_letters_that_may_become_them() -> None:
    box = begin(on(BUTTONS), FOUR)
    does(box, "h#")
    for label in ("Leave the game", "New game", "Eternity"):
        does(box, key_of(box, label))
    for name in ("C", "letter A"):
        does(box, name)
    assert press(box, "<").view().choice == "Aki"
    assert "C" not in " ".join(box.frame.words[2:])
    assert "Seat 2" in says(press(box, "o"))


def test_held_choose_closes_the_suit_before_it_takes_anything_back() -> None:
    box = press(begin(on(BUTTONS)), "1 A3 B9 > o")
    lines = box.lines
    assert press(box, "ho").view().choice == "Sky…"
    assert press(box, "ho").view().choice == "undo"
    assert box.lines == lines
    assert press(box, "o").lines == lines + 1
    assert press(box, "ho ho").lines == lines + 2  # a second hold confirms


def test_held_choose_shows_menu_undo_and_the_way_home_however_many_answers_there_are() -> None:
    box = press(begin(on(BUTTONS), tracking="round"), "o")
    assert press(box, "ho").view().choice == "back"
    assert press(box, "<").view().choice == "menu"
    assert press(box, "> >").view().choice == "home"
    assert press(box, "< o").lines == 0
    assert press(box, "ho").view().choice != "back"


def test_a_tap_held_too_long_only_turns_to_the_set_up_where_nothing_was_entered_yet() -> None:
    box = press(begin(on(BUTTONS)), "ho")
    assert box.view().choice == "set-up"
    assert "Edition" in says(press(box, "o"))


@pytest.mark.parametrize(
    ("board", "back", "again"),
    [
        (BUTTONS, "ho o", "o"),
        (BUTTONS, "ho ho", "ho"),
        (JOYSTICK, "*", "*"),
        (JOYSTICK, "ho", "ho"),
        (KeyLayout.of("<>^vo"), "ho o", "o"),
        (KNOB, "ho o", "o"),
        (BUTTONS, "* *", "*"),  # on a page with a keypad
    ],
    ids=str,
)
def test_the_first_step_back_after_a_start_only_says_what_it_would_take_back(
    board: KeyLayout, back: str, again: str
) -> None:
    journal = Journal()
    press(begin(on(board, journal)), "1 A3 B9 A4")
    box = press(on(board, journal), back)
    assert box.lines == 3
    named = "*" if "*" in board.keys else "●"
    assert f"{named} again takes back: Sea 4, Aki" in says(box)
    assert "Took back: Sea 4, Aki" in says(press(box, again))
    assert box.lines == 4
    assert press(box, back).lines == 5


def test_turning_away_ends_what_a_second_step_back_would_do() -> None:
    journal = Journal()
    press(begin(on(BUTTONS, journal)), "1 A3 B9 A4")
    box = press(on(BUTTONS, journal), "ho o > <")
    assert box.message is None
    assert press(box, "o").lines == 3
    assert press(box, "o").lines == 4


def test_the_way_home_is_turned_to_at_the_table() -> None:
    box = press(begin(on(BUTTONS)), "1 A3 B9 ho > o")
    assert "Go on" in says(box)
    assert "Aki: <Sea…>" in says(press(box, "o"))


def test_a_back_button_closes_the_suit_first_too() -> None:
    box = press(begin(on(KeyLayout.of("<o>*", knob=True))), "1 A3 B9 > o")
    lines = box.lines
    assert press(box, "*").view().choice == "Sky…"
    assert box.lines == lines
    assert press(box, "*").lines == lines + 1


def test_a_joystick_goes_by_suit_and_rank() -> None:
    box = press(begin(on(JOYSTICK)), "1 A3 B9")
    assert box.view().choice == "Sea 1"
    assert press(box, "v").view().choice == "Sky 1"
    assert press(box, ">>").view().choice == "Sky 3"
    assert press(box, "^").view().choice == "Sea 1"
    lines = box.lines
    assert press(box, "o").lines == lines + 1


def test_back_on_a_joystick_takes_the_last_entry_back() -> None:
    box = press(begin(on(JOYSTICK)), "1 A3 B9 o")
    lines = box.lines
    assert press(box, "*").lines == lines + 1


def test_what_was_begun_on_a_key_is_gone_on_with_by_turning() -> None:
    box = press(begin(on(KeyLayout.of("<>^vo#D*"))), "1 A3 B9 B4 D >")
    assert box.frame.labels["o"] == "pledge Sky 2"
    press(box, "o")
    assert box.game is not None
    assert box.game.session.latest == Pledge(1, DECK.by_name["sky-2"])


def test_ok_on_a_joystick_chooses_what_is_turned_to() -> None:
    box, other = (press(begin(on(JOYSTICK)), "1 A3 B9 v >") for _ in range(2))
    assert says(press(box, "#")) == says(press(other, "o"))


def test_ok_on_a_joystick_starts_a_game_from_its_rules() -> None:
    box = on(JOYSTICK)
    for key in ("1", "1", "1", "1", "0"):
        does(box, key)
    assert press(box, "v v #").game is not None


def test_a_key_that_does_nothing_is_not_lectured_about() -> None:
    box = on(KeyLayout.of("<>^vo#D*"))
    before = says(box)
    assert says(press(box, "D")) == before
    assert box.message is None


@pytest.mark.parametrize("board", [BUTTONS, JOYSTICK], ids=lambda board: board.kind)
def test_numbers_begin_where_they_are_likely(board: KeyLayout) -> None:
    box = begin(on(board), tracking="round")
    assert box.view().choice == "2"  # ten tricks among four
    assert press(box, ">").view().choice == "3"
    assert press(box, "<<").view().choice == "1"


def test_a_number_of_a_rule_is_turned_up_from_what_is_proposed() -> None:
    box = on(BUTTONS)
    for key in ("1", "1", "1", "1", "0", "3"):
        does(box, key)
    proposed = int(box.view().choice)
    press(box, "> > > o")
    assert str(proposed + 3) in says(box)


def test_a_number_of_a_rule_is_left_as_it_was_by_going_back() -> None:
    box = on(BUTTONS)
    for key in ("1", "1", "1", "1", "0", "3"):
        does(box, key)
    press(box, "> >")
    does(box, "back")
    assert "Ending 3 rounds" in says(box)
    does(box, "3")
    press(box, "<")  # the other value is just left of the proposed number
    assert box.view().choice == "3 rounds"
    assert "Ending 3 rounds" in says(press(box, "o"))


def test_up_on_a_joystick_is_five_more() -> None:
    box = on(JOYSTICK)
    for key in ("1", "1", "1", "1", "0", "3"):
        does(box, key)
    proposed = int(box.view().choice)
    assert press(box, "^").view().choice == str(proposed + 5)
    assert press(box, "v v").view().choice == str(proposed - 4)  # past the other value


def written(box: Box, name: str) -> str:
    """Write a name letter by letter, and return the words on the panel."""
    for letter in name:
        ring = box.ring
        option = next(
            each
            for group in ring.groups
            for each in group.options
            if each.label.casefold() == letter.casefold() or (letter == " " and each.label == "_")
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


def test_a_letter_more_than_a_name_can_have_is_refused() -> None:
    box = on(BUTTONS)
    for name in ("1", "1", "C", "letter A", *["letter a"] * 19):
        does(box, name)
    longest = box.frame.words
    does(box, "letter a")
    assert box.message == Text("A name has 1 to 20 characters")
    assert set(longest) <= set(box.frame.words)


def test_kana_are_written_by_turning_too() -> None:
    box = on(BUTTONS)
    for key in ("1", "1", "C", "A"):
        does(box, key)
    assert written(box, "はるな").startswith("はるな")


def test_those_who_played_come_before_any_letter() -> None:
    box = begin(on(BUTTONS), FOUR)
    does(box, "h#")
    for label in ("Leave the game", "New game", "Eternity"):
        does(box, key_of(box, label))
    assert all(name in says(box) for name in FOUR)


def test_the_keys_of_a_board_say_what_they_do() -> None:
    box = press(begin(on(KNOB)), "1 A3 B9")
    labels = box.frame.labels
    assert [labels[key] for key in ("<", "o", ">", "ho")] == ["home", "Sea…", "Sky…", "undo…"]
    press(box, "o")
    assert box.frame.labels["ho"] == "Sea"


def test_a_board_with_a_keypad_turns_nothing() -> None:
    box = on(KEYPAD)
    assert box.selector is None
    assert "o" not in box.frame.labels
    assert says(box) == says(new_box())


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
    assert keys_of(begin(on(board))._context.require_game(), board) == named
