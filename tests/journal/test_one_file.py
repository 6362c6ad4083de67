"""One of the two files of a chain cannot be read or written: the other one is used, and the table is told."""

from __future__ import annotations

import errno
import os
import random
import shutil
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import companion.journal.journal
from companion.journal import Journal, JournalError, chain, disk

from . import power_cuts
from .calls import Call, Calls
from .folders import Files, laid, taken
from .power_cuts import PowerCutDisk
from .recorded import Teller, Told
from .starts import logged, started
from .tracing import look, record

ERRORS = [errno.EBADMSG, errno.EUCLEAN, errno.EIO, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.ENFILE]
LINE = '{"type":"undo"}'


def refuse(error: int, *names: str, calls: tuple[str, ...] = ("open", "rename", "link")) -> Callable[[Call], None]:
    """Return a watcher that refuses calls on paths that hold one of some names, as a damaged inode does."""

    def watch(call: Call) -> None:
        if call.name in calls and any(name in path for name in names for path in (call.path, call.to)):
            raise OSError(error, os.strerror(error))

    return watch


def told(journal: Journal) -> list[str]:
    return [*map(str, journal.notices)]


def read_all(journal: Journal) -> dict[str, list[str]]:
    """Return the header and lines of all games, after every check."""
    journal.check_all()
    return {saved.name: [saved.header, *journal.lines(saved.name)] for saved in journal.games()}


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("folder", ["games", "copies"])
def test_a_game_goes_on_in_the_other_file_and_it_is_told_once(
    error: int, folder: str, place: Path, killed: tuple[Files, Told]
) -> None:
    files, truth = killed
    box = laid(place / "box", files)
    lines = {name: list(entered) for name, entered in truth.games.items()}
    for name in truth.games:
        with logged(), Calls(box, refuse(error, f"{folder}/{name}")).watched(), closing(Journal(box)) as journal:
            assert read_all(journal) == lines
            assert len([each for each in told(journal) if "one of its two files fails" in each]) == 1
            journal.append(name, LINE, now=1.0, tracking="full")
            lines[name].append(LINE)
            assert (journal.unsaved(), journal.fault) == (0, None)
    assert started(box).games == lines


@pytest.mark.parametrize("folder", ["games", "copies"])
def test_a_line_in_the_other_file_alone_outlives_a_power_cut(
    folder: str, place: Path, killed: tuple[Files, Told]
) -> None:
    files, truth = killed
    name = list(truth.games)[-1]
    box = laid(place / "disk" / "box", files)
    cut = PowerCutDisk(place / "disk")
    calls = Calls(place / "disk", refuse(errno.EBADMSG, f"{folder}/{name}"), cut.take)
    with calls.watched(), logged(), closing(Journal(box)) as journal:
        journal.append(name, LINE, now=1.0, tracking="full")
        assert journal.unsaved() == 0
        left = cut.left(power_cuts.none)
    laid(place / "left", left)
    assert started(place / "left" / "box").games[name] == [*truth.games[name], LINE]


@pytest.mark.parametrize("calls", [("read",), ("open", "rename", "link")])
def test_a_file_that_can_be_read_again_is_used_again(
    calls: tuple[str, ...], place: Path, killed: tuple[Files, Told]
) -> None:
    """The first file has more lines than its copy, as after a power cut; for one start it cannot be read."""
    files, truth = killed
    name = list(truth.games)[-1]
    copy = f"copies/{name}.jsonl"
    shorter = b"".join(files[copy].rstrip(b"\0").splitlines(keepends=True)[:-2])
    box = laid(place / "box", {**files, copy: shorter})
    with (
        logged(),
        Calls(box, refuse(errno.EIO, f"games/{name}", calls=calls)).watched(),
        closing(Journal(box)) as journal,
    ):
        assert read_all(journal)[name] == truth.games[name][:-2]
        assert "Game 3: one of its two files fails: the disk is failing. The other one is used" in told(journal)
    assert started(box).games == truth.games
    assert not (box / "damaged").exists()


def test_a_file_that_cannot_be_read_is_kept_when_lines_are_written_without_it(
    place: Path, killed: tuple[Files, Told]
) -> None:
    files, truth = killed
    name = list(truth.games)[-1]
    box = laid(place / "box", files)
    with (
        logged(),
        Calls(box, refuse(errno.EIO, f"games/{name}", calls=("read",))).watched(),
        closing(Journal(box)) as journal,
    ):
        journal.append(name, LINE, now=1.0, tracking="full")
    start = started(box)
    assert start.games[name] == [*truth.games[name], LINE]
    assert start.files[f"damaged/{name}.jsonl.1"] == files[f"games/{name}.jsonl"]


