"""Takes away what the broker keeps of a box, so that Home Assistant forgets the device."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from paho.mqtt import client as mqtt

from .broker import Access
from .home_assistant import discovery_topic, topics

PATIENCE = 10.0  # seconds that the broker may take
KEPT = ("state", "status", "name", "call")


class RunningBridgeError(Exception):
    """The bridge of the box still runs, and would publish everything again."""


def clear_topics(access: Access, device: str, prefix: str = "tabletop", home_assistant: str = "homeassistant") -> None:
    """Clear every topic that the bridge of a box lets the broker keep.

    Raises:
        OSError: The broker does not answer, or does not accept this client.
        RunningBridgeError: The bridge is online; nothing is cleared.
    """
    names = topics(f"{prefix}/{device}")
    online: list[bool] = []

    def connected(client: mqtt.Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            raise ConnectionRefusedError(str(reason))
        client.subscribe(names["status"], qos=1)

    client = access.client(f"{device}-remove")
    client.on_message = lambda _client, _data, message: online.append(message.payload == b"online")
    client.on_subscribe = lambda *_: online.append(False)
    client.on_connect = connected
    client.connect(access.host, access.port)
    try:
        _work(client, lambda: bool(online))
        _work(client, lambda: any(online), seconds=1.0, needed=False)  # what is kept comes after the subscription
        if any(online):
            raise RunningBridgeError
        kept = [discovery_topic(home_assistant, device), *(names[each] for each in KEPT)]
        sent = [client.publish(topic, b"", qos=1, retain=True) for topic in kept]
        _work(client, lambda: all(each.is_published() for each in sent))
    finally:
        client.disconnect()


def _work(client: mqtt.Client, done: Callable[[], bool], seconds: float = PATIENCE, *, needed: bool = True) -> None:
    """Read and write until something is done, or the time is over."""
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        if (failed := client.loop(0.1)) != mqtt.MQTT_ERR_SUCCESS:
            raise ConnectionError(mqtt.error_string(failed))
    if needed and not done():
        raise TimeoutError("it does not answer")
