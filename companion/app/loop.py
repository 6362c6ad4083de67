"""The loop: one queue, one thread that decides; it sleeps until a key comes."""

from __future__ import annotations

from queue import SimpleQueue

from companion.ui.keys import Key

from .box import Box


class Stop:
    """What ends the loop."""


Inbox = SimpleQueue[Key | Stop]


def run(box: Box, inbox: Inbox) -> None:
    """Press every key that comes, in order, until told to stop."""
    while True:
        match inbox.get():
            case Key() as key:
                box.press(key)
            case Stop():
                return
