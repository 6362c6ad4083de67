"""How far an update of this box is, as data for the screens."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class UpdateStage(Enum):
    """What is known of a newer version, or done about it."""

    UNKNOWN = "unknown"
    LOOKING = "looking"
    FOUND = "found"
    NOTHING_NEWER = "nothing newer"
    FAILED = "failed"
    INSTALLING = "installing"
    INSTALLED = "installed"


class BoxUpdate(Struct, frozen=True):
    """This box's version, and how far an update is.

    Attributes:
        here: The version of this box.
        stage: How far the update is.
        version: The newer version that was found.
        place: Where it is: the name of a USB drive, or the host of an address.
        on_drive: Whether it is on a drive.
        fault: What failed: see `companion.installation.updates.UpdateError`.
    """

    here: str
    stage: UpdateStage = UpdateStage.UNKNOWN
    version: str = ""
    place: str = ""
    on_drive: bool = False
    fault: str = ""

    @property
    def at_work(self) -> bool:
        """Return whether the system looks or installs."""
        return self.stage in (UpdateStage.LOOKING, UpdateStage.INSTALLING)
