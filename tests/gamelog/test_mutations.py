"""Mutated logs are either replayed or refused with the fault's name."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.gamelog import InvalidLineError, LogError, decode_header, decode_line, encode, replay
from tests.example_counts import examples
from tests.games.seeds import Dealt, games

from .corruption import bytes_spoilt, value_spoilt

CHANCE = st.randoms(use_true_random=False)


def fault_is_a_sentence(data: bytes) -> bool:
    """Replay a log; return whether it is valid, and check the sentence if not."""
    try:
        for reading in replay(data):
            encode(reading.session.header.game.snapshot(reading.session.state))
    except InvalidLineError as caught:
        fault = caught
    else:
        return True
    assert 1 <= fault.number <= data.count(b"\n") + 1
    assert str(fault).startswith(f"{fault.number}: ")
    assert "\n" not in str(fault)
    own = re.sub(r"'[^']*'|\"[^\"]*\"", "", str(fault))  # what is quoted is the log's
    assert not any(jargon in own for jargon in ("$", "`", "Struct", "None", "dict", "int ", "array"))
    return False


@settings(max_examples=examples(20, 600))
@given(games(), CHANCE)
def test_damaged_bytes(dealt: Dealt, chance: Random) -> None:
    whole = dealt.bytes()
    assert fault_is_a_sentence(whole)
    for _ in range(8):
        fault_is_a_sentence(bytes_spoilt(whole, chance, chance.choice([1, 1, 2, 5])))


@settings(max_examples=examples(20, 600))
@given(games(edits=0.1), CHANCE)
def test_other_values_where_values_stand(dealt: Dealt, chance: Random) -> None:
    lines = [dealt.header, *dealt.lines]
    for _ in range(12):
        place = chance.choice([0, chance.randrange(len(lines))])
        line = value_spoilt(lines[place], chance)
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
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["play", "sea-1", "splice"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "player", "card", "to", "event", "drop", "put", "format", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=examples(80))
@given(JSON)
def test_any_json(value: object) -> None:
    text = json.dumps(value)
    fault_is_a_sentence(text.encode())
    fault_is_a_sentence(b'{"format":1,"game":"eternity","players":["Aki","Bea"]}\n' + text.encode())
