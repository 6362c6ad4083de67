"""A backup of the whole journal, and restoring it: nothing is lost, nothing foreign gets in."""

from __future__ import annotations

import errno
import os
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import date
from hashlib import blake2b
from pathlib import Path

import pytest

from companion.app.machine.phones import SETTING
from companion.journal import Journal, JournalError, JournalInUseError, backup, disk
from companion.journal.backup import (
    REFUSED,
    WAITING,
    backup_to_drive,
    content_of_backup,
    restore,
    restore_waiting,
    write_backup,
)
from companion.journal.chain import chained, check
from companion.journal.mirrored_chain import Chain, LoadResult

from .backups import games_in
from .folders import Files, laid, taken


@pytest.fixture
def box(place: Path) -> Path:
    """Make a folder with three games, settings, imported plays and a draft."""
    folder = place / "box"
    with closing(Journal(folder)) as journal:
        journal.keep_setting("language", "fr")
        journal.keep_imported({"AB-1": {"game": "chess"}, "AB-2": {"game": "go"}})
        journal.keep_remark("AB-1", {"place": "Lyon"})
        for number in range(3):
            name = journal.name_for("gear")
            journal.begin(name, '{"game":"gear"}', "full", 5.5)
            for turn in range(number + 1):
                journal.append(name, f'{{"turn":{turn}}}', now=6.0, tracking="full", keys="1")
        journal.set_open_game(name)
    return folder


@pytest.fixture
def file(box: Path, place: Path) -> Path:
    write_backup(box, place / "all.zip")
    return place / "all.zip"


def chains(folder: Path) -> Files:
    """Return what counts in a folder: the chains, without reserved space."""
    named = ("games/", "settings", "imported", "remarks", "draft")
    return {name: content.rstrip(b"\0") for name, content in taken(folder).items() if name.startswith(named)}


def forged(
    file: Path, members: list[tuple[str, bytes]], change: Callable[[zipfile.ZipInfo], None] | None = None
) -> Path:
    """Write a file with the right digest and any content, as somebody may who means harm."""
    with zipfile.ZipFile(file, "w") as archive:
        archive.comment = b"companion backup 1 " + b"0" * 64
        for name, content in members:
            archive.writestr(name, content)
        if change is not None:
            change(archive.infolist()[0])
    return signed(file)


def signed(file: Path) -> Path:
    body = file.read_bytes()[:-64]
    file.write_bytes(body + blake2b(body, digest_size=32).hexdigest().encode())
    return file


def test_a_backup_restored_into_an_empty_folder_gives_the_same_chains(box: Path, file: Path, place: Path) -> None:
    restored = restore(place / "new", file)
    assert chains(place / "new") == chains(box)
    assert (len(restored.added), restored.extended, restored.same, restored.conflicting) == (3, [], [], [])
    with closing(Journal(place / "new")) as journal:
        assert (journal.notices, journal.setting("language")) == ([], "fr")
        assert [game.lines for game in journal.games()] == [3, 2, 1]
        assert journal.imported() == {"AB-1": {"game": "chess"}, "AB-2": {"game": "go"}}
        assert journal.remarks() == {"AB-1": {"place": "Lyon"}}
        assert journal.open_game() == journal.names()[-1]


def test_places_and_notes_that_are_others_here_stay_and_are_told(box: Path, file: Path) -> None:
    assert restore(box, file).other_notes == []
    with closing(Journal(box)) as journal:
        journal.keep_remark("AB-1", {"place": "Rome"})
    assert restore(box, file).other_notes == ["AB-1"]
    with closing(Journal(box)) as journal:
        assert journal.remarks() == {"AB-1": {"place": "Rome"}}


def test_the_same_journal_gives_the_same_bytes(box: Path, file: Path) -> None:
    before = file.read_bytes()
    (box / "index.jsonl").unlink()
    write_backup(box, file)
    assert file.read_bytes() == before
    assert games_in(file) == sorted(path.stem for path in (box / "games").iterdir())


