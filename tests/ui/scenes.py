"""Every screen that has a golden picture, made once for all tests that only look at it."""

from __future__ import annotations

from functools import cache

from companion.app.controller import Controller
from tests.scenes.scenes import SCENES
from tests.scenes.screenshots import controller_at

BY_NAME = {scene.name: scene for scene in SCENES}


@cache
def seen(scene: str, language: str = "en") -> Controller:
    """Return an application that shows a scene; a test must not press keys of it."""
    return controller_at(BY_NAME[scene], language)
