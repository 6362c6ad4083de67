"""The consumer: takes lines from the broker, stores them, and acknowledges what is stored.

Several consumers share the lines of all tables by a shared subscription. One may end at any time: what it had not
acknowledged, a box sends again to the others.
"""

from __future__ import annotations

import hmac
import re
import secrets
import select
import socket
import time
from collections.abc import Callable
from typing import Any

import msgspec
import psycopg

from companion.app.failures import Backoff
from companion.bridge.mqtt import Access, Broker
from companion.bridge.records import (
    CorrectionAnswer,
    MessageError,
    NewLines,
    again_topic,
    device_and_kind,
    is_name,
    read_lines,
)
from companion.decoding import from_json

from .corrections import note_answer, topic_of
from .database import REFUSED, connect
from .store_game_lines import LineStore

BATCH = 500  # messages that are stored at once, at most
LINES = 20_000  # lines after which no more messages are read before they are stored
MOST_WAITING = 4 * BATCH  # acknowledgements that wait for the broker
CALL = re.compile(rb"-?[0-9]{1,18}")  # the number of a call of the director


class Consumer:
    """Takes the messages of all boxes from a broker into a database.

    While the database does not answer, nothing is read from the broker, which then keeps the messages or gives them to
    another consumer.

    Args:
        access: How the broker is reached.
        database: The address of the database.
        prefix: What the topics of all boxes begin with.
        said: Is called with sentences for the log.
    """

    def __init__(self, access: Access, database: str, prefix: str, said: Callable[[str], None]) -> None:
        self._database, self._prefix, self._said = database, prefix, said
        name = f"consumer-{secrets.token_hex(4)}"
        shared = [f"$share/{group_of(access)}/{prefix}/+/{kind}" for kind in ("lines", "corrected")]
        subscribed = [*shared, *(f"{prefix}/+/{kind}" for kind in ("status", "name", "call"))]
        status = f"{prefix}-hub/{name}/status"
        self._broker = Broker(
            access, name, status, subscribed, self._received, self._connected, said, waiting=MOST_WAITING
        )
        self._lines: list[NewLines] = []  # not stored yet
        self._waiting = 0  # how many lines they have
        self._online: dict[str, bool] = {}  # which boxes have come and gone; noted together, for many come at once
        self._notes: list[Callable[[LineStore], object]] = []  # what else is to be written
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None
        self._store: LineStore | None = None
        self._retry = Backoff(first=0.2, last=10)
        self._silent = False  # whether a failure of the database has been said
        self._stopping, self._stop = socket.socketpair()

    def stop(self) -> None:
        """End `run`, from any thread."""
        self._stop.send(b"x")

    def run(self) -> None:
        """Take messages until `stop`."""
        try:
            with self._stopping, self._stop:
                self._broker.connect()
                while not self._wait():
                    if self._broker.due is not None and self._broker.due <= time.monotonic():
                        self._broker.connect()
                    self._write()
        finally:  # else the broker would give messages to a consumer that has failed
            self._broker.close()
            if self._connection is not None:
                self._connection.close()

    def _wait(self) -> bool:
        """Wait for messages, and take all that are there, up to a batch; return whether to stop."""
        if self._retry.due is not None:  # the database is away
            patience = max(0.0, self._retry.due - time.monotonic())
            return bool(select.select([self._stopping], [], [], patience)[0])
        dues = [20.0] if self._broker.due is None else [max(0.0, self._broker.due - time.monotonic())]
        patience = 0.0 if self._lines or self._online or self._notes else min(dues)
        while len(self._lines) + len(self._online) + len(self._notes) < BATCH and self._waiting < LINES:
            broker = self._broker.socket
            reading = [self._stopping, *([] if broker is None else [broker])]
            writing = [broker] if broker is not None and self._broker.wants_to_write else []
            readable, writable, _ = select.select(reading, writing, [], patience)
            self._broker.work(readable=broker in readable, writable=broker in writable)
            if self._stopping in readable:
                return True
            if not readable:
                break
            patience = 0.0
        return False

    def _connected(self) -> None:
        """Let boxes send again what nobody has acknowledged: it may have been on its way to a consumer that ended."""
        self._broker.publish(again_topic(self._prefix), "again")

    def _received(self, topic: str, content: bytes) -> None:
        device, kind = device_and_kind(self._prefix, topic)
        if not is_name(device):
            self._said(f"a message of a device without a printable name: {topic!r}")
        elif kind == "lines":
            try:
                self._lines.append(read_lines(device, content))
                self._waiting += len(self._lines[-1].lines)
            except MessageError as error:
                self._refuse(device, content, str(error))
        elif kind == "corrected":
            try:
                answer = from_json(content, CorrectionAnswer)
            except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
                self._refuse(device, content, f"The answer cannot be read: {error}.")
                return
            self._notes.append(lambda store: self._note_answer(store, device, answer))
        elif kind == "status" and content in (b"online", b"offline"):
            self._online[device] = content == b"online"
        elif kind == "call" and CALL.fullmatch(content):
            self._notes.append(lambda store: store.note_call(device, int(content)))
        elif kind == "name" and is_name(name := content.decode(errors="replace")):
            self._notes.append(lambda store: store.note_name(device, name))

    def _note_answer(self, store: LineStore, device: str, answer: CorrectionAnswer) -> None:
        """Note a box's answer to a correction, and then let the broker keep the correction no longer."""
        note_answer(store.connection, device, answer)
        self._broker.publish(topic_of(self._prefix, device, answer.id), "", retain=True)

    def _refuse(self, device: str, content: bytes, why: str) -> None:
        self._said(f"{device}: a message is refused, and kept: {why}")
        self._notes.append(lambda store: store.refuse(device, content, why))

    def _write(self) -> None:
        """Store what has come, and acknowledge it; keep it if the database does not answer."""
        if not self._lines and not self._online and not self._notes:
            return
        try:
            store = self._open()
            if self._online:
                self._noted(lambda: store.note_online(self._online))
                self._online = {}
            while self._notes:
                self._noted(lambda: self._notes[0](store))
                del self._notes[0]
            self._store_lines(store)
        except psycopg.Error as error:
            self._lost(error)
            return
        self._retry.worked()
        if self._silent:
            self._said("the database answers again")
            self._silent = False

    def _noted(self, write: Callable[[], object]) -> None:
        """Write a note; what the database refuses is dropped."""
        try:
            write()
        except REFUSED as error:
            self._said(f"a message is dropped: {str(error).splitlines()[0]}")

    def _store_lines(self, store: LineStore) -> None:
        if not self._lines:
            return
        try:
            self._acknowledge(store, self._lines)
        except REFUSED:  # one of them is the reason: the others are stored without it
            for message in self._lines:
                try:
                    self._acknowledge(store, [message])
                except REFUSED as error:
                    why = f"Lines of {message.game} from {message.first} on: {str(error).splitlines()[0]}"
                    self._refuse(message.device, b"\n".join(message.lines), why)
        self._lines, self._waiting = [], 0

    def _acknowledge(self, store: LineStore, messages: list[NewLines]) -> None:
        """Store messages, and tell their boxes; where that does not arrive, the box sends them again."""
        for device, answer in store.store(messages):
            self._broker.publish(f"{self._prefix}/{device}/ack", answer)

    def _open(self) -> LineStore:
        if self._store is None:
            self._connection = connect(self._database)
            self._store = LineStore(self._connection)
        return self._store

    def _lost(self, error: psycopg.Error) -> None:
        """Begin anew with the database in a while."""
        if self._connection is not None:
            self._connection.close()
        self._connection = self._store = None
        self._retry.failed(time.monotonic())
        if not self._silent:
            self._said(f"the database does not answer: {str(error).strip().splitlines()[0]}; it is tried again")
            self._silent = True


def group_of(access: Access) -> str:
    """Return the name of the consumers' shared subscription.

    The broker gives each message to one member of the group, also to a box that joins it and may not read the message.
    So only who has the hub's password knows the name.
    """
    return f"hub-{hmac.digest((access.password or '').encode(), b'group', 'sha256').hex()}"
