"""Refusals: true sentences, in the words of the cards, that say what to do."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from random import Random

import pytest
from msgspec import structs

from companion.app.box import Box
from companion.core.errors import IllegalEventError
from companion.core.event_from_answers import refusal_of
from companion.core.events import Event
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, Prompt
from companion.core.session import Session
from companion.core.text import Text
from companion.games import GAMES
from companion.ui.keys import Key
from companion.ui.screens.context import CurrentGame, ScreenContext
from companion.ui.screens.play import PlayScreen
from companion.ui.translations import Translator
from companion.ui.view import ListBody
from tests.app.boxes import begin, new_box, page_of, playing, press, says
from tests.core.toy import HEAP, Put, heap
from tests.games.seeds import deal, random_answer

TRICK = "1 A3 B9 A4 DB11 9 C5"
OPENED = "1 A3 B9"


def begun(game: str, players: tuple[str, ...], keys: str = "", **rules: object) -> Box:
    """Return an application in a new game, after some keys."""
    return press(begin(new_box(), players, "full", game, **rules), keys)


def said(box: Box) -> str:
    """Return the message."""
    return str(box.view().notice[0])


def entry_of(box: Box) -> int:
    """Return the entry at which the list of entries opens."""
    body = press(box, "h*").view().body
    assert isinstance(body, ListBody)
    return body.chosen + 1


# A card that was seen already


@pytest.mark.parametrize(
    ("keys", "sentence", "entry"),
    [
        (f"{TRICK} A4", "Sea 4 was already seen in this round: Aki, trick 1; * held: look", 3),
        (f"{TRICK} B11", "Sky 11 was already seen in this round: Bea, trick 1; * held: look", 4),
        (f"{TRICK} B9", "Sky 9 was already seen in this round: Columns: \ue0003 \ue0019; * held: look", 2),
        (f"{TRICK} h* 5# A4", "Sea 4 was already seen in this round: Aki, trick 1; * held: look", 3),
        (f"{TRICK} h#52 B11", "Sky 11 was already seen in this round: Bea, trick 1; * held: look", 4),
        ("1 A3 A3", "Sea 3 was already seen in this round", 1),
    ],
)
def test_a_card_that_was_seen_is_said_with_when_and_by_whom_and_one_key_leads_there(
    keys: str, sentence: str, entry: int
) -> None:
    box = playing(keys)
    assert said(box) == sentence
    assert entry_of(box) == entry


def test_of_a_card_that_is_there_twice_the_latest_is_said() -> None:
    box = begun("gear", ("Aki", "Bea", "Cyr"), "1 A7 A7 8 A9", auction=False)
    assert said(press(box, "A7")) == "Red 7 was already seen twice: Bea, trick 1; * held: look"
    assert entry_of(box) == 3


def test_of_a_chair_that_was_turned_up_the_round_is_said() -> None:
    box = begun("east-rune", ("Aki", "Bea", "Cyr"), "1 6 1 A3 # # # 6 2 A4 # # #")
    assert said(press(box, "6")) == "Chair of light was turned up already: round 2; * held: look"
    assert entry_of(box) == 7


def test_the_list_opens_at_the_latest_entry_again_once_another_key_was_pressed() -> None:
    box = playing(f"{TRICK} A4")
    assert entry_of(press(box, "A *")) == 6


def test_what_no_longer_fits_says_which_entry_it_comes_after() -> None:
    box = playing(f"{TRICK} h* 3# A9")
    assert "No longer fits: Sea 9 was already seen in this round: Aki, trick 1 |" in says(box)


# Players who cannot be chosen here


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (f"{OPENED} h#52 B11 1", "Aki leads, and cannot pledge"),
        (f"{OPENED} h#52 B11 2 2", "Bea pledged, and cannot win the trick"),
        ("h#53 50 50 0 0 4", "Dai has no trick, so not the last one"),
        ("7", "Nobody sits on seat 7"),
        (f"{OPENED} h#52 0", "Nobody sits on seat 0"),
    ],
)
def test_a_seat_that_cannot_be_named_is_told_why(keys: str, sentence: str) -> None:
    box = playing(keys)
    assert sentence in says(box)


def test_a_seat_that_may_not_start_is_told_why() -> None:
    assert said(playing("h#53 56 55 1 1 # h#51 2", edition="fr")) == "Bea did not have the fewest points"
    assert said(playing("h#53 56 56 1 1 # h#51 3")) == "Cyr has no trick, so not the last one"


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", GAMES)
def test_whoever_cannot_be_named_is_told_why(game: str) -> None:
    chance, told = Random(3), 0
    for step in (step for seed in range(12) for step in islice(deal(game, seed, edits=0.0).session().steps(), 60)):
        assert step.before is not None
        for tracking in GAMES[game].trackings:
            answers: tuple[Answer, ...] = ()
            prompt = GAMES[game].ask(step.before.state, tracking, ())
            while isinstance(prompt, Prompt) and prompt.answers:
                seats = {answer.seat for answer in prompt.answers if isinstance(answer, ChooseSeat)}
                for seat in {*range(max(seats, default=0))} - seats:
                    refused = refusal_of(GAMES[game], step.before.state, tracking, (*answers, ChooseSeat(seat)))
                    assert refused is not None, (prompt.text, seat, answers)
                    assert refused.text.args["player"] == seat
                    told += 1
                answers = (*answers, random_answer(prompt, chance))
                with suppress(IllegalEventError):
                    prompt = GAMES[game].ask(step.before.state, tracking, answers)
                    continue
                break
    assert told or game == "hipparchus"


def test_where_no_reason_is_known_that_is_said() -> None:
    def ask(_heap: object, _tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event:
        return Put(1) if answers else Prompt(Text("who?"), (ChooseSeat(0),))

    session = heap(game=structs.replace(HEAP, ask=ask))
    session = Session(structs.replace(session.header, players=("Aki", "Bea")))
    context = ScreenContext(Translator(players=("Aki", "Bea")), game=CurrentGame("", session, DetailLevel.FULL))
    message = PlayScreen().show(context).press(Key("2")).message
    assert message is not None
    assert context.words(message) == "Bea cannot be named here"


# Names of keys in sentences


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ("1 A19", "There is no Sea 19; * steps back"),
        (f"{OPENED} A4 DB19", "There is no pledge Sky 19; * steps back"),
        (f"{OPENED} A4 19", "There is no 19; * steps back"),
        (f"{OPENED} A4 A1A", "No card is typed like that; * steps back"),
        ("h#53 19", "A number from 0 to 10, please"),
    ],
)
def test_what_is_no_card_is_said_in_the_words_of_the_cards(keys: str, sentence: str) -> None:
    assert sentence in says(playing(keys))


# Capitals


def test_every_message_begins_with_a_capital_and_a_name_stays_as_it_is() -> None:
    words = Translator(players=("béa", "Aki"))
    assert words.sentence(Text("the game is over")) == "The game is over"
    assert words.sentence(Text("{why}", why=Text("the game is over"))) == "The game is over"
    assert words.sentence(Text("{name} already has a seat", name="béa")) == "béa already has a seat"
    assert Translator("fr").sentence(Text("the game is over")) == "La partie est finie"
    assert Translator("ja").sentence(Text("the game is over")) == "ゲームは終わりました"


def test_a_refusal_is_a_sentence_on_the_panel() -> None:
    assert said(playing("h# 4")) == "There is nothing to bring back"


# Corrections


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (f"{TRICK} h* 4# DB12", "Entry 4 is corrected"),
        (f"{TRICK} h* 3# A9 # A8 #", "Entry 3 is corrected, and 1 after it"),
        (f"{TRICK} A7 A8 h* 5# A1# #", "Entry 5 is corrected, and 2 after it"),
        (f"{TRICK} h* 3# A9 0 #", "Entry 3 is corrected, and 2 after it"),
    ],
)
def test_what_was_corrected_is_counted_right(keys: str, sentence: str) -> None:
    assert said(playing(keys)) == sentence


def test_the_suit_of_a_card_that_was_seen_before_stays_typed() -> None:
    box = playing("1 A3 B9 A4 A5 B9")  # sea is led, so a rank alone means sea
    assert "Sky 9 was already seen" in says(box)
    press(box, "7")
    assert box.game is not None
    entered = box.game.session.head.event
    assert entered is not None
    assert str(box.game.session.header.game.describe(entered)) == "Sky 7, seat 3"


@pytest.mark.parametrize("keys", ["#", "A1A", "D#", "h#A*h#D"])
def test_a_page_names_no_key_of_the_box(keys: str) -> None:
    box = playing(f"{OPENED} {keys}")
    said = str(page_of(box).notice)
    assert box.words()
    assert not any(word in said for word in ("* ", "# held", "# ends")), said
