"""Errors of GPIO lines in one sentence, for every pin factory."""

from __future__ import annotations

import sys


def line_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that mean a line failed or cannot be had, and no mistake of the program."""
    from gpiozero.exc import GPIOPinInUse, PinError  # noqa: PLC0415  # gpiozero is heavy; whoever asks has it

    known: tuple[type[Exception], ...] = (OSError, GPIOPinInUse, PinError)
    # lgpio's own exception is neither an OSError nor one of gpiozero's, and only there where lgpio is.
    lgpio = sys.modules.get("lgpio")
    return known if lgpio is None else (*known, lgpio.error)


def reason(error: Exception) -> str:
    """Return what an exception of a line says: the end of a sentence, without its full stop and lgpio's quotes."""
    said = (isinstance(error, OSError) and error.strerror) or str(error).strip(" '.")
    return said or type(error).__name__
