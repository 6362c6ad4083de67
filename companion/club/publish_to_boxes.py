"""Sends messages to the boxes: opens a connection for them, and fails within seconds instead of trying again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.bridge.broker import Access

PATIENCE = 10.0  # seconds that the broker may take for all messages

Message = tuple[str, bytes]  # the topic and the content


def publish(access: Access, messages: Sequence[Message], patience: float = PATIENCE) -> None:
    """Give messages to the broker, which keeps the latest of each topic for boxes that are off.

    Args:
        access: How the broker is reached.
        messages: Their topics and contents.
        patience: The seconds that the broker may take.

    Raises:
        OSError: The broker does not answer, refuses, or goes away before it has them all.
    """
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311, reconnect_on_failure=False)
    if access.user is not None:
        client.username_pw_set(access.user, access.password)
    if access.tls:
        client.tls_set_context(access.context)
    client.max_queued_messages_set(0)
    until = time.monotonic() + patience
    client.connect_timeout = patience
    sent: list[mqtt.MQTTMessageInfo] = []
    refusals: list[str] = []

    def connected(_client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            refusals.append(str(reason))
        else:
            sent.extend(client.publish(topic, content, qos=1, retain=True) for topic, content in messages)

    client.on_connect = connected
    client.connect(access.host, access.port)
    try:
        while not (sent and all(one.is_published() for one in sent)):
            outcome = client.loop(max(0.0, until - time.monotonic()))
            if refusals:
                raise ConnectionRefusedError(f"the broker refuses: {refusals[0]}")
            if outcome != mqtt.MQTT_ERR_SUCCESS:
                raise ConnectionError(mqtt.error_string(outcome))
            if time.monotonic() >= until:
                raise TimeoutError(f"the broker has not answered within {patience:g} s")
    finally:
        client.disconnect()
