"""Finds the function of a command by its name; its module is imported when the command runs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse


def add_command(parsers: Any, name: str, about: str, function: str) -> argparse.ArgumentParser:
    """Return the parser of a new command that runs a function.

    Args:
        parsers: The subparsers that it is added to.
        function: Its name, such as ``device:run``.
    """
    one: argparse.ArgumentParser = parsers.add_parser(name, help=about, description=about)
    one.set_defaults(command=named(function))
    return one


def named(function: str) -> Callable[[Any], int]:
    """Return a command, such as ``device:run``; its module is imported when it runs."""
    module, _colon, name = function.partition(":")
    return partial(_run, module, name)


def _run(module: str, name: str, arguments: argparse.Namespace) -> int:
    command = getattr(importlib.import_module(f".{module}", __package__), name)
    if "companion.games" in sys.modules:
        from companion.app.games import measure_games

        from .common import find_added_games

        measure_games()
        find_added_games(arguments)
    status: int = command(arguments)
    return status
