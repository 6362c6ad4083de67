"""The command ``splash``: shows a sentence on the panel and leaves it there, for example during an update."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.ports import DeviceError
from companion.app.terminal import say
from companion.ui.pictures import sentence
from companion.ui.translations import languages
from hardware.board import BoardError
from hardware.device_factory import DeviceFactory
from hardware.owner_settings import SettingsError, defaults, load

from .common import WRONG, with_config


def splash_arguments(one: ArgumentParser) -> None:
    with_config(one)
    one.add_argument("words", metavar="WORD", nargs="+")


def splash(arguments: Namespace) -> int:
    if not show_sentence(arguments.config, " ".join(arguments.words)):
        say("companion: the panel cannot be opened: sudo companion doctor says what to look at", error=True)
        return WRONG
    os._exit(0)  # the panel's library would switch it off at the end


def show_sentence(config: Path | None, words: str) -> bool:
    """Show a sentence; return whether the panel took it. Settings that are wrong are those of the usual board."""
    try:
        settings = load(config, languages)
    except (SettingsError, BoardError):
        settings = defaults()
    try:
        DeviceFactory(settings).panel().show(sentence(words))
    except DeviceError:
        return False
    return True
