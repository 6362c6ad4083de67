"""Which exceptions mean that a GPIO line failed, and their text in words."""

from __future__ import annotations

import sys


def line_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that mean that a line failed or is not available, as opposed to a bug."""
    from gpiozero.exc import GPIOPinInUse, PinError  # gpiozero is heavy; the caller has it

    known: tuple[type[Exception], ...] = (OSError, GPIOPinInUse, PinError)
    # lgpio's exception is neither an OSError nor one of gpiozero's, and exists only where lgpio is installed.
    lgpio = sys.modules.get("lgpio")
    return known if lgpio is None else (*known, lgpio.error)


def reason(error: Exception) -> str:
    """Return an exception's text as the end of a sentence, without full stop and lgpio's quotes."""
    message = (isinstance(error, OSError) and error.strerror) or str(error).strip(" '.")
    return message or type(error).__name__
