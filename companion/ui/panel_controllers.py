"""The controllers that the panel may have, as data for the screens."""

from __future__ import annotations

from msgspec import Struct


class PanelControllers(Struct, frozen=True):
    """The controller that drives the panel, and the one that it may have instead.

    Attributes:
        used: The name of the controller in use, such as ``SSD1306``.
        other: The name of the other one.
        tested: Whether the test picture is shown.
    """

    used: str
    other: str
    tested: bool = False
