"""A disk that takes nothing while it is full."""

from __future__ import annotations

import errno
import os
from typing import Any

import pytest

from companion.journal import disk


class Disk:
    """The disk under every journal of a test.

    Attributes:
        full: Whether it takes nothing now.
        error: The number of the system's error.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: int = errno.ENOSPC) -> None:
        """Stand between journals and the real disk."""
        self.full = False
        self.error = error
        for name in ("_write", "_sync", "make_folder"):
            monkeypatch.setattr(disk, name, self._refusing(getattr(disk, name)))

    def _refusing(self, function: Any) -> Any:
        def called(*arguments: Any, **named: Any) -> Any:
            if self.full:
                raise OSError(self.error, os.strerror(self.error))
            return function(*arguments, **named)

        return called
