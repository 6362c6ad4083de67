"""A real MQTT broker, Mosquitto, on a free port of this computer, a client that notes what it publishes, and a hub."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.bridge.mqtt import Access
from tests.waiting import LAST_RESORT

PROGRAM = "/usr/sbin/mosquitto"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Mosquitto:
    """The broker; it can be stopped and started again on the same port."""

    def __init__(self, folder: Path, settings: str = "allow_anonymous true\n") -> None:
        self.port = free_port()
        self._file = folder / "mosquitto.conf"
        self._file.write_text(f"listener {self.port} 127.0.0.1\n{settings}", encoding="utf-8")
        self.start()

    @property
    def access(self) -> Access:
        return Access("127.0.0.1", self.port)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen((PROGRAM, "-c", str(self._file)), stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if "running" in line:
                break
        self._reader = threading.Thread(target=self._process.stderr.read)  # so that it never waits for one
        self._reader.start()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stderr is not None
        self._process.stderr.close()


class Onlooker:
    """A client that notes every message, and can publish.

    Args:
        answers: Is called with topic and content of each message, and returns messages to publish.
    """

    def __init__(
        self, broker: Mosquitto, answers: Callable[[str, Any], list[tuple[str, Any]]] = lambda _topic, _content: []
    ) -> None:
        self.messages: list[tuple[str, Any]] = []
        self._changed = threading.Condition()
        self._answers = answers
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311)
        self._client.on_message = self._note
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.reconnect_delay_set(1, 1)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()

    def publish(self, topic: str, content: Any, *, retain: bool = False) -> None:
        data = content if isinstance(content, str) else json.dumps(content)
        self._client.publish(topic, data, qos=1, retain=retain)

    def wait_for(self, found: Callable[[list[tuple[str, Any]]], Any]) -> Any:
        """Wait until something is found among the messages, and return it."""
        with self._changed:
            assert self._changed.wait_for(lambda: found(self.messages), LAST_RESORT), self.messages
            return found(self.messages)

    def latest(self, end: str, wanted: Callable[[Any], Any] = lambda _content: True) -> Any:
        """Wait for a message whose topic ends so, and that is wanted; return its content."""

        def one(messages: list[tuple[str, Any]]) -> Any:
            return next(
                (content for topic, content in reversed(messages) if topic.endswith(end) and wanted(content)), None
            )

        return self.wait_for(one)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _note(self, _client: Any, _data: Any, message: Any) -> None:
        text = message.payload.decode(errors="replace")
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            content = text
        with self._changed:
            self.messages.append((message.topic, content))
            self._changed.notify_all()
        for topic, answer in self._answers(message.topic, content):
            self.publish(topic, answer)


class Hub:
    """A hub that stores lines, forgets some messages, and acknowledges what it has."""

    def __init__(self, forgets: Callable[[int], bool] = lambda _number: False) -> None:
        self.games: dict[str, list[str]] = {}
        self.seen = 0
        self.firsts: list[int] = []  # the first line's number of each message
        self._forgets = forgets

    def __call__(self, topic: str, content: Any) -> list[tuple[str, Any]]:
        if not topic.endswith("/lines"):
            return []
        self.seen += 1
        if self._forgets(self.seen):
            return []
        game, first = content["game"], content["first"]
        self.firsts.append(first)
        stored = self.games.setdefault(game, [])
        if first <= len(stored):
            stored[first:] = content["lines"]
        return [(topic.removesuffix("lines") + "ack", {"game": game, "lines": len(stored)})]
