"""Computes the state and score of a game from its lines, by the same rules as the box; and a row for each table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from companion.bridge.records import LONGEST_NAME
from companion.bridge.table_state import SeatState
from companion.core.game import Progress
from companion.core.games import GameFaultError
from companion.core.session import Session
from companion.core.text import N_, IllegalEventError, Text
from companion.decoding import from_json
from companion.gamelog import LogError, decode_header, decode_line
from companion.games import GAMES
from companion.history.results import result_of

NO_RULES = Text(N_("Its rules are not installed."))
MOST_PLAYERS = 20  # players of a game without rules that are shown


class _AnyHeader(Struct):
    """The part of a header that can be read without the rules of its game."""

    game: str = ""
    players: list[str] = []


class ScoredGame:
    """A game as far as its lines are read. A wrong line ends it there, with the reason; later lines do not count."""

    def __init__(self) -> None:
        self.read = 0  # how many lines were read
        self.kind = ""  # the game's name in its header
        self.session: Session | None = None  # after the last line that counts; None without a usable header
        self.fault: Text | None = None  # why lines from a certain one on do not count
        self._players: tuple[str, ...] = ()
        self.progress: Progress | None = None  # of the session

    def add(self, lines: Iterable[bytes]) -> None:
        """Read the next lines."""
        for line in lines:
            self.read += 1
            if self.fault is None:
                try:
                    self._take(line)
                except Exception as error:  # nobody's line stops the pages of all tables
                    self.fault = Text(N_("line {number}: {why}"), number=self.read, why=_why(error))

    def _take(self, line: bytes) -> None:
        if self.session is not None:
            session = self.session.add(decode_line(line, self.session.header))
            self.session, self.progress = session, session.progress
            return
        try:
            header = from_json(line, _AnyHeader)
        except (msgspec.MsgspecError, UnicodeError):
            header = _AnyHeader()
        self.kind = header.game[:LONGEST_NAME]
        self._players = tuple(name[:LONGEST_NAME] for name in header.players[:MOST_PLAYERS])
        if header.game and header.game not in GAMES:
            self.fault = NO_RULES
        else:
            session = Session(decode_header(line))
            self.session, self.progress = session, session.progress

    @property
    def title(self) -> Text:
        return Text("{name}", name=self.kind) if self.session is None else Text(self.session.header.game.title)

    @property
    def players(self) -> tuple[str, ...]:
        return self._players if self.session is None else self.session.header.players

    @property
    def totals(self) -> tuple[int, ...]:
        return () if self.progress is None else self.progress.totals

    @property
    def over(self) -> bool:
        return self.progress is not None and self.progress.over

    @property
    def alerts(self) -> tuple[Text, ...]:
        if self.session is None:
            return ()
        try:
            return tuple(self.session.header.game.optional.alerts(self.session.state))
        except Exception as error:  # one game stops the scores of no other
            self.fault = self.fault or _why(error)
            return ()


def _why(error: Exception) -> Text:
    if isinstance(error, (LogError, IllegalEventError, GameFaultError)):
        return error.text
    return Text(N_("it cannot be computed ({kind})"), kind=type(error).__name__)


def scored(lines: Iterable[bytes]) -> ScoredGame:
    """Return a game after all its lines.

    >>> header = b'{"format":1,"game":"hipparchus","players":["Ann","Bo"]}'
    >>> print(scored([header, b'{"type":"start","player":1}', b"nonsense"]).fault)
    line 3: this is not JSON: column 1
    """
    game = ScoredGame()
    game.add(lines)
    return game


def difference(line: int | None) -> Text | None:
    """Return what is said of the first line that the table has no longer as it came; None if it has them all."""
    if line is None:
        return None
    return Text(
        N_("From line {number} on the table has other lines, as after a restored backup. Here the first ones count."),
        number=line + 1,
    )


def rules_fingerprint() -> str:
    """Return a text that differs once the program or an added game has changed; summaries are then computed anew."""
    from importlib import metadata

    try:
        version = metadata.version("tabletop-companion")
    except metadata.PackageNotFoundError:
        version = ""
    return f"{version} {GAMES.fingerprint}"


def as_values(game: ScoredGame, name: str, number: int, times: tuple[float, float]) -> dict[str, Any]:
    """Return the columns of a game's summary that follow from its lines.

    Args:
        name: The name of its result, unique among the games of the club.
        number: The number of its result.
        times: When it began and when its last entry was made, in seconds since 1970.
    """
    result = None
    if game.session is not None and game.over:
        try:
            result = msgspec.json.encode(result_of(name, number, game.session, times, "")).decode()
        except Exception as error:  # one game stops the scores of no other
            game.fault = game.fault or _why(error)
    return {
        "kind": _storable(game.kind),
        "title": _storable(str(game.title)),
        "players": [*map(_storable, game.players)],
        "totals": [max(-MOST_STORED, min(each, MOST_STORED)) for each in game.totals],
        "over": game.over,
        "fault": "" if game.fault is None else _storable(str(game.fault)),
        "result": result,
    }


MOST_STORED = 2**63 - 1
"""The largest number that PostgreSQL stores in the column of points."""


def _storable(text: str) -> str:
    """Return a text without the one character that PostgreSQL does not store."""
    return text.replace("\0", "")


SILENT = 600.0  # seconds without an entry after which a running game needs attention
RECENT = 300.0  # seconds that an alert needs attention


class BoxStatus(Struct, frozen=True):
    """Name, connection and calls of a box."""

    number: int  # unique among the boxes
    name: str  # the table's name for people
    online: bool | None  # whether its bridge is connected; None until the broker has told
    status_at: float  # when that changed last, in seconds since 1970
    called_at: float | None  # when it called the director; None if it does not
    twin: bool = False  # whether another box has the same name


class TableRow(Struct, frozen=True):
    """A table and the game that is or was played there last."""

    device: str
    note: BoxStatus
    id: int = 0  # the id of the game in the database; 0 without a game
    game: Text | None = None  # the title of the game
    round: int | None = None
    turn: str | None = None
    seats: tuple[SeatState, ...] = ()
    over: bool = False
    last_at: float = 0.0  # when the last entry arrived, in seconds since 1970
    alert: Text | None = None  # the latest alert of the game
    alerts: int = 0  # how many there are
    alert_at: float = 0.0  # when the latest came
    fault: Text | None = None  # why lines of the game do not count

    @property
    def name(self) -> str:
        """Return the table's name; with the end of the box's id if another box has the same."""
        return f"{self.note.name} ({self.device[-4:]})" if self.note.twin else self.note.name or self.device

    def attention(self, now: float) -> Iterator[tuple[str, Text, float | None]]:
        """Yield the reasons why somebody should look: a kind, a sentence, and since when."""
        running = bool(self.id) and not self.over
        if self.note.called_at is not None:
            yield "call", Text(N_("The table calls the director")), self.note.called_at
        if self.alert and running and now - self.alert_at < RECENT:
            yield "alert", self.alert, self.alert_at
        if self.fault:
            yield "fault", self.fault, None
        if self.note.online is False and running:
            yield "lost", Text(N_("No connection to the table")), self.note.status_at
        elif running and now - self.last_at > SILENT:
            yield "silent", Text(N_("No entry")), self.last_at

    def place(self) -> tuple[bool, int, str]:
        """Return the key that sorts tables by name, numbers in names by their value."""
        name = self.note.name or self.device
        digits = "".join(filter(str.isdecimal, name))[:9]
        return not digits, int(digits or 0), name
