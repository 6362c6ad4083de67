"""All tables at a glance: a row for each box, with its latest game, and who needs attention."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.bridge.table_state import SeatState

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
    game: str = ""  # the title of the game
    round: int | None = None
    turn: str | None = None
    seats: tuple[SeatState, ...] = ()
    over: bool = False
    last_at: float = 0.0  # when the last entry arrived, in seconds since 1970
    alert: str = ""  # the latest alert of the game
    alerts: int = 0  # how many there are
    alert_at: float = 0.0  # when the latest came
    fault: str = ""  # why lines of the game do not count

    @property
    def name(self) -> str:
        """Return the table's name; with the end of the box's id if another box has the same."""
        return f"{self.note.name} ({self.device[-4:]})" if self.note.twin else self.note.name or self.device

    def attention(self, now: float) -> Iterator[tuple[str, str, float | None]]:
        """Yield the reasons why somebody should look: a kind, a sentence, and since when."""
        running = bool(self.id) and not self.over
        if self.note.called_at is not None:
            yield "call", "The table calls the director", self.note.called_at
        if self.alert and running and now - self.alert_at < RECENT:
            yield "alert", self.alert, self.alert_at
        if self.fault:
            yield "fault", self.fault, None
        if self.note.online is False and running:
            yield "lost", "No connection to the table", self.note.status_at
        elif running and now - self.last_at > SILENT:
            yield "silent", "No entry", self.last_at

    def place(self) -> tuple[bool, int, str]:
        """Return the key that sorts tables by name, numbers in names by their value."""
        name = self.note.name or self.device
        digits = "".join(filter(str.isdecimal, name))[:9]
        return not digits, int(digits or 0), name
