"""Names: remembered, found while typed, written on a page, renamed, hidden; groups of regular players."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from queue import SimpleQueue

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.box import Box
from companion.app.loop import Stop, run
from companion.app.managed_panel import PanelTimeouts
from companion.app.memory_panel import MemoryPanel
from companion.app.output_devices import Outputs
from companion.app.request_types import TypedAnswer
from companion.core.game_guard import GameFaultError
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header
from companion.history.renamed_and_hidden import People, read, written
from companion.journal import Journal
from companion.ui.keys import BUTTONS, Key, KeyLayout
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.name_matching import matching
from companion.ui.screens.name_typing import ALPHABETS, TypedName
from tests.app.boxes import FOUR, begin, key_of, name_of, new_box, playing, press, says
from tests.app.selecting import JOYSTICK, turn_to
from tests.example_counts import examples
from tests.fakes.clock import FixedClock
from tests.full_disk import Disk

KANA, KATAKANA = "A", "AA"


def played(*tables: tuple[str, ...], journal: Journal | None = None) -> Journal:
    """Return a journal of games that were begun and left, the oldest first."""
    journal = journal or Journal()
    for players in tables:
        press(begin(new_box(journal), players), "1")  # a game without an entry is removed
        journal.set_open_game(None)
    return journal


def players(journal: Journal) -> tuple[str, ...]:
    """Return the players of the newest game."""
    return decode_header(journal.games()[0].header).players


def at_names(journal: Journal) -> Box:
    """Return an application at the list of names."""
    box = new_box(journal)
    press(box, key_of(box, "Settings"))
    return press(box, key_of(box, "Names"))


def named(box: Box, name: str, keys: str) -> Box:
    """Choose a name in the list and press keys."""
    return press(press(box, key_of(box, name)), keys)


# The list


def test_everybody_is_on_the_list_once_most_recent_first() -> None:
    journal = played(("Aki", "Bea"), ("bea", "Cyr", "P1"))
    assert "Names | > bea | Cyr | Aki |" in says(at_names(journal))


def test_before_the_first_game_the_list_says_so() -> None:
    box = at_names(Journal())
    assert "Nobody has played yet" in says(box)
    assert "Settings" in says(press(box, "*"))


def test_somebody_renamed_is_offered_by_the_new_name_and_old_games_keep_the_old_one() -> None:
    journal = played(("Aki", "Bea"))
    box = named(at_names(journal), "Bea", "1 * * 33 22 #")
    assert "Bea is now Beb" in says(box)
    assert "| > Aki" not in says(box)
    box = new_box(journal)
    press(box, key_of(box, "New game") + "1")
    assert "> Aki·Beb | Aki | Beb | P1" in says(box)
    assert decode_header(journal.games()[0].header).players == ("Aki", "Bea")
    box = press(new_box(journal), "h*")
    assert "Aki·Bea" in says(press(box, key_of(box, "All games")))


def test_a_name_somebody_gave_up_is_free_for_somebody_else() -> None:
    journal = played(("Aki", "Bea"))
    named(at_names(journal), "Bea", "1 * 444 #")
    played(("Bea", "Cyr"), journal=journal)
    assert "Names | > Bea | Cyr | Aki | Bei |" in says(at_names(journal))


def test_a_name_is_nobodys_twice() -> None:
    box = named(at_names(played(("Ada", "Adb"))), "Ada", "1 * 22 #")
    assert "Adb is on the list already" in says(box)
    box.write("P2")
    assert "P2 is on the list already" in says(box)
    box.write("ADA")
    assert "Ada is now ADA" in says(box)


def test_somebody_hidden_is_offered_no_more_and_neither_are_their_tables() -> None:
    journal = played(("Aki", "Bea"), ("Cyr", "Dai"))
    box = named(at_names(journal), "Dai", "2")
    assert "Dai is hidden" in says(box)
    assert "Dai hidden" in says(box)
    box = new_box(journal)  # also after a power loss
    assert "Play again: Eternity Aki·Bea" in says(box)
    press(box, key_of(box, "New game") + "1")
    assert "Aki·Bea | Cyr | Aki | Bea | P1" in says(box)


def test_somebody_hidden_stays_hidden_under_a_new_name() -> None:
    journal = played(("Aki", "Bea"))
    named(named(at_names(journal), "Bea", "2"), "Bea", "1").write("Ben")
    assert "Ben hidden" in says(at_names(journal))


def test_somebody_hidden_can_be_shown_again() -> None:
    journal = played(("Aki", "Bea"))
    box = named(at_names(journal), "Bea", "2")
    assert "Bea is shown" in says(named(box, "Bea", "2"))
    assert "Play again: Eternity Aki·Bea" in says(new_box(journal))


@pytest.mark.parametrize(
    ("name", "corrected"), [("Aki", "Akid"), ("はるな", "はるなさ"), ("ハル", "ハルサ"), ("遥", "遥さ")]
)
def test_a_name_is_corrected_in_its_own_letters_in_japanese(name: str, corrected: str) -> None:
    journal = played((name, "Bea"))
    box = new_box(journal, language="ja")
    press(box, key_of(box, "設定"))
    press(box, key_of(box, "名前") + "1 1 3 #")
    assert corrected in says(box)


def test_backing_out_of_the_names_changes_nothing() -> None:
    journal = played(("Aki", "Bea"))
    box = named(at_names(journal), "Aki", "1 * * * * * *")
    assert "Names" in says(box)
    assert journal.setting("roster") is None
    assert "Choose by number" in says(press(box, "D"))
    box = named(at_names(journal), "Aki", "B A D")
    assert "Choose by number" in says(box)
    assert "C types nothing here" in says(press(box, "1 C"))
    assert "A name has 1 to 20 characters" in says(press(box, "* * * #"))
    assert "Names" in says(press(box, "2 55 444 #"))
    assert journal.setting("roster") is None


def test_a_list_that_cannot_be_written_is_said_and_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, journal = Disk(monkeypatch), played(("Aki", "Bea"), journal=Journal(tmp_path))
    box = at_names(journal)
    disk.full = True
    assert "Not saved: the disk is full" in says(named(box, "Bea", "2"))
    assert Journal(tmp_path, writes=False).setting("roster") is None
    disk.full = False
    assert "hidden" in says(box)
    assert box.upkeep.save()
    assert "hidden" in str(Journal(tmp_path, writes=False).setting("roster"))


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"hidden": 7}', '{"nicknames": []}'])
def test_a_list_that_cannot_be_read_is_one_without_changes(kept: str) -> None:
    journal = played(("Aki", "Bea"))
    journal.keep_setting("roster", kept)
    assert "Names | > Aki | Bea |" in says(at_names(journal))


# Regulars


def test_the_same_people_play_the_same_again_after_the_rules_are_agreed() -> None:
    journal = played(FOUR)
    box = new_box(journal)
    press(box, key_of(box, "Play again: Eternity"))
    assert "Eternity · Aki·Bea·Cyr·Dai" in says(box)
    assert "# start * back" in says(box)
    assert len(journal.games()) == 1
    press(box, "#")
    assert box.view().question == "Who starts?"
    assert players(journal) == FOUR


def test_playing_again_is_left_by_back_and_begins_no_game() -> None:
    journal = played(("Eve", "Flo"), FOUR)
    box = new_box(journal)
    for way, shown in (("Play again: Eternity", "Tabletop Companion"), ("Play with regulars", "Play with regulars")):
        press(box, key_of(box, way))
        if shown == way:
            press(box, "2")
        assert "# start * back" in says(box)
        assert f"{shown} |" in says(press(box, "*"))
    assert len(journal.games()) == 2


def test_the_way_back_of_playing_again_outlives_a_power_cut() -> None:
    journal = played(FOUR)
    press(box := new_box(journal), key_of(box, "Play again: Eternity"))
    again = new_box(journal)
    assert "# start * back" in says(again)
    assert "Tabletop Companion |" in says(press(again, "*"))


def test_a_game_that_fails_closes_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    box = new_box(played(FOUR))

    def fails(*_given: object) -> None:
        raise GameFaultError("Eternity", "it fails")

    monkeypatch.setattr("companion.ui.screens.setup.agreed_before", fails)
    assert "Tabletop Companion |" in says(press(box, "h*"))
    assert "Eternity cannot be shown: it fails" in says(press(box, key_of(box, "Play again: Eternity")))
    assert isinstance(box._state.screen, HomeScreen)


def test_any_table_of_regulars_plays_again_after_two_keys_and_the_rules() -> None:
    journal = played(("Eve", "Flo"), FOUR, ("Aki", "Bea"), FOUR)
    box = new_box(journal)
    press(box, key_of(box, "Play with regulars"))
    assert "Play with regulars | > Eternity Aki·Bea·Cyr·Dai | Eternity Aki·Bea | Eternity Eve·Flo |" in says(box)
    press(box, "3 #")
    assert box.view().question == "Who starts?"
    assert players(journal) == ("Eve", "Flo")


def test_the_list_of_regulars_is_left_by_back() -> None:
    box = new_box(played(("Eve", "Flo"), FOUR))
    assert "> Eternity Eve·Flo" in says(press(box, key_of(box, "Play with regulars") + "B"))
    assert "Choose by number" in says(press(box, "D"))
    assert "Tabletop Companion" in says(press(box, "*"))


def test_a_table_of_regulars_plays_another_game_after_four_keys() -> None:
    journal = played(FOUR)
    box = new_box(journal)
    press(box, key_of(box, "New game"))
    press(box, key_of(box, "Gear") + "1 #")
    header = decode_header(journal.games()[0].header)
    assert (header.game.name, header.players) == ("gear", FOUR)


def test_only_tables_that_can_play_a_game_are_offered_for_it() -> None:
    journal = played(FOUR, ("Aki", "Bea"), ("Eve", "Flo", "Gus", "Hal", "Ida"))
    box = new_box(journal)
    press(box, key_of(box, "New game"))
    press(box, key_of(box, "Hipparchus"))
    assert "> Aki·Bea | Eve" in says(box)
    assert "Cyr·Dai" not in says(box)


def test_the_rules_these_people_played_by_are_proposed() -> None:
    journal = Journal()
    playing("1", journal=journal, edition="fr")
    playing("1", players=("Eve", "Flo"), journal=journal)
    journal.set_open_game(None)
    box = new_box(journal)
    press(box, key_of(box, "New game") + "1")
    assert "French" in says(press(box, key_of(box, "Aki·Bea·Cyr·Dai")))
    assert box.game is None
    press(box, "#")
    assert box.game is not None


def test_a_table_plays_again_under_the_names_of_today() -> None:
    journal = played(FOUR)
    named(at_names(journal), "Bea", "1 0 22 #")
    box = new_box(journal)
    assert "Play again: Eternity Aki·Bea B·Cyr·Dai" in says(box)
    press(box, key_of(box, "Play again: Eternity") + "#")
    assert players(journal) == ("Aki", "Bea B", "Cyr", "Dai")


def test_who_sat_down_in_the_game_on_the_table_is_known_in_the_next() -> None:
    journal = Journal()
    box = press(new_box(journal), "1 1 C 2 # C 3 # # # h#")
    press(box, key_of(box, "Settings"))
    press(box, key_of(box, "Names"))
    assert "Names | > A | D |" in says(box)


# Boards with few keys


@pytest.mark.parametrize("board", [BUTTONS, JOYSTICK])
def test_names_are_renamed_hidden_and_found_with_few_keys(board: KeyLayout) -> None:
    journal = played(FOUR)
    clock = FixedClock()
    box = Box(journal, Outputs(MemoryPanel(), clock), clock, board=board)
    for label in ("Settings", "Names", "Bea", "Rename"):
        turn_to(box, key_of(box, label))
    for keys in ("*", "letter b", "#", "1", "2"):
        turn_to(box, keys)
    assert "Aki hidden" in says(box)
    for keys in ("*", "*", key_of(new_box(journal), "New game"), "1", "C", "letter B", "C"):
        turn_to(box, keys)
    assert "Seat 2: who? Beb" in says(box)


# Typing


def typed(keys: str) -> TypedName:
    name = TypedName()
    for key in keys.replace(" ", ""):
        name = name.press(Key(key)) or name
    return name


@pytest.mark.parametrize(
    ("keys", "known", "offered"),
    [
        ("22", "Aki Béatrice Cyr", "Béatrice"),
        ("2", "Cyr Béatrice Aki", "Aki Cyr Béatrice"),  # letters count before keys: C is on the same key as A
        ("22 33", "Bea béatrice Cyr", "Bea béatrice"),
        ("2 3", "Cyr Bea Ada Émile", "Ada Bea"),
        ("2 3 2", "Bea Beatrice Cyr", "Bea Beatrice"),
        ("6 444", "Мира Olga", "Мира"),  # found by its sound
        ("6 44 4 D 4", "Nhi Mia", ""),
        ("666 33", "Œnone Odo", "Œnone"),
        ("5 33 2 66 11", "Jean-Luc", "Jean-Luc"),
        (f"{KANA} 6 999", "はるな ハルト 春菜", "はるな ハルト"),
        (f"{KANA} 6 9 5", "はるな はると", "はるな"),
        (f"{KATAKANA} 2 9", "がら 春菜", "がら"),
        ("6 9 5", "はるな Nyl", "はるな Nyl"),
        ("2 3 * 3 2", "Bea", "Bea"),
        ("2 3 D * 3 2", "Bea", "Bea"),
        ("22 D 33 * *", "Bea", ""),
        ("", "Aki", ""),
        ("0", "Aki", ""),
        ("2", "Ab Ac Ad Ae", "Ab Ac Ad"),
        ("7777", "Straße Sam", "Straße Sam"),
    ],
)
def test_known_names_are_offered_while_one_is_typed(keys: str, known: str, offered: str) -> None:
    assert matching(typed(keys), known.split()) == tuple(offered.split())


def test_a_known_name_is_taken_with_one_key() -> None:
    journal = played(("Aki", "Béatrice"))
    box = press(new_box(journal), "2 1 C 22")
    assert "Béatrice" in says(box)
    assert box.frame.labels["C"] == "Béatrice"
    press(box, "C")
    assert "Seat 2: who? Béatrice" in says(box)


def test_a_player_without_a_name_is_called_by_the_seat() -> None:
    box = press(new_box(played(("Aki", "Bea"))), "2 1 2")
    assert "Seat 2: who? Aki | > Aki·Bea | Aki 1 | Bea | P2 no name |" in says(box)


def test_names_in_latin_letters_and_kana_are_found_without_the_tables_of_other_scripts() -> None:
    finding = "matching(TypedName('B'), ['Béa', 'がら', '春菜'])"
    program = f"""import sys
