"""All outputs: the panel with its care, lamp, buzzer and page. Each but the panel is optional."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from companion.app.failures import Backoff, LogAndContinue
from companion.app.ports import (
    BoxOutput,
    Buzzer,
    Clock,
    Colour,
    DeviceError,
    FrameListener,
    Lamp,
    Motif,
    PageKey,
    Panel,
)
from companion.app.sounds import Night, quiet
from companion.history.days import local
from companion.ui.pictures import SIZE

BRIGHT = 255
CODE = 64  # a camera reads a bright code worse: its short exposure sees dark bands
DIM = 8
OFF = 0  # levels of brightness for `Panel.shine`
FIRST_RETRY = 0.1
LAST_RETRY = 4.0
"""Seconds before a lost panel is retried: after the first failure, and at most. Each failure doubles the wait."""

WANDER = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Offsets of the picture in pixels, right and down, used in turn against burn-in."""

BLINK = 0.2  # seconds that the lamp blinks: long enough to be noticed from the corner of the eye
WHITE: Colour = (255, 255, 255)


class PanelTimeouts(Struct, frozen=True):
    """Seconds until the panel dims, goes off and shifts its picture; 0 is never."""

    dim: float = 60  # seconds without a key until the panel dims
    off: float = 300  # seconds without a key until the panel goes off
    shift: float = 240  # seconds between two shifts by a pixel
    repaint: float = 45  # seconds between two full repaints; a panel cannot report a brief loss of power


ALWAYS = PanelTimeouts(0, 0, 0, 0)  # the time-outs of a panel that cannot burn in and cannot be lost


