"""The beginning of a game's file, and what a file declares in one line."""

from __future__ import annotations

from companion.core.progress import Best
from companion.core.text import N_, NN_, Text, joined

from .declaration import Declaration

MOST_SEATS = 8

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


def in_brief(game: Declaration) -> Text:
    """Return what a game declares in one line: ``3 players or more, 2 questions a round``."""
    least, most = game.seats.start, game.seats.stop - 1
    players = Text(N_("{least} to {most} players"), least=least, most=most)
    if least == most:
        players = Text(N_("{count} players"), count=least)
    elif most == MOST_SEATS:
        players = Text(N_("{count} players or more"), count=least)
    parts = [players, Text(NN_("{count} question a round", "{count} questions a round"), count=len(game.questions))]
    if game.tricks is not None:
        parts.append(Text(N_("card by card")))
    if game.best is Best.LOWEST:
        parts.append(Text(N_("the fewest points win")))
    return joined(parts, ", ")