from companion.ui.screens.name_matching import TypedName, matching
print({finding}, 'anyascii' in sys.modules)"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said == "('Béa',) False\n"


def test_who_sits_already_or_is_hidden_is_not_found() -> None:
    journal = played(("Aki", "Bea", "Bob"))
    named(at_names(journal), "Bob", "2")
    box = new_box(journal)
    press(box, key_of(box, "New game") + "1")
    press(box, key_of(box, "Bea") + "C 22")
    assert "Bea" not in box.frame.words[1:]
    assert "C" not in box.frame.labels
    assert "C types nothing here" in says(press(box, "C"))


LETTERS = [letter for _name, rows in ALPHABETS for row in rows.values() for letter in row if letter.isalpha()]


@given(st.text(st.sampled_from(LETTERS), min_size=1, max_size=20))
def test_every_name_is_found_by_the_keys_its_letters_lie_on(name: str) -> None:
    of = {letter: key for _name, rows in reversed(ALPHABETS) for key, row in rows.items() for letter in row}
    keys = [of[letter] for letter in name]
    tapped = "D".join(keys)  # each pressed once: as letters, they read differently
    assert matching(typed(tapped), [name]) == (name,)


@given(st.text(min_size=1, max_size=20), st.text(max_size=5))
def test_looking_for_a_name_never_fails_whatever_the_script(name: str, begun: str) -> None:
    assert matching(TypedName(begun), [name]) in ((), (name,))
    if name.strip():
        assert matching(TypedName(name), [name]) in ((), (name,))


