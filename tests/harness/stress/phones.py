"""Phones at the table: whole games tapped in a browser, and paired browsers in three roles that tap at once."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.games import GAMES
from tests.games.seeds import deal
from tests.harness.slips.honest import HABITS
from tests.needed import missing
from tests.web.browser import Browser, started
from tests.web.tapped_evening import is_saved, set_up, tapped
from tests.web.test_evening import simulating

WHOLE = 100
"""The number of entries from which each game is tapped and eight browsers are paired, in place of one and three."""

INSIDE = ("unshare", "--user", "--map-root-user", "--net")


def run(times: int, seed: int) -> Iterator[str]:
    """Enter so many lines of each game at most, then let paired browsers play as many."""
    why = missing("browser")
    if why is not None:
        yield f"nothing was tried: {why}"
        return
    with started() as browser:
        for game in GAMES if times >= WHOLE else ("eternity",):  # the suite taps a game of each kind anyway
            yield _evening(browser, game, times, seed)
    yield from _paired(8 if times >= WHOLE else 3, times, seed)


def _evening(browser: Browser, game: str, most: int, seed: int) -> str:
    """Tap a game on a phone.

    Raises:
        AssertionError: The journal has other lines.
    """
    dealt = deal(game, seed, **HABITS)
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder), dealt)
        with simulating(Path(folder)) as url:
            browser.open_table(url)
            cards, taps, every = tapped(browser, dealt, most)
        lines = min(most, len(dealt.lines))
        assert is_saved(Path(folder), dealt, most), f"{game}: the log is not the one meant"
    return (
        f"{game} on a phone: {lines} lines, {cards} cards with {taps} taps, {taps / max(1, cards):.2f} a card; "
        f"{every} taps in all; the log is the one meant"
    )


def _paired(many: int, most: int, seed: int) -> Iterator[str]:
    """Let paired browsers play in a network namespace.

    Raises:
        AssertionError: An answer was lost or counted twice, or somebody was allowed what is forbidden.
    """
    if subprocess.run([*INSIDE, "ip", "link"], capture_output=True, check=False).returncode:
        yield "the paired browsers are left out: no network can be made here (unshare and ip are needed)"
        return
    command = [*INSIDE, sys.executable, "-m", "tests.harness.stress.paired_browsers", str(many), str(most), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as inside:
        assert inside.stdout is not None
        lines = [line.rstrip("\n") for line in inside.stdout]
    assert inside.returncode == 0, "\n".join(lines)
    yield from lines