def test_a_backup_changes_nothing_while_a_box_uses_the_folder(box: Path, place: Path) -> None:
    with closing(Journal(box)) as journal:
        before = taken(box)
        journal.append(journal.names()[0], '{"turn":9}', now=7.0, tracking="full")
        lines = sum(content.count(b"\n") for name, content in taken(box).items() if name.startswith("games"))
        assert len(write_backup(box, place / "now.zip").games) == 3
        assert taken(box).keys() == before.keys()
    restore(place / "new", place / "now.zip")
    assert sum(content.count(b"\n") for name, content in chains(place / "new").items() if "games" in name) == lines


def test_a_line_that_is_not_whole_yet_is_not_in_the_backup(box: Path, place: Path) -> None:
    game = sorted((box / "games").iterdir())[0]
    whole = game.read_bytes().rstrip(b"\0")
    game.write_bytes((whole + b'{"turn":').ljust(16384, b"\0"))
    write_backup(box, place / "now.zip")
    restore(place / "new", place / "now.zip")
    assert chains(place / "new")[f"games/{game.name}"] == whole


def test_a_game_that_cannot_be_read_is_named_and_the_others_are_saved(box: Path, place: Path) -> None:
    game = sorted((box / "games").iterdir())[1]
    game.write_bytes(b"gone")
    (box / "copies" / game.name).unlink()
    written = write_backup(box, place / "now.zip")
    assert (written.unreadable, len(written.games)) == ([game.stem], 2)


def test_a_disk_that_fails_is_no_reason_to_save_nothing(
    box: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(_: Chain) -> LoadResult:
        raise OSError(errno.EIO, "failing")

    monkeypatch.setattr(Chain, "load", load)
    written = write_backup(box, place / "now.zip")
    assert written.unreadable[:4] == ["settings", "imported", "remarks", "draft"]
    assert (len(written.unreadable), written.damaged) == (7, 7)


def test_a_game_that_lost_lines_is_named_and_the_rest_of_it_is_saved(box: Path, place: Path) -> None:
    shorten(box)
    written = write_backup(box, place / "now.zip")
    assert (len(written.games), written.unreadable, written.shortened) == (3, [], [written.games[2]])
    assert written.damaged == 1


def shorten(box: Path) -> None:
    """Damage the last line of the third game, in both files."""
    for folder in ("games", "copies"):
        game = sorted((box / folder).glob("000003*"))[0]
        rows = game.read_bytes().rstrip(b"\0").splitlines(keepends=True)
        game.write_bytes(b"".join(rows[:-1]) + rows[-1].replace(b"turn", b"torn"))


def test_a_backup_cut_anywhere_or_changed_at_any_byte_is_refused_and_touches_nothing(file: Path, place: Path) -> None:
    whole = file.read_bytes()
    broken = place / "broken.zip"
    for at in range(len(whole)):
        for content in (whole[:at], whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]):
            broken.write_bytes(content)
            with pytest.raises(JournalError, match=r"is no backup, or it is damaged: nothing was restored$"):
                restore(place / "new", broken)
    broken.write_bytes(whole + b"\0")
    with pytest.raises(JournalError, match="is no backup"):
        restore(place / "new", broken)
    assert not (place / "new").exists()


ROW = chained(b"7f3a9c21", "{}", {})
GAME = "000001-gear-7f3a9c21.jsonl"


@pytest.mark.parametrize(
    "name",
    [
        "../games/" + GAME,
        "games/../" + GAME,
        "/games/" + GAME,
        "games\\" + GAME,
        "games//" + GAME,
        "copies/" + GAME,
        GAME,
        "games/" + GAME + "\n",
        "games/1-gear-7f3a9c21.jsonl",
        "games/",
        "settings",
        "../settings.jsonl",
        "games/settings.jsonl",
        "index.jsonl",
        "journal.db",
    ],
)
def test_a_foreign_name_is_refused(name: str, place: Path) -> None:
    with pytest.raises(JournalError, match="holds something that is not of a journal"):
        restore(place / "new", forged(place / "f.zip", [("games/" + GAME, ROW), (name, ROW)]))
    assert sorted(path.name for path in place.iterdir()) == ["f.zip"]