# Names written on a page


def test_a_written_name_takes_the_seat_at_once() -> None:
    journal = Journal()
    box = press(new_box(journal), "1 1")
    assert box.frame.expected_text == "Name of seat 1"
    box.write(" Зоя ")
    assert "Seat 2: who? Зоя" in says(box)
    press(box, "C 2")
    box.write("春菜")
    press(box, "# #")
    assert players(journal) == ("Зоя", "春菜")
    assert box.frame.expected_text == ""


def test_a_written_name_is_kept_in_the_composed_form() -> None:
    journal = Journal()
    box = press(new_box(journal), "1 1")
    box.write("E\u0301va")
    box.write("e\u0301VA")
    assert "éVA already has a seat" in says(box)
    box.write("👩\u200d🚀" * 20)
    press(box, "# #")
    assert players(journal) == ("Éva", "👩\u200d🚀" * 20)


def test_a_name_of_an_older_game_is_the_same_in_either_form() -> None:
    journal = played(("E\u0301va", "Bea"), ("Éva", "Bea"))
    assert "Names | > Éva | Bea |" in says(at_names(journal))
    box = new_box(journal)
    press(box, key_of(box, "New game") + "1")
    assert "> Éva·Bea | Éva | Bea | P1" in says(box)


def test_an_emoji_is_deleted_as_a_whole_and_counts_as_one_letter() -> None:
    journal = played(("👩\u200d🚀" * 19, "Bea"))
    box = at_names(journal)
    press(box, "1 1 2 D 2")
    assert "A name has 1 to 20 characters" in says(box)
    press(box, "* * 2 #")
    named(at_names(journal), "Bea", "1").write("Béa")
    assert ("👩\u200d🚀" * 18 + "a") in says(at_names(journal))


