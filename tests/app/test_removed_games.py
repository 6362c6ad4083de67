"""Games are removed and brought back from the list; unstarted ones vanish by themselves, or are set up anew."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.text import Text
from companion.journal import Journal, JournalError
from companion.ui.screens.removed_games import BringBackScreen, PutAwayScreen
from companion.ui.screens.setup import RulesScreen
from companion.ui.view import ListBody
from tests.app.boxes import FOUR, key_of, new_box, playing, press, says
from tests.app.finished_games import played, random_log

PUT_AWAY = "C"


def with_games(*players: tuple[str, ...]) -> Journal:
    """Return a journal with a game of each of these tables."""
    journal = Journal()
    for table in players:
        press(playing("1", table, journal=journal), "h#8")
    return journal


def test_the_game_that_a_second_press_would_put_away_is_marked() -> None:
    box = new_box(with_games(FOUR, ("Eve", "Ida")))
    press(box, f"{key_of(box, 'All games')} {PUT_AWAY} 2")
    body = box.view().body
    assert isinstance(body, ListBody)
    assert body.chosen == 1


def test_a_game_is_put_away_after_a_second_press_and_brought_back_from_the_same_menu() -> None:
    journal = with_games(FOUR, ("Eve", "Ida"))
    box = new_box(journal)
    press(box, f"{key_of(box, 'All games')} {PUT_AWAY} 1")
    assert box.words() == "Choose Eternity again to remove it"
    assert len(journal.names()) == 2
    press(box, "1")
    assert box.words() == "Eternity is removed"
    assert [saved.header for saved in journal.games()] == [json.dumps(header(FOUR), separators=(",", ":"))]
    assert "Eve" not in says(box)
    assert isinstance(box._state.screen, PutAwayScreen)
    assert "Eve" in says(press(box, "1"))
    assert isinstance(box._state.screen, BringBackScreen)
    press(box, "1")
    assert box.words() == "Eternity is back in the list"
    assert len(journal.names()) == 2


def test_the_second_press_must_be_on_the_same_game_not_on_one_of_the_same_title() -> None:
    journal = with_games(FOUR, ("Eve", "Ida"))
    box = new_box(journal)
    press(box, f"{key_of(box, 'All games')} {PUT_AWAY} 1 2")
    assert box.words() == "Choose Eternity again to remove it"
    assert len(journal.names()) == 2
    press(box, "2")
    assert box.words() == "Eternity is removed"
    assert [saved.header for saved in journal.games()] == [json.dumps(header(("Eve", "Ida")), separators=(",", ":"))]


def header(players: tuple[str, ...]) -> dict[str, object]:
    return {"format": 1, "game": "eternity", "players": players, "rules": {}}


def test_who_only_played_in_a_game_that_was_put_away_is_no_regular() -> None:
    journal = with_games(FOUR, ("Eve", "Ida"))
    box = new_box(journal)
    assert "Ida" in box._context.everybody
    press(box, f"{key_of(box, 'All games')} {PUT_AWAY} 1 1 h*")
    assert "Ida" not in box._context.everybody
    assert "Go on: Eternity R1 Aki" in says(box)


def test_the_last_game_that_was_put_away_can_still_be_brought_back() -> None:
    journal = with_games(FOUR)
    box = new_box(journal)
    press(box, f"{key_of(box, 'All games')} {PUT_AWAY} 1 1 h*")
    assert journal.names() == []
    press(box, f"{key_of(box, 'All games')} {PUT_AWAY} 1 1 h*")
    assert "Go on" in says(box)


def test_a_disk_that_refuses_is_told_and_the_game_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = with_games(FOUR)
    box = new_box(journal)

    def refuse(_name: str) -> None:
        raise JournalError(Text("the disk fails"))

    monkeypatch.setattr(journal, "put_away", refuse)
    press(box, f"{key_of(box, 'All games')} {PUT_AWAY} 1 1")
    assert box.words() == "The disk fails"
    assert len(journal.names()) == 1
    press(box, "h* 1 1 1 h#8")  # a game without an entry stays, too, if the disk refuses
    assert len(journal.names()) >= 1


def test_a_game_without_an_entry_is_gone_when_another_begins() -> None:
    journal = Journal()
    press(playing("", journal=journal), "h#8")
    press(playing("1 *", journal=journal), "h#8")  # its only entry was taken back
    box = playing("1", journal=journal)
    assert box.game is not None
    assert journal.names() == [box.game.name]
    press(box, "h#8")
    playing("", journal=journal)
    assert len(journal.names()) == 2


def test_before_the_first_entry_back_leads_into_the_set_up_with_everything_kept() -> None:
    journal = Journal()
    box = playing("", journal=journal, edition="fr", ending={"target": 25})
    assert box.frame.labels["*"] == "set-up"
    press(box, "*")
    assert isinstance(box._state.screen, RulesScreen)
    assert "French" in says(box)
    assert "25" in says(box)
    again = new_box(journal)  # the plug was pulled
    assert isinstance(again._state.screen, RulesScreen)
    press(again, "#")
    assert again.game is not None
    assert again.game.session.header.players == FOUR
    assert journal.names() == [again.game.name]


def test_the_players_can_be_chosen_anew_from_there() -> None:
    box = press(playing(), "* *")
    assert "Seat 4: who?" in says(box)


def test_while_an_entry_can_be_taken_back_it_is() -> None:
    box = press(playing("1"), "*")
    assert box.game is not None
    assert "Took back" in says(box)


# The command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    played(tmp_path, random_log("gear", 1), random_log("hipparchus", 2))
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], folder: Path, words: str) -> str:
    """Return what the command prints."""
    assert main(["remove", "--data", str(folder), *words.split()]) == 0
    return capsys.readouterr().out


def test_the_command_puts_away_lists_brings_back_and_deletes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = sorted(file.stem for file in (folder / "games").iterdir())
    assert told(capsys, folder, "1") == f"{names[0]} is removed; companion remove --back brings it back\n"
    assert told(capsys, folder, "--list").startswith("  1  ")
    with closing(Journal(folder)) as journal:
        assert journal.names() == [names[1]]
    assert told(capsys, folder, "--back 1") == f"{names[0]} is back\n"
    told(capsys, folder, f"{names[0]} 2")
    assert told(capsys, folder, "--empty --yes") == "2 games deleted\n"
    assert told(capsys, folder, "--empty") == "no game was removed\n"
    assert not [*folder.glob("removed/*/*")]


@pytest.mark.parametrize(("answer", "sentence"), [("y", "1 game deleted"), ("", "nothing is deleted")])
def test_the_command_asks_before_it_deletes(
    answer: str, sentence: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told(capsys, folder, "1")
    monkeypatch.setattr(
        "companion.cli.remove_games.agreed", lambda question: question.startswith("Delete") and answer == "y"
    )
    assert told(capsys, folder, "--empty") == f"{sentence}\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "which game?"),
        (["9"], "there is no game 9"),
        (["--back", "1"], "there is no game that was removed"),
    ],
)
def test_the_command_refuses_with_a_sentence(
    words: list[str], sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["remove", "--data", str(folder), *words]) == 1
    assert sentence in capsys.readouterr().err


def test_every_row_of_a_long_list_has_a_number_though_one_row_leads_to_removed_games() -> None:
    journal = with_games(*((f"A{number}", f"B{number}") for number in range(12)))
    box = new_box(journal)
    press(box, f"{key_of(box, 'All games')} {PUT_AWAY} 1 1")
    body = box.view().body
    assert isinstance(body, ListBody)
    assert [text for text, _day in body.rows][::9] == ["Bring back", "Older games"]
    press(box, "0")  # the tenth row
    assert box._state.screen.page == 1  # type: ignore[attr-defined]
    body = press(box, "*").view().body
    assert isinstance(body, ListBody)
    assert body.rows[body.chosen][0] == "Older games"
