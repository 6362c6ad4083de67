"""MQTT for bridge and hub: a connection that comes back by itself, and one for a few messages that soon fails."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.app.failures import Backoff

KEEP_ALIVE = 60  # seconds; the broker tells the last will after one and a half times as long
LASTING = 90.0  # seconds after which a connection lasts; longer than the longest wait for the next one
FEW = 3  # connections in a row that do not last, after which the next ones wait longer
MOST_WAITING = 200  # messages that wait for the broker's acknowledgement


class Access(Struct, frozen=True):
    """The access to a broker: address, TLS files, user and password."""

    host: str
    port: int
    tls: bool = False
    authority: Path | None = None  # certificates that the broker's certificate is checked against; None: the system's
    certificate: Path | None = None  # the certificate of this box
    key: Path | None = None  # its key
    user: str | None = None
    password: str | None = None

    @property
    def context(self) -> ssl.SSLContext | None:
        """Return the settings of TLS; None without it."""
        if not self.tls:
            return None
        context = ssl.create_default_context(cafile=self.authority)
        if self.certificate is not None:
            context.load_cert_chain(self.certificate, self.key)
        return context

    def client(self, name: str) -> mqtt.Client:
        """Return a client that may use the broker, not yet connected."""
        client = mqtt.Client(CallbackAPIVersion.VERSION2, name, protocol=mqtt.MQTTv311, reconnect_on_failure=False)
        if self.user is not None:
            client.username_pw_set(self.user, self.password)
        if self.tls:
            client.tls_set_context(self.context)
        return client


class Broker:
    """Sends and receives messages; while there is no connection, nothing is sent and a new one is tried.

    Args:
        access: How the broker is reached.
        device: The name of this client.
        status: The topic that says whether this client is online.
        subscribed: The topics to receive.
        received: Is called with the topic and content of each message.
        connected: Is called after each connection.
        said: Is called with a sentence when a connection fails, and when it works again.
        ending: What to say if one connection after another ends soon.
        waiting: How many messages may wait for the broker's acknowledgement.
    """

    def __init__(
        self,
        access: Access,
        device: str,
        status: str,
        subscribed: list[str],
        received: Callable[[str, bytes], None],
        connected: Callable[[], None],
        said: Callable[[str], None],
        ending: str = "the connection to the broker ends again and again",
        waiting: int = MOST_WAITING,
    ) -> None:
        self.online = False
        self._accepted = False  # whether the broker has just accepted the connection
        self._access, self._status, self._subscribed, self._connected, self._said = (
            access, status, subscribed, connected, said
        )  # fmt: skip
        self._ending = ending
        self._retry = Backoff(first=1, last=60)
        self._since = 0.0  # when the connection was accepted
        self._ended = 0  # how many connections in a row did not last
        self._silent = False  # whether a failure has been said
        self._client = client = access.client(device)
        client.max_queued_messages_set(waiting)
        client.will_set(status, "offline", qos=1, retain=True)
        client.on_message = lambda _client, _data, message: received(message.topic, bytes(message.payload))
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect

    def connect(self) -> None:
        """Begin to connect; where it fails, `due` says when to try again."""
        self._retry.failed(time.monotonic())  # until the broker has accepted it
        try:
            self._client.connect(self._access.host, self._access.port, KEEP_ALIVE)
        except OSError as error:
            self._failed(str(error))

    @property
    def due(self) -> float | None:
        """Return when to call `connect` again; None while connected."""
        return self._retry.due

    @property
    def socket(self) -> Any:
        """Return the socket to wait for; None without one."""
        return self._client.socket()

    @property
    def wants_to_write(self) -> bool:
        return self._client.want_write()

    def work(self, *, readable: bool, writable: bool) -> None:
        """Read and write what is waiting, and keep the connection alive."""
        if readable:
            self._client.loop_read()
        if self._accepted and self.publish(self._status, "online", retain=True):
            # Only now, and once there is room: where a connection is accepted, paho first calls back and then sends
            # again what was not acknowledged. What was published in the callback would be followed by what is older.
            self._accepted = False
            self._connected()
        if writable:
            self._client.loop_write()
        self._client.loop_misc()

    def publish(self, topic: str, content: Any, *, retain: bool = False) -> bool:
        """Send a message as JSON, at least once; return False where it cannot be sent now."""
        data = content if isinstance(content, str) else msgspec.json.encode(content)
        if not self.online:
            return False
        return self._client.publish(topic, data, qos=1, retain=retain).rc == mqtt.MQTT_ERR_SUCCESS

    def close(self) -> None:
        """Say goodbye: the last will is only for connections that are lost."""
        if self.online:
            self.publish(self._status, "offline", retain=True)
            self.online = False
            self._client.disconnect()
            for _turn in range(10):
                if self._client.socket() is None:
                    break
                self._client.loop(0.1)

    def _on_connect(self, _client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            self._failed(str(reason))
            return
        self.online = self._accepted = True
        self._since = time.monotonic()
        if self._ended < FEW:
            self._retry.worked()
        self._retry.due = None
        if self._silent and self._ended < FEW:
            self._said(f"connected to {self._access.host} again")
            self._silent = False
        for topic in self._subscribed:
            self._client.subscribe(topic, qos=1)

    def _on_disconnect(self, _client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if self.online:
            self.online = self._accepted = False
            now = time.monotonic()
            if now - self._since >= LASTING:
                self._ended, self._silent = 0, False
                self._retry.worked()
            self._ended += 1
            if self._ended == FEW:
                self._said(self._ending)
                self._silent = True
            self._retry.failed(now)
            self._failed(str(reason))

    def _failed(self, why: str) -> None:
        """Say once that there is no connection, until there is one again."""
        if not self._silent:
            self._said(f"no connection to {self._access.host}: {why}; it is tried again")
            self._silent = True


# A few messages

Message = tuple[str, bytes]  # the topic and the content
PATIENCE = 10.0  # seconds that the broker may take for all of them


def publish(access: Access, messages: Sequence[Message], patience: float = PATIENCE) -> None:
    """Give messages to the broker, which keeps the latest of each topic for boxes that are off.

    Args:
        access: How the broker is reached.
        messages: Their topics and contents.
        patience: The seconds that the broker may take.

    Raises:
        OSError: The broker does not answer, refuses, or goes away before it has them all.
    """
    sent: list[mqtt.MQTTMessageInfo] = []

    def give(client: mqtt.Client) -> None:
        sent.extend(client.publish(topic, content, qos=1, retain=True) for topic, content in messages)

    _connected_for(access, give, lambda: bool(sent) and all(one.is_published() for one in sent), patience)


def says_online(access: Access, status: str) -> bool:
    """Return whether the broker says on a topic that a client is online; raise OSError if it does not answer."""
    heard, answered = list[bool](), list[float]()

    def listen(client: mqtt.Client) -> None:
        client.on_message = lambda _client, _data, message: heard.append(message.payload == b"online")
        client.on_subscribe = lambda *_: answered.append(time.monotonic())
        client.subscribe(status, qos=1)

    def done() -> bool:  # what the broker keeps comes after its answer to the subscription
        return any(heard) or (bool(answered) and time.monotonic() >= answered[0] + 1.0)

    _connected_for(access, listen, done, PATIENCE)
    return any(heard)


def _connected_for(
    access: Access, begin: Callable[[mqtt.Client], None], done: Callable[[], bool], patience: float
) -> None:
    """Connect, begin something, and work until it is done; raise OSError if that takes too long or fails."""
    client = access.client("")
    client.max_queued_messages_set(0)
    client.connect_timeout = patience
    until, refusals = time.monotonic() + patience, list[str]()

    def connected(_client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            refusals.append(str(reason))
        else:
            begin(client)

    client.on_connect = connected
    client.connect(access.host, access.port)
    try:
        while not done():
            outcome = client.loop(0.1)
            if refusals:
                raise ConnectionRefusedError(f"the broker refuses: {refusals[0]}")
            if outcome != mqtt.MQTT_ERR_SUCCESS:
                raise ConnectionError(mqtt.error_string(outcome))
            if time.monotonic() >= until:
                raise TimeoutError(f"the broker has not answered within {patience:g} s")
    finally:
        client.disconnect()
