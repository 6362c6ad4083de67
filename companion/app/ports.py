"""What the loop needs of the world: displays and a clock; and what they may say when they fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from PIL import Image


class DeviceFault(Exception):
    """A device did not do what it was asked: a matter of the device, never of the game."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What the box shows at one moment.

    Attributes:
        picture: 128x64 pixels, mode "1"; not to be changed.
        lamp: Red, green, blue, each 0-255; None is dark.
        labels: What each key does now, by the key's name ("7", "A", "#", "h#" held); short words.
        words: What the picture says, line by line, for people who do not see it.
    """

    picture: Image.Image
    lamp: tuple[int, int, int] | None
    labels: Mapping[str, str]
    words: tuple[str, ...]


class Panel(Protocol):
    """Shows a picture."""

    @property
    def size(self) -> tuple[int, int]:
        """Return its width and height in pixels."""

    def show(self, picture: Image.Image) -> None:
        """Show a picture of the panel's size, mode "1".

        Raises:
            DeviceFault: The panel did not take it; show the next one all the same.
        """


class Mirror(Protocol):
    """Shows everything the box does: picture, lamp, keys."""

    def show(self, frame: Frame) -> None:
        """Show a frame; called from the loop, returns at once and never raises."""


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> float:
        """Return seconds since 1970."""
