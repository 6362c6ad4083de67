"""A random player goes on with what a restarted box has of an entry."""

from __future__ import annotations

import json
import random

import pytest

from companion.app.state import PANEL
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header
from companion.journal import Journal
from companion.ui.keys import parse
from companion.ui.screens.table import PlayScreen
from tests.app.boxes import lines_of, new_box
from tests.games.seeds import deal
from tests.harness.stress import random_hands

ENTRIES = 12
HEADER = '{"format":1,"game":"gear","players":["Aki","Bea","Cyr","Dai"]}'


def test_a_game_is_entered_as_dealt_though_the_box_restarts_within_each_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_hands, "ASIDE", 0.0)
    monkeypatch.setattr(random_hands, "SLIPS", 0.0)
    hands, journal = random_hands.Hands(random.Random(1)), Journal()
    hands.dealt = dealt = deal("eternity", 1, coarse=0, edits=0)
    header = decode_header(json.dumps(dealt.header))
    box = new_box(journal)
    box.begin(header, next(iter(header.game.trackings)))
    restarts = 0
    while len(lines_of(journal)) < ENTRIES:
        hands.line(box, most=1)
        screen = box.state.panel.screen
        if isinstance(screen, PlayScreen) and not screen.untouched:
            box, restarts = new_box(journal), restarts + 1
            hands.resume()
    assert restarts > ENTRIES // 2
    assert [json.loads(line) for line in lines_of(journal)] == dealt.lines[:ENTRIES]


def test_the_same_keys_enter_the_same_on_two_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_hands, "SLIPS", 1.0)
    for seed in range(60):
        hands, journals = random_hands.Hands(random.Random(seed)), (Journal(), Journal())
        one, other = map(new_box, journals)
        for box in (one, other):
            box.begin(decode_header(HEADER), DetailLevel.FULL)
        keys = hands.line(one, most=2)
        for key in parse(keys):
            other.take(PANEL, key)
        assert [*map(lines_of, journals)] == [lines_of(journals[0])] * 2, keys
