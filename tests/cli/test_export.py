"""`companion export`: the game it prints, the games it lists, and that it changes nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.journal import Journal
from tests.cli.folders import begin, begun, state_of


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(tmp_path / "data")


def export(data: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a separate program."""
    command = [sys.executable, "-W", "error", "-m", "companion", "export", "--data", data]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_game_is_exported_by_its_name(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    for place, name in enumerate(begun(data, 2)):
        assert main(["export", "--data", data, name]) == 0
        assert json.loads(capfd.readouterr().out.splitlines()[1])["player"] == place
    assert main(["export", "--data", data, name[:-1]]) == 1
    assert capfd.readouterr().err == f"companion: there is no game {name[:-1]} in {data}; the latest is 2\n"


def test_games_that_are_in_no_index_are_listed(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    names = begun(data, 50)
    assert main(["export", "--data", data, "--list"]) == 0
    listed = [int(line.split()[0]) for line in capfd.readouterr().out.splitlines()]
    assert listed == list(range(50, 0, -1))
    for game in ("1", "000001", names[0]):
        assert main(["export", "--data", data, game]) == 0


def test_export_changes_nothing_in_the_folder(data: str, capfd: pytest.CaptureFixture[str]) -> None:
    latest, *_others, damaged, single = reversed(begun(data, 40))
    Path(data, "copies", f"{single}.jsonl").unlink()
    Path(data, "games", f"{damaged}.jsonl").write_bytes(b"damaged\n")
    half = Path(data, "games", f"{latest}.jsonl")
    whole = half.read_bytes().rstrip(b"\0")
    half.write_bytes((whole + b'{"type":"deal","bo').ljust(16384, b"\0"))
    before = state_of(data)
    for words in ([], ["--list"], ["1"], [single], [latest]):
        assert main(["export", "--data", data, *words]) == 0
    assert state_of(data) == before
    assert capfd.readouterr().out.splitlines()[-2:] == [line.split("\t")[0] for line in whole.decode().splitlines()]


def test_export_reads_while_a_box_writes(data: str) -> None:
    journal = Journal(Path(data))
    game = begin(journal)
    journal.set_open_game(game)
    journal.append(game, '{"type":"start","player":0}', now=0.0, tracking="full")
    before = state_of(data)
    done = export(data)
    assert (done.returncode, done.stderr, len(done.stdout.splitlines())) == (0, "", 2)
    assert state_of(data) == before
    journal.append(game, '{"type":"undo"}', now=0.0, tracking="full")
    assert journal.fault is None
    assert export(data).stdout.count("\n") == 3


def test_a_game_s_file_is_replayed_by_way_of_cut(data: str) -> None:
    (game,) = begun(data, 1)
    file = Path(data, "games", f"{game}.jsonl")
    assert file.read_bytes().endswith(b"\0")
    companion = f"{sys.executable} -W error -m companion"
    for command in ("replay", "keys"):
        done = subprocess.run(
            f"cut -f1 {file} | {companion} {command} -", shell=True, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
