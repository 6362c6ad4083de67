"""Lamp and buzzer in memory, for tests."""

from __future__ import annotations

from companion.app.ports import Colour, DeviceError, Motif


class MemoryLamp:
    """A lamp that keeps the last colour.

    Attributes:
        colour: The colour; None is dark.
    """

    def __init__(self) -> None:
        self.colour: Colour | None = None
        self._closed = False

    def show(self, colour: Colour | None) -> None:
        """Keep a colour.

        Raises:
            DeviceError: The lamp is closed.
        """
        if self._closed:
            raise DeviceError("The lamp is closed.")
        self.colour = colour

    def close(self) -> None:
        """Switch off permanently."""
        self.colour = None
        self._closed = True


class MemoryBuzzer:
    """A buzzer that keeps the last motif.

    Attributes:
        motif: The last motif; None before the first one.
    """

    def __init__(self) -> None:
        self.motif: Motif | None = None
        self._closed = False

    def play(self, motif: Motif) -> None:
        """Keep a motif; raise DeviceError if the buzzer is closed."""
        if self._closed:
            raise DeviceError("The buzzer is closed.")
        self.motif = motif

    def close(self) -> None:
        """Refuse further motifs."""
        self._closed = True