@pytest.mark.parametrize("folder", ["/", "./", "games/", "removed/"])
def test_settings_stand_in_no_folder_of_a_backup(folder: str, place: Path) -> None:
    settings = chained(b"settings", '{"name":"sounds","value":"off"}', {})
    assert games_in(forged(place / "f.zip", [("settings.jsonl", settings)])) == []
    with pytest.raises(JournalError, match="holds something that is not of a journal"):
        games_in(forged(place / "f.zip", [(folder + "settings.jsonl", settings)]))


@pytest.mark.parametrize(
    "content", [b"", b"{}\n", ROW[:-1], ROW + ROW, ROW + b"\0" * 9, chained(b"7f3a9c22", "{}", {}), ROW + b"half"]
)
def test_a_chain_that_is_not_proved_is_refused(content: bytes, place: Path) -> None:
    with pytest.raises(JournalError, match="holds something that is not of a journal"):
        restore(place / "new", forged(place / "f.zip", [("games/" + GAME, content)]))
    assert not (place / "new").exists()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_the_same_name_twice_is_refused(place: Path) -> None:
    with pytest.raises(JournalError, match="not of a journal"):
        games_in(forged(place / "f.zip", [("games/" + GAME, ROW)] * 2))


def test_absurd_sizes_are_refused_before_they_are_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "MOST_BYTES", 10)
    with pytest.raises(JournalError, match="too large"):
        games_in(forged(place / "f.zip", [("games/" + GAME, ROW)]))
    monkeypatch.setattr(backup, "MOST_BYTES", 1000)
    monkeypatch.setattr(backup, "MOST_IN_ALL", 10)
    with pytest.raises(JournalError, match="too large"):
        games_in(forged(place / "f.zip", [("games/" + GAME, ROW)]))


@pytest.mark.parametrize("content", [b"PK", b"x" * 200])
def test_a_file_that_is_no_zip_is_refused_even_if_it_is_signed(content: bytes, place: Path) -> None:
    (place / "f.zip").write_bytes(content + b"companion backup 1 " + b"0" * 64)
    with pytest.raises(JournalError, match="is no backup"):
        games_in(signed(place / "f.zip"))


def test_an_encrypted_or_unknown_kind_of_zip_is_refused(place: Path) -> None:
    def encrypt(member: zipfile.ZipInfo) -> None:
        member.flag_bits |= 1

    file = forged(place / "f.zip", [("games/" + GAME, ROW)], encrypt)
    with pytest.raises(JournalError, match="is no backup"):
        games_in(file)


def test_no_more_is_unpacked_than_a_member_claims(place: Path) -> None:
    file = place / "f.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"companion backup 1 " + b"0" * 64
        archive.writestr("games/" + GAME, bytes(64 * 1024 * 1024))
    content = bytearray(file.read_bytes())
    for place_of_size in (22, content.rfind(b"PK\1\2") + 24):
        content[place_of_size : place_of_size + 4] = (1000).to_bytes(4, "little")
    file.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(JournalError, match="is no backup"):
            games_in(signed(file))
        assert tracemalloc.get_traced_memory()[1] < 8 * 1024 * 1024
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("line", [b"\n", b"x\n"])
def test_a_backup_is_checked_in_bounded_memory_up_to_the_first_wrong_line(line: bytes, place: Path) -> None:
    file = forged(place / "f.zip", [("games/" + GAME, line * (16 * 1024 * 1024))])
    tracemalloc.start()
    try:
        with pytest.raises(JournalError, match="not of a journal"):
            games_in(file)
        assert tracemalloc.get_traced_memory()[1] < 4 * 1024 * 1024
    finally:
        tracemalloc.stop()


def test_a_chain_of_very_many_lines_is_refused_and_not_written(
    box: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "MOST_LINES", 1)
    with pytest.raises(JournalError, match="not of a journal"):
        games_in(forged(place / "f.zip", [("games/" + GAME, ROW + chained(check(ROW), "{}", {}))]))
    with pytest.raises(JournalError, match="too large"):
        write_backup(box, place / "all.zip")


