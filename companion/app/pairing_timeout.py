"""Ends the PIN of an open pairing on time, and tells if the own Wi-Fi did not start.

A module of its own, because `companion.app.pairing` is loaded only where a page is served to phones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.core.text import Text
from companion.ui.translations import _

if TYPE_CHECKING:
    from .pairing import Pairing


class PairingTimeout:
    """A timed task that ends the PIN and tells the screens; without a PIN or a Wi-Fi that starts it is never due."""

    def __init__(self, pairing: Pairing | None, ended: Callable[[Text | None, bool], None]) -> None:
        """Watch a pairing; ``ended`` is called with a message, if there is one, and whether it is an error."""
        self._pairing = pairing
        self._ended = ended

    @property
    def due(self) -> float | None:
        """Return when to call `tick`."""
        return None if self._pairing is None else self._pairing.due

    def tick(self) -> None:
        """End the PIN if its time has come."""
        if self._pairing is None:
            return
        if self._pairing.tick():
            self._ended(None, False)
        if self._pairing.wifi_failed():
            self._ended(_("The own Wi-Fi did not start"), True)