def test_a_written_name_renames() -> None:
    journal = played(("Aki", "Bea"))
    box = named(at_names(journal), "Bea", "1")
    assert box.frame.expected_text == "New name of Bea"
    box.write("Béa")
    assert "Bea is now Béa" in says(box)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "A name has 1 to 20 characters"),
        ("x" * 21, "A name has 1 to 20 characters"),
        ("a\x07b", "A name has a character that cannot be shown"),
        ("\u200b\u200b", "A name has a character that cannot be shown: U+200B"),
        ("Bea\u200e", "A name has a character that cannot be shown: U+200E"),
        ("e" + "\u0301" * 81, "A name has up to 80 code points"),
        ("aki", "aki already has a seat"),
    ],
)
@pytest.mark.parametrize("keys", ["", "C 2"])
def test_a_written_name_nobody_can_have_is_refused(text: str, why: str, keys: str) -> None:
    box = press(new_box(), "1 1 C 2 55 444 #" + keys)
    before = box.frame.expected_text
    box.write(text)
    assert why in says(box)
    assert box.frame.expected_text == before
    assert ("| A |" in says(box)) == bool(keys)


def test_a_name_nobody_asked_for_is_refused() -> None:
    box = playing("1")
    box.write("Aki")
    assert "No name is asked for now" in says(box)
    assert box.lines == 1


