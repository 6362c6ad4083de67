"""A lamp and a buzzer that are only remembered: for scripts, tests, and boxes without them."""

from __future__ import annotations

from . import sounds
from .ports import Colour, DeviceFault, Motif


class MemoryLamp:
    """Keeps the colour it was to show.

    Attributes:
        colour: What it shines in; None is dark.
    """

    def __init__(self) -> None:
        """Make a dark lamp."""
        self.colour: Colour | None = None
        self._closed = False

    def show(self, colour: Colour | None) -> None:
        """Keep a colour.

        Raises:
            DeviceFault: It is closed.
        """
        if self._closed:
            raise DeviceFault("The lamp is closed.")
        self.colour = colour

    def close(self) -> None:
        """Go dark for good."""
        self.colour = None
        self._closed = True


class MemoryBuzzer:
    """Keeps the motif that was to be heard.

    Attributes:
        motif: What was to be played last; None before the first.
    """

    def __init__(self) -> None:
        """Make a buzzer that has not played yet."""
        self.motif: Motif | None = None
        self._closed = False

    def play(self, motif: Motif) -> None:
        """Keep a motif.

        Raises:
            DeviceFault: It is closed.
            ValueError: The motif cannot be played.
        """
        sounds.check(motif)
        if self._closed:
            raise DeviceFault("The buzzer is closed.")
        self.motif = motif

    def close(self) -> None:
        """Play no more."""
        self._closed = True
