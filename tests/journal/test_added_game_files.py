"""The files of added games: their names, what may be in them, and their way through a backup."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from companion.journal import JournalError, added_game_files
from companion.journal.backup import restore, write_backup

from .test_backup import forged

GAME = b'name = "whist-of-ours"\n'


def folder(place: Path) -> Path:
    return place / "box" / added_game_files.FOLDER


@pytest.fixture
def box(place: Path) -> Path:
    added_game_files.write(folder(place) / "whist-of-ours.toml", GAME)
    return place / "box"


def backup_with(place: Path, name: str, content: bytes) -> Path:
    return forged(place / "all.zip", [(name, content)])


def test_only_files_with_the_name_of_a_game_are_listed(place: Path, box: Path) -> None:
    for name in ("Notes.toml", "notes.txt", "-.toml", f"{'a' * 41}.toml", ".toml"):
        (folder(place) / name).write_bytes(GAME)
    assert added_game_files.names(folder(place)) == ("whist-of-ours",)
    assert added_game_files.names(place / "nothing") == ()


def test_a_file_is_read_as_text(place: Path, box: Path) -> None:
    file = folder(place) / "whist-of-ours.toml"
    file.write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    assert added_game_files.read(file) == "a = 1\nb = 2\n"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "it cannot be read: No such file or directory"),
        (b"\xff", "it is no text in UTF-8"),
        (b"#" * 240_001, "it is larger than 240000 bytes"),
    ],
)
def test_what_is_no_text_of_a_game_is_refused(place: Path, content: bytes | None, fault: str) -> None:
    file = place / "game.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(JournalError, match=fault):
        added_game_files.read(file)


def test_links_and_pipes_are_not_read(place: Path) -> None:
    os.mkfifo(place / "pipe.toml")
    (place / "link.toml").symlink_to("/etc/hostname")
    for name in ("pipe", "link"):
        with pytest.raises(JournalError, match="it is no file, but a link, a folder or a device"):
            added_game_files.read(place / f"{name}.toml")


def test_a_backup_has_the_files_of_added_games(place: Path, box: Path) -> None:
    (folder(place) / "link.toml").symlink_to("/etc/hostname")
    written = write_backup(box, place / "all.zip")
    assert (written.game_files, written.unreadable, written.damaged) == (["whist-of-ours"], ["link.toml"], 1)
    assert restore(place / "new", place / "all.zip").game_files == ["whist-of-ours"]
    file = place / "new" / added_game_files.FOLDER / "whist-of-ours.toml"
    assert (file.read_bytes(), file.stat().st_mtime) == (GAME, 0)  # its rules did not change when it was restored
    again = restore(place / "new", place / "all.zip")
    assert (again.game_files, again.other_rules) == ([], [])


@pytest.mark.parametrize("linked", [False, True])
def test_a_restore_keeps_the_rules_that_are_there(place: Path, box: Path, linked: bool) -> None:
    write_backup(box, place / "all.zip")
    file, other = folder(place) / "whist-of-ours.toml", place / "other"
    other.write_bytes(b"# other rules\n")
    file.unlink()
    file.symlink_to(other) if linked else file.write_bytes(other.read_bytes())
    assert restore(box, place / "all.zip").other_rules == ["whist-of-ours"]
    assert file.read_bytes() == other.read_bytes() == b"# other rules\n"


@pytest.mark.parametrize(
    "name",
    [
        "added-games/../settings.toml",
        "added-games/../../etc/passwd.toml",
        "added-games//etc/passwd.toml",
        "/added-games/x.toml",
        "added-games/X.toml",
        "added-games/.toml",
        "added-games/x.toml\n",
        "added-games/x/y.toml",
        "added-games/x.jsonl",
        "games/x.toml",
    ],
)
def test_a_backup_with_a_name_that_leads_elsewhere_is_refused(place: Path, name: str) -> None:
    with pytest.raises(JournalError, match="holds something that is not of a journal"):
        restore(place / "new", backup_with(place, name, GAME))
    assert not (place / "new").exists()


@pytest.mark.parametrize("content", [b"", b"\xff", b"#" * 240_001])
def test_a_backup_with_what_is_no_text_of_a_game_is_refused(place: Path, content: bytes) -> None:
    with pytest.raises(JournalError, match="holds something that is not of a journal"):
        restore(place / "new", backup_with(place, "added-games/x.toml", content))


def test_the_same_files_give_the_same_backup(place: Path, box: Path) -> None:
    write_backup(box, place / "one.zip")
    os.utime(folder(place) / "whist-of-ours.toml", (1, 1))
    write_backup(box, place / "two.zip")
    assert (place / "one.zip").read_bytes() == (place / "two.zip").read_bytes()
    with zipfile.ZipFile(place / "one.zip") as archive:
        assert archive.namelist() == ["added-games/whist-of-ours.toml"]
