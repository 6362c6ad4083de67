"""Files damaged while the box is off: the next start loses nothing, and reports the damage.

``python -m tests.harness.stress damage`` does all of this exhaustively.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
from contextlib import closing, suppress
from pathlib import Path

import pytest

from companion.journal import Journal, JournalError

from .calls import Call, Calls, refusing
from .damaged_starts import suffer, suffer_settings, suffer_two
from .damages import of_file, one, some
from .folders import Files, laid
from .recorded import Told
from .starts import check, logged, started
from .tracing import mended, mended_two

KINDS = ("games/000002", "copies/000002", "settings", "copies/settings", "draft", "index")


def named(files: Files, kind: str) -> str:
    return next(name for name in files if name.startswith(kind))


@pytest.mark.unmeasured
@pytest.mark.parametrize("kind", KINDS)
def test_damage_of_one_file_loses_nothing(kind: str, place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    earlier = {name: content[: len(content.rstrip(b"\0")) // 2] for name, content in files.items()}
    for wound in some(files, named(files, kind), earlier, 24, random.Random(kind)):
        suffer(place / "box", files, told, wound)


@pytest.mark.unmeasured
@pytest.mark.parametrize("kind", ["games/000003", "copies/000003", "settings", "draft"])
def test_damage_of_one_file_loses_nothing_after_a_kill(kind: str, place: Path, killed: tuple[Files, Told]) -> None:
    files, told = killed
    for wound in some(files, named(files, kind), {}, 24, random.Random(kind)):
        suffer(place / "box", files, told, wound)


@pytest.mark.unmeasured
def test_damage_of_both_copies_keeps_every_line_that_can_be_proved(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    chance, game = random.Random(7), list(told.games)[1]
    every = [list(of_file(files, f"{folder}/{game}.jsonl", {}, tail=512)) for folder in ("games", "copies")]
    for _ in range(30):
        pair = [one(wounds, chance) for wounds in every]
        suffer_two(place / "box", files, told, pair)


def test_damage_of_both_copies_of_the_settings_keeps_all_that_can_be_proved(
    place: Path, kept: tuple[Files, Told]
) -> None:
    files, told = kept
    chance = random.Random(7)
    every = [list(of_file(files, name, {}, tail=512)) for name in ("settings.jsonl", "copies/settings.jsonl")]
    for _ in range(20):
        suffer_settings(place / "box", files, told, [one(wounds, chance) for wounds in every])


@pytest.mark.unmeasured
@pytest.mark.parametrize("kind", KINDS[:5])
def test_a_kill_or_a_pulled_plug_while_a_file_is_mended_loses_nothing(
    kind: str, place: Path, kept: tuple[Files, Told]
) -> None:
    files, told = kept
    chance, name = random.Random(kind), named(files, kind)
    wounds = [wound for wound in some(files, name, {}, 12, chance) if wound.kind in ("bit flipped", "gone", "cut")]
    for wound in wounds[:3]:
        mended(place, files, told, wound, chance)


@pytest.mark.unmeasured
def test_a_kill_or_a_pulled_plug_while_both_files_are_mended_loses_no_line_of_either(
    place: Path, kept: tuple[Files, Told]
) -> None:
    files, told = kept
    name = list(told.games)[1]
    ways = {file: {wound.told: wound for wound in of_file(files, file, {}, tail=512)} for file in files}
    lines = files[f"games/{name}.jsonl"].split(b"\n")
    first = f"bit 0 of byte {len(lines[0]) + 9} flipped"  # in the second line
    last = f"bit 0 of byte {sum(len(line) + 1 for line in lines[:4]) + 9} flipped"
    for one_way, other in ((first, last), (last, first)):
        wounds = [ways[f"games/{name}.jsonl"][one_way], ways[f"copies/{name}.jsonl"][other]]
        seen = mended_two(place, files, told, wounds, random.Random(1))
        assert seen["lines"] == len(told.games[name])
        assert seen["states"] > 50


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC, errno.EROFS])
def test_a_disk_that_refuses_to_mend_a_file_loses_nothing(error: int, place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    name = named(files, "games/000002")
    for number in range(0, 40, 3):
        box = laid(place / "box", files)
        (box / name).write_bytes(b"#" + files[name][1:])
        before, refused = refusing(range(number, number + 2), error)
        with Calls(box, before).watched(), logged(), suppress(JournalError), closing(Journal(box)) as journal:
            journal.check_all()
        check(started(box), told)
        if not refused:
            break


def test_both_copies_that_cannot_be_read_for_now_are_left_alone(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    game = next(iter(told.games))

    def fail(call: Call) -> None:
        if call.name == "read":
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    box = laid(place / "box", files)
    with closing(Journal(box)) as journal:
        with (
            Calls(box, fail).watched(),
            pytest.raises(JournalError, match="Game 1 cannot be read: the disk is failing"),
        ):
            journal.lines(game)
        assert [saved.name for saved in journal.games()] == sorted(told.games, reverse=True)
        assert journal.lines(game) == told.games[game][1:]
    assert not (box / "damaged").exists()


def test_a_game_that_may_not_be_read_is_a_fault_of_that_game_alone(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    game = next(iter(told.games))

    def fail(call: Call) -> None:
        if call.name == "open" and game in call.path:
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))

    box = laid(place / "box", files)
    with Calls(box, fail).watched(), closing(Journal(box)) as journal:
        with pytest.raises(JournalError, match="Game 1 cannot be read: there is no permission"):
            journal.lines(game)
        journal.check_all()
        assert len(journal.games()) == 3
        assert {*map(str, journal.notices)} == {"Game 1 cannot be read: there is no permission"}


def test_a_game_of_which_nothing_is_left_is_said_to_be_gone(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    game = next(iter(told.games))
    box = laid(place / "box", {**files, f"games/{game}.jsonl": b"#" * 99, f"copies/{game}.jsonl": b""})
    start = started(box)
    assert start.notices == ["Game 1: damaged, and nothing of it can be read. Its files are kept"]
    assert game not in start.games
    assert started(box).notices == []


def test_a_game_whose_files_are_removed_is_said_to_be_gone_once(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    game = next(iter(told.games))
    box = laid(place / "box", {name: content for name, content in files.items() if game not in name})
    start = started(box)
    assert start.notices == ["Game 1 is gone from the disk"]
    assert list(start.games) == sorted(told.games.keys() - {game}, reverse=True)
    assert started(box).notices == []


def test_lines_that_the_index_knows_and_no_file_has_are_said_to_be_missing(
    place: Path, kept: tuple[Files, Told]
) -> None:
    files, told = kept
    game = next(iter(told.games))
    shorter = files[f"games/{game}.jsonl"].rstrip(b"\0").split(b"\n")[:-3]
    content = b"\n".join(shorter) + b"\n"
    box = laid(place / "box", {**files, f"games/{game}.jsonl": content, f"copies/{game}.jsonl": content})
    start = started(box)
    assert start.notices == ["Game 1: entries are missing. 1 of 3 are there"]
    assert start.games[game] == told.games[game][:-2]
    assert started(box).notices == []


def test_lines_that_only_the_index_knows_are_said_to_be_missing_of_an_open_game_too(
    place: Path, kept: tuple[Files, Told]
) -> None:
    files, told = kept
    game = list(told.games)[-1]
    content = b"\n".join(files[f"games/{game}.jsonl"].split(b"\n")[:-2]) + b"\n"
    files = {name: each for name, each in files.items() if name not in ("draft.jsonl", "typed.jsonl")}
    box = laid(place / "box", {**files, f"games/{game}.jsonl": content, f"copies/{game}.jsonl": content})
    with logged(), closing(Journal(box)) as journal:
        assert journal.lines(game) == told.games[game][1:-1]
        assert len(journal.games()) == 3
        assert list(map(str, journal.notices)) == ["Game 3: entries are missing. 3 of 4 are there"]


def test_two_boxes_that_went_on_with_one_game_keep_the_longer_and_say_so(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    game = list(told.games)[-1]
    ends = []
    for number in (1, 2):
        with closing(Journal(laid(place / "box", files))) as journal:
            for _ in range(number):
                journal.append(game, f'{{"type":"play","card":"sky-{number}"}}', now=0.0, tracking="full")
        ends.append((place / "box" / "games" / f"{game}.jsonl").read_bytes())
    shutil.rmtree(place / "box" / "damaged", ignore_errors=True)
    (place / "box" / "games" / f"{game}.jsonl").write_bytes(ends[0])
    (place / "box" / "copies" / f"{game}.jsonl").write_bytes(ends[1])
    start = started(place / "box")
    assert start.games[game] == told.games[game] + ['{"type":"play","card":"sky-2"}'] * 2
    assert start.notices == ["Game 3: entries that can be read: 6. Its files hold something else, too, and are kept"]
    assert [file.read_bytes() for file in (place / "box" / "damaged").iterdir()] == [ends[0]]


def test_a_reader_reads_damaged_files_and_changes_nothing(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    game = next(iter(told.games))
    box = laid(place / "box", files)
    (box / "games" / f"{game}.jsonl").write_bytes(b"#" * 50)
    (box / "settings.jsonl").unlink()
    before = sorted((path, path.stat().st_mtime_ns) for path in box.rglob("*"))
    with logged(), closing(Journal(box, writes=False)) as journal:
        journal.check_all()
        assert {saved.name: [saved.header, *journal.lines(saved.name)] for saved in journal.games()} == told.games
        assert journal.setting("sounds") == "on"
        journal.update_index()
        assert journal.fault is None
    assert sorted((path, path.stat().st_mtime_ns) for path in box.rglob("*")) == before


def test_lost_lines_are_said_once_though_the_index_knew_them_too(place: Path) -> None:
    with closing(Journal(place / "box")) as journal:
        game = journal.name_for("gear")
        journal.begin(game, '{"format":1}', "full", 0.0)
        journal.append(game, '{"type":"undo"}', now=0.0, tracking="full")
        journal.set_open_game(game)
    for folder in ("games", "copies"):
        file = place / "box" / folder / f"{game}.jsonl"
        file.write_bytes(file.read_bytes().replace(b"undo", b"redo"))
    with closing(Journal(place / "box")) as journal:
        assert journal.lines(game) == []
        assert len(journal.games()) == 1
        assert [*map(str, journal.notices)] == [
            "Game 1: entries that can be read: 0. Its files hold something else, too, and are kept"
        ]


def test_a_file_that_ends_in_the_latest_entry_lacks_none(place: Path, kept: tuple[Files, Told]) -> None:
    files, told = kept
    game = next(iter(told.games))
    file = laid(place / "box", files) / "games" / f"{game}.jsonl"
    first, rest = file.read_bytes().split(b"\n", 1)
    file.write_bytes(first + b"\n" + bytes(range(32, 200)) + b"\n" + rest)
    start = started(place / "box")
    assert start.games[game] == told.games[game]
    assert start.notices == ["Game 1: a damaged file is mended from its copy"]


def test_what_a_file_holds_after_the_latest_entry_is_not_called_damage_of_the_game(
    place: Path, kept: tuple[Files, Told]
) -> None:
    files, told = kept
    game = next(iter(told.games))
    file = laid(place / "box", files) / "games" / f"{game}.jsonl"
    file.write_bytes(file.read_bytes().rstrip(b"\0") + b"old sector\nof another file\n")
    start = started(place / "box")
    assert start.games[game] == told.games[game]
    entries = len(told.games[game]) - 1
    assert start.notices == [
        f"Game 1: entries that can be read: {entries}. Its files hold something else, too, and are kept"
    ]
