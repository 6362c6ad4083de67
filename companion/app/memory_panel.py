"""A panel in memory, for scripts and computers without one."""

from __future__ import annotations

from PIL import Image


class MemoryPanel:
    """A panel that keeps the last picture."""

    def __init__(self, size: tuple[int, int] = (128, 64)) -> None:
        """Make a dark panel of a size in pixels."""
        self._size = size
        self.picture: Image.Image | None = None  # the last picture; None before the first one
        self.level = 255  # the brightness, 0 to 255

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return self._size

    def show(self, picture: Image.Image) -> None:
        """Keep a picture of the panel's size.

        Raises ValueError if the picture has another size or mode than the panel.
        """
        if picture.size != self._size or picture.mode != "1":
            raise ValueError(f"a {picture.mode!r} picture of {picture.size} for a panel of {self._size}")
        self.picture = picture

    def shine(self, level: int) -> None:
        """Keep the brightness; raise ValueError if the level is not from 0 to 255."""
        if not 0 <= level <= 255:
            raise ValueError(f"A panel shines from 0 to 255, not {level}.")
        self.level = level

    def refresh(self) -> None:
        """Do nothing: a panel in memory never loses its picture."""

    def close(self) -> None:
        """Drop the picture."""
        self.picture = None


def blocks(picture: Image.Image) -> str:
    """Return a picture as text; each line shows two rows of pixels."""
    width, height = picture.size
    pixels = picture.load()
    assert pixels is not None  # loaded pictures always have pixels
    lines = [
        "".join(" ▀▄█"[bool(pixels[x, y]) + 2 * bool(pixels[x, y + 1])] for x in range(width)).rstrip()
        for y in range(0, height, 2)
    ]
    return "\n".join(lines)
