"""Settings and boards: valid ones, and corrupted ones."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from companion.ui.translations import languages
from hardware import board, owner_settings
from hardware.strict_toml import TomlError, parse

from .corruption import bytes_spoilt, value_spoilt
from .text_outcomes import Tally, commanded

FULL: dict[str, Any] = {
    "board": "keypad-4x4",
    "language": "en",
    "factory": "kernel",
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
    "hdmi": {"on": False},
    "power": {"off": True},
}
"""Settings with every key."""

JUNK: list[Any] = [
    *(True, False, -1, 0, 1, 2, 3, 27, 28, 255, 10**30, 1.5, float("nan"), float("inf"), "", "x", "row1", "spi", "i2c"),
    *("ssd1322", "passive", "lgpio", "rotary", "off", "25:00", "\x00", "\u202e", "x" * 99, "123A", "<o>", "*"),
    *([], {}, [[]], ["22:00", "07:00"], [1, 2], {"a": {"b": 1}}, [{"kind": "matrix"}], {"kind": "encoder"}),
]
"""Replacement values."""


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


def _spoilt(document: dict[str, Any], written: bytes, chance: Random) -> bytes:
    """Return a document with corrupted values, corrupted bytes, or both."""
    kind = chance.random()
    if kind < 0.6:
        changed: Any = copy.deepcopy(document)
        for _ in range(chance.choice([1, 1, 2, 3])):
            changed = value_spoilt(changed, chance, JUNK)
            if not isinstance(changed, dict):
                changed = {"board": changed}
        written = as_document(changed)
    return bytes_spoilt(written, chance, chance.choice([1, 1, 3])) if kind > 0.5 else written


def configs(times: int, seed: int) -> str:
    """Load corrupted settings."""
    tally, known = Tally("settings loaded"), languages()
    shipped = (Path(__file__).parents[3] / "systemd" / "companion.toml").read_bytes()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "box.toml"
        for number in range(times):
            chance = Random(f"settings {seed} {number}")
            data = _spoilt(FULL, chance.choice([shipped, shipped.replace(b"\n#", b"\n")]), chance)
            tally.judge(data, number, partial(_refusal_of_settings, file, data, known))
        for name, data in _monsters():
            tally.judge(data, name, partial(_refusal_of_settings, file, data, known))
        devices = [Path(name) for name in ("/dev/zero", "/dev/null", folder, f"{folder}/none", f"/{'x' * 999}")]
        for device in devices:
            tally.judge(str(device), device, partial(_refusal_of_settings, device, None, known))
    return str(tally)


def _refusal_of_settings(file: Path, data: bytes | None, known: tuple[str, ...]) -> str | None:
    if data is not None:
        file.write_bytes(data)
    try:
        owner_settings.load(file, lambda: known)
    except owner_settings.SettingsError as fault:
        said = str(fault)
        assert said.startswith(f"{file}: "), f"the file is not named in {said!r}"
        assert "- at `$" not in said, f"no key is named in {said!r}"
        return said.replace(str(file), "FILE")
    return None


def boards(times: int, seed: int) -> str:
    tally = Tally("boards read")
    files = [(board.BOARDS / f"{name}.toml").read_bytes() for name in board.names()]
    whole = [(tomllib.loads(data.decode()), data) for data in files]
    for number in range(times):
        chance = Random(f"board {seed} {number}")
        data = _spoilt(*chance.choice(whole), chance)
        tally.judge(data, number, partial(_refusal_of_board, data))
    with TemporaryDirectory() as folder:
        for name in [" ", "x" * 10_000, "../keypad-4x4", "\udcff", "keypad-4x4\x00", "/etc/passwd", "*"]:
            words = ["press", "--board", name, "--data", folder, "1"]
            tally.judge(name, name, partial(commanded, words))
    return str(tally)


def _refusal_of_board(data: bytes) -> str | None:
    try:
        there = parse(data.decode("utf-8", "replace"), board.Board)
        board.check(there)
    except (TomlError, board.BoardError) as fault:
        return str(fault)
    board.remarks(there)
    there.keyed()
    return None


def _monsters() -> Iterator[tuple[str, bytes]]:
    for count in (900, 30_000):
        yield f"a dotted key of {count}", b"sleep." + b"a." * count + b"a = 1"
        yield f"a dotted table of {count}", b"[" + b"a." * count + b"a]"
    yield "many dotted keys", b"".join(b"a%d.%sb = 1\n" % (number, b"a." * 990) for number in range(32))
    for depth in (100, 300, 490, 990):
        yield f"lists, {depth} deep", b"sounds.night = " + b"[" * depth + b"]" * depth
        yield f"tables, {depth} deep", b"page.host = " + b"{a=" * (depth // 2) + b"1" + b"}" * (depth // 2)
    yield "a list of lists", b"page.host = [" + b"[1,2,3],\n" * 7000 + b"]"
    yield "tables", b"".join(b"[a%d]\n" % number for number in range(7000))
    yield "tables of a list", b"[[pins]]\n" * 7000
    yield "pins", b"[pins]\n" + b"".join(b"p%d = 1\n" % number for number in range(6000))
    for base, digit in ((b"", b"9"), (b"0x", b"f"), (b"0b", b"1"), (b"1e", b"9")):
        for digits in (1900, 60_000):
            yield f"a number {base!r} of {digits}", b"sleep.dim = " + base + digit * digits
    yield "a word", b'board = "' + b"keypad" * 9000 + b'"'
    yield "a word over lines", b'board = """' + b"keypad\n" * 9000 + b'"""'
    yield "a key", b"x" * 60_000 + b" = 1"
    yield "a comment", b"#" * 1_000_000
    yield "lines", b"\n" * 1_000_000
