"""Encodes and decodes the lines of a log, JSON to header or event and back, and replays a whole log line by line."""

from __future__ import annotations

import gc
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NoReturn, Union

import msgspec

from companion.core.cards import Card
from companion.core.game import (
    Amend,
    Finish,
    Game,
    Line,
    LogHeader,
    Players,
    Redo,
    Splice,
    Start,
    Substitute,
    Undo,
    check_seat,
)
from companion.core.games import GameFaultError
from companion.core.session import Session
from companion.core.text import N_, NN_, IllegalEventError, Text
from companion.decoding import JsonDecoder, convert, json_decoder
from companion.games import GAMES

from .errors import InvalidLineError, LogError, shortened, wrong
from .player_names import check_names

LONGEST_NUMBER = 100
"""Digits. Python reads thousands, but could not print a sum of such numbers."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        count = Counter(name for name, _ in pairs)
        twice = next(name for name, times in count.items() if times > 1)
        raise wrong(N_("the key {key} stands twice"), key=repr(shortened(twice)))
    return values


def _whole(number: str) -> int:
    if len(number) > LONGEST_NUMBER:
        raise wrong(N_("a number is too long"))
    return int(number)


def _no_fraction(number: str) -> NoReturn:
    raise wrong(N_("{number} is not a whole number"), number=shortened(number))


_JSON = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole, parse_float=_no_fraction, parse_constant=_no_fraction
)


def _parse(line: bytes | str) -> Any:
    try:
        text = line if isinstance(line, str) else line.decode()
    except UnicodeDecodeError:
        raise wrong(N_("this is not UTF-8")) from None
    if not text.strip(" \t\r\n"):
        raise wrong(N_("a line is blank"))
    try:
        return _JSON.decode(text)
    except json.JSONDecodeError as error:
        raise wrong(N_("this is not JSON: column {column}"), column=error.colno) from None
    except RecursionError:
        raise wrong(N_("this is nested too deeply")) from None


def _convert(value: Any, kind: Any, cards: Any = None) -> Any:
    def card(asked: type, name: object) -> Card:
        assert asked is Card  # cards are the only part of an event that is not plain data
        if not isinstance(name, str):
            raise ValueError(f"Expected `str`, got `{type(name).__name__}`")
        if name not in cards:
            raise ValueError(f"No card {name!r}")
        return cards[name]  # type: ignore[no-any-return]  # the cards of whichever game this is

    try:
        return convert(value, kind, card)
    except msgspec.ValidationError as error:
        raise LogError(_sentence(str(error))) from None
    except UnicodeEncodeError:  # an unpaired surrogate
        raise wrong(N_("a word has half a character in it")) from None


_SENTENCES = (
    (r"Object missing required field `(?P<key>.*)`", N_("the key {key} is missing")),
    (r"Object contains unknown field `(?P<key>.*)`", N_("there is no key {key} here")),
    (r"Invalid (?:enum )?value (?P<word>.*)", N_("{word} is not one of the words that can stand here")),
    (r"No card (?P<word>.*)", N_("there is no card {word}")),
    (r"Expected `array` of length (?P<wanted>\d+), got (?P<got>\d+)", N_("expected a list of {wanted}, got {got}")),
    (r"Expected `(?P<wanted>\w+) \| null`, got `(?P<got>\w+)`", N_("expected {wanted} or null, got {got}")),
    (r"Expected `(?P<wanted>\w+)`, got `(?P<got>\w+)`", N_("expected {wanted}, got {got}")),
)
_THINGS = {
    "array": N_("a list"),
    "bool": N_("true or false"),
    "dict": N_("an object"),
    "int": N_("a whole number"),
    "list": N_("a list"),
    "NoneType": N_("null"),
    "null": N_("null"),
    "object": N_("an object"),
    "str": N_("a word"),
}


def _sentence(message: str) -> Text:
    """Turn a decoder's message into a sentence about the log."""
    message, *places = message.rsplit(" - at `$.", 1)
    what = Text("{message}", message=message)
    for pattern, template in _SENTENCES:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            what = Text(template, **{name: _argument(name, word) for name, word in found.groupdict().items()})
            break
    if not places:
        return what
    where = re.sub(r"\[(\d+)\]", lambda place: f" {int(place[1]) + 1}", places[0].rstrip("`")).replace(".", ", ")
    return Text("{where}: {what}", where=where, what=what)


