"""All outputs: the panel with its care, lamp, buzzer and page mirrors. Each but the panel is optional."""

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

BRIGHT = 255
CODE = 64  # a camera reads a bright code worse: its short exposure sees dark bands
DIM = 8
OFF = 0  # levels of brightness for `Panel.shine`
FIRST_RETRY = 0.1
LAST_RETRY = 4.0
"""Seconds before a lost panel is retried: after the first failure, and at most. Each failure doubles the wait."""

WANDER = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Offsets of the picture in pixels, right and down, used in turn against burn-in."""


class PanelTimeouts(Struct, frozen=True):
    """Seconds until the panel dims, goes off and shifts its picture; 0 is never."""

    dim: float = 60  # seconds without a key until the panel dims
    off: float = 300  # seconds without a key until the panel goes off
    shift: float = 240  # seconds between two shifts by a pixel
    repaint: float = 45  # seconds between two full repaints; a panel cannot report a brief loss of power


ALWAYS = PanelTimeouts(0, 0, 0, 0)  # the time-outs of a panel that cannot burn in and cannot be lost


class ManagedPanel:
    """A panel that dims when idle, shifts against burn-in, and is retried when it fails."""

    def __init__(self, panel: Panel, timeouts: PanelTimeouts, now: float) -> None:
        """Begin lit, as if a key had just been pressed."""
        self._panel = panel
        self._timeouts = timeouts
        self._lit = BRIGHT  # the level while it is neither dimmed nor off
        self._level = BRIGHT
        self._pressed = now
        self._shifted = now
        self._painted = now
        self._place = 0
        self._retry = Backoff(FIRST_RETRY, LAST_RETRY)
        self._picture: Image.Image | None = None
        self._exact = self._stays = False
        self.seen: Image.Image | None = None  # the picture that the panel should show, shifted against burn-in
        self.fault: str | None = None  # what is wrong with the panel, if anything

    @property
    def asleep(self) -> bool:
        """Return whether the panel is off until a key is pressed."""
        return self._level == OFF

    def show(
        self, picture: Image.Image, now: float, *, code: bool = False, exact: bool = False, stays: bool = False
    ) -> None:
        """Show a picture: at once if the panel is present and awake.

        Args:
            picture: The picture.
            now: The time.
            code: Whether it is a QR code, which is shown less brightly.
            exact: Whether it is not shifted against burn-in.
            stays: Whether the panel does not go off while it shows it.
        """
        self._picture, self._exact, self._stays = picture, exact, stays
        lit, self._lit = self._lit, CODE if code else BRIGHT
        if self._level == lit:
            self._level = self._lit
        self.seen = picture if exact else _moved(picture, WANDER[self._place])
        if self._retry.due is None and not self.asleep:
            self._send(now)

    def touched(self, now: float) -> bool:
        """Note a key press. Return whether it only woke the panel."""
        woken = self.asleep
        self._pressed = now
        self._shine(self._lit, now)
        return woken

    @property
    def due(self) -> float | None:
        """Return when to call `tick` if no key is pressed before, if ever."""
        return min(self._deadlines(), default=None)

    def _deadlines(self) -> Iterator[float]:
        timeouts = self._timeouts
        if self._retry.due is not None:
            yield self._retry.due
        if self._level == self._lit and timeouts.dim:
            yield self._pressed + timeouts.dim
        if not self.asleep:
            if timeouts.off and not self._stays:
                yield self._pressed + timeouts.off
            if timeouts.shift:
                yield self._shifted + timeouts.shift
            if timeouts.repaint and self._retry.due is None:
                yield self._painted + timeouts.repaint

    def tick(self, now: float) -> None:
        """Do what is due."""
        timeouts = self._timeouts
        if self._retry.ready(now):
            self._send(now)
        if timeouts.off and not self._stays and now >= self._pressed + timeouts.off:
            self._shine(OFF, now)
        elif timeouts.dim and now >= self._pressed + timeouts.dim:
            self._shine(DIM, now)
        if self.asleep:
            return
        if timeouts.shift and now >= self._shifted + timeouts.shift:
            self._shifted = now
            self._place = (self._place + 1) % len(WANDER)
            if self._picture is not None:
                self.show(self._picture, now, code=self._lit == CODE, exact=self._exact, stays=self._stays)
        if timeouts.repaint and self._retry.due is None and now >= self._painted + timeouts.repaint:
            self._send(now, anew=True)

    def _shine(self, level: int, now: float) -> None:
        if level == self._level:
            return
        self._level = level
        if self._retry.due is None:
            self._send(now)

    def _send(self, now: float, *, anew: bool = False) -> None:
        """Send the wanted picture and brightness; schedule a retry if the panel fails."""
        try:
            if self.seen is not None and not self.asleep:
                self._panel.show(self.seen)
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


def _moved(picture: Image.Image, place: tuple[int, int]) -> Image.Image:
    """Return a picture moved right and down; the uncovered edge is dark."""
    if place == (0, 0):
        return picture
    moved = Image.new(picture.mode, picture.size)
    moved.paste(picture, place)
    return moved


BLINK = 0.2  # seconds that the lamp blinks: long enough to be noticed from the corner of the eye
WHITE: Colour = (255, 255, 255)


class Outputs:
    """Panel, lamp, buzzer and mirrors as one object. A failing device does not stop the others."""

    def __init__(
        self,
        panel: Panel,
        clock: Clock,
        *,
        lamp: Lamp | None = None,
        buzzer: Buzzer | None = None,
        mirrors: tuple[FrameListener, ...] = (),
        timeouts: PanelTimeouts = ALWAYS,
        night: Night | None = None,
    ) -> None:
        """Combine the outputs.

        Args:
            panel: Shows the picture.
            clock: Supplies the idle time and the local time of day.
            lamp: Shines in the colour of the trump.
            buzzer: Plays motifs.
            mirrors: Show the same frames as the panel, for example on a page.
            timeouts: When the panel dims, goes off, shifts its picture and repaints.
            night: Start and end of the silent hours, in local time.
        """
        self._panel = panel
        self._clock = clock
        self._lamp = lamp
        self._buzzer = buzzer
        self._mirrors = mirrors
        self._night = night
        self._display = ManagedPanel(panel, timeouts, clock.passed())
        self._frame: BoxOutput | None = None
        self._blinks_until: float | None = None
        self.sound_on = True  # whether motifs are played, if there is a buzzer

    @property
    def has_buzzer(self) -> bool:
        """Return whether there is a buzzer."""
        return self._buzzer is not None

    @property
    def mirrored(self) -> bool:
        """Return whether there are mirrors, so that labels and words of a frame are needed."""
        return bool(self._mirrors)

    @property
    def wanted(self) -> frozenset[PageKey]:
        """Return the live pages whose contents mirrors need."""
        return frozenset().union(*(mirror.wanted for mirror in self._mirrors))

    @property
    def asleep(self) -> bool:
        """Return whether the panel is off until a key is pressed."""
        return self._display.asleep

    @property
    def fault(self) -> str | None:
        """Return what is wrong with the panel, if anything."""
        return self._display.fault

    def show(self, frame: BoxOutput) -> None:
        """Show a frame."""
        now = self._clock.passed()
        self._display.show(frame.picture, now, code=frame.code, exact=frame.exact, stays=frame.stays)
        self._frame = frame
        self._tell()

    def mirror(self, frame: BoxOutput) -> None:
        """Show a frame on the mirrors alone; the panel has its picture already."""
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
        if (self._lamp is not None or self._mirrors) and not self._display.asleep:
            self._blinks_until = self._clock.passed() + BLINK
            self._tell()

    def touched(self) -> bool:
        """Note a key press. Return whether it only woke the panel."""
        woken = self._display.touched(self._clock.passed())
        if woken:
            self._tell()
        return woken

    @property
    def due(self) -> float | None:
        """Return when to call `tick`, in seconds of ``Clock.passed``, if ever."""
        blinks_until, due = self._blinks_until, self._display.due
        return due if blinks_until is None else blinks_until if due is None else min(due, blinks_until)

    def tick(self) -> None:
        """Do what is due."""
        asleep, now = self._display.asleep, self._clock.passed()
        self._display.tick(now)
        blinked = self._blinks_until is not None and now >= self._blinks_until
        if blinked:
            self._blinks_until = None
        if blinked or self._display.asleep != asleep:
            self._tell()

    def close(self) -> None:
        """Switch panel, lamp and buzzer off and close them."""
        self._panel.close()
        if self._lamp is not None:
            self._lamp.close()
        if self._buzzer is not None:
            self._buzzer.close()

    def _tell(self) -> None:
        """Send the current frame to lamp and mirrors, with the lamp as it blinks, and dark while the panel sleeps."""
        if self._frame is None:
            return
        asleep, lamp = self._display.asleep, self._frame.lamp
        if self._blinks_until is not None:
            lamp = WHITE if lamp is None else None
        frame = replace(self._frame, asleep=asleep, lamp=None if asleep else lamp)
        if self._lamp is not None:
            with LogAndContinue("lighting the lamp"), suppress(DeviceError):
                self._lamp.show(frame.lamp)
        for mirror in self._mirrors:  # a failing mirror does not stop the others
            with LogAndContinue("showing a mirror"):
                mirror.show(frame)


class MemoryPanel:
    """A panel that keeps the last picture."""

    def __init__(self, size: tuple[int, int] = (128, 64)) -> None:
        """Make a dark panel of a size in pixels."""
        self._size = size
        self.picture: Image.Image | None = None  # the last picture; None before the first one
        self.level = 255  # the brightness, 0 to 255

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return self._size

    def show(self, picture: Image.Image) -> None:
        """Keep a picture of the panel's size.

        Raises ValueError if the picture has another size or mode than the panel.
        """
        if picture.size != self._size or picture.mode != "1":
            raise ValueError(f"a {picture.mode!r} picture of {picture.size} for a panel of {self._size}")
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
