"""The companion's commands with the game and the board of docs/examples: ``python -m tests.docs.with_examples``."""

import sys

from companion.cli import main
from companion.games import GAMES
from docs.examples.race import RACE
from hardware import board
from tests.docs.pages import EXAMPLES

if __name__ == "__main__":
    GAMES[RACE.name] = RACE
    board.BOARDS = EXAMPLES / "boards"
    sys.exit(main(sys.argv[1:]))
