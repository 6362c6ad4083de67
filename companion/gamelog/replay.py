"""Replays a whole log line by line and reports each invalid line."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping

from msgspec import Struct

from companion.core.game import Line
from companion.core.games import GameFaultError
from companion.core.session import Session
from companion.core.text import IllegalEventError, Text, tell

from .codec import decode_header, decode_line, encode
from .errors import LogError


class ReplayStep(Struct, frozen=True):
    """The session after one line of a log."""

    number: int  # the line's number; the header is line 1
    line: Line | None  # the line; None for the header
    session: Session  # the session after it


class InvalidLineError(Exception):
    """A line breaks the format, or the rules refuse it; its number and the reason."""

    def __init__(self, number: int, text: Text, players: tuple[str, ...] = ()) -> None:
        super().__init__(number, text)
        self.number = number  # the line's number; the header is line 1
        self.text = text  # the sentence, for people
        self.players = players

    def __str__(self) -> str:
        return f"{self.number}: {tell(self.text, self.players)}"


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
