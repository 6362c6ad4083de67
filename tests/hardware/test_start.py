"""The start: few imports before the first picture and the first question, and messages about damage."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.cli.folders import DAMAGED, begun, damage
from tests.waiting import LAST_RESORT

BEFORE_THE_PICTURE = """
import os, sys, smbus2
from tests.harness.bench.child import Bus

def shown():
    print(*sys.modules, flush=True)
    os._exit(0)

Bus.shown = shown
smbus2.SMBus = Bus
from companion.cli import main
main(["run", "--data", os.environ["BENCH"], "--config", os.environ["BENCH"] + "/companion.toml"])
"""
BEFORE_THE_QUESTION = """
import sys
from tests.harness.bench.child import Bus, box, wait_for_question

take, loaded = Bus.i2c_rdwr, set()

def taken(*given):
    take(*given)
    loaded.update(sys.modules)

def asked(_gpio):
    wait_for_question()
    print(*loaded, flush=True)

Bus.i2c_rdwr = taken
box(asked, lines=False)
"""

AFTER_THE_PICTURE = (
    "asyncio",
    "companion.app.box",
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

AFTER_THE_QUESTION = (
    "PIL.ImageFile",  # it imports logging
    "PIL.ImageFilter",
    "_hashlib",  # OpenSSL: 4 MB
    "argparse",
    "asyncio",
    "babel",
    "companion.app.machine.phones",
    "companion.history.history",
    "companion.history.results",
    "companion.history.statistics",
    "companion.cli.update",
    "companion.games.eternity",
    "companion.ui.live_page.build",
    "companion.ui.screens.game_menu",
    "companion.ui.screens.help",
    "companion.ui.suggestions",
    "companion.web",
    "getpass",
    "gettext",
    "gpiozero",
    "hardware.machine",
    "html",
    "jinja2",
    "logging",  # half a megabyte
    "openskill",
    "segno",
    "sqlite3",
    "ssl",
    "starlette",
    "urllib.request",
    "uvicorn",
)
"""Slow or large modules that the first question does not need, on a box without a page."""


def imported(program: str, folder: Path) -> set[str]:
    """Return the modules that a program names which starts the box on an empty folder."""
    (folder / "companion.toml").touch()
    env = {**os.environ, "BENCH": str(folder)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LAST_RESORT, check=True, env=env)
    return set(done.stdout.split())


def test_the_first_picture_waits_for_no_game_no_font_no_journal_and_no_pin(tmp_path: Path) -> None:
    before = imported(BEFORE_THE_PICTURE, tmp_path)
    assert "luma.core.interface.serial" in before
    assert before.isdisjoint(AFTER_THE_PICTURE)


def test_the_first_question_waits_for_no_page_no_history_no_update_and_no_openssl(tmp_path: Path) -> None:
    before = imported(BEFORE_THE_QUESTION, tmp_path)
    assert "companion.games" in before
    assert before.isdisjoint(AFTER_THE_QUESTION)


def test_the_box_says_damage_on_standard_error_in_one_line(tmp_path: Path) -> None:
    begun(str(tmp_path), 1)
    damage(str(tmp_path))
    command = [sys.executable, "-m", "tests.harness.bench.child", "start", "0"]
    env = {**os.environ, "BENCH": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=LAST_RESORT, check=True, env=env)
    assert done.stderr == DAMAGED
