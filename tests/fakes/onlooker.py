"""A page that shows the frames."""

from __future__ import annotations

from companion.app.ports import Frame


class Onlooker:
    """A page that shows the frames.

    Attributes:
        frames: All frames received.
    """

    languages: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def show(self, frame: Frame) -> None:
        self.frames.append(frame)
