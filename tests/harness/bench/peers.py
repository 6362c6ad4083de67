"""The peers to compare with: python-chess and luma.oled."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable

import chess
from PIL import Image

PLIES = 80
"""The rough length of a game of chess between people, in plies."""


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
    """Push every move of some games: parse it, find it among the legal moves and make it."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push_san(move)


def luma_frame() -> Callable[[], None]:
    """Return luma's own function to show one full frame, on a bus without a device."""
    from luma.core.interface.serial import noop  # luma is heavy
    from luma.oled.device import ssd1306

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