def test_a_list_of_very_many_files_is_refused_before_it_is_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "MOST_LISTED", 80)
    games = [(f"games/{number:06d}-gear-7f3a9c21.jsonl", ROW) for number in (1, 2)]
    assert len(games_in(forged(place / "f.zip", games[:1]))) == 1
    with pytest.raises(JournalError, match="too large"):
        games_in(forged(place / "f.zip", games))


def test_a_member_packed_in_another_way_is_refused(place: Path) -> None:
    file = place / "f.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_BZIP2) as archive:
        archive.comment = b"companion backup 1 " + b"0" * 64
        archive.writestr("games/" + GAME, ROW)
    with pytest.raises(JournalError, match="not of a journal"):
        games_in(signed(file))


def test_a_name_that_is_no_text_is_refused(place: Path) -> None:
    file = forged(place / "f.zip", [("games/" + GAME[:-1] + "é", ROW)])
    file.write_bytes(file.read_bytes().replace("é".encode(), b"\xff\xff"))
    with pytest.raises(JournalError, match="is no backup"):
        games_in(signed(file))


def test_a_game_with_an_absurd_number_gets_the_next_one(place: Path) -> None:
    absurd = "9" * 18 + GAME[6:]
    restored = restore(place / "new", forged(place / "f.zip", [("games/" + absurd, ROW)]))
    assert restored.added == [GAME.removesuffix(".jsonl")]
    assert restore(place / "new", place / "f.zip").same == restored.added
    with pytest.raises(JournalError, match="not of a journal"):
        games_in(forged(place / "g.zip", [("games/" + "9" * 19 + GAME[6:], ROW)]))


def test_a_backup_that_could_not_be_restored_is_not_written(
    box: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for most in ("MOST_BYTES", "MOST_IN_ALL"):
        with monkeypatch.context() as changed:
            changed.setattr(backup, most, 100)
            with pytest.raises(JournalError, match=r"jsonl is too large for a backup: none was written"):
                write_backup(box, place / "all.zip")
    assert sorted(path.name for path in place.iterdir()) == ["box"]


def test_paired_phones_are_in_no_backup(box: Path, place: Path) -> None:
    with closing(Journal(box)) as journal:
        journal.keep_setting("phones", "a secret's digest")
    write_backup(box, place / "all.zip")
    with zipfile.ZipFile(place / "all.zip") as archive:
        assert not [name for name in archive.namelist() if b"secret" in archive.read(name)]
    assert restore(place / "new", place / "all.zip").refused == []


def test_the_setting_of_paired_phones_is_the_one_that_is_left_out() -> None:
    assert {SETTING} == backup.PRIVATE


def test_paired_phones_of_an_old_or_hostile_backup_are_refused(box: Path, place: Path) -> None:
    row = chained(b"settings", '{"name":"phones","value":"mine"}', {})
    row += chained(row[-17:-1], '{"name":"sounds","value":"off"}', {})
    file = forged(place / "f.zip", [("settings.jsonl", row)])
    for folder in (box, place / "new"):
        assert restore(folder, file).refused == ["phones"]
        with closing(Journal(folder)) as journal:
            assert (journal.setting("phones"), journal.setting("sounds")) == (None, "off")


def test_a_backup_holds_each_setting_once(box: Path, place: Path) -> None:
    with closing(Journal(box)) as journal:
        for number in range(200):
            journal.keep_setting("roster", str(number))
    write_backup(box, place / "all.zip")
    with zipfile.ZipFile(place / "all.zip") as archive:
        assert archive.read("settings.jsonl").count(b"\n") == 2


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("all.zip"), None])
def test_what_is_no_file_is_refused_at_once(make: Callable[[Path], None] | None, file: Path, place: Path) -> None:
    other = Path("/dev/zero")
    if make is not None:
        other = place / "other"
        make(other)
    with pytest.raises(JournalError, match=r"is no file, but a link, a folder or a device: nothing was restored"):
        restore(place / "new", other)


