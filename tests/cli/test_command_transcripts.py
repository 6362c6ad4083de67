"""Every scene of the transcripts in `tests/transcripts/commands` prints what it printed when it was accepted."""

from __future__ import annotations

import pytest

from tests.accepted import fail_unless_accepted
from tests.cli.command_transcripts import FOLDER, Scene, scenes

SCENES = [
    pytest.param(scene, id=f"{file.stem}: {scene.title}")
    for file in sorted(FOLDER.glob("*.txt"))
    for scene in scenes(file)
]


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_prints_what_was_accepted(scene: Scene) -> None:
    fail_unless_accepted(scene.lines, scene.play())
