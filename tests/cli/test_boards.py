"""Boards on the command line."""

from __future__ import annotations

import json
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


def test_screens_are_drawn_as_a_board_shows_them() -> None:
    scene = next(scene for scene in SCENES if scene.name == "play-lead")
    drawn = [box_at(scene, board=boards.load(name).keyed()).picture for name in ("keypad-4x4", "three-buttons")]
    assert drawn[0].tobytes() != drawn[1].tobytes()


@pytest.mark.parametrize("name", BOARD_KEYS)
def test_every_board_is_drawn_as_what_it_is(name: str) -> None:
    assert boards.load(name).keyed().kind == BOARD_KEYS[name].kind
