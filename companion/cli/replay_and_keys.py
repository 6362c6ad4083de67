"""The commands ``replay`` and ``keys``: replay a log, or print the keys that enter it."""

from __future__ import annotations

import argparse

from companion.app.terminal import say
from companion.core.text import IllegalEventError
from companion.gamelog import InvalidLineError, snapshot
from companion.gamelog import replay as steps_of

from .common import WRONG, naming, read_input, say_refused, standard_output, why, write_data


def replay(arguments: argparse.Namespace) -> int:
    """Print the snapshot after each log's last event."""
    status = 0
    for name in arguments.logs:
        status = max(status, _replay_one(name, arguments))
    return status


def _replay_one(name: str, arguments: argparse.Namespace) -> int:
    try:
        data = read_input(name)
    except OSError as error:
        say(f"{name}: {why(error)}", error=True)
        return WRONG
    try:
        for reading in steps_of(data):
            if arguments.each and reading.line is not None:
                write_data(snapshot(reading.session) + b"\n")
        if not arguments.each:
            write_data(snapshot(reading.session) + b"\n")
    except InvalidLineError as error:
        say_refused(name, error, arguments)
        return WRONG
    return 0


def keys(arguments: argparse.Namespace) -> int:
    """Print the shortest keys that enter each line of a log."""
    from companion.cli.log_to_keys import LogToKeys

    with naming(arguments.log):
        data = read_input(arguments.log)
    try:
        keys_of_log = None
        for reading in steps_of(data):
            if keys_of_log is None or reading.line is None:
                keys_of_log = LogToKeys(reading.session)
            else:
                standard_output().write(f"{reading.number}\t{keys_of_log.spell(reading.line)}\n")
    except InvalidLineError as error:
        say_refused(arguments.log, error, arguments)
        return WRONG
    except IllegalEventError as refused:
        say(f"{arguments.log}:{reading.number}: {refused}", error=True)
        return WRONG
    return 0
