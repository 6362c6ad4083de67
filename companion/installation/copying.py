"""Copies a package from a file or an address, with bounds: no file without an end, and no server that never ends."""

from __future__ import annotations

import errno
import http.client
import os
import re
import stat
import time
import urllib.error
import urllib.request
from io import BufferedIOBase, BytesIO
from pathlib import Path
from typing import IO

LONGEST = 1800.0
"""The most seconds that copying a package may take."""

SILENCE = 15.0
"""Seconds without a byte after which a server has gone."""


class UpdateFault(Exception):
    """There is no update, or it is not taken; the message is a sentence.

    Attributes:
        kind: What failed, for the panel, which has no room for the sentence: ``address``, ``drive``, ``unsigned``,
            ``signature``, ``space``, ``package``, ``install``, or ``other``.
    """

    def __init__(self, sentence: str, kind: str = "other") -> None:
        """Keep the sentence."""
        super().__init__(sentence)
        self.kind = kind


def copy_bounded(place: str, target: Path, most: int) -> None:
    """Copy a file or an address, up to a size.

    Raises:
        UpdateFault: It is larger, is no plain file, or cannot be fetched.
        OSError: It cannot be read or written.
    """
    with target.open("wb") as written:
        if re.match("https?://", place):
            _fetch(place, written, most)
        else:
            # O_NONBLOCK: a pipe in place of the file must not hold this up. O_NOFOLLOW: a link may lead to what only
            # root reads.
            with open(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW), "rb") as content:
                if not stat.S_ISREG(os.fstat(content.fileno()).st_mode):
                    raise UpdateFault(f"{place} is no file", "package")
                _pour(content, written, most, place)
        os.fsync(written.fileno())


def fetched(address: str, most: int) -> bytes:
    """Return what is at an address, up to a size.

    Raises:
        UpdateFault: It cannot be reached, is larger, or takes too long.
    """
    content = BytesIO()
    _fetch(address, content, most)
    return content.getvalue()


def _fetch(address: str, into: IO[bytes], most: int) -> None:
    """Fetch an address, up to a size.

    Raises:
        UpdateFault: It cannot be reached, is larger, or takes too long.
    """
    try:
        with urllib.request.urlopen(address, timeout=SILENCE) as answer:
            _pour(answer, into, most, address)
    except urllib.error.HTTPError as error:
        error.close()
        raise UpdateFault(f"{address} cannot be fetched: {error.code} {error.reason}", "address") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = getattr(error, "reason", None) or error
        kind = "space" if getattr(error, "errno", None) == errno.ENOSPC else "address"
        raise UpdateFault(f"{address} cannot be fetched: {why}", kind) from None


def _pour(content: BufferedIOBase, into: IO[bytes], most: int, place: str) -> None:
    began, size = time.monotonic(), 0
    while block := content.read1(1 << 16):  # what is there: a slow server must not hide the time
        size += len(block)
        if size > most:
            raise UpdateFault(f"{place} is larger than {most:,} bytes", "package")
        if time.monotonic() - began > LONGEST:
            raise UpdateFault(f"{place} takes longer than {LONGEST / 60:.0f} minutes", "address")
        into.write(block)
