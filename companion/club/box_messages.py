"""Tells each box what concerns its table: who sits there, when the round ends, which call is ticked off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from companion.bridge.broker import Access
from companion.ui.club_message import HubMessage, SeatCall

from .database import Connection
from .publishing import publish


class BoxMessenger:
    """Publishes what has changed since it was published last. The broker keeps it for boxes that are off.

    Args:
        access: How the broker is reached.
        prefix: What the topics of all boxes begin with.
    """

    def __init__(self, access: Access, prefix: str) -> None:
        self._access, self._prefix = access, prefix
        self._sent: dict[str, HubMessage] = {}

    def tell(self, messages: Mapping[str, HubMessage]) -> None:
        """Publish the messages of boxes.

        Raises OSError if the broker does not take them; the next call publishes them again.
        """
        new = {box: message for box, message in messages.items() if message != self._sent.get(box)}
        if new:
            encoded = [(f"{self._prefix}/{box}/hub", msgspec.json.encode(each)) for box, each in new.items()]
            publish(self._access, encoded)
            self._sent |= new


def messages(connection: Connection, calls: Iterable[SeatCall], boxes: Mapping[int, str]) -> dict[str, HubMessage]:
    """Return the messages for all boxes.

    Args:
        calls: The seat calls of an evening's tables.
        boxes: The box on each table.
    """
    with connection.transaction():
        found = connection.execute("SELECT device, call FROM device").fetchall()
    told = {device: HubMessage(attended=max(0, -call)) for device, call in found}
    for call in calls:
        box = boxes.get(call.table)
        if box in told:
            told[box] = replace(told[box], seats=call)
    return told
