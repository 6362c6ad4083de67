"""The panel as the application uses it: dims, goes off, shifts the picture, and is retried when lost.

It reads no clock and never waits: the caller passes the time, and `due` says when to call `tick`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from PIL import Image

from .backoff import Backoff
from .ports import DeviceError, Panel

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
