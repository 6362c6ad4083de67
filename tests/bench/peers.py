"""The work of others that ours is held against: python-chess and luma.oled."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable

import chess
from PIL import Image

PLIES = 80
"""How long a game of chess is among people, roughly."""


def chess_games(count: int) -> list[list[str]]:
    """Return random games of chess, move by move in the notation that people write."""
    games = []
    for seed in range(count):
        rng, board, moves = random.Random(seed), chess.Board(), list[str]()
        while len(moves) < PLIES and not board.is_game_over():
            move = rng.choice(list(board.legal_moves))
            moves.append(board.san(move))
            board.push(move)
        games.append(moves)
    return games


def push_all(games: list[list[str]]) -> None:
    """Push every move of some games: it is read, found among the legal ones and made."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push_san(move)


def luma_frame() -> Callable[[], None]:
    """Return luma's own way of showing one full frame, on a line that leads nowhere."""
    from luma.core.interface.serial import noop  # noqa: PLC0415  # luma is heavy
    from luma.oled.device import ssd1306  # noqa: PLC0415

    class Nowhere(noop):  # type: ignore[misc]  # luma has no types
        def command(self, *_bytes: int) -> None:
            pass

        def data(self, _bytes: list[int]) -> None:
            pass

    picture = Image.new("1", (128, 64), 255)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # luma asks Pillow for pixels in the old way
        device = ssd1306(Nowhere())

    def frame() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            device.display(picture)

    return frame
