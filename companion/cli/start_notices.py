"""The notices that a start shows at the table: games in memory only, no HDMI screen, an unknown setting."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.terminal import say

if TYPE_CHECKING:
    from companion.core.text import Text
    from hardware.owner_settings import Settings


def start_notices(data: Path, settings: Settings, *, on_hdmi: bool) -> Iterator[Text]:
    """Yield the notices; ``data`` is the journal's folder, ``on_hdmi`` says whether an HDMI screen is wanted."""
    notices = keeps_no_games(data), _no_screen() if on_hdmi else None, _unknown_setting(settings)
    yield from (each for each in notices if each is not None)


def keeps_no_games(data: Path) -> Text | None:
    """Return the notice of a service whose games are kept in memory, such as with a read-only root; else None."""
    from companion.ui.translations import _
    from hardware.mount_table import is_in_memory

    if "STATE_DIRECTORY" not in os.environ or not is_in_memory(data):
        return None
    return _("Games are in memory only: they are gone with the power")


def _no_screen() -> Text | None:
    """Return the notice of an HDMI screen that cannot be drawn on now; else None."""
    from companion.app.ports import DeviceError
    from companion.ui.translations import _
    from hardware.hdmi_wall import geometry

    try:
        geometry()
    except DeviceError:
        return _("There is no HDMI screen")
    return None


def _unknown_setting(settings: Settings) -> Text | None:
    """Return the notice of settings of another version, or with a slip of the pen; None if there are none."""
    from companion.ui.translations import _

    if not settings.unknown:
        return None
    for sentence in settings.unknown:
        say(f"companion: {sentence}", error=True, flush=True)
    return _("A setting is unknown: {name}", name=settings.unknown[0].partition(" is unknown")[0])
