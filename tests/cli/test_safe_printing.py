"""What is printed holds nothing that a terminal obeys or hides, whoever wrote it."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.terminal import say, table
from companion.cli import main
from companion.core.program_log import one_line
from companion.core.text import printable
from companion.journal import Journal
from tests.history.journals import whole_game

EVIL = "\x1b[2K\rinstalled: 9.9\n\u202e\x9b31m\x7f"
SHOWN = "\\x1b[2K\\rinstalled: 9.9\\n\\u202e\\x9b31m\\x7f"


@pytest.mark.parametrize("code", [*range(32), *range(0x7F, 0xA0), 0x202E, 0x2066, 0x200F, 0x2028, 0xFEFF, 0xDC80])
def test_what_a_terminal_obeys_or_hides_is_escaped(code: int) -> None:
    shown = printable(f"a{chr(code)}b")
    assert shown.isascii()
    assert shown.isprintable()
    assert shown.startswith("a\\")


def test_names_of_people_are_printed_as_they_are() -> None:
    names = "Zoë, 李, はるな, שרה, क्‍ष, 👩‍👩‍👧, C:\\games"
    assert printable(names) == names


def test_a_line_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    say(EVIL)
    say(EVIL, error=True)
    assert capsys.readouterr() == (f"{SHOWN}\n", f"{SHOWN}\n")


def test_columns_are_aligned_after_escaping() -> None:
    assert [*table(("name", "won"), [(EVIL, "2"), ("Bo", "10")])][1:] == [f"{SHOWN}  2", f"Bo{' ' * len(SHOWN)}10"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["import", f"/nowhere/{EVIL}"],
        ["restore", f"/nowhere/{EVIL}"],
        ["replay", f"/nowhere/{EVIL}"],
        ["keys", f"/nowhere/{EVIL}"],
        ["suggest", f"/nowhere/{EVIL}"],
        ["rescore", "--rules", "{}", f"/nowhere/{EVIL}"],
        ["backup", f"/nowhere/{EVIL}"],
        ["export", "--list", "--data", f"/nowhere/{EVIL}"],
        ["export", f"{EVIL}"],
        ["stats", f"{EVIL}"],
        ["history", "--game", EVIL],
        ["press", "--board", EVIL, "1"],
    ],
)
def test_no_command_prints_control_characters_of_its_arguments(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    header, lines = whole_game(1)
    with closing(Journal(tmp_path)) as journal:
        journal.add_game(
            journal.name_for("hipparchus"),
            [(json.dumps(header), {}), *((line, {}) for line in lines[:-1]), (lines[-1], {"over": True})],
        )
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    status: object = 2
    try:
        status = main(arguments)
    except SystemExit as end:
        status = end.code
    told = capfd.readouterr()
    assert status
    assert "installed: 9.9" in told.err + told.out
    assert "\x1b" not in told.err + told.out
    assert "\ninstalled" not in told.err + told.out


def test_what_apt_says_of_a_repository_is_escaped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*_command: object, **_more: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess((), 1, "", f"W: http://box: {EVIL}")

    monkeypatch.setattr("companion.cli.update.subprocess.run", run)
    monkeypatch.setattr("companion.cli.update.version_of", lambda _version: "0.2.0")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert main(["update", "http://box"]) == 1
    said = capsys.readouterr().out
    assert "W: http://box: \\x1b[2K\n" in said
    assert said == "".join(printable(line) + "\n" for line in said.splitlines())


def test_a_log_line_is_one_line_and_a_traceback_keeps_its_lines() -> None:
    written, log = io.StringIO(), logging.Logger("companion.test")  # of its own, without the root's
    handler = logging.StreamHandler(written)
    handler.setFormatter(one_line())
    log.addHandler(handler)
    log.warning("game %s", EVIL)
    try:
        raise ValueError(EVIL)
    except ValueError:
        log.exception("game")
    lines = written.getvalue().splitlines()
    assert lines[0] == f"game {SHOWN}"
    assert lines[1:3] == ["game", "Traceback (most recent call last):"]
    assert "\x1b" not in written.getvalue()


def test_the_first_line_that_is_logged_is_escaped_too() -> None:
    program = f"from companion.app.failures import survive; survive({EVIL!r}, lambda: 1 / 0)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.startswith(f"companion: {SHOWN}: ZeroDivisionError('division by zero')\nTraceback")


def test_a_log_that_a_hostile_backup_brought_is_escaped_at_a_terminal_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    header, lines = whole_game(1)
    text = json.dumps({**header, "players": ["\x9b2J\u202e", "Bo"]}, ensure_ascii=False)
    with closing(Journal(tmp_path)) as journal:
        journal.add_game(
            journal.name_for("hipparchus"),
            [(text, {}), *((line, {}) for line in lines[:-1]), (lines[-1], {"over": True})],
        )
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert main(["export", "1"]) == 0
    assert "\x9b" in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["export", "1"]) == 0
    told = capsys.readouterr().out
    assert r"\x9b2J\u202e" in told
    assert "\x9b" not in told


def test_json_is_written_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    header = {"format": 1, "game": "hipparchus", "players": ["Ann", "Bo"], "rules": {}}
    log.write_text(json.dumps(header) + '\n{"type":"start","player":1}\n')
    assert main(["keys", str(log)]) == 0
    assert capsys.readouterr().out.startswith("2\t")
