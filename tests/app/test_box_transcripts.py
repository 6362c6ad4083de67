"""Every scene of the transcripts in `tests/transcripts/box` shows the words that it showed when they were accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.accepted import fail_unless_accepted
from tests.app.box_transcripts import FOLDER, Scene, accept, scenes

SCENES = [
    pytest.param(scene, id=f"{file.stem}: {scene.title}")
    for file in sorted(FOLDER.glob("*.txt"))
    for scene in scenes(file)
]


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_shows_what_was_accepted(scene: Scene) -> None:
    fail_unless_accepted(scene.lines, scene.play())


def test_every_title_is_there_once() -> None:
    for file in FOLDER.glob("*.txt"):
        titles = [scene.title for scene in scenes(file)]
        assert len({*titles}) == len(titles), file.name


def test_what_is_no_longer_shown_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "table.txt"
    file.write_text("# A file\ngame eternity Aki Bea\n\n# A scene\nkeys 1 → nonsense\n    more of it\n")
    (scene,) = scenes(file)
    assert scene.play() != [*scene.lines]
    assert accept(file)
    (scene,) = scenes(file)
    assert scene.play() == [*scene.lines]
    assert "Aki starts" in file.read_text()
    assert not accept(file)