@pytest.mark.parametrize("error", ERRORS)
def test_a_folder_that_cannot_be_opened_is_told_once_for_all_its_files(
    error: int, place: Path, kept: tuple[Files, Told]
) -> None:
    files, truth = kept
    box = laid(place / "box", files)
    watch = refuse(error, "copies", calls=("open", "rename", "link", "listdir", "scandir", "create", "mkdir", "stat"))
    with logged(), Calls(box, watch).watched(), closing(Journal(box)) as journal:
        assert read_all(journal) == truth.games
        (notice,) = told(journal)
        assert notice.startswith("The folder copies fails: ")
        assert journal.imported() == {}
        journal.append(list(truth.games)[-1], LINE, now=1.0, tracking="full")
        assert (journal.unsaved(), journal.fault, journal.setting("sounds")) == (0, None, "on")


@pytest.mark.parametrize("error", [errno.EBADMSG, errno.EIO, errno.EACCES])
def test_a_game_of_which_no_file_can_be_read_is_told_once_though_the_index_knows_it(
    error: int, place: Path, kept: tuple[Files, Told]
) -> None:
    files, truth = kept
    name = next(iter(truth.games))
    box = laid(place / "box", files)
    with logged(), Calls(box, refuse(error, f"{name}.jsonl")).watched(), closing(Journal(box)) as journal:
        journal.check_all()
        for _ in range(3):
            with pytest.raises(JournalError, match="Game 1 cannot be read"):
                journal.lines(name)
        assert len(told(journal)) == 1
        assert [*map(str, journal.left_out.values())] == told(journal)
        assert len(journal.games()) == 3
    assert started(box).games == truth.games
    assert not (box / "damaged").exists()


@pytest.mark.parametrize("error", ERRORS)
def test_settings_that_cannot_be_read_are_those_of_a_new_box(error: int, place: Path, kept: tuple[Files, Told]) -> None:
    files, truth = kept
    box = laid(place / "box", files)
    with logged(), Calls(box, refuse(error, "settings.jsonl")).watched(), closing(Journal(box)) as journal:
        assert (journal.setting("sounds"), journal.fault) == (None, None)
        assert "Settings cannot be read" in told(journal)[0]
        assert read_all(journal) == truth.games


def test_settings_that_can_be_read_again_stay_when_one_is_changed(place: Path, kept: tuple[Files, Told]) -> None:
    box = laid(place / "box", kept[0])
    calls = Calls(box, refuse(errno.EIO, "settings.jsonl", calls=("read",)))
    with logged(), calls.watched(), closing(Journal(box)) as journal:
        assert journal.setting("roster") is None
        calls.before = None
        journal.keep_setting("sounds", "off")
        assert journal.setting("roster") is not None
    assert started(box).settings == {"sounds": "off", "roster": kept[1].settings["roster"][-1]}


@pytest.mark.parametrize("name", ["draft", "typed", "index"])
@pytest.mark.parametrize("error", ERRORS)
def test_a_file_that_can_be_lost_delays_no_entry(name: str, error: int, place: Path, kept: tuple[Files, Told]) -> None:
    files, truth = kept
    box = laid(place / "box", files)
    game = list(truth.games)[-1]
    watch = refuse(error, f"{name}.jsonl", calls=("open", "create", "rename", "link"))
    with logged() as log, Calls(box, watch).watched(), closing(Journal(box)) as journal:
        assert read_all(journal) == truth.games
        for _ in range(14):
            journal.keep_draft(game, "1", sync=True)
            journal.append(game, LINE, now=1.0, tracking="full")
            assert (journal.unsaved(), journal.fault) == (0, None)
        assert [each for each in log if name in each or "half-entered" in each]
        assert len([each for each in told(journal) if "half-entered" in each]) == (name != "index")


def test_a_file_that_may_only_be_read_is_replaced_at_once(place: Path, kept: tuple[Files, Told]) -> None:
    files, truth = kept
    box = laid(place / "box", files)
    game = list(truth.games)[-1]
    with closing(Journal(box)) as journal:
        assert journal.lines(game) == truth.games[game][1:]
        with Calls(box, refuse(errno.EACCES, ".jsonl", calls=("open",))).watched():
            for _ in range(4):
                journal.append(game, LINE, now=1.0, tracking="full")
                assert (journal.unsaved(), journal.fault, told(journal)) == (0, None, [])
    assert started(box).games[game] == [*truth.games[game], *[LINE] * 4]


