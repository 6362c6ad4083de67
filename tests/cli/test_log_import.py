"""Logs are looked over before they are taken, and each is taken once."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import imports
from companion.cli.imports import LogImportError, already_there, beginning_of, new_logs, read_log, take_log
from companion.journal import Journal
from companion.journal.chain import chained

from .finished_games import EVENING, dated, played, random_log

HEADER = b'{"format":1, "game":"hipparchus","players":["Ann","Bo"]}\n'
PLAIN = HEADER + b'{"type":"start","player":0}\n{"type":"undo"}\n'
FINISHED = random_log("east-rune", 7)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    return tmp_path / "box"


def test_a_plain_log_is_taken_without_times_and_in_the_box_s_own_form(box: Path) -> None:
    log = read_log("a.jsonl", PLAIN.replace(b'"start",', b'"start",\t'))
    assert (log.id, log.begun, log.over) == ("", 0, False)
    with closing(Journal(box)) as journal:
        name = take_log(journal, log)
        assert journal.lines(name) == ['{"type":"start","player":0}', '{"type":"undo"}']
        assert [at for _line, at in journal.timed_lines(name)] == [0, 0, 0]
        assert journal.saved(name).tracking == "full"
    with closing(Journal(box)) as journal:
        assert (journal.notices, journal.games()[0].header) == ([], log.header.written)


def test_a_finished_log_is_over(box: Path) -> None:
    log = read_log("a.jsonl", FINISHED)
    assert log.over
    with closing(Journal(box)) as journal:
        assert journal.saved(take_log(journal, log)).over


def test_a_file_of_another_box_keeps_its_id_its_times_and_every_byte(box: Path, tmp_path: Path) -> None:
    (theirs,) = played(tmp_path / "theirs", FINISHED)
    played(box, random_log("hipparchus", 1), random_log("hipparchus", 2))
    file = tmp_path / "theirs" / "games" / f"{theirs}.jsonl"
    log = read_log(str(file), file.read_bytes())
    assert log.begun == EVENING
    with closing(Journal(box)) as journal:
        name = take_log(journal, log)
        assert name == f"000003{theirs[6:]}"
        assert [at for _line, at in journal.timed_lines(name)[:2]] == [EVENING, EVENING + 30]
    assert (box / "games" / f"{name}.jsonl").read_bytes() == file.read_bytes()


def test_a_second_import_adds_nothing(box: Path) -> None:
    plain, twin = read_log("a", PLAIN), read_log("b", PLAIN)
    with closing(Journal(box)) as journal:
        assert new_logs(journal, [plain, twin]) == [plain]
        take_log(journal, plain)
        assert new_logs(journal, [plain, twin]) == []


@pytest.mark.parametrize("bytes_less", [1, 5, 30])
def test_a_file_that_ends_inside_its_last_line_is_said_to_be_cut(tmp_path: Path, bytes_less: int) -> None:
    (theirs,) = played(tmp_path / "theirs", FINISHED)
    whole = (tmp_path / "theirs" / "games" / f"{theirs}.jsonl").read_bytes().rstrip(b"\0")
    cut = read_log(f"{theirs}.jsonl", whole[:-bytes_less])
    assert cut.cut
    assert len(cut.lines) == len(read_log(f"{theirs}.jsonl", whole).lines) - 1
    assert not read_log(f"{theirs}.jsonl", whole + b"\0" * 9).cut


def test_a_log_of_which_the_box_has_more_is_there(box: Path) -> None:
    with closing(Journal(box)) as journal:
        name = take_log(journal, read_log("a", PLAIN))
        assert already_there(journal, read_log("b", HEADER)) == name
        assert already_there(journal, read_log("b", PLAIN + b'{"type":"redo"}\n')) is None
        assert already_there(journal, read_log("b", PLAIN.replace(b"undo", b"und").rsplit(b"\n", 2)[0])) == name


def test_a_log_with_more_entries_of_a_game_extends_it(box: Path, tmp_path: Path) -> None:
    (theirs,) = played(tmp_path / "theirs", FINISHED)
    file = tmp_path / "theirs" / "games" / f"{theirs}.jsonl"
    whole = file.read_bytes().rstrip(b"\0")
    part = b"".join(whole.splitlines(keepends=True)[:-2])
    longer, shorter = read_log(str(file), whole), read_log(str(file), part)
    with closing(Journal(box)) as journal:
        assert new_logs(journal, [shorter, longer]) == [longer]
        assert beginning_of(journal, longer) is None
        name = take_log(journal, shorter)
        assert not journal.saved(name).over
        assert new_logs(journal, [longer]) == [longer]
        assert beginning_of(journal, longer) == take_log(journal, longer) == name
        assert (journal.names(), journal.saved(name).over) == ([name], True)
    assert (box / "games" / f"{name}.jsonl").read_bytes().rstrip(b"\0") == whole


def test_a_game_that_went_on_differently_is_added_beside(box: Path, tmp_path: Path) -> None:
    (theirs,) = played(tmp_path / "theirs", FINISHED)
    file = tmp_path / "theirs" / "games" / f"{theirs}.jsonl"
    whole = file.read_bytes().rstrip(b"\0")
    part = b"".join(whole.splitlines(keepends=True)[:-2])
    with closing(Journal(box)) as journal:
        name = take_log(journal, read_log(str(file), part))
        journal.append(name, '{"type":"undo"}', now=EVENING, tracking="full")
        assert take_log(journal, read_log(str(file), whole)) == f"000002{theirs[6:]}"


def test_the_same_lines_at_another_time_are_another_game(box: Path, tmp_path: Path) -> None:
    (first,) = played(box, FINISHED)
    (second,) = played(tmp_path / "theirs", FINISHED)
    file = tmp_path / "theirs" / "games" / f"{second}.jsonl"
    with closing(Journal(box)) as journal:
        same = read_log(file.name, file.read_bytes())
        assert already_there(journal, same) == first
        later = dated(read_log("a", FINISHED), EVENING + 5)
        data, before = b"", b"01234567"
        for text, note in later:
            row = chained(before, text, note)
            data, before = data + row, row[-17:-1]
        other = read_log("games_01234567.jsonl", data)
        assert already_there(journal, other) is None
        assert already_there(journal, read_log("plain", FINISHED)) == first


def rows_of(tmp_path: Path) -> tuple[str, list[bytes]]:
    (name,) = played(tmp_path / "theirs", FINISHED)
    content = (tmp_path / "theirs" / "games" / f"{name}.jsonl").read_bytes()
    return f"{name}.jsonl", content.rstrip(b"\0").splitlines(keepends=True)


def test_a_changed_or_lost_line_is_named(tmp_path: Path) -> None:
    name, rows = rows_of(tmp_path)
    changed = [*rows[:4], rows[4].replace(b":", b": ", 1), *rows[5:]]
    for broken in (changed, rows[:4] + rows[5:], [*rows[:4], b"\n", *rows[4:]]):
        with pytest.raises(LogImportError, match=rf"^{name}, line 5: changed, or a line before it is lost$"):
            read_log(name, b"".join(broken))


def test_a_last_line_that_was_not_written_whole_is_left_out(tmp_path: Path) -> None:
    name, rows = rows_of(tmp_path)
    for rest in (b'{"type":', b'{"type":\0\0\n', b""):
        assert len(read_log(name, b"".join(rows) + rest + b"\0" * 99).lines) == len(rows)


def test_a_file_whose_name_lacks_the_id_or_whose_first_line_was_changed_is_refused(tmp_path: Path) -> None:
    name, rows = rows_of(tmp_path)
    for file, data in (("game.jsonl", rows), (name, [rows[0].replace(b"1", b"2", 1), *rows[1:]])):
        with pytest.raises(LogImportError, match="its first line was changed, or its name is not the one it had"):
            read_log(file, b"".join(data))
    assert read_log(f"/home/ann/{name[:-6]} (1).jsonl", b"".join(rows)).id == name[-14:-6]


def test_a_note_in_an_unknown_form_is_no_hindrance() -> None:
    row = chained(b"01234567", HEADER.decode().strip(), {})
    assert read_log("01234567", row).lines[0][1] == {}
    odd = chained(b"01234567", HEADER.decode().strip(), [1])  # type: ignore[arg-type]  # another program's
    assert read_log("01234567", odd).lines[0][1] == {}


def test_a_file_of_absurd_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "LONGEST_LOG", 5)
    with pytest.raises(LogImportError, match=r"a\.jsonl: too large for a game's log"):
        read_log("a.jsonl", PLAIN)


def test_a_game_that_was_ended_early_is_over_and_has_the_names_of_who_sits_there(box: Path) -> None:
    lines = b'{"type":"substitute","player":0,"name":"Eva"}\n{"type":"finish"}\n'
    log = read_log("a", HEADER + lines)
    assert (log.over, log.header.players[0]) == (True, "Eva")
    with closing(Journal(box)) as journal:
        saved = journal.saved(take_log(journal, log))
    assert (saved.over, saved.players[0]) == (True, "Eva")
    assert not read_log("a", HEADER + lines + b'{"type":"undo"}\n').over