def test_a_missing_backup_is_a_missing_file(file: Path, place: Path) -> None:
    with pytest.raises(FileNotFoundError):
        restore(place / "new", place / "none.zip")


def test_a_game_that_only_the_index_knows_is_named(box: Path, place: Path) -> None:
    first, second, _ = sorted(path.stem for path in (box / "games").iterdir())
    for folder in ("games", "copies"):
        (box / folder / f"{first}.jsonl").unlink()
        rows = (box / folder / f"{second}.jsonl").read_bytes().splitlines(keepends=True)
        (box / folder / f"{second}.jsonl").write_bytes(b"".join(rows[:2]))
    written = write_backup(box, place / "now.zip")
    assert (written.unreadable, written.shortened) == ([first], [second])


def test_a_folder_that_a_box_uses_is_refused(box: Path, file: Path) -> None:
    with closing(Journal(box)):
        before = taken(box)
        with pytest.raises(JournalInUseError, match="already uses"):
            restore(box, file)
        assert taken(box) == before


def test_a_second_restore_adds_nothing(box: Path, file: Path) -> None:
    before = taken(box)
    restored = restore(box, file)
    assert len(restored.same) == 3
    assert (restored.added, restored.extended, restored.conflicting, taken(box)) == ([], [], [], before)


def more(folder: Path, turn: int, place: int = 0) -> str:
    with closing(Journal(folder)) as journal:
        name = journal.names()[place]
        journal.append(name, f'{{"turn":{turn}}}', now=9.0, tracking="full")
        return name


def test_games_with_fewer_entries_are_extended_and_with_more_are_left(box: Path, file: Path, place: Path) -> None:
    files = taken(box)
    longer = more(box, 7)
    write_backup(box, place / "later.zip")
    assert longer in restore(box, file).same  # the backup has fewer
    expected = chains(box)
    laid(box, files)
    assert restore(box, place / "later.zip").extended == [longer]
    assert chains(box) == expected


def test_a_game_that_went_on_differently_is_kept_beside_once(box: Path, place: Path) -> None:
    files = taken(box)
    game = more(box, 7)
    theirs = chains(box)[f"games/{game}.jsonl"]
    write_backup(box, place / "theirs.zip")
    laid(box, files)
    more(box, 8)
    ours = chains(box)
    (conflicting,) = restore(box, place / "theirs.zip").conflicting
    assert conflicting == "000004" + game[6:]
    assert chains(box) == {**ours, f"games/{conflicting}.jsonl": theirs}
    assert restore(box, place / "theirs.zip").conflicting == []
    with closing(Journal(box)) as journal:
        assert (journal.notices, len(journal.games())) == ([], 4)


def test_a_damaged_game_is_mended_from_the_backup(box: Path, file: Path) -> None:
    before = chains(box)
    game = sorted((box / "games").iterdir())[2]
    game.write_bytes(b"gone")
    (box / "copies" / game.name).write_bytes(b"gone")
    assert restore(box, file).extended == [game.stem]
    assert chains(box) == before
    assert len(list((box / "damaged").iterdir())) == 2


def test_settings_that_are_there_stay_and_others_are_taken(file: Path, place: Path) -> None:
    with closing(Journal(place / "new")) as journal:
        journal.keep_setting("language", "ja")
        journal.keep_imported({"AB-2": 2, "AB-3": 3})
        journal.set_open_game(None)
    with closing(Journal(place / "theirs")) as journal:
        journal.keep_setting("sounds", "off")
        journal.keep_setting("language", "fr")
    write_backup(place / "theirs", place / "theirs.zip")
    for each in (file, place / "theirs.zip"):
        restore(place / "new", each)
    with closing(Journal(place / "new")) as journal:
        assert (journal.setting("language"), journal.setting("sounds"), journal.open_game()) == ("ja", "off", None)
        assert journal.imported() == {"AB-2": 2, "AB-3": 3, "AB-1": {"game": "chess"}}


