"""The result of looking for a newer version, in a file that root writes and the service reads.

The file is in memory and gone at the next boot. Only root writes in its folder, so what is installed later is what was
shown.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

LARGEST = 5_000  # the most bytes of the file


class FoundUpdate(NamedTuple):
    """A newer version, or why there is none to install."""

    version: str = ""  # the newer version; empty if nothing newer was found
    place: str = ""  # the package: a file, or the address it is fetched from
    # what failed, as `UpdateError.kind` has it, or ``nowhere`` if there was no place to look at; else empty
    fault: str = ""


def write_found(found: FoundUpdate, file: Path) -> None:
    """Write what was found, in one piece; raise OSError if it cannot be written."""
    file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.write_text(json.dumps(found._asdict()), encoding="utf-8")
    new.chmod(0o644)
    new.replace(file)


def read_found(file: Path) -> FoundUpdate:
    """Return what was found; a file that is missing or cannot be read is the fault ``other``."""
    try:
        with file.open("rb") as content:
            read = json.loads(content.read(LARGEST))
        found = FoundUpdate(**read)
    except (OSError, ValueError, TypeError):
        return FoundUpdate(fault="other")
    return found if all(isinstance(value, str) for value in found) else FoundUpdate(fault="other")
