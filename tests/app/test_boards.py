"""Whole games on every board: set-up with typed names, a changed rule, the game, the score sheet, a correction."""

from __future__ import annotations

import io
import json
import random
import sys
from pathlib import Path

import pytest

from companion.app.box import Box
from companion.cli import main
from companion.cli.board_key_layout import board_named
from companion.core.prompt import Prompt
from companion.gamelog import read
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.key_grammar import AnswerCodes
from companion.ui.screens.table import PlayScreen
from hardware import board as boards
from tests.app.boxes import says
from tests.app.selecting import does, key_of, on
from tests.board_keys import BOARD_KEYS
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at

NAMES = ("Ad", "Gj", "Mp", "Tw", "Ag")
TYPED = ("23", "45", "67", "89", "24")
"""The keys of a keypad that make the names."""


def asking(box: Box) -> tuple[PlayScreen, Prompt | None]:
    """Return the table screen and its prompt."""
    screen = box.state.panel.screen
    assert isinstance(screen, PlayScreen), says(box)
    assert box.game is not None
    asked_now = screen.position(box.game).ask(screen.answers)
    return screen, asked_now if isinstance(asked_now, Prompt) else None


def answer_at_random(box: Box, chance: random.Random) -> bool:
    """Answer the prompt at random. Return whether there was one."""
    _table, prompt = asking(box)
    if prompt is None:
        return False
    does(box, AnswerCodes(prompt).spell(chance.choice(prompt.answers)))
    return True


def correct_at_random(box: Box, chance: random.Random) -> None:
    """Replace the latest entry at random, and agree to what else changes."""
    does(box, "h*")
    does(box, "#")
    if not isinstance(box.state.panel.screen, PlayScreen):  # what can be done with the entry
        does(box, "1")
    while asking(box)[0].correction is not None:
        answer_at_random(box, chance)
        if not isinstance(box.state.panel.screen, PlayScreen):  # what else changes
            does(box, "#")


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", boards.names())
@pytest.mark.parametrize("game", GAMES)
def test_an_evening_is_played_on_a_board(name: str, game: str) -> None:
    board = boards.load(name).keyed()
    chance = random.Random(f"{name} {game}")
    journal = Journal()
    box = on(board, journal)
    does(box, key_of(box, "New game"))
    does(box, key_of(box, GAMES[game].title))
    seats = min(3, GAMES[game].seats.stop - 1)
    for written, typed in zip(NAMES[:seats], TYPED, strict=False):
        does(box, "C")
        for choice in typed if box.state.panel.selector is None else (f"letter {letter}" for letter in written):
            does(box, choice)
        does(box, "#")
    if "Detail" not in says(box):
        does(box, key_of(box, f"Go on with {seats}"))
    before = says(box)
    does(box, "1")
    assert says(box) != before
    does(box, "#")
    assert box.game is not None
    assert box.game.session.header.players == NAMES[:seats]
    entered = 0
    while answer_at_random(box, chance) and entered < 60:
        entered += 1
    does(box, "h#")
    does(box, "1")
    does(box, "*")
    does(box, "*")
    lines = box.lines
    while box.lines == lines:  # the same answers again change nothing
        correct_at_random(box, chance)
    does(box, "*")
    while answer_at_random(box, chance):
        pass
    assert asking(box)[1] is None
    assert box.game.over
    (saved,) = journal.games()
    log = [saved.header, *journal.lines(saved.name)]
    assert read("\n".join(log).encode()).state == box.game.session.state
    assert any(json.loads(line)["type"] == "amend" for line in log[1:])
    does(box, "#")
    assert "Tabletop Companion" in says(box)


# on the command line

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
    drawn = [box_at(scene, board=board_named(name)).picture for name in ("keypad-4x4", "three-buttons")]
    assert drawn[0].tobytes() != drawn[1].tobytes()


@pytest.mark.parametrize("name", BOARD_KEYS)
def test_every_board_is_drawn_as_what_it_is(name: str) -> None:
    assert boards.load(name).keyed().kind == BOARD_KEYS[name].kind
