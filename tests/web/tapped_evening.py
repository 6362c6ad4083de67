"""Whole games entered by taps on the table's page, in a real browser."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.session import Session
from companion.gamelog import decode_header, decode_line
from companion.journal import Journal
from tests.cli.test_log_to_keys import same
from tests.games.seeds import Dealt
from tests.harness.slips.honest import LAID
from tests.harness.taps.log_to_taps import taps_of

if TYPE_CHECKING:
    from tests.web.browser import Browser


def set_up(data: Path, dealt: Dealt, entered: int = 0) -> None:
    """Begin a game in a journal's folder, with its first lines entered."""
    header = decode_header(json.dumps(dealt.header))
    journal = Journal(data)
    name = journal.name_for(header.game.name)
    journal.begin(name, header.written, "full", 0.0)
    for number, line in enumerate(dealt.lines[:entered], 1):
        over = number == len(dealt.lines)
        journal.append(name, json.dumps(line), now=0.0, tracking="full", over=over)
    journal.set_open_game(name)
    journal.close()


def tapped(browser: Browser, dealt: Dealt, most: int | None = None) -> tuple[int, int, int]:
    """Enter a game by taps on the open page.

    Args:
        browser: The browser.
        dealt: The game.
        most: How many of its lines to enter; None for all.

    Returns:
        How many cards were laid, the taps for these, and all taps.
    """
    session = Session(decode_header(json.dumps(dealt.header)))
    cards = taps_of_cards = every = 0
    for written in map(as_shown, dealt.lines[:most]):
        line = decode_line(json.dumps(written), session.header)
        count = sum(browser.choose(choice) for choice, _taps in taps_of(session, line))
        every += count
        if isinstance(line, LAID):
            cards, taps_of_cards = cards + 1, taps_of_cards + count
        session = session.add(line)
    return cards, taps_of_cards, every


def as_shown(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line with the cards of a pair in the order in which the page shows them."""
    cards = line.get("cards", [])
    pair = isinstance(cards, list) and len(cards) == 2 and len({card.partition("-")[2] for card in cards}) == 1
    return {**line, "cards": sorted(cards, reverse=True)} if pair else line


def is_saved(data: Path, dealt: Dealt, most: int | None = None) -> bool:
    """Return whether the journal's latest game has exactly a game's lines."""
    command = [sys.executable, "-m", "companion", "export", "--data", str(data)]
    exported = subprocess.run(command, capture_output=True, text=True, check=True)
    log = "\n".join(map(json.dumps, (dealt.header, *map(as_shown, dealt.lines[:most])))).encode()
    return same(exported.stdout.splitlines()[1:], log)
