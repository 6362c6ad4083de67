"""Prints how slips are noticed, and how often the true correction is suggested."""

from __future__ import annotations

import argparse

from companion.games import GAMES

from .figures import measure
from .table import corrected, noticed, suggested

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.harness.slips", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="a game; by default all", default=[*GAMES])
    parser.add_argument("--games", dest="count", type=int, default=220, help="how many games are played (default: 220)")
    chosen = parser.parse_args()
    for game in chosen.games:
        figures = measure(game, range(chosen.count))
        for line in (*noticed(figures), *corrected(figures), *suggested(figures)):
            print(line)
        print(flush=True)
