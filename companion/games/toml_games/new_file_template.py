"""The beginning of a new game's file."""

from __future__ import annotations

BEGINNING = """\
# A game for the scorekeeper. It can be played as it is; change what you want, then: companion game add {name}.toml
name = "{name}"
title = "{title}"
seats = "2-8"           # how many can play: "3-6", or 4
dealer = true           # the deal goes round; questions begin left of the dealer
best = "highest"        # or "lowest"
options.rounds = {{ label = "Rounds", values = [5, 10], typed = true }}   # chosen before the game; the first is usual

[[ask]]                 # asked of each player in every round; add another [[ask]] for another question
name = "points"
least = -100
most = 200

[score]
points = "points"       # a player's points of the round, from the answers: "10 + bid if tricks == bid else 0"

[end]
when = "round == rounds"

[words.fr]              # what stands above, in other languages
Rounds = "Manches"
"""


def beginning(name: str, title: str) -> str:
    """Return a file that can be played as it is."""
    return BEGINNING.format(name=name, title=title)
