"""The borders of the application: interfaces of panel, lamp, buzzer, power switch and pages, and the clock.

The values are msgspec structs, because importing dataclasses would delay the first picture.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from PIL import Image

    from companion.ui.live_page.content import LivePageContent


class DeviceError(Exception):
    """A device failed. The game is not affected."""


Colour = tuple[int, int, int]  # red, green, blue, each 0-255
Motif = tuple[tuple[int, float], ...]  # notes one after the other: hertz (0 is a rest) and seconds


PageKey = tuple[int | Literal["wall"], str]
"""A live page: the number of the phone that looks, "wall" for the wall and guests; and the language."""


class BoxOutput(Struct, frozen=True):
    """The picture, lamp colour, key labels and spoken lines of one moment."""

    picture: Image.Image  # 128x64 pixels, mode "1"; do not modify it
    lamp: Colour | None  # red, green, blue, each 0-255; None is dark
    labels: Mapping[str, str]  # short label of each key, by the key's name ("7", "A", "#"; "h#" for a held key)
    words: tuple[str, ...]  # the text of the picture, line by line, for screen readers
    asleep: bool = False  # whether the panel is off, so that the next key only wakes it
    expected_text: str = ""  # what can be entered as text now, such as a name; empty if nothing
    language: str = "en"  # the two-letter code of the frame's language
    code: bool = False  # whether the picture is a QR code, for cameras
    exact: bool = False  # whether the picture fills the panel to its edges, so that it may not be shifted
    stays: bool = False  # whether the panel does not go off while it shows the picture
    # the contents of the live pages that somebody looks at
    live_pages: Mapping[PageKey, LivePageContent] = {}


class Panel(Protocol):
    """A display for 1-bit pictures.

    Every method may raise DeviceError. Callers may always call again; that call initializes the panel anew.
    """

    def show(self, picture: Image.Image) -> None:
        """Show a picture of 128x64 pixels, mode "1". Only the changed part is sent.

        Raises:
            DeviceError: The panel did not take it. The next picture may still be shown.
        """

    def shine(self, level: int) -> None:
        """Set the brightness: 0 (off, but the picture is kept) to 255.

        A panel that was off is initialized and painted before it is lit: it may have lost power in the meantime.

        Raises:
            DeviceError: The panel did not take it. The next picture sets the brightness again.
        """

    def refresh(self) -> None:
        """Initialize the controller again and send the whole picture, because a panel cannot report a loss of power.

        Raises DeviceError if the panel did not take it.
        """

    def close(self) -> None:
        """Switch the panel off and release it; never raises."""


class Lamp(Protocol):
    """An RGB lamp."""

    def show(self, colour: Colour | None) -> None:
        """Shine in a colour; None is dark. Raises DeviceError if the lamp failed."""

    def close(self) -> None:
        """Switch the lamp off and release it; never raises."""


class Buzzer(Protocol):
    """A buzzer that plays motifs."""

    def play(self, motif: Motif) -> None:
        """Start a motif and return at once. It replaces a motif that is still playing.

        Raises DeviceError if the buzzer failed.
        """

    def close(self) -> None:
        """Stop the sound and release the buzzer; never raises."""


class Power(Protocol):
    """Switches the machine off."""

    def may(self) -> bool:
        """Return whether this program is allowed to."""

    def off(self) -> None:
        """Start the shutdown. The system will then stop this program. Raises DeviceError if the system refused."""


class FrameListener(Protocol):
    """Receives every frame, and passes it to a page."""

    @property
    def wanted(self) -> frozenset[PageKey]:
        """Return the live pages that somebody looks at."""

    def show(self, frame: BoxOutput) -> None:
        """Show a frame. Called from the loop; returns at once and never raises."""


class Clock(Protocol):
    """The time of day, and a monotonic time."""

    def now(self) -> float:
        """Return seconds since 1970; the value may jump."""

    def passed(self) -> float:
        """Return seconds from an arbitrary start; they never decrease."""


class TimedTask(Protocol):
    """A task with a due time: the loop runs it when that time has come."""

    @property
    def due(self) -> float | None:
        """Return when to call `tick`, in seconds of ``Clock.passed``; None if only another event can make it due."""

    def tick(self) -> object:
        """Do what is due."""


class SystemClock:
    """The computer's clock."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def passed(self) -> float:
        """Return seconds since about the start of the computer."""
        return time.monotonic()


class Listeners:
    """Functions to call after a change, such as the streams of a page; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wakers: set[Callable[[], None]] = set()

    def __len__(self) -> int:
        with self._lock:
            return len(self._wakers)

    @contextmanager
    def listening(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call ``wake`` after every change inside the block, in the thread that makes it."""
        with self._lock:
            self._wakers.add(wake)
        try:
            yield
        finally:
            with self._lock:
                self._wakers.discard(wake)

    def wake(self) -> None:
        """Call the functions, after a change."""
        with self._lock:
            wakers = tuple(self._wakers)
        for wake in wakers:
            with suppress(RuntimeError):  # the listener's event loop has closed since
                wake()