def _argument(name: str, word: str) -> object:
    if name == "key":
        return repr(shortened(word))
    if word[:1] in ("'", '"'):
        return f"{word[0]}{shortened(word[1:-1])}{word[-1]}"
    return Text(_THINGS[word]) if word in _THINGS else word


NOT_INSTALLED = N_("the rules of {game} are not installed")


class _RawHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    game: str
    players: list[str]
    rules: dict[str, Any] = {}


def decode_header(line: bytes | str) -> LogHeader:
    """Decode the first line of a log; raise LogError if it is no header of format 1, or of a game that cannot be.

    >>> decode_header('{"format":1,"game":"hipparchus","players":["Ann","Bo"],"rules":{}}').players
    ('Ann', 'Bo')
    """
    value = _parse(line)
    raw: _RawHeader = _convert(value, _RawHeader)
    if raw.format != 1:
        raise wrong(N_("format {number} is not known, only format 1"), number=raw.format)
    try:
        game = GAMES[raw.game]
    except KeyError:
        raise wrong(NOT_INSTALLED, game=repr(shortened(raw.game))) from None
    except GameFaultError as fault:
        raise LogError(fault.text) from None
    players = check_names(raw.players)
    if len(players) not in game.seats:
        raise wrong(
            N_("{count} players, but it is a game for {least} to {most}"),
            count=len(players),
            least=game.seats.start,
            most=game.seats.stop - 1,
        )
    rules = _convert(raw.rules, game.rules)
    try:
        first = game.start(len(players), rules)
    except (IllegalEventError, GameFaultError) as refused:
        raise LogError(refused.text) from None
    return LogHeader(game, players, rules, first, encode({**value, "players": players}).decode())


def decode_line(line: bytes | str, header: LogHeader) -> Line:
    """Decode a line after the header; raise LogError if it is no event of this game, and changes no earlier one.

    >>> header = decode_header('{"format":1,"game":"hipparchus","players":["Ann","Bo"],"rules":{}}')
    >>> decode_line('{"type":"start","player":0}', header)
    Start(player=0)
    """
    game = header.game
    decoded = _as_written(line, game) or _strictly(line, game)
    match decoded:
        case Players():
            return _checked_names(decoded, header)
        case Substitute():
            return _checked_substitute(decoded, header)
    return decoded


def _checked_names(line: Players, header: LogHeader) -> Players:
    """Return a line with names as they are stored; raise LogError if they do not fit the header."""
    if len(line.names) != len(header.players):
        raise wrong(
            NN_("{count} name for {players} players", "{count} names for {players} players"),
            count=len(line.names),
            players=len(header.players),
        )
    return Players(check_names([*line.names]))


def _checked_substitute(line: Substitute, header: LogHeader) -> Substitute:
    """Return a line with the name as it is stored; raise LogError if there is no such seat, or the name does not fit.

    The header has the names of those who sit there now.
    """
    try:
        check_seat(line.player, len(header.players))
    except IllegalEventError as refused:
        raise LogError(refused.text) from None
    others = [name for seat, name in enumerate(header.players) if seat != line.player]
    return Substitute(line.player, check_names([*others, line.name])[-1])


def is_seat_names(line: str) -> bool:
    """Return whether a line, as `encode_line` writes it, says who sits where; it is no entry of the game."""
    return line.startswith(('{"type":"players"', '{"type":"substitute"'))


_ENDLESS = re.compile(rb"[0-9]{%d}" % (LONGEST_NUMBER + 1))


