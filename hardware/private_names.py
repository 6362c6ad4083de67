"""Collects the names that a report must not contain: people, phones, users, the computer, networks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.journal.folder import GAME
from hardware.own_wifi import NETWORK
from hardware.system_probes import SystemProbes

USUAL = frozenset({"companion", "localhost", "pi", "raspberrypi", "root"})
"""Names of users and computers that say nothing about anybody."""

_LARGEST = 20_000_000  # bytes of a file
_HOLDING = frozenset({"players", "old", "new", "hidden", "name"})  # the keys of values that are names
_GAME = re.compile(GAME.pattern.removesuffix(r"\.jsonl"))
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
_PLAYERS = re.compile(r'"players\\*":\s*\[([^\]]*)')


def people(data: Path) -> set[str]:
    """Return every name in the files of the journal: players, renamed and hidden people, phones, unfinished entries.

    Files are read as they are, so that damaged and set-aside ones count as well.

    Raises:
        OSError: A file cannot be read.
    """
    found: set[str] = set()
    for file in _files(data):
        if file.stat().st_size <= _LARGEST:
            for line in file.read_bytes().decode("utf-8", "replace").rstrip("\0").splitlines():
                found.update(_in_line(line))
    return {name.strip() for name in found if name.strip()}


def users(machine: SystemProbes) -> set[str]:
    host = (machine.text("/proc/sys/kernel/hostname") or "").strip()
    return {name for name in (*machine.users(), host) if name and name.lower() not in USUAL}


def networks(machine: SystemProbes) -> set[str]:
    """Return the names of Wi-Fi networks, and the own Wi-Fi's name and password."""
    found = set((machine.text(str(NETWORK)) or "").split())
    for line in (machine.output_of("nmcli", "-t", "-f", "TYPE,NAME", "connection", "show") or "").splitlines():
        kind, _colon, name = line.partition(":")
        if "wireless" in kind:
            found |= {_unescaped(name), re.sub("^netplan-[a-z0-9]+-", "", _unescaped(name))}
    for line in (
        machine.output_of("nmcli", "-t", "-f", "SSID", "device", "wifi", "list", "--rescan", "no") or ""
    ).splitlines():
        found.add(_unescaped(line))
    return {name for name in found if name.strip()}


def _unescaped(written: str) -> str:
    """Return a value as nmcli means it: it puts a backslash before colons and backslashes."""
    return re.sub(r"\\(.)", r"\1", written)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and the folders in it.

    Raises:
        OSError: A folder cannot be read.
    """
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and not entry.is_symlink():
            yield from _files(entry)
        elif entry.is_file():
            yield entry


def _in_line(line: str) -> Iterator[str]:
    """Yield the names in a line of the journal's files: JSON values with tabs between them."""
    for field in line.split("\t"):
        try:
            value = json.loads(field)
        except ValueError:
            yield from _in_damaged(field)
        else:
            yield from _in_value(value)


def _in_value(value: Any, naming: bool = False) -> Iterator[str]:
    """Yield the names in a JSON value; ``naming`` says that its strings are names."""
    if isinstance(value, dict):
        for key, each in value.items():
            record = key == "name" and "value" in value
            yield from _in_value(each, naming or (key in _HOLDING and not record))
    elif isinstance(value, list):
        for each in value:
            yield from _in_value(each, naming)
    elif isinstance(value, str):
        if naming:
            yield from () if _GAME.fullmatch(value) else (value,)
        elif value[:1] in ("{", "["):
            with suppress(ValueError):
                yield from _in_value(json.loads(value))
        else:
            yield from map(_literal, _TEXT.findall(value))  # texts among keys


def _in_damaged(field: str) -> Iterator[str]:
    """Yield what may be a name in a damaged line: the players, and every text but plain words of the format."""
    for players in _PLAYERS.findall(field):
        yield from (_literal(text.strip().strip('\\"')) for text in players.split(","))
    for text in map(_literal, _TEXT.findall(field)):
        if not re.fullmatch("[a-z0-9_{}:,.-]*", text):
            yield text


def _literal(text: str) -> str:
    """Return a text as JSON means it."""
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text
