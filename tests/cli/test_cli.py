"""The command line: the output of each command, and the message for each error."""

import argparse
import json
import os
import re
import shlex
import socket
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from msgspec.structs import replace
from PIL import Image

from companion.app.idle import FIRST_RETRY
from companion.cli import main
from companion.cli.commands import parsed
from companion.cli.device import plain_arguments
from companion.cli.press import answer, blocks
from companion.games import GAMES, python_games
from companion.journal import Journal
from tests.app.boxes import FillableJournal, begin, new_box
from tests.app.boxes import press as pressed
from tests.cli.folders import DAMAGED, HEADER, begun, damage
from tests.fakes.clock import FixedClock
from tests.waiting import LAST_RESORT
from tools.command_documents import every_parser

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts" / "eternity"
OPENED = "1 A3 B9 A4 DB11 9 C5"


@pytest.fixture
def header(tmp_path: Path) -> str:
    file = tmp_path / "header.json"
    file.write_text(HEADER)
    return str(file)


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(tmp_path / "data")


def run(*words: str, given: str | None = None, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command as a separate program, with optional standard input and environment."""
    command = [sys.executable, "-W", "error", "-m", "companion", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, input=given, env=env)


# replay


def test_replay_reads_standard_input() -> None:
    log = TRANSCRIPTS / "shared-win.jsonl"
    done = run("replay", "-", given=log.read_text())  # as a program, with its own input and output
    assert json.loads(done.stdout) == json.loads(log.with_suffix(".json").read_text())


def test_a_reader_that_leaves_early_is_no_trouble() -> None:
    log = str(TRANSCRIPTS / "whole-game-of-five-fr.jsonl")
    done = subprocess.run(
        f"{sys.executable} -W error -m companion replay --each {' '.join([log] * 30)} | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_a_reader_without_room_is_told_in_a_sentence() -> None:
    log = str(TRANSCRIPTS / "header-alone.jsonl")
    for words in (["replay", log], ["keys", str(TRANSCRIPTS / "shared-win.jsonl")]):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "companion", *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert done.stderr == "companion: the output cannot be written: no space left on device\n"
        assert done.returncode == 1


# help and version


def test_the_command_alone_prints_its_help(capfd: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    alone = capfd.readouterr()
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    assert alone == capfd.readouterr()
    assert all(f"\n    {command} " in alone.out for command in ("simulate", "run", "replay", "export"))


def test_the_version_is_that_of_the_installed_package(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capfd.readouterr().out == f"companion {version('tabletop-companion')}\n"


def test_a_program_that_was_not_installed_has_no_version(capfd: pytest.CaptureFixture[str]) -> None:
    with patch("importlib.metadata.version", side_effect=PackageNotFoundError):
        assert main(["--version"]) == 1
    assert capfd.readouterr().err == "companion: only an installed companion knows its version\n"


@pytest.mark.parametrize(("module", "what"), [("uvicorn", "page"), ("luma", "pi")])
def test_what_is_not_installed_is_said_with_the_command_that_installs_it(
    module: str, what: str, data: str, tmp_path: Path
) -> None:
    (tmp_path / f"{module}.py").write_text(f"raise ModuleNotFoundError(name={module!r})")
    command = ["simulate", "--port", "0"] if what == "page" else ["run"]
    done = run(*command, "--data", data, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    pip = f"{shlex.quote(sys.executable)} -m pip install 'tabletop-companion[{what}]'"
    thing = "page" if what == "page" else "box"
    assert (done.returncode, done.stderr) == (1, f"companion: the {thing} needs {module}; to install it: {pip}\n")


# press, keys, export


def test_a_script_is_told_what_is_not_saved_and_when_everything_is() -> None:
    journal, clock = FillableJournal(), FixedClock()
    box = pressed(begin(new_box(journal, clock)), "1 A3 B9")
    journal.full = True
    assert "Not saved" in answer(box, "A4")
    journal.full = False
    assert '"events": 2' in answer(box, "9")
    clock.let_pass(FIRST_RETRY)
    assert '"events": 5' in answer(box, "2")


def test_the_keys_of_a_log_pressed_and_exported_are_the_log(
    header: str, data: str, capfd: pytest.CaptureFixture[str]
) -> None:
    log = TRANSCRIPTS / "whole-game-of-four-cards-then-rounds.jsonl"
    first, *lines = log.read_text().splitlines()
    Path(header).write_text(first)
    assert main(["keys", str(log)]) == 0
    printed = [line.split("\t") for line in capfd.readouterr().out.splitlines()]
    assert [int(number) for number, _keys in printed] == list(range(2, len(lines) + 2))
    assert main(["press", "--data", data, "--new", header, *(keys for _number, keys in printed)]) == 0
    capfd.readouterr()
    assert main(["export", "--data", data]) == 0
    exported = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert exported == [json.loads(line) for line in (first, *lines)]


# Errors


def test_every_command_has_a_function_that_runs_it() -> None:
    several = {one.prog: one for one in every_parser()}
    assert {"companion simulate", "companion club consume", "companion game list"} < set(several)
    assert [
        name for name, one in several.items() if not callable(one.get_default("run")) and not has_actions(one)
    ] == []


def has_actions(one: argparse.ArgumentParser) -> bool:
    return any(isinstance(action, argparse._SubParsersAction) for action in one._actions)


@pytest.mark.parametrize("words", ["", "--data games", "--data games --config box.toml"])
def test_the_service_s_arguments_are_read_as_the_parser_reads_them(words: str) -> None:
    assert vars(plain_arguments(words.split())) == vars(parsed(["run", *words.split()]))


@pytest.mark.parametrize(
    ("words", "by_argparse"),
    [
        ("", False),
        ("--config box.toml --data a --data b", False),
        ("--data=games", True),
        ("--dat games", True),
        ("--data -", True),
    ],
)
def test_argparse_reads_what_is_no_plain_command_of_the_service(words: str, by_argparse: bool) -> None:
    assert (plain_arguments(words.split()) is None) is by_argparse


@pytest.mark.parametrize("words", ["--help", "now", "--port 1", "--data", "--data --config", "--hdmi"])
def test_slips_in_the_service_s_command_are_told_by_the_parser(words: str, capfd: pytest.CaptureFixture[str]) -> None:
    told = []
    for read in (main, parsed):
        with pytest.raises(SystemExit) as left:
            read(["run", *words.split()])
        told.append((left.value.code, capfd.readouterr()))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "cog"}, "it calls itself cog, Gear, not Gear"),
        ({"title": "Cog"}, "it calls itself gear, Cog, not Gear"),
        ({"seats": range(0)}, "seats is empty"),
    ],
)
def test_a_game_of_the_program_that_is_wrong_stops_the_command_with_a_sentence(
    wrong: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.games.gear.GEAR", replace(GAMES["gear"], **wrong))
    monkeypatch.setattr(GAMES, "_games", {**GAMES._games, "gear": None})
    python_games.game.cache_clear()
    try:
        assert main(["replay", str(TRANSCRIPTS.parent / "gear" / "ace-beaten-and-ace-as-eleven.jsonl")]) == 1
    finally:
        python_games.game.cache_clear()
    assert capfd.readouterr().err == f"companion: gear: {said}\n"


def test_a_port_that_is_taken_is_said(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["simulate", "--data", data, "--port", str(port)]) == 1
    assert f"port {port} is taken" in capfd.readouterr().err


def test_a_second_box_on_the_same_journal_is_told_so(header: str, data: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "press", "--data", data, "--new", header, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdin.write("1\n")
        first.stdin.flush()
        first.stdout.readline()
        second = run("press", "--data", data, "1")
        exported = run("export", "--data", data)
        first.stdin.close()
    assert second.returncode == 1
    assert second.stderr.startswith(f"companion: another companion already uses the journal in {data}")
    assert second.stderr.endswith("; stop it, or choose another folder with --data DIR\n")
    if Path("/proc/locks").exists():
        assert f": process {first.pid}, {sys.executable} -m companion press --data" in second.stderr
    assert len(exported.stdout.splitlines()) == 2


def test_the_simulator_says_damage_in_one_line(data: str) -> None:
    begun(data, 1)
    damage(data)
    command = [sys.executable, "-W", "error", "-m", "companion", "simulate", "--port", "0", "--data", data]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert "http" in program.stdout.readline()
        program.terminate()
        assert program.stderr.read() == DAMAGED
    assert any(file.read_bytes().startswith(b"#") for file in Path(data, "damaged").iterdir())


def test_the_simulator_on_every_address_prints_a_link_for_this_computer_and_a_pin_for_a_phone(data: str) -> None:
    command = [sys.executable, "-W", "error", "-m", "companion", "simulate", "--port", "0", "--data", data]
    with subprocess.Popen([*command, "--host", "0.0.0.0"], stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            here, phone, later = (program.stdout.readline() for _ in range(3))
            link = re.search(r"(http://127\.0\.0\.1:(\d+))(/here/\S{43}) ", here)
            pin = re.fullmatch(r"On a phone in the same network: http://\S+:(\d+)/join  PIN (\d{6})\n", phone)
            assert link is not None
            assert pin is not None
            assert pin[1] == link[2]
            assert later == "The page shows the next PIN when a phone has joined.\n"
            with httpx.Client(base_url=link[1], timeout=LAST_RESORT) as own:
                assert own.get("/").status_code == 401
                assert own.get(link[3], follow_redirects=True).status_code == 200
                assert own.get("/table").status_code == 200
            form = {"pin": pin[2], "name": "Aki"}
            other = {"Host": socket.gethostname()}
            with httpx.Client(base_url=link[1], headers=other, timeout=LAST_RESORT) as stranger:
                assert [stranger.post("/claim", data=form).status_code for _ in range(2)] == [303, 303]
                stranger.cookies.clear()
                assert stranger.post("/claim", data=form).status_code == 403
        finally:
            program.terminate()
    assert program.returncode == 0
    with subprocess.Popen([*command, "--host", "0.0.0.0"], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert "/here/" in program.stdout.readline()
        assert program.stdout.readline() == "The paired phones go on by themselves; another one: Settings, Phones.\n"
        program.terminate()


@pytest.mark.parametrize("encoding", ["utf-8:strict", "latin-1"])
def test_what_is_no_text_is_no_key_in_whatever_the_words_are_written_here(
    encoding: str, header: str, data: str
) -> None:
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "companion", "press", "--data", data, "--new", header, "-"],
        input=b"\xff\xed\xa0\x80\n\x00\n",
        capture_output=True,
        check=False,
        env=env,
    )
    assert done.stderr == b""
    assert all("is no key" in json.loads(line)["message"] for line in done.stdout.decode().splitlines())


def test_logs_are_in_utf_8_whatever_people_s_words_are_written_in_here(header: str, data: str) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    Path(header).write_text(HEADER.replace("Aki", "あき"))
    shown = run("press", "--data", data, "--new", header, "1", env=env)
    assert (shown.returncode, shown.stderr, len(shown.stdout.splitlines())) == (0, "", 32)
    assert "あき" in run("export", "--data", data, env=env).stdout


def test_a_file_that_a_command_cannot_have_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = "x" * 300
    assert main(["doctor", "--data", folder]) == 1
    assert f"✗ Files: {folder} cannot be read: File name too long." in capfd.readouterr().out


def test_a_line_of_keys_is_never_longer_than_memory(header: str, data: str) -> None:
    lines = ["1", "A" * 200_001, "A3"]
    done = run("press", "--data", data, "--new", header, "-", given="\n".join(lines))
    first, long, last = map(json.loads, done.stdout.splitlines())
    assert long == {**first, "message": "a line has up to 100000 characters"}
    assert last["screen"] != first["screen"]
    assert run("press", "--data", data, "--new", header, "-", given="*" * 200_001).stdout.count("\n") == 1


@pytest.mark.parametrize("words", [("replay", "-"), ("press", "-"), ("export",)])
def test_without_a_standard_output_there_is_a_sentence(words: tuple[str, ...], header: str, data: str) -> None:
    main(["press", "--data", data, "--new", header, "1"])
    command = [sys.executable, "-W", "error", "-m", "companion", *words]
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *command],
        input=HEADER,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "STATE_DIRECTORY": data},
    )
    assert (done.returncode, done.stderr) == (1, "companion: there is no standard output to write to\n")


@pytest.mark.parametrize("interrupted", ["argparse.ArgumentParser.parse_args", "companion.cli.logs.replay"])
def test_ctrl_c_ends_a_command_that_is_only_beginning_without_a_trace(interrupted: str) -> None:
    with patch(interrupted, side_effect=KeyboardInterrupt):
        assert main(["replay", "-"]) == 130


def test_ctrl_c_ends_the_program_while_it_is_being_loaded_without_a_trace(tmp_path: Path) -> None:
    (tmp_path / "argparse.py").write_text("raise KeyboardInterrupt")
    done = run("export", env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


# Power loss


def test_the_panel_in_text_has_a_half_block_for_every_pixel() -> None:
    picture = Image.new("1", (4, 4))
    picture.putpixel((0, 0), 1)
    picture.putpixel((1, 1), 1)
    picture.putpixel((2, 0), 1)
    picture.putpixel((2, 1), 1)
    assert blocks(picture) == "▀▄█\n"


@pytest.mark.parametrize("ahead", [0, 10**10])
def test_installations_keep_their_newest_backups_and_remove_nothing_else(tmp_path: Path, ahead: int) -> None:
    """Also where the clock was ahead when the older ones were written: many boxes have no clock of their own."""
    Journal(tmp_path / "games").close()
    (tmp_path / "games/kept").touch()
    backups = tmp_path / "backups"
    backups.mkdir()
    for number in range(4):
        (backups / f"before-0.{number}.0.zip").touch()
        os.utime(backups / f"before-0.{number}.0.zip", (ahead + number, ahead + number))
    (backups / "mine.zip").touch()
    file = str(backups / "before-0.9.0.zip")
    assert main(["backup", "--data", str(tmp_path / "games"), "--newest", "3", file]) == 0
    names = sorted(path.name for path in backups.iterdir())
    assert names == ["before-0.2.0.zip", "before-0.3.0.zip", "before-0.9.0.zip", "mine.zip"]
