"""Every scene of the transcripts in `tests/transcripts/games` says what it said when it was accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import GAMES
from tests.accepted import fail_unless_accepted
from tests.games.game_transcripts import FOLDER, Scene, accept, scenes

SCENES = [
    pytest.param(scene, id=f"{file.stem}: {scene.title}")
    for file in sorted(FOLDER.glob("*.txt"))
    for scene in scenes(file)
]


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_says_what_was_accepted(scene: Scene) -> None:
    fail_unless_accepted(scene.lines, scene.play())


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_scenes_of_its_questions_its_refusals_and_what_it_shows(game: str) -> None:
    subjects = {file.stem.rpartition("-")[2] for file in FOLDER.glob(f"{game}-*")}
    assert {"cards", "questions", "refusals", "shown"} <= subjects


def test_what_is_no_longer_said_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "eternity-questions.txt"
    file.write_text("# A file\n\n# A scene\ngame eternity 3\nask full → nonsense\n    more of it\n")
    assert accept(file)
    assert "Who starts? | Aki Bea Cyr" in file.read_text()
    assert not accept(file)
