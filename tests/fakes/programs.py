"""Stand-ins for programs of the system: each writes down how it is called, and then does what a test wants."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


class Programs:
    """A folder with stand-ins, which come before the system's programs.

    Attributes:
        folder: The folder.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def put(self, name: str, script: str = "") -> None:
        """Put a stand-in there; ``script`` is for a shell, after the call is written down."""
        made = self.folder / name
        made.write_text(f'#!/bin/sh\necho "$*" >>"$0.calls"\n{script}\n', encoding="utf-8")
        made.chmod(0o755)

    def calls(self, name: str) -> list[str]:
        """Return with which arguments a program was called, call by call."""
        file = self.folder / f"{name}.calls"
        return file.read_text("utf-8").splitlines() if file.exists() else []
