"""A new game needs only its own module: screens, journal and commands work with it unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.cli import main
from companion.core.game import PileColumn, Progress
from companion.core.prompt import DetailLevel
from companion.core.text import Glyph
from companion.gamelog import decode_header
from companion.games import GAMES
from companion.history.history import History
from companion.journal import Journal
from companion.ui.pictures import large
from companion.ui.screens.history_pages import winners_of
from companion.ui.view import OpenGame
from tests.app.boxes import new_box, press, says

from .fifth import LAST_STONE, STONE

HEADER = {"format": 1, "game": "last-stone", "players": ["Aki", "Bea"]}
LINES = [
    {"type": "start", "player": 1},
    *({"type": "take", "player": player, "count": count} for player, count in ((1, 3), (0, 3), (1, 3), (0, 1))),
]


@pytest.fixture(autouse=True)
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "last-stone", LAST_STONE)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "stones.jsonl"
    file.write_text("\n".join(map(json.dumps, (HEADER, *LINES))))
    return file


def test_it_is_set_up_and_played_on_the_box() -> None:
    journal = Journal()
    number = list(GAMES).index("last-stone") + 1
    box = press(new_box(journal), f"1 {number} 1 1")
    assert "ten" in says(box)
    press(box, "2 12 # #")
    assert json.loads(journal.games()[0].header)["rules"] == {"stones": 12}
    press(box, "2 3")
    assert box.view().question == "P1 takes"
    press(box, "9")
    assert "A number from 1 to 3, please" in says(box)
    press(box, "3 3 2 *")
    assert "Took back: 2, P1" in says(box)
    press(box, "2 1")
    assert "P1 wins" in says(box)
    press(box, "#")
    assert "Tabletop Companion" in says(box)


def test_a_game_that_ends_with_a_loser_is_listed_with_the_loser(monkeypatch: pytest.MonkeyPatch) -> None:
    loses = replace(LAST_STONE, optional=replace(LAST_STONE.optional, one_loses=True))
    monkeypatch.setitem(GAMES, "last-stone", loses)
    journal = Journal()
    box = new_box(journal)
    box.begin(decode_header(json.dumps(HEADER)), DetailLevel.FULL)
    press(box, "2 3 3 3 1 #")
    assert any("Aki lost" in says(press(box, keys)) for keys in ("3", "h* 4", "h* 2"))
    result = History(journal, None).results()[0]
    assert str(winners_of(box.state.table, result)) == "Aki lost"


def test_a_game_that_nobody_wins_is_listed_so(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def progress(state: Any) -> Progress:
        now = LAST_STONE.progress(state)
        return now if now.winners is None else replace(now, winners=())

    monkeypatch.setitem(GAMES, "last-stone", replace(LAST_STONE, progress=progress))
    journal = Journal()
    box = new_box(journal)
    box.begin(decode_header(json.dumps(HEADER)), DetailLevel.FULL)
    press(box, "2 3 3 3 1 #")
    assert any("nobody won" in says(press(box, keys)) for keys in ("3", "h* 4", "h* 2"))
    history = History(journal, None)
    assert str(winners_of(box.state.table, history.results()[0])) == "nobody won"
    header, data = tmp_path / "header.json", str(tmp_path / "data")
    header.write_text(json.dumps(HEADER))
    assert main(["press", "--data", data, "--new", str(header), "2", "3", "3", "3", "1"]) == 0
    capfd.readouterr()
    assert main(["history", "--data", data]) == 0
    assert "nobody" in capfd.readouterr().out
    assert main(["rescore", str(log), "--rules", '{"stones": 10}']) == 0
    assert "Winners: nobody; by these rules: nobody" in capfd.readouterr().out


def test_a_sign_that_nobody_has_drawn_is_its_word_and_large_its_first_letter_or_word() -> None:
    box = new_box()
    box.begin(decode_header(json.dumps(HEADER)), DetailLevel.FULL)
    press(box, "2")
    assert "Stones Stone" in says(box)
    assert box.frame.lamp == STONE.colour
    assert box.picture.crop((1, 10, 33, 42)).tobytes() == large("stone", "Stone").tobytes()
    body = box.view().body
    assert isinstance(body, OpenGame)
    assert body.columns == (PileColumn(Glyph("stone"), 10),)


def test_its_log_is_replayed_spelt_pressed_and_exported(
    log: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(log)]) == 0
    assert json.loads(capfd.readouterr().out) == {"left": 0, "turn": None, "totals": [4, 6], "winners": [1]}
    assert main(["keys", str(log)]) == 0
    keys = [line.split("\t")[1] for line in capfd.readouterr().out.splitlines()]
    assert keys == ["2", "3", "3", "3", "1"]
    header, data = tmp_path / "header.json", str(tmp_path / "data")
    header.write_text(json.dumps(HEADER))
    assert main(["press", "--data", data, "--new", str(header), *keys]) == 0
    capfd.readouterr()
    assert main(["export", "--data", data]) == 0
    assert [json.loads(line) for line in capfd.readouterr().out.splitlines()] == [HEADER, *LINES]
