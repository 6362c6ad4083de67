"""Messages of the hub reach the broker; if they cannot, the caller is told within seconds."""

from __future__ import annotations

import socket
from threading import Thread

import pytest
from msgspec.structs import replace

from companion.bridge.mqtt import Access, publish
from tests.bridge.mosquitto import Mosquitto, Onlooker


@pytest.mark.needs("mosquitto")
def test_many_messages_arrive_and_the_broker_keeps_them(broker: Mosquitto) -> None:
    messages = [(f"tabletop/box-{number}/hub", b'{"seats":null}') for number in range(300)]
    publish(broker.access, messages)
    later = Onlooker(broker)
    later.wait_for(lambda seen: len(seen) == len(messages))
    later.close()


@pytest.mark.needs("mosquitto")
def test_without_a_broker_it_fails_at_once(broker: Mosquitto) -> None:
    broker.stop()
    with pytest.raises(ConnectionRefusedError):
        publish(broker.access, [("a", b"")])
    broker.start()


def test_a_broker_that_never_answers_is_left_after_a_while() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        access = Access("127.0.0.1", server.getsockname()[1])
        with pytest.raises(TimeoutError, match="has not answered within"):
            publish(access, [("a", b"")], patience=0.1)


def test_a_broker_that_goes_away_is_not_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)
        access = replace(Access("127.0.0.1", server.getsockname()[1]), user="hub", password="x")

        def leave() -> None:
            server.accept()[0].close()

        thread = Thread(target=leave)
        thread.start()
        with pytest.raises(OSError, match="lost"):
            publish(access, [("a", b"")])
        thread.join()
