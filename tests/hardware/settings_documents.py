"""Settings with every key, and values as TOML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from hardware.owner_settings import Settings, SettingsError, load

FULL: dict[str, Any] = {
    "board": "keypad-4x4",
    "language": "en",
    "pins": {"row1": 4},
    "panel": {
        "chip": "sh1106",
        "bus": "i2c",
        "port": 1,
        "address": 0x3D,
        "device": 0,
        "contrast": 200,
        "rotation": 180,
    },
    "sleep": {"dim": 60, "off": 300, "shift": 240},
    "sounds": {"buzzer": "none", "on": True, "night": ["22:00", "07:00"]},
    "lamp": {"on": False, "brightness": 1.0, "common": "cathode"},
    "page": {"on": False, "host": "127.0.0.1", "port": 8080},
    "power": {"off": True},
    "update": {"address": "https://example.org/box"},
    "bridge": {
        "broker": "mqtts://broker.example:8883",
        "name": "Card table",
        "user": "box",
        "password_file": "/etc/companion.password",
        "authority": "/etc/ssl/club.pem",
        "certificate": "/etc/ssl/box.pem",
        "key": "/etc/ssl/box.key",
        "home_assistant": True,
        "club": False,
    },
}
"""Settings with every key."""


def as_toml(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return '"' + "".join(f"\\U{ord(character):08x}" for character in value) + '"'
        case dict():
            return "{" + ", ".join(f"{as_toml(key)} = {as_toml(each)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(as_toml, value)) + "]"
    return str(value)


def as_document(document: dict[str, Any]) -> bytes:
    """Return a document as TOML, one key a line."""
    return "".join(f"{as_toml(key)} = {as_toml(value)}\n" for key, value in document.items()).encode()


def owner_settings(given: str | bytes) -> str:
    """Return what is said of a settings file: why it is wrong, or which of it is unknown, or of which board it is."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "companion.toml")
        file.write_bytes(given if isinstance(given, bytes) else given.encode())
        try:
            box = load(file, lambda: ("en",))
        except SettingsError as fault:
            said = str(fault)
            assert "\n" not in said
            return said.replace(f"{file}: ", "")
    return "; ".join(box.unknown) or f"for the board {box.board.name}"


def settings_values(given: str | bytes) -> str:
    """Return the values of a settings file that are not as usual; all values of an empty file."""
    with TemporaryDirectory() as folder:
        usual, box = (dict(_values(load(_written(folder, text), lambda: ("en", "ja")))) for text in ("", str(given)))
    return "; ".join(f"{name} = {value}" for name, value in box.items() if not given or usual.get(name) != value)


def _written(folder: str, text: str) -> Path:
    file = Path(folder, "companion.toml")
    file.write_text(text)
    return file


def _values(box: Settings) -> Iterator[tuple[str, object]]:
    yield from (("board", box.board.name), ("language", box.language), ("needs lgpio", box.needs_lgpio))
    yield from ((f"pins.{pin}", line) for pin, line in box.board.pins.items())
    yield from (
        ("panel's bus", box.panel.bus_number),
        ("silent hours", box.sounds.silent_hours and [*map(str, box.sounds.silent_hours)]),
    )
    for section in ("panel", "sleep", "sounds", "lamp", "page", "power", "update", "bridge"):
        yield from ((f"{section}.{key}", value) for key, value in msgspec.structs.asdict(getattr(box, section)).items())
