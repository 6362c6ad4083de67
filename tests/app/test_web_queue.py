"""The queue for web input: short, in order, and at most one web key ahead of a device key."""

from __future__ import annotations

from companion.app.loop import Inbox
from companion.app.web_queue import WebQueue
from companion.ui.keys import Key, parse


def test_a_key_of_the_device_waits_behind_one_key_of_the_page_at_most() -> None:
    inbox = Inbox()
    web_queue = WebQueue(inbox.put)
    for key in parse("1 2 3 4"):
        assert web_queue.put(key)
    inbox.put(Key("A"))
    done = []
    while not inbox.empty():
        came = inbox.get()
        done.append(came.take() if isinstance(came, WebQueue) else came)
    assert done == [*parse("1 A 2 3 4")]


def test_no_more_wait_than_there_is_room_for_and_one_more_as_soon_as_one_was_taken() -> None:
    inbox = Inbox()
    web_queue = WebQueue(inbox.put)
    assert [web_queue.put(Key("7")) for _ in range(web_queue.ROOM + 2)] == [True] * web_queue.ROOM + [False] * 2
    assert inbox.qsize() == 1
    assert inbox.get() is web_queue
    assert web_queue.take() == Key("7")
    assert web_queue.put(Key("8"))
    assert not web_queue.put(Key("9"))