def _as_written(line: bytes | str, game: Game[Any]) -> Line | None:
    """Decode a line in the box's own form quickly; None for any other form, which may be valid.

    Nearly every line has this form, and then decoding takes a tenth of the time. A line is accepted only if encoding it
    again gives the same bytes. Duplicate keys and fractions, which the strict decoder refuses, would not.
    """
    try:
        signs = line.encode() if isinstance(line, str) else line
        if len(signs) > LONGEST_NUMBER and _ENDLESS.search(signs):
            return None
        decoded: Line = _decoder(game).decode(signs)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    written = encode(decoded)
    return decoded if written == signs or written == signs.replace(b" ", b"") else None


def _strictly(line: bytes | str, game: Game[Any]) -> Line:
    """Decode a line in any valid form, or raise with the reason."""
    decoded: Line = _convert(_parse(line), _lines_of(game), game.cards)
    return decoded


@cache
def _decoder(game: Game[Any]) -> JsonDecoder[Any]:
    cards = game.cards
    return json_decoder(_lines_of(game), lambda _kind, name: cards.get(name) if isinstance(name, str) else None)


@cache
def _lines_of(game: Game[Any]) -> Any:
    event: Any = Union[(Start, Finish, *game.events)]
    return Undo | Redo | Players | Substitute | Amend[event] | Splice[event] | event


def _plainly(value: object) -> object:
    if isinstance(value, Card):
        return value.name
    raise TypeError(f"cannot be written down: {value!r}")


_ENCODER = msgspec.json.Encoder(enc_hook=_plainly)


def encode(value: object) -> bytes:
    """Encode an event, state or snapshot as one line of JSON, without a newline."""
    return _ENCODER.encode(value)


def encode_line(line: Line) -> str:
    """Encode a line after the header.

    >>> from companion.core.game import Start
    >>> encode_line(Start(player=0))
    '{"type":"start","player":0}'
    """
    return encode(line).decode()


class ReplayStep(msgspec.Struct, frozen=True):
    """The session after one line of a log."""

    number: int  # the line's number; the header is line 1
    line: Line | None  # the line; None for the header
    session: Session  # the session after it


def replay(data: bytes, typed: Mapping[int, str] | None = None) -> Iterator[ReplayStep]:
    """Yield the session after the header and after each further line.

    Zeros after the last line, with or without a newline, are ignored: a journal writes them to reserve space. The keys
    typed for some lines are by the line's number. Raises InvalidLineError at the first line that is wrong.
    """
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    if lines and lines[-1] and not lines[-1].strip(b"\0"):
        lines.pop()
    try:
        session = Session(decode_header(lines[0] if lines else b""))
    except LogError as error:
        raise InvalidLineError(1, error.text) from None
    yield ReplayStep(1, None, session)
    players, keys = session.header.players, typed or {}
    for number, text in enumerate(lines[1:], 2):
        try:
            line = decode_line(text, session.header)
            session = session.add(line, keys.get(number))
        except (LogError, IllegalEventError, GameFaultError) as error:
            raise InvalidLineError(number, error.text, players) from None
        yield ReplayStep(number, line, session)


def snapshot(session: Session) -> bytes:
    """Return a session's snapshot as a line of JSON, with the players' names if a line of the log changed them.

    A game that the table has ended before its end stands as at the beginning of the running round, but it is over.
    """
    values = session.header.game.snapshot(session.state)
    if session.finished:
        progress = session.progress
        over = ((name, getattr(progress, name)) for name in ("phase", "turn", "leader", "may_start"))
        values = values | {name: value for name, value in over if name in values}
        values = values | {"winners": progress.winners, "finished": True}
    return encode(values if session.seat_names is None else {**values, "players": session.seat_names})


def read(data: bytes, typed: Mapping[int, str] | None = None) -> Session:
    r"""Return the session after a log's last line; see `replay`.

    >>> header = b'{"format":1,"game":"hipparchus","players":["Ann","Bo"],"rules":{}}'
    >>> read(header + b'\n{"type":"start","player":1}\n').latest
    Start(player=1)
    """
    collecting = gc.isenabled()
    gc.disable()  # a game has no cycles, and the collector would walk through all of it again and again as it grows
    try:
        for reading in replay(data, typed):
            session = reading.session
    finally:
        if collecting:
            gc.enable()
    return session
