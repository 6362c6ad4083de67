"""Every screen that has a golden picture, made once for all tests that only look at it."""

from __future__ import annotations

from functools import cache

from companion.app.box import Box
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import box_at

BY_NAME = {scene.name: scene for scene in SCENES}


@cache
def seen(scene: str, language: str = "en") -> Box:
    """Return an application that shows a scene; a test must not press keys of it."""
    return box_at(BY_NAME[scene], language)
