"""Small files of games that the grammar was made for: they could be added, end, and play without a fault."""

from __future__ import annotations

import pytest

from companion.cli.check_game import GameTrial
from companion.games import GAMES
from companion.games.toml_games import declared, game_of
from companion.games.toml_games.trial import endless

BARBU = """
name = "barbu-by-rounds"
title = "Barbu by rounds"
seats = 4
dealer = true
head = "Deal {round} of 28, {player}"

[[ask]]
name = "game"
kind = "choice"
per = "round"
once = "dealer"
choices = { "no tricks" = 1, "hearts" = 2, "queens" = 3, "king" = 4, "last two" = 5, "trumps" = 6, "dominoes" = 7 }
[[ask]]
name = "taken"
when = "pick(game, 1, 1, 1, 0, 0, 1)"
most = "pick(game, 13, 13, 4, 0, 0, 13)"
sum = "max(pick(game, 13, 13, 4, 0, 0, 13))"
[[ask]]
name = "ace"
kind = "seat"
when = "max(game) == 2"
[[ask]]
name = "king"
kind = "seat"
when = "max(game) == 4"
[[ask]]
name = "before_last"
kind = "seat"
when = "max(game) == 5"
[[ask]]
name = "last"
kind = "seat"
when = "max(game) == 5"
[[ask]]
name = "out"
kind = "order"
when = "max(game) == 7"

[define]
dominoes = "pick(out, 45, 20, 10, -5)"
[score]
points = "pick(game, -2*taken, -2*taken - 4*ace, -6*taken, -20*king, -10*before_last - 20*last, 5*taken, dominoes)"
[end]
when = "round == 28"
[[example]]
game = "hearts"
taken = [3, 0, 4, 6]
ace = 4
score = [-6, 0, -8, -16]
"""
PRESIDENT = """
name = "president-places"
title = "President by places"
seats = "3-8"
options.rounds = { label = "Rounds", values = [10, 5], typed = true }
[[ask]]
name = "place"
kind = "order"
text = "Who is out?"
[define]
best = "pick(place, 2, 1)"
worst = "pick(seats + 1 - place, 2, 1)"
[score]
points = "best - worst"
carry.title = "place"
[counts.presidents]
label = "President"
count = "place == 1"
[end]
when = "round == rounds"
[[example]]
place = [2, 4, 1, 3]
score = [-1, 2, -2, 1]
"""
DARTS = """
name = "darts"
title = "Darts"
seats = "2-8"
options.begin = { label = "From", values = [501, 301], typed = true }
[[ask]]
name = "hits"
text = "{player}, {left} left"
left = "total"
when = "all(total > hits)"
most = "min(180, total)"
refuse = "total - hits == 1"
because = "1 cannot be left"
[score]
start = "begin"
points = "-hits"
carry.best = "max(best, hits)"
shown.best = "Best"
[end]
when = "any(total == 0)"
winners = "total == 0"
[[example]]
options = { begin = 101 }
hits = [60, 99]
score = [-60, -99]
[[example.then]]
hits = [41, 0]
score = [-41, 0]
"""
TOGETHER = """
name = "deep-dive"
title = "Deep dive"
seats = "2-5"
options.missions = { label = "Missions", values = [5, 10], typed = true }
options.tries = { label = "Failures", values = [3, 5], typed = true }
[[ask]]
name = "done"
kind = "choice"
per = "round"
choices = { "no" = 0, "yes" = 1 }
[score]
points = "done"
carry.failed = "failed + 1 - done"
[end]
when = "max(total) == missions or max(failed) == tries"
winners = "total == missions"
"""
DICE = """
name = "five-dice"
title = "Five dice"
seats = "2-6"
asks = "players"
[[ask]]
name = "box"
kind = "choice"
once = "seat"
choices = { "ones" = 1, "twos" = 2, "threes" = 3, "fours" = 4, "fives" = 5, "sixes" = 6, "any" = 7, "five" = 8 }
[[ask]]
name = "dice"
most = "5*box if box <= 6 else pick(box - 6, 30, 50)"
refuse = "dice % pick(box, 1, 2, 3, 4, 5, 6, 1, 50)"
because = "This box cannot have that"
[define]
upper = "dice if box <= 6 else 0"
[score]
points = "dice + 35*(above < 63 and above + upper >= 63)"
carry.above = "above + upper"
shown.above = "Above"
[end]
when = "round == 8"
[[example]]
box = ["any", "ones"]
dice = [27, 4]
score = [27, 4]
"""


@pytest.mark.parametrize(
    ("text", "most"),
    [(BARBU, 50), (PRESIDENT, 25), (DARTS, 30), (TOGETHER, 20), (DICE, 30)],
    ids=["barbu", "president", "darts", "together", "dice"],
)
def test_a_small_file_is_a_whole_game(text: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(text.strip().splitlines()) <= most
    text = text.replace('name = "', 'name = "small-', 1)  # some of these are shipped, and a game found is kept
    made = declared(text, "game.toml", new=True)  # its examples are worked out
    assert endless(made, text) is None
    monkeypatch.setitem(GAMES, made.name, game_of(made))
    trial = GameTrial(GAMES[made.name])
    trial.run(2)
    assert trial.entries
    assert [*trial.wrong] == []
