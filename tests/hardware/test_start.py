"""The start: few imports before the first picture, and messages about damage."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.app.folders import DAMAGED, begun, damage
from tests.waiting import LAST_RESORT

START = """
import os, sys, smbus2
from tests.bench.child import Bus

def shown():
    print(*sys.modules, flush=True)
    os._exit(0)

Bus.shown = shown
smbus2.SMBus = Bus
from companion.cli import main
main(["run", "--data", sys.argv[1], "--config", sys.argv[2]])
"""

LATER = (
    "asyncio",
    "companion.app.controller",
    "companion.core.game",
    "companion.games",
    "companion.journal",
    "companion.ui.fonts",
    "companion.ui.translations",
    "companion.web",
    "gpiod",
    "gpiozero",
)
"""Slow modules that the first picture does not need."""


def test_the_first_picture_waits_for_no_game_no_font_no_journal_and_no_pin(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.touch()
    command = [sys.executable, "-c", START, str(tmp_path), str(config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LAST_RESORT, check=True)
    imported = set(done.stdout.split())
    assert "luma.oled.device" in imported
    assert imported.isdisjoint(LATER)


def test_the_box_says_damage_on_standard_error_in_one_line(tmp_path: Path) -> None:
    begun(str(tmp_path), 1)
    damage(str(tmp_path))
    command = [sys.executable, "-m", "tests.bench.child", "start", "0"]
    env = {**os.environ, "BENCH": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=LAST_RESORT, check=True, env=env)
    assert done.stderr == DAMAGED
