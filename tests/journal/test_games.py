"""Games, settings and drafts: written values are read again, on disk and in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import Journal, JournalError, StoredGame, chain

from .folders import Files, laid, texts
from .recorded import Teller, Told, evening

Open = Callable[[], Journal]
HEADER = '{"format":1,"game":"gear","players":["Aki","Bea"]}'


@pytest.fixture(params=["disk", "memory"])
def open_journal(request: pytest.FixtureRequest, place: Path) -> Iterator[Open]:
    """Return a function that opens a journal; on disk it opens it anew each time."""
    journals = [Journal() if request.param == "memory" else Journal(place / "box")]

    def opened() -> Journal:
        if request.param == "disk":
            journals[-1].close()
            journals.append(Journal(place / "box"))
        return journals[-1]

    yield opened
    journals[-1].close()


def test_a_new_journal_is_empty(open_journal: Open) -> None:
    journal = open_journal()
    assert (journal.games(), journal.names(), journal.unsaved(), journal.fault) == ([], [], 0, None)
    assert (journal.setting("sounds"), journal.open_game(), journal.draft(None)) == (None, None, "")
    assert not journal.check_next()
    assert journal.save()
    assert journal.notices == []


def test_an_evening_is_read_as_it_was_written(open_journal: Open) -> None:
    teller = Teller(open_journal())
    games = evening(teller)
    journal = open_journal()
    assert [saved.name for saved in journal.games()] == games[::-1]
    assert {game: [journal.saved(game).header, *journal.lines(game)] for game in games} == teller.told.games
    assert (journal.setting("sounds"), journal.setting("roster")) == ("on", '["Aki","Bea","Élodie","あき"]')
    assert journal.open_game() == games[-1]
    assert journal.draft(games[-1]) == "345"
    assert [saved.over for saved in journal.games()] == [False, True, True]
    assert journal.unsaved() == 0


def test_a_game_is_listed_with_all_that_is_known_of_it(open_journal: Open) -> None:
    journal = open_journal()
    name = journal.name_for("gear")
    journal.begin(name, HEADER, "round", 1_700_000_000.5)
    journal.append(name, '{"type":"start","player":0}', now=2.0, tracking="full", keys="1#", over=True)
    assert open_journal().games() == [
        StoredGame(name, 1, HEADER, "full", True, 1, 1_700_000_000.5, first_tracking="round")
    ]
    open_journal().append(name, '{"type":"undo"}', now=3.0, tracking="full")
    assert open_journal().saved(name) == StoredGame(
        name, 1, HEADER, "full", False, 2, 1_700_000_000.5, first_tracking="round"
    )


def test_games_are_numbered_from_one_and_named_by_a_word_and_a_random_id(open_journal: Open) -> None:
    names = []
    for kind in ("gear", "east-rune", "gear"):
        journal = open_journal()
        names.append(journal.name_for(kind))
        assert journal.names() == names[:-1]
        journal.begin(names[-1], HEADER, "full", 0.0)
        assert journal.names() == names
    assert [re.sub("[0-9a-f]{8}$", "", name) for name in names] == ["000001-gear-", "000002-east-rune-", "000003-gear-"]
    assert [saved.number for saved in journal.games()] == [3, 2, 1]
    assert len({name[-8:] for name in names}) == 3


def test_a_game_that_is_not_there_cannot_be_read(open_journal: Open) -> None:
    journal = open_journal()
    for read in (journal.lines, journal.saved):
        with pytest.raises(JournalError, match="there is no game 7"):
            read("000007-gear-0123abcd")


def test_how_closely_a_game_is_followed_is_kept_until_the_next_line(open_journal: Open) -> None:
    teller = Teller(open_journal())
    game = teller.begin(tracking="full")
    assert open_journal().saved(game).tracking == "full"
    open_journal().track(game, "quick")
    assert open_journal().saved(game).tracking == "quick"
    assert open_journal().games()[0].tracking == "quick"
    open_journal().append(game, "{}", now=0.0, tracking="round")
    assert open_journal().saved(game).tracking == "round"


def test_a_draft_is_of_a_game_and_its_last_line(open_journal: Open) -> None:
    teller = Teller(open_journal())
    game, other = teller.begin(), teller.begin()
    open_journal().keep_draft(game, "12")
    assert open_journal().draft(game) == "12"
    assert open_journal().open_game() is None
    assert (open_journal().draft(other), open_journal().draft(None)) == ("", "")
    open_journal().track(game, "quick")
    assert open_journal().draft(game) == "12"
    open_journal().append(game, "{}", now=0.0, tracking="full")
    assert open_journal().draft(game) == ""


def test_each_game_keeps_its_draft_and_how_it_is_followed(open_journal: Open) -> None:
    teller = Teller(open_journal())
    games = [teller.begin() for _ in range(3)]
    for number, game in enumerate(games):
        open_journal().keep_draft(game, str(number))
        open_journal().track(game, "quick")
    open_journal().keep_draft(None, "2#")
    for number in range(400):  # more than the file of drafts may hold
        open_journal().keep_draft(games[0], str(number))
    journal = open_journal()
    assert [journal.draft(game) for game in (None, *games)] == ["2#", "399", "1", "2"]
    assert {saved.tracking for saved in journal.games()} == {"quick"}


def test_keys_typed_while_no_game_is_open_are_kept(open_journal: Open) -> None:
    open_journal().keep_draft(None, "2#4", sync=True)
    assert open_journal().draft(None) == "2#4"
    assert open_journal().open_game() is None


def test_a_game_is_left_and_entered(open_journal: Open) -> None:
    teller = Teller(open_journal())
    game = teller.begin()
    for left_in in (game, game, None, None, game):
        open_journal().set_open_game(left_in)
        assert open_journal().open_game() == left_in
    open_journal().keep_draft(game, "12")
    open_journal().set_open_game(None)
    assert open_journal().draft(game) == "12"


def test_many_keys_and_settings_are_kept_in_small_files(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        teller = Teller(journal)
        game = teller.begin()
        teller.leave_in(game)
        for number in range(2000):
            teller.keep_draft(game, str(number))
            teller.keep_setting("sounds", "on" if number % 2 else "off")
    assert (place / "box" / "typed.jsonl").stat().st_size < 100_000
    with closing(Journal(place / "box")) as journal:
        assert journal.open_game() == game
        assert journal.draft(game) == "1999"
        assert journal.setting("sounds") == "on"


def test_lines_hold_any_text(open_journal: Open) -> None:
    teller = Teller(open_journal())
    game = teller.begin(players=("Ŝélodie", "あき 🎴"))
    lines = ['{"a":"\u2028\x7f\x85é"}', "", " ", "x" * 100_000, '{"name":"\ufeff\ufffd"}']
    for line in lines:
        teller.append(game, line, keys="A é")
    assert open_journal().lines(game) == lines
    assert open_journal().saved(game).header == teller.told.games[game][0]


def test_the_first_column_of_a_file_is_the_log(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    for game, lines in told.games.items():
        for folder in ("games", "copies"):
            content = files[f"{folder}/{game}.jsonl"]
            assert texts(content, game[-8:].encode()) == lines
            assert len(content) % 16384 == 0


def test_a_note_tells_when_and_how_a_line_was_entered(place: Path) -> None:
    with closing(Journal(place)) as journal:
        name = journal.name_for("gear")
        journal.begin(name, HEADER, "full", 12.5)
        journal.append(name, "{}", now=13.0, tracking="quick", keys="12A", over=True)
    lines = (place / "games" / f"{name}.jsonl").read_bytes().split(b"\n")
    assert [json.loads(line.split(b"\t")[1]) for line in lines[:2]] == [
        {"at": 12.5, "tracking": "full"},
        {"at": 13.0, "tracking": "quick", "keys": "12A", "over": True},
    ]


def test_notes_and_records_of_other_programs_are_read_as_far_as_they_are_known(place: Path) -> None:
    note = {"at": "yesterday", "by": "another program"}
    name = "000004-gear-0123abcd"
    seed, content = name[-8:].encode(), b""
    for line in (HEADER, "{}"):
        content += chain.chained(seed, line, note)
        seed = chain.check(content)
    draft = chain.chained(b"draft", '{"name":"draft","value":{"game":5,"unheard":"of"}}', {})
    settings = chain.chained(b"settings", '{"name":"sounds","value":{"loud":1}}', {})
    laid(place / "box", {f"games/{name}.jsonl": content, "draft.jsonl": draft, "settings.jsonl": settings})
    with closing(Journal(place / "box")) as journal:
        assert journal.games() == [StoredGame(name, 4, HEADER, "", False, 1, 0.0)]
        assert (journal.setting("sounds"), journal.open_game(), journal.draft(None)) == (None, None, "")
        assert journal.notices == []


def test_files_of_other_names_are_not_games(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    game = next(iter(told.games))
    content = files[f"games/{game}.jsonl"]
    strange = ("x", f"{game}.sync-conflict-1", f"{game}.jsonl", "1-gear-0123abcd", "000001-GEAR-0123abcd", ".tmp")
    box = laid(place / "box", {**files, **{f"games/{name}.jsonl": content for name in strange if name != game}})
    with closing(Journal(box)) as journal:
        assert journal.names() == sorted(told.games)
        journal.check_all()
        assert journal.notices == []
    assert all((box / "games" / f"{name}.jsonl").read_bytes() == content for name in strange)


def test_when_each_line_was_written_is_known(open_journal: Open) -> None:
    name = open_journal().name_for("gear")
    open_journal().begin(name, HEADER, "full", 1.5)
    for moment in (2.0, 0.0):
        open_journal().append(name, '{"type":"undo"}', now=moment, tracking="full")
    assert [at for _line, at in open_journal().timed_lines(name)] == [1.5, 2.0, 0.0]
    with pytest.raises(JournalError):
        open_journal().timed_lines("000099-gear-00000000")


def test_a_journal_in_memory_has_no_games_of_the_folder_where_the_program_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("games", "removed/games"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "000007-eternity-7f3a9c21.jsonl").touch()
    monkeypatch.chdir(tmp_path)
    assert (Journal().names(), Journal().removed_names()) == ([], [])