def test_a_written_name_counts_even_if_the_panel_slept() -> None:
    clock = FixedClock()
    box = Box(Journal(), Outputs(MemoryPanel(), clock, timeouts=PanelTimeouts()), clock)
    press(box, "1 1")
    clock.let_pass(1000)
    box.outputs.tick()
    slept = box.outputs.asleep
    box.write("Aki")
    assert (slept, box.outputs.asleep) == (True, False)
    assert "Seat 2: who? Aki" in says(box)


def test_names_from_the_page_come_in_order_with_the_keys() -> None:
    clock = FixedClock()
    box = new_box(clock=clock)
    inbox = SimpleQueue[Key | TypedAnswer | Stop]()
    for came in (Key("1"), Key("1"), TypedAnswer("Aki"), Key("C"), Key("2"), Key("#"), Stop()):
        inbox.put(came)
    run(box, inbox, clock)
    assert "Seat 3: who? Aki·A" in says(box)


# Changes of the list leave games unchanged


NAMES = st.sampled_from(["Aki", "Bea", "Cyr", "Béa", "春菜", "Zoé"])
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("rename"), NAMES, NAMES),
        st.tuples(st.just("hide"), NAMES, st.just("")),
        st.tuples(st.just("play"), NAMES, NAMES),
    ),
    max_size=12,
)


@settings(max_examples=examples(25))
@given(DEEDS)
def test_renaming_and_hiding_never_change_a_log_nor_confuse_two_people(deeds: list[tuple[str, str, str]]) -> None:
    journal = played(("Aki", "Bea", "Cyr"))
    for deed, one, other in deeds:
        before = [(saved, journal.lines(saved.name)) for saved in journal.games()]
        box = at_names(journal)
        known = [label for key, label in box.frame.labels.items() if key.isdigit()]
        if deed == "play" and one != other:
            played((one, other), journal=journal)
            before = [(saved, journal.lines(saved.name)) for saved in journal.games()]
        elif deed == "rename" and one in known:
            named(box, one, "1").write(other)
        elif deed == "hide" and one in known:
            named(box, one, "2")
        assert [(saved, journal.lines(saved.name)) for saved in journal.games()] == before
        listed = [label for key, label in at_names(journal).frame.labels.items() if key.isdigit()]
        assert len(listed) == len(set(map(str.casefold, listed)))
        assert len(new_box(journal).frame.words) > 2
    people = read(journal.setting("roster"))
    assert read(written(people)) == people


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_new_name_counts_for_the_games_there_were(games: int, game: int) -> None:
    people = People().rename("Aki", "Ada", games)
    assert people.now("AKI", game) == ("Ada" if game <= games else "AKI")
    assert people.rename("Ada", "Aki", games).now("Aki", game) == "Aki"


def test_the_way_back_from_the_rules_leads_to_the_last_seat_also_where_it_has_no_name() -> None:
    box = press(new_box(), "1 1 11111")
    assert "P1·P2·P3·P4·P5" in says(box)
    press(box, "*")
    assert "Seat 5: who? P1·P2·P3·P4" in says(box)
    assert "> P5" in says(box)


def test_a_table_plays_again_at_the_level_of_detail_of_its_set_up() -> None:
    journal = played(("Aki", "Bea"))
    journal.track(name_of(journal), DetailLevel.QUICK.value)
    box = new_box(journal)
    press(box, key_of(box, "Play again: Eternity") + "#")
    assert journal.games()[0].tracking == "full"
    assert json.loads(journal.games()[0].header)["players"] == ["Aki", "Bea"]
