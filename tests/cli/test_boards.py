"""Boards on the command line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from companion.cli import main
from hardware import board as boards
from tests.board_keys import BOARD_KEYS
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at

HEADER = '{"format": 1, "game": "eternity", "players": ["Aki", "Bea", "Cyr", "Dai"]}'


def test_every_board_is_pressed() -> None:
    assert sorted(BOARD_KEYS) == sorted(boards.names())


@pytest.mark.parametrize("name", BOARD_KEYS)
def test_the_keys_of_a_board_are_pressed_from_the_command_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = tmp_path / "header.json"
    header.write_text(HEADER)
    data = ["--data", str(tmp_path)]
    assert main(["press", *data, "--board", name, "--new", str(header), BOARD_KEYS[name].opened]) == 0
    capsys.readouterr()
    main(["export", *data])
    lines = capsys.readouterr().out.splitlines()
    assert json.loads(lines[1]) == {"type": "start", "player": 0}
    assert json.loads(lines[2]) == {"type": "deal", "board": ["sea-3", "sky-9"]}


def test_a_key_the_board_lacks_is_refused_before_any_is_pressed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pressing = ["press", "--data", str(tmp_path), "--board", "three-buttons"]
    assert main([*pressing, "o 7"]) == 1
    assert capsys.readouterr().err == "companion: this board has no key 7; it has < o >\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO("o\n7\n"))
    assert main([*pressing, "-"]) == 0
    messages = [json.loads(line)["message"] for line in capsys.readouterr().out.splitlines()]
    assert messages == [None, "this board has no key 7; it has < o >"]


def test_a_board_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["press", "--data", str(tmp_path)], ["simulate"]):
        assert main([*command, "--board", "rotray"]) == 1
        assert "did you mean rotary?" in capsys.readouterr().err


def test_screens_are_drawn_as_a_board_shows_them() -> None:
    scene = next(scene for scene in SCENES if scene.name == "play-lead")
    drawn = [box_at(scene, board=boards.load(name).keyed()).picture for name in ("keypad-4x4", "three-buttons")]
    assert drawn[0].tobytes() != drawn[1].tobytes()


@pytest.mark.parametrize("name", BOARD_KEYS)
def test_every_board_is_drawn_as_what_it_is(name: str) -> None:
    assert boards.load(name).keyed().kind == BOARD_KEYS[name].kind