def test_a_disk_that_takes_nothing_says_so(file: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(disk, "replace", full)
    with pytest.raises(JournalError, match=r"cannot be written in .*: the disk is full"):
        restore(place / "new", file)


def test_a_stick_that_is_pulled_out_says_so(file: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for fault in (OSError(errno.EIO, "gone"), zipfile.BadZipFile("changed")):
        with monkeypatch.context() as changed:
            failing(changed, fault)
            with pytest.raises(JournalError, match=r"any more: the disk is failing\. What was restored stays"):
                restore(place / "new", file)


def failing(changed: pytest.MonkeyPatch, fault: Exception) -> None:
    """Let reading fail after all members were checked."""

    def pulled(_archive: zipfile.ZipFile, _member: zipfile.ZipInfo) -> bytes:
        raise fault

    changed.setattr("companion.journal.backup._content_of", pulled)


def test_an_old_backup_stays_until_the_new_one_is_whole(box: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as changed:
        changed.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="full"):
            write_backup(box, file)
    assert (file.read_bytes(), sorted(path.name for path in file.parent.iterdir())) == (before, ["all.zip", "box"])


def test_a_backup_in_the_journal_s_own_folder_is_refused(box: Path) -> None:
    with pytest.raises(JournalError, match="in the journal's own folder"):
        write_backup(box, box / "games" / "all.zip")


def test_a_folder_that_cannot_be_listed_says_so(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_: object) -> list[str]:
        raise PermissionError(errno.EACCES, "denied")

    monkeypatch.setattr(os, "listdir", denied)
    with pytest.raises(JournalError, match=r"the journal cannot be read in .*: there is no permission"):
        write_backup(place / "box", place / "all.zip")


def test_a_backup_on_a_drive_has_the_day_in_its_name(box: Path, place: Path) -> None:
    drive = place / "stick"
    drive.mkdir()
    for day, name in ((date(2026, 11, 22), "companion-backup-2026-11-22.zip"), (None, "companion-backup.zip")):
        assert backup_to_drive(box, drive, day)[0] == drive / name
        assert len(games_in(drive / name)) == 3
    assert len(list(drive.iterdir())) == 2


def test_an_incomplete_backup_does_not_replace_a_whole_one_of_the_same_day(box: Path, place: Path) -> None:
    drive, day = place / "stick", date(2026, 11, 22)
    drive.mkdir()
    whole, _written = backup_to_drive(box, drive, day)
    before = whole.read_bytes()
    shorten(box)
    incomplete, written = backup_to_drive(box, drive, day)
    assert (incomplete.name, written.damaged) == ("companion-backup-2026-11-22-incomplete.zip", 1)
    assert whole.read_bytes() == before


def test_a_link_on_the_drive_is_not_written_through(box: Path, place: Path) -> None:
    victim = place / "victim"
    victim.write_bytes(b"as before")
    (place / ".all.zip.new").symlink_to(victim)
    write_backup(box, place / "all.zip")
    assert (victim.read_bytes(), (place / ".all.zip.new").is_symlink()) == (b"as before", False)
    assert len(games_in(place / "all.zip")) == 3


def test_a_backup_waits_on_while_another_program_uses_the_journal(file: Path, place: Path) -> None:
    folder = place / "other"
    folder.mkdir()
    assert restore_waiting(folder) is None
    waiting = file.rename(folder / WAITING)
    assert content_of_backup(waiting).games == 3
    with closing(Journal(folder)), pytest.raises(JournalInUseError):
        restore_waiting(folder)
    restored = restore_waiting(folder)
    assert restored is not None
    assert len(restored.added) == 3
    assert not waiting.exists()


def test_a_damaged_backup_that_waits_is_kept_under_another_name(place: Path) -> None:
    (place / WAITING).write_bytes(b"half of it")
    with pytest.raises(JournalError):
        restore_waiting(place)
    assert (place / REFUSED).read_bytes() == b"half of it"
    assert not (place / WAITING).exists()
