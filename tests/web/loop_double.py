"""A test double of the loop: takes keys and shows frames, and knows nothing of games."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from companion.app.inputs import TypedAnswer
from companion.app.loop import WebInput
from companion.app.ports import BoxOutput
from companion.ui.keys import KEYPAD, Key, KeyLayout
from companion.web.limits import Limits
from companion.web.server import PageMirror, Server, serve
from tests.waiting import LAST_RESORT
from tests.web.easy_limits import EASY
from tests.web.server_time import ServerTime

JSON = {"Content-Type": "application/json"}
LABELS = {"A": "clubs", "B": "hearts", "7": "seven", "#": "OK", "*": "back", "h#": "menu", "h*": "entries"}


def picture(text: str) -> Image.Image:
    """Return a picture of a few words, with a frame around them and a pixel that tells left from right."""
    image = Image.new("1", (128, 64))
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    pen.rectangle((0, 0, 127, 63), outline=1)
    pen.text((4, 20), text, fill=1, font=ImageFont.load_default())
    pen.point((2, 2), fill=1)
    return image


def frame(text: str, lamp: tuple[int, int, int] | None = None, labels: Mapping[str, str] | None = None) -> BoxOutput:
    """Return a frame that shows a text."""
    return BoxOutput(picture(text), lamp, LABELS if labels is None else labels, (text,))


class LoopDouble:
    """A served page, the keys that came from it, and the frames it is shown."""

    def __init__(
        self, port: int = 0, heartbeat: float = 15.0, board: KeyLayout = KEYPAD, limits: Limits = EASY
    ) -> None:
        self.mirror = PageMirror()
        self.keys: list[WebInput] = []
        self.answer: Callable[[Any], object] = lambda _: None
        self._changed = threading.Condition()
        self.full = False
        self._time: ServerTime | None = None
        self.server: Server = serve(
            "127.0.0.1", port, self._put, self.mirror, heartbeat=heartbeat, board=board, limits=limits
        )

    @property
    def port(self) -> int:
        """Return the port of the server."""
        return int(self.server.url.rstrip("/").rsplit(":", 1)[1])

    def show(
        self, text: str, lamp: tuple[int, int, int] | None = None, labels: dict[str, str] | None = None
    ) -> BoxOutput:
        """Show a text and return its frame."""
        shown = frame(text, lamp, labels)
        self.mirror.show(shown)
        return shown

    def expect(self, *keys: Key | TypedAnswer) -> None:
        """Wait until as many keys and texts came as these, and check that they are these and no others."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.keys) >= len(keys), LAST_RESORT)
            assert tuple(self.keys) == keys

    def stop_time(self) -> None:
        """Stop the server's clock until serving is stopped; `let_pass` advances it."""
        self._time = ServerTime(self.server)

    def let_pass(self, seconds: float) -> None:
        """Advance the server's clock."""
        assert self._time is not None  # it was stopped
        self._time.let_pass(seconds)

    def stop(self) -> None:
        """Stop serving and wait until the port is free."""
        if self._time is not None:
            self._time.go_on()
        self.server.stop()
        assert self.server.join(LAST_RESORT), "the server did not stop"

    def _put(self, key: WebInput) -> bool:
        self.answer(key)
        if self.full:
            return False
        with self._changed:
            self.keys.append(key)
            self._changed.notify_all()
        return True
