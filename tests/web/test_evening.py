"""The real program in a real browser: a game set up and a whole round entered by clicks."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.gamelog import decode_line, replay
from companion.journal import Journal
from companion.ui.keys import parse
from tests.app.boxes import new_box, press
from tests.cli.test_log_to_keys import same
from tests.oracle.eternity import random_game
from tests.waiting import LAST_RESORT

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = pytest.mark.browser

SETUP = "1 1 C2D55D444# C22D33D2# # #"
NAMES = ["Aki", "Bea"]


@contextmanager
def simulating(data: Path, *words: str) -> Iterator[str]:
    """Yield the address of the simulator on a free port, then end it and check that it ends well."""
    journal = Journal(data)
    journal.keep_setting("language", "en")  # or the first start would ask for it
    journal.close()
    command = [sys.executable, "-m", "companion", "simulate", "--port", "0", "--data", str(data), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        try:
            yield next(word for word in program.stdout.readline().split() if word.startswith("http"))
            program.send_signal(signal.SIGTERM)
            assert program.wait(LAST_RESORT) == 0
        finally:
            program.kill()


def first_round(seed: int) -> list[dict[str, object]]:
    """Return the lines of a whole round of two players, every card entered."""
    _header, lines = random_game(random.Random(seed), coarse=0.0, stop=0.0, seats=2, edition="jp")
    header = {"format": 1, "game": "eternity", "players": NAMES}
    log = "\n".join(map(json.dumps, (header, *lines))).encode()
    states = [reading.session.state for reading in replay(log)]
    return lines[: next(place for place, state in enumerate(states) if state.round == 2)]


def test_a_whole_round_is_set_up_and_entered_by_clicks(browser: Browser, tmp_path: Path) -> None:
    beside = new_box()  # the same keys pressed on a box without a page
    with simulating(tmp_path) as url:
        browser.open(url)

        def click(keys: str) -> None:
            for key in parse(keys):
                browser.press(key.name, key.held)
                beside.take(PANEL, key)
            browser.shows(beside.picture)

        click(SETUP)
        assert beside.game is not None
        header = beside.game.session.header
        assert list(header.players) == NAMES
        lines = first_round(7)
        for line in lines:
            click(LogToKeys(beside.game.session, beside.game.tracking).spell(decode_line(json.dumps(line), header)))
        assert "R1 over" in browser.words()
    command = [sys.executable, "-m", "companion", "export", "--data", str(tmp_path)]
    exported = subprocess.run(command, capture_output=True, text=True, check=True)
    assert same(exported.stdout.splitlines()[1:], "\n".join(map(json.dumps, ({}, *lines))).encode())


def test_a_program_started_again_goes_on_where_it_was(browser: Browser, tmp_path: Path) -> None:
    beside = new_box()
    for keys in (SETUP + "1 A3 B9", "A4"):
        with simulating(tmp_path) as url:
            browser.open(url)
            for key in parse(keys):
                browser.press(key.name, key.held)
            browser.shows(press(beside, keys).picture)
    with simulating(tmp_path) as url:
        browser.open(url)
        assert any(line.startswith("Bea:") for line in browser.words())
