"""The buzzer, driven through gpiozero: passive (notes) or active (one pitch).

A passive buzzer is a piezo without electronics. It needs PWM and so a pin factory that offers it. An active
buzzer can only be switched on and off, so it plays just the rhythm of a motif.

gpiozero is slow to import, so it is imported when a buzzer is made, not with this module.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Condition, Thread
from typing import Any, Literal

from companion.app.ports import DeviceError, Motif
from companion.core.program_log import ProgramLog

from .gpio_chips import line_errors, reason

_log = ProgramLog(__name__)

_PATIENCE = 2.0  # seconds that closing waits for a hanging device
_END: Motif = ()  # ends the thread; `play` never queues a motif without notes

Kind = Literal["passive", "active"]


class LatestOnlyQueue:
    """A queue of one: a new motif replaces the waiting one."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._motif: Motif | None = None

    def put(self, motif: Motif) -> None:
        """Store a motif; it replaces a waiting one."""
        with self._changed:
            self._motif = motif
            self._changed.notify_all()

    def take(self, seconds: float | None) -> Motif | None:
        """Wait for a motif and remove it; return None after the time-out, if there is one."""
        with self._changed:
            self._changed.wait_for(lambda: self._motif is not None, seconds)
            motif, self._motif = self._motif, None
            return motif


class PinBuzzer:
    """Plays motifs on a thread of its own.

    A failing device stays silent and is logged once; the next motif is tried again.

    A passive buzzer needs a factory with PWM. `slot` holds the waiting motif and times its notes.

    Raises DeviceError if the line is not available.
    """

    def __init__(
        self,
        factory: Any,
        line: int,
        kind: Kind = "passive",
        slot: LatestOnlyQueue | None = None,
    ) -> None:
        from gpiozero import Buzzer, TonalBuzzer  # gpiozero is heavy, see above
        from gpiozero.exc import PinPWMUnsupported
        from gpiozero.tones import Tone

        self._tone = Tone.from_frequency if kind == "passive" else None
        try:
            if kind == "passive":
                middle = Tone.from_note("C7")  # the range of motifs is an octave around it
                self._device: Any = TonalBuzzer(line, mid_tone=middle, octaves=1, pin_factory=factory)
            else:
                self._device = Buzzer(line, pin_factory=factory)
        except PinPWMUnsupported as error:
            raise DeviceError("These pins cannot play notes; an active buzzer needs none.") from error
        except line_errors() as error:
            raise DeviceError(f"The buzzer's line, GPIO {line}, cannot be had: {reason(error)}.") from error
        self._slot = slot or LatestOnlyQueue()
        self._failed = False
        self._closed = False
        self._thread = Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, motif: Motif) -> None:
        """Start a motif and return at once. It replaces a motif that is still playing.

        Raises DeviceError if the buzzer is closed, or the previous motif failed; this one is tried nevertheless.
        """
        if self._closed:
            raise DeviceError("The buzzer is closed.")
        if motif:
            self._slot.put(motif)
        if self._failed:
            raise DeviceError("The buzzer does not sound.")

    def close(self) -> None:
        """Stop the sound and release the line; never raises."""
        if self._closed:
            return
        self._closed = True
        self._slot.put(_END)
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        """Play motifs until the end marker."""
        motif = self._slot.take(None)
        while motif:
            following = self._perform(motif)
            motif = self._slot.take(None) if following is None else following
        with suppress(Exception):  # the thread ends in any case
            self._device.close()

    def _perform(self, motif: Motif) -> Motif | None:
        """Play a motif until it ends or the next one arrives; return the next one."""
        following = None
        try:
            for hertz, seconds in motif:
                self._sound(hertz)
                following = self._slot.take(seconds)
                if following is not None:
                    break
            self._sound(0)
        except Exception:  # any error is logged; the game works without sound
            self._fail()
        else:
            self._failed = False
        return following

    def _sound(self, hertz: int) -> None:
        """Sound until the next call; 0 is silence. An active buzzer has one pitch."""
        if self._tone is None:
            (self._device.on if hertz else self._device.off)()
        elif hertz:
            self._device.play(self._tone(hertz))
        else:
            self._device.stop()
            # lgpio leaves the line at the level of the last cycle; a buzzer with a coil would keep drawing current.
            self._device.pwm_device.off()

    def _fail(self) -> None:
        """Log the current exception, once until a motif succeeds again, and silence the device."""
        if not self._failed:
            _log.warning("The buzzer does not sound.", traceback=True)
        self._failed = True
        with suppress(Exception):  # a failing device is often silent already
            self._sound(0)
