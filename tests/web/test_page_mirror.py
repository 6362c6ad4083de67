from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from companion.app.ports import BoxOutput
from companion.web.limits import Limits
from companion.web.live_routes import FIRST, HEARTBEAT, Streams
from companion.web.page_mirror import PageMirror, encode
from tests.web.loop_double import frame, picture


@given(st.binary(min_size=1024, max_size=1024))
def test_a_message_carries_exactly_the_pictures_rows(rows: bytes) -> None:
    image = Image.frombytes("1", (128, 64), rows)
    message = json.loads(encode(BoxOutput(image, (1, 2, 255), {"7": "seven"}, ("One", "Zwölf 三"))))
    assert base64.b64decode(message.pop("panel"), validate=True) == rows
    assert message == {
        "width": 128,
        "height": 64,
        "lamp": [1, 2, 255],
        "labels": {"7": "seven"},
        "words": ["One", "Zwölf 三"],
        "asleep": False,
        "wanted": "",
    }


def test_the_leftmost_pixel_is_the_highest_bit() -> None:
    image = Image.new("1", (128, 64))
    image.putpixel((0, 0), 1)
    image.putpixel((127, 63), 1)
    panel = base64.b64decode(json.loads(encode(BoxOutput(image, None, {}, ())))["panel"])
    assert (panel[0], panel[-1], sum(panel)) == (0x80, 0x01, 0x81)


@given(st.lists(st.text(), max_size=5))
def test_a_message_is_one_line_whatever_the_words(words: list[str]) -> None:
    said = tuple(word.encode("utf-8", "ignore").decode() for word in words)
    message = encode(BoxOutput(picture(""), None, {"A": "\r\n"}, said))
    assert b"\n" not in message
    assert b"\r" not in message
    assert json.loads(message)["words"] == list(said)


def test_nothing_is_newest_before_the_first_frame() -> None:
    assert PageMirror().newest() == (0, None)


def test_only_the_newest_frame_is_kept() -> None:
    mirror = PageMirror()
    frames = [frame(str(number)) for number in range(3)]
    for one in frames:
        mirror.show(one)
    assert mirror.newest() == (3, frames[-1])


def test_listeners_are_woken_while_they_listen_and_not_after() -> None:
    mirror = PageMirror()
    woken: list[int] = []
    with mirror.listening(lambda: woken.append(1)):
        mirror.show(frame("one"))
        mirror.show(frame("two"))
    mirror.show(frame("three"))
    assert len(woken) == 2


def test_a_listener_whose_event_loop_is_closed_disturbs_nobody() -> None:
    mirror = PageMirror()
    woken: list[int] = []

    def closed() -> None:
        raise RuntimeError("Event loop is closed")

    with mirror.listening(closed), mirror.listening(lambda: woken.append(1)):
        mirror.show(frame("one"))
    assert woken == [1]


def test_a_listener_hears_that_the_server_is_there_though_frames_have_nothing_for_it() -> None:
    async def listened() -> bytes:
        loop, mirror, now = asyncio.get_running_loop(), PageMirror(), 0.0
        loop.time = lambda: now  # type: ignore[method-assign]
        with Streams(mirror, 15.0, Limits()).joined({}, lambda _frame: b"") as events:
            assert await anext(events) == FIRST
            next_event = asyncio.ensure_future(anext(events))
            for _ in range(4):
                await asyncio.sleep(0)
                assert not next_event.done()
                mirror.show(frame("of somebody else"))
                now += 4.0
            return await next_event

    assert asyncio.run(listened()) == HEARTBEAT


def test_showing_frames_needs_no_web_server_installed() -> None:
    script = (
        "import sys, companion.web.page_mirror;"
        "print(sorted({'starlette', 'uvicorn', 'anyio', 'asyncio'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
