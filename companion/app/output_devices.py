"""All outputs: panel, lamp, buzzer and page mirrors. Each but the panel is optional."""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from companion.history.days import local

from .managed_panel import ALWAYS, ManagedPanel, PanelTimeouts
from .ports import BoxOutput, Buzzer, Clock, Colour, DeviceError, FrameListener, Lamp, Motif, Panel
from .sounds import Night, quiet
from .survive_errors import LogAndContinue

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
    def languages(self) -> frozenset[str]:
        """Return the languages in which mirrors need the contents of live pages."""
        return frozenset().union(*(mirror.languages for mirror in self._mirrors))

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
