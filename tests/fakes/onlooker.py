"""A page that shows the frames."""

from __future__ import annotations

from companion.app.ports import BoxOutput, PageKey


class Onlooker:
    """A page that shows the frames.

    Attributes:
        frames: All frames received.
    """

    wanted: frozenset[PageKey] = frozenset()

    def __init__(self) -> None:
        self.frames: list[BoxOutput] = []

    def show(self, frame: BoxOutput) -> None:
        self.frames.append(frame)