def test_a_disk_with_other_inode_numbers_each_time_is_no_damage(
    place: Path, kept: tuple[Files, Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Like vfat, which numbers the files in memory anew, and keeps their times in steps of two seconds."""
    files, truth = kept
    box, real, count = laid(place / "box", files), os.fstat, iter(range(10**6))

    def fstat(descriptor: int) -> os.stat_result:
        found = real(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return found
        seconds = int(found.st_mtime) // 2 * 2
        return os.stat_result((*found[:1], next(count), *found[2:]), {"st_mtime_ns": seconds * 10**9})

    game = list(truth.games)[-1]
    with closing(Journal(box)) as journal:
        read_all(journal)
        monkeypatch.setattr(os, "fstat", fstat)
        for _ in range(5):
            journal.append(game, LINE, now=1.0, tracking="full")
        monkeypatch.undo()
        assert (journal.unsaved(), told(journal)) == (0, [])
    assert started(box).games[game] == [*truth.games[game], *[LINE] * 5]


def test_a_rollback_of_everything_but_the_draft_is_told(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        game = journal.name_for("gear")
        journal.begin(game, "{}", "full", 0.0)
        journal.set_open_game(game)
        journal.append(game, LINE, now=0.0, tracking="full")
        journal.update_index()
    earlier = {name: content for name, content in taken(place / "box").items() if "draft" not in name}
    with closing(Journal(place / "box")) as journal:
        for _ in range(3):
            journal.append(game, LINE, now=0.0, tracking="full")
        journal.keep_draft(game, "1", sync=True)
    draft = (place / "box" / "draft.jsonl").read_bytes()
    laid(place / "box", {**earlier, "draft.jsonl": draft})
    assert started(place / "box").notices == ["Game 1: entries are missing. 1 of 4 are there"]
    assert started(place / "box").notices == []


def test_a_link_is_not_possible_so_the_damaged_file_is_copied(place: Path, kept: tuple[Files, Told]) -> None:
    files, truth = kept
    name = f"games/{next(iter(truth.games))}.jsonl"
    box = laid(place / "box", {**files, name: b"#" + files[name][1:]})
    with (
        Calls(box, refuse(errno.EPERM, "damaged", calls=("link",))).watched(),
        logged(),
        closing(Journal(box)) as journal,
    ):
        assert read_all(journal) == truth.games
    assert (box / "damaged" / f"{Path(name).name}.1").read_bytes().startswith(b"#" + files[name][1:])
    shutil.rmtree(box / "damaged")
    assert started(box).notices == []


def test_settings_that_are_changed_often_stay_small_and_as_they_are_after_any_cut(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(companion.journal.journal, "MOST_SUPERSEDED", 5)

    def change(teller: Teller) -> None:
        for number in range(20):
            teller.keep_setting("roster", str(number))

    look(place / "left", record(place / "disk" / "box", change, random.Random(1), states=2))
    assert (place / "disk" / "box" / "settings.jsonl").read_bytes().count(b"\n") < 8


def test_a_setting_that_is_not_changed_is_not_written(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        journal.keep_setting("sounds", "on")
        before = taken(place / "box")
        journal.keep_setting("sounds", "on")
        assert taken(place / "box") == before


def test_a_damaged_file_that_cannot_be_read_either_is_moved_aside(place: Path) -> None:
    laid(place, {"a": b"1"})
    with Calls(place, refuse(errno.EACCES, "/a", calls=("link", "open"))).watched():
        disk.keep_aside(place / "a", place / "damaged")
        disk.keep_aside(place / "gone", place / "damaged")
    assert taken(place) == {"damaged/a.1": b"1"}


def test_a_game_is_not_gone_while_a_folder_cannot_be_listed(place: Path, kept: tuple[Files, Told]) -> None:
    files, truth = kept
    name = next(iter(truth.games))
    box = laid(place / "box", {file: content for file, content in files.items() if file != f"copies/{name}.jsonl"})
    calls = Calls(box, refuse(errno.EIO, "games", calls=("listdir", "scandir", "open")))
    with calls.watched(), logged(), closing(Journal(box)) as journal:
        assert len(read_all(journal)) == 2
        assert [each for each in told(journal) if "is gone" in each] == []
    assert started(box).games == truth.games


def test_a_setting_in_an_unknown_form_is_ignored(place: Path) -> None:
    rows = [chain.chained(b"settings", "[]", {})]
    rows.append(chain.chained(chain.check(rows[0]), '{"name":"sounds","value":"off"}', {}))
    laid(place / "box", {"settings.jsonl": b"".join(rows)})
    assert started(place / "box").settings["sounds"] == "off"


def test_a_folder_that_may_not_be_read_is_said_by_a_reader(place: Path) -> None:
    (place / "box").mkdir()
    calls = Calls(place, refuse(errno.EACCES, "box", calls=("scandir",)))
    with (
        calls.watched(),
        pytest.raises(JournalError, match=r"the journal cannot be read in .*: there is no permission"),
    ):
        Journal(place / "box", writes=False)
