"""The buzzer, passive (plays notes) or active (one pitch), behind gpiozero.

A passive buzzer is a piezo without electronics: it needs PWM, so pins of a factory that has it. An active
one only is on or off, and a motif is heard as its rhythm.

gpiozero is heavy, so it is imported when a buzzer is made, never when this module is.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from threading import Condition, Thread
from typing import Any, Literal, Protocol

from companion.app import sounds
from companion.app.ports import DeviceFault, Motif

from .gpio_errors import line_errors, reason

_log = logging.getLogger(__name__)

_PATIENCE = 2.0  # seconds that closing waits for a device that hangs
_END: Motif = ()  # what ends the thread; a motif without notes never gets that far

Kind = Literal["passive", "active"]


class LatestSlot:
    """A queue of one: a new motif replaces the waiting one."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._motif: Motif | None = None

    def put(self, motif: Motif) -> None:
        """Put a motif, whether or not there is one."""
        with self._changed:
            self._motif = motif
            self._changed.notify_all()

    def take(self, seconds: float | None) -> Motif | None:
        """Wait for a motif and take it out.

        Args:
            seconds: How long to wait; None is for ever.

        Returns:
            The motif, or None when there was none in all that time.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._motif is not None, seconds)
            motif, self._motif = self._motif, None
            return motif


class _Voice(Protocol):
    """Something that sounds until it is hushed."""

    def sound(self, hertz: int) -> None: ...

    def hush(self) -> None: ...

    def close(self) -> None: ...


class _Passive:
    """Sounds at any pitch a motif may have."""

    def __init__(self, factory: Any, line: int) -> None:
        from gpiozero import TonalBuzzer  # noqa: PLC0415  # gpiozero is heavy, see above
        from gpiozero.tones import Tone  # noqa: PLC0415

        self._tone = Tone.from_frequency
        self._device = TonalBuzzer(line, mid_tone=Tone.from_note("C7"), octaves=1, pin_factory=factory)

    def sound(self, hertz: int) -> None:
        self._device.play(self._tone(hertz))

    def hush(self) -> None:
        self._device.stop()
        # lgpio leaves the line wherever the last cycle was; a buzzer with a coil would burn current all evening.
        self._device.pwm_device.off()

    def close(self) -> None:
        self._device.close()


class _Active:
    """Sounds at its own pitch, whatever it is asked for."""

    def __init__(self, factory: Any, line: int, active_high: bool) -> None:
        from gpiozero import Buzzer  # noqa: PLC0415  # gpiozero is heavy, see above

        self._device = Buzzer(line, active_high=active_high, pin_factory=factory)

    def sound(self, hertz: int) -> None:
        self._device.on()

    def hush(self) -> None:
        self._device.off()

    def close(self) -> None:
        self._device.close()


class PinBuzzer:
    """Plays motifs on a thread of its own.

    A device that fails makes no sound and is logged once; the motif after it is tried all the same.

    Args:
        factory: The pin factory; for a passive buzzer one that has PWM.
        line: The GPIO it is on.
        kind: Whether it plays notes, or only is on or off.
        active_high: False for an active buzzer that sounds while its line is low.
        slot: Where motifs wait, and how their notes last.

    Raises:
        DeviceFault: The line cannot be had.
    """

    def __init__(
        self, factory: Any, line: int, kind: Kind = "passive", active_high: bool = True, slot: LatestSlot | None = None
    ) -> None:
        from gpiozero.exc import PinPWMUnsupported  # noqa: PLC0415  # gpiozero is heavy, see above

        try:
            self._voice: _Voice = _Passive(factory, line) if kind == "passive" else _Active(factory, line, active_high)
        except PinPWMUnsupported as error:
            raise DeviceFault("These pins cannot play notes; an active buzzer needs none.") from error
        except line_errors() as error:
            raise DeviceFault(f"The buzzer's line, GPIO {line}, cannot be had: {reason(error)}.") from error
        self._slot = slot or LatestSlot()
        self._failed = False
        self._closed = False
        self._thread = Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, motif: Motif) -> None:
        """Begin a motif and return at once; what is being played gives way to it.

        Raises:
            DeviceFault: It is closed, or the motif before failed; this one is tried all the same.
            ValueError: The motif cannot be played.
        """
        sounds.check(motif)
        if self._closed:
            raise DeviceFault("The buzzer is closed.")
        if motif:
            self._slot.put(motif)
        if self._failed:
            raise DeviceFault("The buzzer does not sound.")

    def close(self) -> None:
        """Fall silent and let go of the line; never raises."""
        if self._closed:
            return
        self._closed = True
        self._slot.put(_END)
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        """Play motif after motif until the end."""
        motif = self._slot.take(None)
        while motif:
            following = self._perform(motif)
            motif = self._slot.take(None) if following is None else following
        with suppress(Exception):  # there is nobody left to tell
            self._voice.close()

    def _perform(self, motif: Motif) -> Motif | None:
        """Play a motif to its end, or until another is there, and return that."""
        following = None
        try:
            for hertz, seconds in motif:
                if hertz:
                    self._voice.sound(hertz)
                else:
                    self._voice.hush()
                following = self._slot.take(seconds)
                if following is not None:
                    break
            self._voice.hush()
        except Exception:  # whatever it was: it is told, and a game needs no sound
            self._fail()
        else:
            self._failed = False
        return following

    def _fail(self) -> None:
        """Tell of the exception being handled, once until a motif is played again, and be silent."""
        if not self._failed:
            _log.warning("The buzzer does not sound.", exc_info=True)
        self._failed = True
        with suppress(Exception):  # a device that fails is often already silent
            self._voice.hush()