class Outputs:
    """Panel, lamp, buzzer and page as one object. A failing device does not stop the others.

    The panel dims and goes off while nobody presses a key, and shifts its picture against burn-in. After a fault it is
    left alone until its next try is due.
    """

    def __init__(
        self,
        panel: Panel,
        clock: Clock,
        *,
        lamp: Lamp | None = None,
        buzzer: Buzzer | None = None,
        page: FrameListener | None = None,
        timeouts: PanelTimeouts = ALWAYS,
        night: Night | None = None,
    ) -> None:
        """Combine the outputs. The panel begins lit, as if a key had just been pressed.

        Args:
            panel: Shows the picture.
            clock: Supplies the idle time and the local time of day.
            lamp: Shines in the colour of the trump.
            buzzer: Plays motifs.
            page: Shows the same frames as the panel to browsers.
            timeouts: When the panel dims, goes off, shifts its picture and repaints.
            night: Start and end of the silent hours, in local time.
        """
        self._panel, self._lamp, self._buzzer, self._page = panel, lamp, buzzer, page
        self._clock = clock
        self._timeouts = timeouts
        self._night = night
        self._frame: BoxOutput | None = None
        self._level = BRIGHT  # the brightness that the panel should have
        self._pressed = self._shifted = self._painted = clock.passed()
        self._shifts = 0  # how often the picture was shifted
        self._retry = Backoff(FIRST_RETRY, LAST_RETRY)
        self._blinks_until: float | None = None
        self.fault: str | None = None  # what is wrong with the panel, if anything
        self.sound_on = True  # whether motifs are played, if there is a buzzer

    @property
    def has_buzzer(self) -> bool:
        """Return whether there is a buzzer."""
        return self._buzzer is not None

    @property
    def mirrored(self) -> bool:
        """Return whether there is a page, so that labels and words of a frame are needed."""
        return self._page is not None

    @property
    def wanted(self) -> frozenset[PageKey]:
        """Return the live pages that somebody looks at."""
        return frozenset() if self._page is None else self._page.wanted

    @property
    def asleep(self) -> bool:
        """Return whether the panel is off until a key is pressed."""
        return self._level == OFF

    def show(self, frame: BoxOutput) -> None:
        """Show a frame: on the panel at once if it is present and awake."""
        self._frame = frame
        now = self._clock.passed()
        if not self.asleep:
            self._level = self._brightness(now)
            self._paint(now)
        self._tell()

    def mirror(self, frame: BoxOutput) -> None:
        """Show a frame on the page alone; the panel has its picture already."""
        self._frame = frame
        self._tell()

    def play(self, motif: Motif) -> None:
        """Play a motif, unless sound is off or it is night."""
        if self._buzzer is None or not self.sound_on:
            return
        now = local(self._clock.now())
        if now is None or not quiet(now.time(), self._night):
            with suppress(DeviceError):
                self._buzzer.play(motif)

    def blink(self) -> None:
        """Let the lamp blink once: dark if it shines, white if it is dark. Not while the panel sleeps."""
        if (self._lamp is not None or self._page is not None) and not self.asleep:
            self._blinks_until = self._clock.passed() + BLINK
            self._tell()

    def touched(self) -> bool:
        """Note a key press. Return whether it only woke the panel."""
        now, woken, level = self._clock.passed(), self.asleep, self._level
        self._pressed = now
        self._level = self._brightness(now)
        if self._level != level:
            self._paint(now)
        if woken:
            self._tell()
        return woken

    @property
    def due(self) -> float | None:
        """Return when to call `tick`, in seconds of ``Clock.passed``, if ever."""
        return min(self._deadlines(), default=None)

    def _deadlines(self) -> Iterator[float]:
        times, retry = self._timeouts, self._retry.due
        if self._blinks_until is not None:
            yield self._blinks_until
        if retry is not None:
            yield retry
        if self.asleep:
            return
        if times.dim and self._level != DIM:
            yield self._pressed + times.dim
        if times.off and not self._stays:
            yield self._pressed + times.off
        if times.shift:
            yield self._shifted + times.shift
        if times.repaint and retry is None:
            yield self._painted + times.repaint

    def tick(self) -> None:
        """Do what is due."""
        now, times = self._clock.passed(), self._timeouts
        before = self.asleep, self._blinks_until
        if self._blinks_until is not None and now >= self._blinks_until:
            self._blinks_until = None
        self._level = self._brightness(now)
        if times.shift and not self.asleep and now >= self._shifted + times.shift:
            self._shifted, self._shifts = now, self._shifts + 1
        self._paint(now, anew=bool(times.repaint) and not self.asleep and now >= self._painted + times.repaint)
        if (self.asleep, self._blinks_until) != before:
            self._tell()

    def close(self) -> None:
        """Switch panel, lamp and buzzer off and close them."""
        for device in (self._panel, self._lamp, self._buzzer):
            if device is not None:
                device.close()

    @property
    def _stays(self) -> bool:
        return self._frame is not None and self._frame.stays

    def _brightness(self, now: float) -> int:
        """Return how brightly the panel should shine."""
        times, pressed = self._timeouts, self._pressed
        if times.off and now >= pressed + times.off and not self._stays:
            return OFF
        if times.dim and now >= pressed + times.dim:
            return DIM
        return CODE if self._frame is not None and self._frame.code else BRIGHT

    def _paint(self, now: float, *, anew: bool = False) -> None:
        """Send picture and brightness to the panel, which sends on what has changed; after a fault only if it is due.

        ``anew``: whether everything is sent.
        """
        if self._retry.due is not None and not self._retry.ready(now):
            return
        try:
            if self._frame is not None and not self.asleep:
                offset = (0, 0) if self._frame.exact else WANDER[self._shifts % len(WANDER)]
                self._panel.show(moved(self._frame.picture, offset))
            self._panel.shine(self._level)
            if anew:
                self._panel.refresh()
        except DeviceError as fault:
            self.fault = str(fault)
            self._retry.failed(now)
            return
        self.fault = None
        self._retry.worked()
        if anew:
            self._painted = now

    def _tell(self) -> None:
        """Send the current frame to lamp and page, with the lamp as it blinks, and dark while the panel sleeps."""
        if self._frame is None:
            return
        lamp = self._frame.lamp
        if self._blinks_until is not None:
            lamp = WHITE if lamp is None else None
        frame = replace(self._frame, asleep=self.asleep, lamp=None if self.asleep else lamp)
        if self._lamp is not None:
            with LogAndContinue("lighting the lamp"), suppress(DeviceError):
                self._lamp.show(frame.lamp)
        if self._page is not None:
            with LogAndContinue("showing the page"):
                self._page.show(frame)


def moved(picture: Image.Image, offset: tuple[int, int]) -> Image.Image:
    """Return a picture moved right and down; the uncovered edge is dark."""
    if offset == (0, 0):
        return picture
    moved = Image.new(picture.mode, picture.size)
    moved.paste(picture, offset)
    return moved


class MemoryPanel:
    """A panel that keeps the last picture."""

    def __init__(self) -> None:
        """Make a dark panel."""
        self.picture: Image.Image | None = None  # the last picture; None before the first one
        self.level = 255  # the brightness, 0 to 255

    def show(self, picture: Image.Image) -> None:
        """Keep a picture; raise ValueError if it has another size or mode than the panel."""
        if picture.size != SIZE or picture.mode != "1":
            raise ValueError(f"a {picture.mode!r} picture of {picture.size} for a panel of {SIZE}")
        self.picture = picture

    def shine(self, level: int) -> None:
        """Keep the brightness; raise ValueError if the level is not from 0 to 255."""
        if not 0 <= level <= 255:
            raise ValueError(f"A panel shines from 0 to 255, not {level}.")
        self.level = level

    def refresh(self) -> None:
        """Do nothing: a panel in memory never loses its picture."""

    def close(self) -> None:
        """Drop the picture."""
        self.picture = None
