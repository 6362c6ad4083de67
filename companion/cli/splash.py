"""The command ``splash``: shows a sentence on the panel and leaves it there, as while the program is built."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from .common import WRONG


def splash(wanted: argparse.Namespace) -> int:
    """Show a sentence on the panel."""
    if not show_sentence(wanted.config, " ".join(wanted.words)):
        return WRONG
    os._exit(0)  # the panel's library would switch it off at the end


def show_sentence(config: Path | None, words: str) -> bool:
    """Show a sentence; return whether the panel took it. Settings that are wrong are those of the usual board."""
    from companion.app.ports import DeviceFault  # noqa: PLC0415
    from companion.ui.splash import sentence  # noqa: PLC0415
    from companion.ui.translations import languages  # noqa: PLC0415
    from hardware.board import BoardFault  # noqa: PLC0415
    from hardware.device_factory import DeviceFactory  # noqa: PLC0415
    from hardware.settings import SettingsFault, defaults, load  # noqa: PLC0415

    try:
        settings = load(config, languages())
    except (SettingsFault, BoardFault):
        settings = defaults()
    try:
        DeviceFactory(settings).panel().show(sentence(words))
    except DeviceFault:
        return False
    return True
