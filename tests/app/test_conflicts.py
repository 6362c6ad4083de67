"""Corrections: any entry, with few keys; nothing is written before all later entries fit again."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.box import Box
from companion.app.log_to_keys import ENTRIES
from companion.core.correction import Correction
from companion.core.event_from_answers import tracking_of
from companion.core.events import Event
from companion.core.prompt import Answer, DetailLevel, Prompt
from companion.core.session import Session
from companion.gamelog import decode_header, encode_line, read
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.key_grammar import AnswerCodes
from companion.ui.keys import parse
from companion.ui.screens.confirm_correction import KEPT, ReviewScreen
from companion.ui.screens.correction_conflict import ConflictScreen, next_conflict
from companion.ui.screens.entries import EntriesScreen, ending, way
from companion.ui.screens.entry_corrections import INSERT, REMOVE, SWAP
from companion.ui.screens.play import PlayScreen
from companion.ui.translations import Translator
from tests.app.boxes import lines_of, new_box, playing, press, says, written
from tests.example_counts import examples
from tests.full_disk import Disk
from tests.games.seeds import Dealt, deal, events, games

TRICK = "1 A3 B9 A4 DB11 9 C5"
TURNED = f"{TRICK} A7 A8 h* 5# A1#"  # Cyr's 9 should have been a 1: Aki won the trick and led, not Cyr
TAKEN = "1 14 14 h* A# 21"  # Aki took three suns, so Bea, not Aki, takes the second trick of Hipparchus
AGAIN = f"{TRICK} h* 3# A9"  # Aki's card was the 9, so Cyr's card cannot have been
FIVE = ("Aki", "Bea", "Cyr", "Dai", "Eve")


def log_of(box: Box, journal: Journal) -> list[Event]:
    """Return the last events in a replay of the exported game."""
    assert box.game is not None
    return events(read("\n".join((box.game.session.header.written, *lines_of(journal))).encode()))


def hipparchus(keys: str) -> Box:
    """Return an application in a game of Hipparchus entered trick by trick, after some keys."""
    box = new_box()
    box.begin(decode_header('{"format":1,"game":"hipparchus","players":["Aki","Bea"]}'), DetailLevel.QUICK)
    return press(box, keys)


def stepped_back(box: Box) -> None:
    """Step back until no entry is unfinished."""
    while box._state.screen != PlayScreen():
        press(box, "*")


# Selecting an entry


@pytest.mark.parametrize(
    ("count", "typed", "number"),
    [(57, "7", 57), (57, "8", 48), (57, "48", 48), (57, "58", None), (57, "0", 50), (57, "05", 5), (7, "8", None)],
)
def test_digits_lead_to_the_latest_entry_whose_number_ends_so(count: int, typed: str, number: int | None) -> None:
    assert ending(count, typed) == number


@pytest.mark.parametrize(
    ("keys", "number"),
    [("", 6), ("A", 5), ("AB", 6), ("3", 3), ("35", 5), ("AAAAAAAA", 1), ("B", 6), ("3A", 2)],
)
def test_the_list_is_walked_through_and_jumped_in(keys: str, number: int) -> None:
    assert says(press(playing(f"{TRICK} h* {keys}"), "#")).split("correction ")[1].startswith(str(number))


@pytest.mark.parametrize("keys", ["h#"])
def test_a_key_that_leads_nowhere_in_the_list_says_what_the_others_do(keys: str) -> None:
    assert "Digits, A, B move" in says(playing(f"{TRICK} h* {keys}"))


@pytest.mark.unmeasured
@pytest.mark.parametrize("count", [1, 2, 4, 9, 10, 11, 30])
def test_the_shortest_way_to_every_entry_leads_there(count: int) -> None:
    box = playing("h#53" + "31#31#31#1#2" * count, ending={"target": 999})
    for number in range(1, count + 1):
        assert f"correction {number}: " in says(press(box, f"{ENTRIES}{way(count, number)}#"))
        press(box, "*")


@given(st.integers(1, 100), st.data())
def test_the_last_ten_entries_are_two_keys_away_and_the_last_hundred_three(back: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(back, 500))
    assert len(way(count, count - back + 1)) <= (1 if back <= 10 else 2)


# Counting keys


def plays(game: str, seats: int, seed: int) -> Dealt:
    """Play a random game with this number of players, entering every card."""
    while True:
        dealt = deal(game, seed, coarse=0.0, edits=0.0, misplay=0.1, most_rounds=3)
        if len(dealt.header["players"]) == seats:
            return dealt
        seed += 1


def longest_correction(session: Session, number: int) -> str:
    """Return the longest keys that replace an entry with another card."""
    game = session.header.game
    before, was = session.before(number), session.step(number).event
    assert was is not None
    tracking = tracking_of(game, DetailLevel.FULL, before, was)
    prompt = game.ask(before, tracking, ())
    assert isinstance(prompt, Prompt)
    book = AnswerCodes(prompt)
    cards = (answer for answer in prompt.answers if isinstance(game.ask(before, tracking, (answer,)), Event))
    return max(map(book.spell, cards), key=lambda keys: len(parse(keys)), default="")


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    ("game", "seats"), [(name, seats) for name, game in GAMES.items() for seats in game.seats], ids=str
)
def test_any_card_of_the_last_three_tricks_is_mended_in_eight_keys(game: str, seats: int) -> None:
    trick = max(4, seats)
    for seed in range(examples(1)):
        session = plays(game, seats, seed * 1000).session()
        for number in range(1, session.head.number + 1):
            keys = longest_correction(session, number)
            for stand in range(number, min(number + 4 * trick - 1, session.head.number + 1)):  # three tricks and a half
                spelt = f"{ENTRIES}{way(stand, number)}#{keys}"
                assert len(parse(spelt)) <= 8, (session.header.written, stand, number, spelt)


def test_a_pledge_three_tricks_ago_of_five_players_takes_eight_keys() -> None:
    journal = Journal()
    tricks = "A4 DB11 9 C5 C6  A5 A6 A7 A8 A0  B2 B3 B4 B5 B6  C7 C8 C9 C0"
    box = playing(f"1 A3 B9 {tricks}", players=FIVE, journal=journal, edition="fr")
    before = lines_of(journal)
    keys = "h* 04 # DB12"
    assert len(parse(keys)) <= 8
    press(box, keys)
    assert "Entry 4 is corrected" in says(box)
    assert lines_of(journal)[:-1] == before
    assert json.loads(lines_of(journal)[-1])["to"] == {"type": "pledge", "player": 1, "card": "sky-12"}


# Entries that no longer fit


def test_what_no_longer_fits_is_shown_with_its_reason_and_nothing_is_written() -> None:
    journal = Journal()
    box = playing(AGAIN, journal=journal)
    assert "correction 5: Sea 9, Cyr | No longer fits: Sea 9 was already seen in this round" in says(box)
    assert box.lines == len(lines_of(journal)) == 6


@pytest.mark.parametrize("keys", [AGAIN, TURNED, f"{AGAIN} # C *", f"{AGAIN} # *", f"{AGAIN} 0"])
def test_everything_can_be_kept_as_it_was(keys: str) -> None:
    journal, untouched = Journal(), Journal()
    box = playing(keys, journal=journal)
    stepped_back(box)
    plain = playing(keys.partition("h*")[0], journal=untouched)
    assert lines_of(journal) == lines_of(untouched)
    assert box.view().question == plain.view().question


def test_the_next_that_does_not_fit_is_entered_anew_and_all_is_written_as_one_line() -> None:
    journal = Journal()
    box = playing(f"{AGAIN} #", journal=journal)
    assert "Was: Sea 9, Cyr" in says(box)
    press(box, "A8 #")
    assert "Entry 3 is corrected, and 1 after it" in says(box)
    (line,) = map(json.loads, lines_of(journal)[6:])
    assert (line["type"], line["event"], line["drop"], len(line["put"])) == ("splice", 3, 3, 3)
    table = box.game.session.state.last_trick.table if box.game else ()
    assert [laid.card.name for laid in table] == ["sea-9", "sky-11", "sea-8", "earth-5"]


def test_where_the_turn_has_moved_later_cards_go_to_those_whose_turn_it_is_and_what_changes_is_shown_once() -> None:
    journal = Journal()
    box = playing(TURNED, journal=journal)
    assert says(box).startswith(
        "correction 5: Sea 1, Cyr | R1 T1: winner Aki, not Cyr | Trump stays Sky | 2 entries change their player | "
    )
    assert box.lines == len(lines_of(journal)) == 8
    press(box, "#")
    assert "Entry 5 is corrected, and 2 after it" in says(box)
    assert box.view().question == "Cyr:"
    assert box.game is not None
    assert [(laid.player, laid.card.name) for laid in box.game.session.state.table] == [(0, "sea-7"), (1, "sea-8")]


def test_after_it_the_game_goes_on() -> None:
    journal = Journal()
    box = playing(f"{TURNED} # A5", journal=journal)
    assert box.view().question == "Dai:"
    assert box.lines == len(lines_of(journal)) == new_box(journal).lines


@pytest.mark.parametrize("keys", [f"{TURNED} #", f"{TURNED} B #"])
def test_one_step_back_takes_a_whole_correction_back(keys: str) -> None:
    before, box = playing(keys.partition(" h*")[0]), playing(keys)
    assert before.game is not None
    assert box.lines == before.lines + 1
    press(box, "*")
    assert "Took back: correction from 5 on" in says(box)
    assert box.game is not None
    assert box.game.session.state == before.game.session.state
    press(box, "*")
    assert "Took back: Sea 8, Dai" in says(box)


def test_one_step_back_takes_a_whole_correction_back_after_a_restart() -> None:
    journal = Journal()
    before, box = playing(TURNED.partition(" h*")[0]), playing(f"{TURNED} #", journal=journal)
    again = press(new_box(journal), "*")
    assert "* again takes back: correction from 5 on" in says(again)
    assert again.lines == box.lines
    press(again, "*")
    assert "Took back: correction from 5 on" in says(again)
    assert before.game is not None
    assert again.game is not None
    assert again.game.session.state == before.game.session.state


def test_redo_brings_a_whole_correction_back_and_reports_nothing() -> None:
    box = playing(f"{TURNED} #")
    assert box.game is not None
    corrected = box.game.session.state
    press(box, "* h#4")
    assert "Brought back: correction from 5 on" in says(box)
    assert box.game.session.state == corrected
    assert box._context.report is None


def test_a_correction_that_changes_nothing_enters_nothing() -> None:
    box = playing(TRICK)
    assert box.game is not None
    correction = Correction.opening(box.game.session, 5)
    move = next_conflict(PlayScreen(), correction.put(correction.was))
    assert (move.screen, move.command, move.message) == (PlayScreen().left(), None, KEPT)


def test_once_the_game_went_on_entries_are_taken_back_one_by_one() -> None:
    box = playing(f"{TURNED} # A5")
    lines = box.lines
    press(box, "* *")
    assert "Took back: correction from 5 on" in says(box)
    assert box.lines == lines + 2


def test_step_back_leads_from_the_question_to_what_can_be_done_before_everything_is_kept() -> None:
    box = playing(f"{AGAIN} # *")
    assert "5: Sea 9, Cyr | No longer fits" in says(box)
    press(box, "*")
    assert "Nothing was changed" in says(box)


def test_what_was_typed_can_be_entered_anew_all_the_same() -> None:
    box = hipparchus(TAKEN)
    assert "Now: Trick: Bea" in says(box)
    press(box, "1")
    assert box.view().question.endswith("3: Aki leads:")
    press(box, "69")
    assert "Entry 2 is corrected, and 1 after it" in says(box)


def test_the_same_answers_can_make_an_entry_of_the_other_player() -> None:
    box = press(hipparchus(TAKEN), "#")
    assert "Entry 2 is corrected, and 1 after it" in says(box)
    assert box.game is not None
    assert box.game.session.state.captured == ((3, 0, 0), (1, 1, 0))


def test_what_no_longer_fits_can_be_left_out() -> None:
    box = press(playing(AGAIN), "0")
    assert "R1 T1: not complete" in says(box)
    press(box, "#")
    assert box.game is not None
    assert [(laid.player, laid.card.name) for laid in box.game.session.state.table][2:] == [(2, "earth-5")]
    assert box.game.session.head.number == 5


def test_where_the_game_has_ended_before_the_rest_is_dropped_or_everything_kept() -> None:
    box = playing("33 22 54 1# 3 1#1# 42 22 4 4 h* A# h#53 55 33 22 0 #", tracking="round", ending={"target": 7})
    assert "No longer fits: the game is over | Remove all from here on?" in says(box)
    press(box, "1")
    assert "# goes on, * leaves all" in says(box)
    press(box, "#")
    assert "Aki wins the game" in says(box)


def test_an_answer_that_cannot_be_is_refused_and_asked_for_again() -> None:
    box = playing(f"{AGAIN} # B11")
    assert "Sky 11 was already seen" in says(box)
    assert box.view().question.endswith("5: Cyr:")
    box = playing(f"{TRICK} h* 5# A4")
    assert "Sea 4 was already seen" in says(box)
    assert box.view().question.endswith("5: Cyr:")


HOME = {"h*": "home"}


def test_every_key_of_the_page_is_named() -> None:
    assert playing(AGAIN).frame.labels == {"#": "enter again", "1": "enter again", "0": "remove", "*": "back", **HOME}
    choices = {"1": "enter again", "0": "remove", "*": "back", **HOME}
    assert {**hipparchus(TAKEN).frame.labels, "#": ""} == {**choices, "#": ""}
    assert "Trick: Bea" in hipparchus(TAKEN).frame.labels["#"]
    assert playing(TURNED).frame.labels == {"#": "yes", "*": "back", "B": "▼", **HOME}
    assert playing("h*").frame.labels == {"*": "back", **HOME}
    labels = playing(f"{TRICK} h* ").frame.labels
    assert labels["3"] == "3: Sea 4, Aki"
    assert (labels["A"], labels["C"], labels["D"], labels["#"]) == ("▲", "new before it", "remove", "correct")
    assert not {"B", "h#", "7", "6"} & {*labels}
    assert playing(f"{TRICK} h* 5").frame.labels["h#"] == "swap with the next"


def test_with_few_keys_it_is_mended_too() -> None:
    box = press(playing(TURNED), "> o")
    assert "Entry 5 is corrected, and 2 after it" in says(box)


# Power loss and disk errors


@pytest.mark.parametrize("keys", [AGAIN, f"{AGAIN} #", f"{AGAIN} # C", f"{AGAIN} 0", TURNED, f"{TURNED} B"])
def test_when_the_plug_is_pulled_meanwhile_nothing_is_half_written_and_the_question_is_there_again(keys: str) -> None:
    journal = Journal()
    box = playing(keys, journal=journal)
    written = lines_of(journal)
    again = new_box(journal)
    assert again.lines == box.lines
    assert (again.view().question, again.view().body) == (box.view().question, box.view().body)
    stepped_back(again)
    assert lines_of(journal) == written


def test_a_correction_on_a_full_disk_is_saved_whole_as_soon_as_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, journal = Disk(monkeypatch), Journal(tmp_path)
    box = playing(TURNED, journal=journal)
    entered = lines_of(journal)
    disk.full = True
    press(box, "#")
    assert "Not saved: the disk is full" in says(box)
    assert lines_of(Journal(tmp_path, writes=False)) == entered
    disk.full = False
    assert box.upkeep.save()
    journal = Journal(tmp_path, writes=False)
    assert log_of(box, journal) == events(box.game.session) if box.game else False


# Random corrections


def mend(box: Box, number: int, answer: Answer, chance: Random) -> None:
    """Correct an entry in any way, and give random answers to everything that no longer fits."""
    assert box.game is not None
    press(box, ENTRIES + way(box.game.session.head.number, number) + chance.choice(("#", INSERT, REMOVE, SWAP)))
    for _turn in range(400):
        screen = box._state.screen
        if isinstance(screen, PlayScreen) and screen.calm == PlayScreen():  # the sentence may stand that it was left
            return
        if isinstance(screen, EntriesScreen):  # the two could not be swapped
            press(box, "*")
            continue
        if isinstance(screen, ConflictScreen | ReviewScreen):
            labels = {*box.frame.labels} - {*HOME}
            press(box, chance.choice([key for key in sorted(labels) for _ in range(5 if key == "#" else 1)]))
            continue
        assert isinstance(screen, PlayScreen)
        prompt = screen.position(box.game).ask(screen.answers)
        assert isinstance(prompt, Prompt)
        answer = answer if answer in prompt.answers else chance.choice(prompt.answers)
        press(box, AnswerCodes(prompt).spell(answer) if box.view().alert is False or chance.random() < 0.8 else "*")
    press(box, "****")


@settings(max_examples=examples(30, 1200))
@given(games(most_rounds=1), st.randoms())
def test_whatever_is_corrected_the_game_is_what_its_log_says(dealt: Dealt, chance: Random) -> None:
    session = dealt.session(chance.randrange(len(dealt.lines) + 1))
    stand = events(session)
    if not stand:
        return
    journal = Journal()
    box = new_box(journal)
    journal.set_open_game(written(journal, session.header.written, *map(encode_line, stand)))
    box = new_box(journal)
    number = chance.randrange(max(0, len(stand) - 20), len(stand)) + 1
    state = session.before(number)
    tracking = tracking_of(session.header.game, DetailLevel.FULL, state, stand[number - 1])
    prompt = session.header.game.ask(state, tracking, ())
    assert isinstance(prompt, Prompt)
    mend(box, number, chance.choice(prompt.answers), chance)
    assert box.game is not None
    assert log_of(box, journal) == events(box.game.session)
    if "Nothing was changed" in says(box):
        assert len(lines_of(journal)) == len(stand)
    again = new_box(journal)
    assert again.game is not None
    assert events(again.game.session) == events(box.game.session)


# Messages


@settings(max_examples=examples(20, 1200))
@given(games())
def test_whose_entry_it_was_is_said_of_every_entry_that_is_somebodys(dealt: Dealt) -> None:
    session = dealt.session()
    words = Translator("en", session.header.players)
    for event in events(session):
        for whose in ("player", "winner"):
            seat = getattr(event, whose, None)
            if isinstance(seat, int):
                assert session.header.players[seat] in words(session.header.game.describe(event))


HEARTS = '{"format":1,"game":"hearts","players":["Aki","Bea","Cyr","Dai"]}'
LED_APART = (
    '{"type":"start","player":0}',
    '{"type":"lead","player":1}',
    '{"type":"play","player":1,"card":"clubs-2"}',
    '{"type":"play","player":2,"card":"clubs-9"}',
)
"""A deal of Hearts in two entries where today's question makes one: who has the first card, and that card."""


def test_an_entry_that_no_question_makes_any_more_is_corrected() -> None:
    journal = Journal()
    journal.set_open_game(written(journal, HEARTS, *LED_APART))
    box = press(new_box(journal), "h* 2#")
    assert "correction 2: Who has clubs 2?" in says(box)
    assert "correction 3: Clubs 2, Bea | No longer fits" in says(press(box, "3"))
    assert "Entry 2 is corrected, and 2 after it" in says(press(box, "0 #"))
