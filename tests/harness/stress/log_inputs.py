"""Logs, headers and lines: valid, corrupted and huge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, partial
from random import Random
from typing import Any

from companion.core.errors import IllegalEventError
from companion.core.events import ReplaceEvent, ReplaceEvents
from companion.gamelog import LogError, decode_header, decode_line, encode_line, read
from companion.games import GAMES
from tests.games.seeds import deal

from .corruption import JUNK, as_log, bytes_spoilt, lines_spoilt, value_spoilt
from .text_outcomes import Tally, commanded

Lines = list[dict[str, Any]]

DEALT = 32
"""The number of games that the texts are made from."""


@cache
def dealt(seed: int) -> tuple[Lines, ...]:
    names = list(GAMES)
    games = (deal(names[number % len(names)], seed * 1000 + number) for number in range(DEALT))
    return tuple([game.header, *game.lines] for game in games)


def spoilt_log(chance: Random, games: tuple[Lines, ...]) -> bytes:
    """Return a log corrupted mostly near its end, or not at all."""
    lines: list[Any] = list(chance.choice(games))
    lines = lines[: chance.choice([1, 2, 4, chance.randrange(1, len(lines) + 1), chance.randrange(1, 50)])]
    kind = chance.random()
    if kind < 0.6:
        lines = lines_spoilt(lines, chance, chance.choice(games))
    data = as_log(lines)
    if kind > 0.55 and kind < 0.95:
        data = bytes_spoilt(data, chance, chance.choice([1, 1, 2, 5]))
    return data


def odd_log(chance: Random, games: tuple[Lines, ...]) -> bytes:
    """Return a valid log of unusual lines; invalid ones are left out."""
    lines = chance.choice(games)
    others = [line for game in games if game[0]["game"] == lines[0]["game"] for line in game[1:]]
    begun = lines[1 : chance.randrange(1, min(len(lines), 60) + 1)]
    kept: list[Any] = [lines[0]]
    session = read(as_log(kept))
    for number in range(len(begun) + 40):
        line = begun[number] if number < len(begun) else lines_spoilt(lines[: len(kept) + 1], chance, others)[-1]
        try:
            decoded = decode_line(json.dumps(line), session.header)
            if isinstance(decoded, ReplaceEvents):  # no keys enter one
                continue
            if isinstance(decoded, ReplaceEvent) and session.entry(decoded.event).event == decoded.to:
                continue  # nor a correction that changes nothing
            session = session.add(decoded)
        except (LogError, IllegalEventError):
            continue
        kept = [*kept, line]
    return as_log(kept)


def odd(times: int, seed: int) -> str:
    """Convert unusual logs to keys; every valid line has some."""
    tally, games = Tally("strange logs spelt as keys"), dealt(seed)
    for number in range(times):
        data = odd_log(Random(f"odd {seed} {number}"), games)
        tally.judge(data, number, partial(commanded, ["keys", "-"], data))
    assert tally.refused == 0, f"{tally.refused} logs that can be have no keys: {tally.said}"
    return str(tally)


def logs(times: int, seed: int) -> str:
    tally, games = Tally("logs replayed"), dealt(seed)
    for number in range(times):
        chance = Random(f"log {seed} {number}")
        data = spoilt_log(chance, games)
        each = ["--each"] if chance.random() < 0.3 else []
        tally.judge(data, number, partial(commanded, ["replay", *each, "-"], data))
    return str(tally)


def spelt(times: int, seed: int) -> str:
    """Convert corrupted logs to keys."""
    tally, games = Tally("logs spelt as keys"), dealt(seed)
    for number in range(times):
        data = spoilt_log(Random(f"keys {seed} {number}"), games)
        tally.judge(data, number, partial(commanded, ["keys", "-"], data))
    return str(tally)


def headers(times: int, seed: int) -> str:
    tally, games = Tally("headers read"), dealt(seed)
    for number in range(times):
        chance = Random(f"header {seed} {number}")
        header = chance.choice(games)[0]
        data = json.dumps(value_spoilt(header, chance)).encode()
        if chance.random() < 0.5:
            data = bytes_spoilt(data, chance, chance.choice([1, 1, 3]))
        tally.judge(data, number, partial(_refusal_of_header, data))
    return str(tally)


def _refusal_of_header(data: bytes) -> str | None:
    try:
        header = decode_header(data)
    except LogError as error:
        return str(error)
    assert decode_header(header.written) == header, "what is written down is not what was read"
    return None


def lines(times: int, seed: int) -> str:
    """Read corrupted lines below a header."""
    tally, games = Tally("lines read"), dealt(seed)
    known = [decode_header(json.dumps(game[0])) for game in games]
    for number in range(times):
        chance = Random(f"line {seed} {number}")
        header, game = chance.choice(known), chance.choice(games)
        line: Any = chance.choice(game[1:] or JUNK)
        if chance.random() < 0.2:
            line = {"type": "amend", "event": chance.randrange(99), "to": line}
        elif chance.random() < 0.2:
            line = {"type": "splice", "event": chance.randrange(99), "drop": chance.randrange(4), "put": [line, line]}
        if chance.random() < 0.7:
            line = value_spoilt(line, chance)
        data = json.dumps(line).encode()
        if chance.random() < 0.5:
            data = bytes_spoilt(data, chance, chance.choice([1, 1, 3]))
        tally.judge(data, number, partial(_refusal_of_line, data, header))
    return str(tally)


def _refusal_of_line(data: bytes, header: Any) -> str | None:
    try:
        line = decode_line(data, header)
    except LogError as error:
        return str(error)
    assert decode_line(encode_line(line), header) == line, "what is written down is not what was read"
    return None


def monsters(size: int) -> str:
    """Replay logs with lines of the greatest length or nesting."""
    tally = Tally("logs of monsters replayed")
    for name, data in _monsters(size):
        tally.judge(data, name, partial(commanded, ["replay", "-"], data))
    return str(tally)


def _monsters(size: int) -> Iterator[tuple[str, bytes]]:
    top = b'{"format":1,"game":"eternity","players":["Aki","Bea"]}'
    start, long = b'{"type":"start","player":0}', b"a" * size
    many = size // 12
    keys = b",".join(b'"%d":1' % number for number in [*range(many), many - 1])
    yield "one word", b'"%s' % long
    yield "a word that ends", b'"%s"' % long
    yield "spaces", top + b"\n" + b" " * size
    yield "empty lines", top + b"\n" * size
    yield "returns", top + b"\n" + b"\r" * size
    yield "zeros", b"\x00" * size
    yield "no text", top + b"\n" + b"\xff" * size
    yield "an order mark", b"\xef\xbb\xbf" + top
    for bracket in (b"[", b'{"a":', b'[{"to":'):
        yield f"nested {bracket!r}", top + b"\n" + bracket * (size // len(bracket))
        yield f"nested in a header {bracket!r}", b'{"format":1,"rules":' + bracket * (size // len(bracket))
        yield f"nested in an amend {bracket!r}", top + b'\n{"type":"amend","event":1,"to":' + bracket * 5000
    amend = b'{"type":"amend","event":1,"to":'
    for depth in (2, 50, 300, 20_000):
        yield f"amends of amends, {depth}", b"\n".join([top, start, amend * depth + start + b"}" * depth])
    splice = b'{"type":"splice","event":1,"drop":0,"put":['
    for depth in (2, 50, 300, 20_000):
        yield f"splices in splices, {depth}", b"\n".join([top, start, splice * depth + start + b"]}" * depth])
    yield "a splice", top + b"\n" + splice + b",".join([start] * (size // len(start))) + b"]}"
    yield "a list", top + b"\n[" + b"1," * (size // 2) + b"1]"
    yield "keys", top + b"\n{" + keys + b"}"
    yield "keys of a header", b"{" + keys + b"}"
    yield "keys of the rules", b'{"format":1,"game":"gear","players":["A","B"],"rules":{' + keys + b"}}"
    yield "players", b'{"format":1,"game":"gear","players":[%s]}' % b",".join(b'"%d"' % who for who in range(many))
    yield "a player", b'{"format":1,"game":"gear","players":["%s","Bea"]}' % long
    yield "a game", b'{"format":1,"game":"%s","players":["Aki","Bea"]}' % long
    yield "a rule", b'{"format":1,"game":"eternity","players":["Aki","Bea"],"rules":{"edition":"%s"}}' % long
    yield "a type", top + b'\n{"type":"%s"}' % long
    yield "a card", top + b'\n{"type":"reveal","cards":["%s","sea-1"]}' % long
    yield "a card with quotes", top + b'\n{"type":"reveal","cards":["%s","sea-1"]}' % (b"'" * size)
    yield "cards", top + b'\n{"type":"reveal","cards":[%s]}' % b",".join([b'"sea-1"'] * (size // 8))
    for digits in (101, 4300, 4301, size):
        for sign in (b"", b"-"):
            number = sign + b"9" * digits
            yield f"a seat of {digits}", top + b'\n{"type":"start","player":%s}' % number
            yield f"an entry of {digits}", top + b'\n{"type":"amend","event":%s,"to":%s}' % (number, start)
            yield f"a drop of {digits}", top + b'\n{"type":"splice","event":1,"drop":%s,"put":[%s]}' % (number, start)
            yield f"tricks of {digits}", top + b'\n{"type":"round","tricks":[%s,1],"trees":[1,%s]}' % (number, number)
            yield f"a format of {digits}", b'{"format":%s}' % number
            yield f"a fraction of {digits}", top + b'\n{"type":"start","player":%s.5e%s}' % (number, number)
    towers = (b'{"type":"undo"}\n' * 10_000, b'{"type":"undo"}\n{"type":"redo"}\n' * 10_000)
    yield "undos", top + b"\n" + start + b"\n" + towers[0]
    yield "undos and redos", top + b"\n" + start + b"\n" + towers[1]
    deep = b"\n".join([top, start, *[b'{"type":"amend","event":1,"to":%s}' % start] * 10_000, b""])
    yield "undos and redos of amends", deep + b'{"type":"undo"}\n' * 10_000 + b'{"type":"redo"}\n' * 10_000
