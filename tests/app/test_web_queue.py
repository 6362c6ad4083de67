"""The queue of the loop: keys of the device first, and few items of pages."""

from __future__ import annotations

from companion.app.loop import ROOM, Inbox, Stop
from companion.ui.keys import Key, parse


def test_a_key_of_the_device_waits_behind_no_key_of_a_page() -> None:
    inbox, end = Inbox(), Stop()
    for key in parse("1 2 3 4"):
        assert inbox.put_of_page(key)
    inbox.put(end)
    inbox.put(Key("A"))
    assert [inbox.get() for _ in range(6)] == [*parse("A 1 2 3 4"), end]


def test_no_more_wait_than_there_is_room_for_and_one_more_as_soon_as_one_was_taken() -> None:
    inbox = Inbox()
    assert [inbox.put_of_page(Key("7")) for _ in range(ROOM + 2)] == [True] * ROOM + [False] * 2
    inbox.put(Key("A"))
    assert [inbox.get(), inbox.get()] == [Key("A"), Key("7")]
    assert inbox.put_of_page(Key("8"))
    assert not inbox.put_of_page(Key("9"))
