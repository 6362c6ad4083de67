"""The panel's controller as chosen with the test picture: tries the other kind, and keeps the choice.

The choice belongs to this box and its panel, and not to its games: it is kept in a file of its own beside the journal,
so that no backup carries it to another box.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.app.ports import DeviceError

if TYPE_CHECKING:
    from .owner_settings import Settings
    from .panel_bus import Chip, PanelSpec

FILE = "panel-controller"  # the name of the file, in the folder of the journal

OTHER: dict[Chip, Chip] = {"ssd1306": "sh1106", "ssd1309": "sh1106", "sh1106": "ssd1306"}
"""The controllers that are mistaken for each other: the same panels are sold with either."""


class ControllerChoice:
    """The choice of a controller, kept in a file.

    It counts for the board and the setting with which it was made: after `chip` was written into the settings file,
    changed or removed there, the settings count again.
    """

    def __init__(self, settings: Settings, folder: Path) -> None:
        self._panel = settings.panel
        self._file = folder / FILE
        self._made_with = f"{settings.board.name} {settings.named_chip or '-'}"

    def spec(self) -> PanelSpec:
        """Return the panel with the chosen controller; without a choice, as the settings have it."""
        other = OTHER.get(self._panel.chip)
        try:
            kept = self._file.read_text("utf-8", errors="replace")
        except OSError:
            return self._panel
        chosen = other is not None and kept == f"{self._made_with} {other}\n"
        return msgspec.structs.replace(self._panel, chip=other) if chosen else self._panel

    def keep(self, chip: Chip) -> None:
        """Keep a choice; written to the disk when this returns. Raises DeviceError if it cannot be written."""
        from companion.journal.disk import written_beside  # the first picture does not wait for it

        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with written_beside(self._file) as file:
                file.write(f"{self._made_with} {chip}\n".encode())
        except OSError as error:
            raise DeviceError(f"The choice cannot be kept: {(error.strerror or str(error)).lower()}.") from error
