"""Interfaces that the application uses: panel, lamp, buzzer, keys, power switch, page mirror, clock.

The first picture waits for this module: its values are structs, for dataclasses bring half of Python along.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from PIL import Image

    from companion.ui.keys import Key


class DeviceFault(Exception):
    """A device failed. The game is not affected."""


Colour = tuple[int, int, int]
"""Red, green, blue, each 0-255."""

Motif = tuple[tuple[int, float], ...]
"""Notes one after the other: hertz (0 is a rest) and seconds."""


class Frame(Struct, frozen=True):
    """Everything that is shown at one moment: picture, lamp colour, key labels, spoken lines.

    Attributes:
        picture: 128x64 pixels, mode "1"; not to be changed.
        lamp: Red, green, blue, each 0-255; None is dark.
        labels: What each key does now, by the key's name ("7", "A", "#", "h#" held); short words.
        words: What the picture says, line by line, for people who do not see it.
        asleep: Whether the panel is off, so that the next key only wakes it.
        expected_text: What can be written as a whole now, where there are letters; empty while nothing can.
        language: The two letters of the language it is worded in.
        key_lines: What stands on each key where its label is too long or too wide for it, lines apart.
    """

    picture: Image.Image
    lamp: Colour | None
    labels: Mapping[str, str]
    words: tuple[str, ...]
    asleep: bool = False
    expected_text: str = ""
    language: str = "en"
    key_lines: Mapping[str, str] = {}


class TextAnswer(Struct, frozen=True):
    """An answer that was written as text on a page."""

    text: str


class Panel(Protocol):
    """A display for 1-bit pictures.

    Every method may raise DeviceFault; the next call is to be made all the same, and starts from nothing.
    """

    @property
    def size(self) -> tuple[int, int]:
        """Return its width and height in pixels."""

    def show(self, picture: Image.Image) -> None:
        """Show a picture of the panel's size, mode "1"; nothing is sent of what is already seen.

        Raises:
            DeviceFault: The panel did not take it; show the next one all the same.
        """

    def shine(self, level: int) -> None:
        """Shine as brightly as told, 0 (off, the picture kept) to 255, from now on.

        A panel that was off is prepared anew and painted before it is lit: it may have lost its power in the dark.

        Raises:
            DeviceFault: The panel did not take it; it is done with the next picture.
        """

    def refresh(self) -> None:
        """Prepare the controller anew and send the whole picture: a panel that lost its power does not say so.

        Raises:
            DeviceFault: The panel did not take it.
        """

    def close(self) -> None:
        """Put it out and let go of it; never raises."""


class Lamp(Protocol):
    """An RGB lamp."""

    def show(self, colour: Colour | None) -> None:
        """Shine in a colour, or not at all.

        Raises:
            DeviceFault: The lamp does not do it.
        """

    def close(self) -> None:
        """Put it out and let go of it; never raises."""


class Buzzer(Protocol):
    """A buzzer that plays motifs."""

    def play(self, motif: Motif) -> None:
        """Begin a motif and return at once; what is being played gives way to it.

        Raises:
            DeviceFault: The buzzer does not do it.
        """

    def close(self) -> None:
        """Fall silent and let go of it; never raises."""


class KeySource(Protocol):
    """A device with keys: calls a function for each key."""

    def start(self, put: Callable[[Key], None]) -> None:
        """Put every key from now on, on a thread of its own.

        Raises:
            DeviceFault: The device cannot be had.
        """

    def alive(self) -> bool:
        """Tell whether it would still notice a key: asked now and then, and answered at once."""

    def close(self) -> None:
        """Let go of the device; never raises."""


class Power(Protocol):
    """Switches the machine off."""

    def may(self) -> bool:
        """Tell whether this program is allowed to."""

    def off(self) -> None:
        """Begin to switch off; whoever runs this program will be told to stop.

        Raises:
            DeviceFault: It cannot be done.
        """


class Mirror(Protocol):
    """Receives every frame, for a page."""

    def show(self, frame: Frame) -> None:
        """Show a frame; called from the loop, returns at once and never raises."""


class Clock(Protocol):
    """The time of day, and a monotonic time."""

    def now(self) -> float:
        """Return seconds since 1970; it may jump."""

    def passed(self) -> float:
        """Return seconds since some moment; they only grow."""
