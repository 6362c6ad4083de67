"""Whatever is done to a log, it is replayed or its fault is named; nothing else happens."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.log import LogError, Misread, decode_header, decode_line, encode, replay
from tests.games.seeds import Dealt, games

CHANCE = st.randoms(use_true_random=False)
JUNK: list[Any] = [
    *(None, True, False, -1, 0, 1, 3, 7, 2**63, 10**40, 1.0, "", "x", "sea-1", "earth-14", "\ud83c", "jp", "start"),
    *([], {}, [[]], [1, 2], ["sea-3", "sky-9"], {"type": "undo"}, {"player": 0, "card": "sea-5"}, {"\udfff": 0}),
]


def fault_is_a_sentence(data: bytes) -> bool:
    """Replay and tell whether there was no fault."""
    try:
        for reading in replay(data):
            encode(reading.session.header.game.snapshot(reading.session.state))
    except Misread as caught:
        fault = caught
    else:
        return True
    assert 1 <= fault.number <= data.count(b"\n") + 1
    assert str(fault).startswith(f"{fault.number}: ")
    assert "\n" not in str(fault)
    own = re.sub(r"'[^']*'|\"[^\"]*\"", "", str(fault))  # what is quoted is the log's
    assert not any(jargon in own for jargon in ("$", "`", "Struct", "None", "dict", "int ", "array"))
    return False


def _damage(data: bytes, chance: Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice([0, 1, 1, 2, 8, 60]))
    other = chance.randrange(len(data) + 1)
    piece = chance.choice(
        [b"", b"", bytes([chance.randrange(256)]), data[other : other + 9], b"\n", b'"', b"0", b"9", b"-", b"[" * 99]
    )
    return data[:start] + piece + data[end:]


@settings(max_examples=30)
@given(games(), CHANCE)
def test_damaged_bytes(dealt: Dealt, chance: Random) -> None:
    whole = dealt.bytes()
    assert fault_is_a_sentence(whole)
    for _ in range(8):
        data = whole
        for _ in range(chance.choice([1, 1, 2, 5])):
            data = _damage(data, chance)
        fault_is_a_sentence(data)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return where values stand within a value."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(place for key, each in inner for place in _places(each, (*path, key)))]


def _with_junk(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    """Return a value with something else in a place of it; where that is a list or object, now and then within."""
    if not path:
        return [*value, junk] if isinstance(value, list) else {**value, "junk": junk} if value == {} else junk
    copy = value.copy()
    copy[path[0]] = _with_junk(value[path[0]], path[1:], junk)
    return copy


@settings(max_examples=30)
@given(games(edits=0.1), CHANCE)
def test_other_values_where_values_stand(dealt: Dealt, chance: Random) -> None:
    lines = [dealt.header, *dealt.lines]
    for _ in range(12):
        place = chance.choice([0, chance.randrange(len(lines))])
        line = _with_junk(lines[place], chance.choice(_places(lines[place])), chance.choice(JUNK))
        changed = [*lines[:place], line, *lines[place + 1 :]]
        fault_is_a_sentence("".join(json.dumps(each) + "\n" for each in changed).encode())


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_bytes_and_any_text(data: bytes | str) -> None:
    header = decode_header('{"format":1,"game":"eternity","players":["Aki","Bea"]}')
    with suppress(LogError):
        decode_header(data)
    with suppress(LogError):
        decode_line(data, header)
    fault_is_a_sentence(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.sampled_from(["play", "sea-1"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["type", "player", "card", "to", "event", "format", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=80)
@given(JSON)
def test_any_json(value: object) -> None:
    text = json.dumps(value)
    fault_is_a_sentence(text.encode())
    fault_is_a_sentence(b'{"format":1,"game":"eternity","players":["Aki","Bea"]}\n' + text.encode())
