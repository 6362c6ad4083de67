"""Text that reaches the box as keys, and journals with foreign content."""

from __future__ import annotations

import json
from functools import partial
from random import Random
from typing import Any

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.cli.press import answer
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header
from companion.history.renamed_and_hidden import NameChange, People, written
from companion.journal import Journal
from companion.ui.keys import BUTTONS, FEW, KEYPAD, NAMES
from companion.ui.translations import languages
from tests.fakes.clock import FixedClock

from .corruption import SNIPPETS, bytes_spoilt
from .log_inputs import dealt, spoilt_log
from .text_outcomes import Tally

FIGURES = "\x00\t\r\x0b\x85\u2028\ufeff\u200b\ud800\udcff\uffff²٣Ａﬀßıſ𝟙h-+\"'\\ \n"
"""Characters that are not keys, or that some functions take for a key, a digit or a space."""

PER_KEY = 5e-3
"""Seconds allowed for a key, its picture included."""


def _box(journal: Journal, few: bool = False, language: str | None = "en") -> Box:
    clock = FixedClock()
    return Box(journal, Outputs(MemoryPanel(), clock), clock, language=language, board=BUTTONS if few else KEYPAD)


def typed(times: int, seed: int) -> str:
    """Type lines of invalid, many or strange keys on a box, as ``press -`` does."""
    tally, games = Tally("lines of keys typed"), dealt(seed)
    box = _box(Journal())
    for number in range(times):
        chance = Random(f"typed {seed} {number}")
        if number % 200 == 0:
            box = _box(Journal(), few := chance.random() < 0.3)
            board = BUTTONS if few else None
            box.begin(decode_header(json.dumps(chance.choice(games)[0])), DetailLevel.FULL)
        keys = chance.choices(NAMES + FEW + "h", k=chance.choice([1, 2, 5, 9, 30]))
        if chance.random() < 0.7:
            keys += chance.choices(FIGURES, k=chance.choice([1, 1, 3]))
            chance.shuffle(keys)
        text = "".join(keys)
        tally.judge(text, number, partial(_refusal_of_keys, box, text, board))
    for text in ["#" * times, "12A" * times, "1" * 100_000 + "x", "h" * 100_000, " " * 1_000_000, "\ud800" * 10_000]:
        tally.judge(text, "long", partial(_refusal_of_keys, box, text, None), PER_KEY)
    return str(tally)


def _refusal_of_keys(box: Box, text: str, board: Any) -> str | None:
    before = box.lines
    answered = answer(box, text, board)
    assert "\n" not in answered, "an answer is a line"
    answered.encode()
    state = json.loads(answered)
    message = state["message"]
    if message is None or ("is no key" not in message and "has no key" not in message and "an h stands" not in message):
        return None  # keys were pressed, and what the box says of them is the box's matter
    assert state["events"] == before, "some keys of a line that is refused were pressed"
    return str(message)


def journals(times: int, seed: int) -> str:
    """Start a box on a journal with content that no box writes."""
    tally, games = Tally("journals of junk begun with"), dealt(seed)
    for number in range(times):
        chance = Random(f"journal {seed} {number}")
        journal = Journal()
        held = [_junk(chance, journal, part, games) for part in range(6)]
        tally.judge(repr(held), number, partial(_use, chance, journal), PER_KEY)
    return str(tally)


def _use(chance: Random, journal: Journal) -> None:
    """Start a box, and visit its screens."""
    box = _box(journal, chance.random() < 0.3, chance.choice([None, "en", "ja", "xx"]))
    for _ in range(12):
        answer(box, chance.choice(["*", "#", "1", "h#", "A", "D", "0", "3#", "h*", "7", "o", ">", "ho"]))
        assert all(isinstance(words, str) for words in box.frame.words)


def _text(chance: Random) -> str:
    """Return some text that a file can hold."""
    snippets = b"".join(chance.choices(SNIPPETS, k=chance.choice([1, 2, 5])))
    return snippets.decode("utf-8", "replace") * chance.choice([1, 1, 50])


def _junk(chance: Random, journal: Journal, part: int, games: Any) -> str:
    """Put a wrong value into a part of a journal; return the value."""
    if chance.random() < 0.3:
        return ""
    spoil = chance.random() < 0.8
    match part:
        case 0:
            known = [*languages(), "xx", "../fr", "en/../fr", "e" * 300, ""]
            return _set(journal, "language", _text(chance) if spoil else chance.choice(known))
        case 1:
            return _set(journal, "sounds", _text(chance) if spoil else chance.choice(["on", "off"]))
        case 2:
            return _set(journal, "roster", _roster(chance, games, spoil))
    if part > 3:
        return ""
    log = spoilt_log(chance, games) if spoil else json.dumps(chance.choice(games)[0]).encode()
    header, *lines = log.decode("utf-8", "replace").split("\n")
    tracking = chance.choice(["full", "quick", "round", "", "FULL", _text(chance)])
    name, now, over = journal.name_for("game"), chance.choice([0.0, -1e18, 1e18]), chance.random() < 0.2
    journal.begin(name, header, tracking, now)
    for place, line in enumerate(lines[:-1], 2):
        journal.append(name, line, now=now, tracking=tracking, over=over and place == len(lines))
    keys = "".join(chance.choices(NAMES + FEW + "h", k=4))
    journal.keep_draft(name, chance.choice(["", keys, keys + _text(chance), "h", "h#" * 9]))
    journal.set_open_game(name)
    return f"{header} {lines[-3:]} {tracking} {journal.draft(name)}"


def _roster(chance: Random, games: Any, spoil: bool) -> str:
    names = [*chance.choice(games)[0]["players"], *chance.choice(games)[0]["players"]]
    junk = [*names, "", " ", "x" * 300, "\x00", "\u202e", "é"]
    changes = tuple(NameChange(chance.choice(junk), chance.choice(junk), chance.randrange(-1, 9)) for _ in range(3))
    line = written(People(changes, tuple(chance.choices(junk, k=2))))
    return bytes_spoilt(line.encode(), chance).decode("utf-8", "replace") if spoil else line


def _set(journal: Journal, name: str, value: str) -> str:
    journal.keep_setting(name, value)
    return f"{name}={value}"
