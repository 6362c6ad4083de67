"""Copies a package from a file or an address, with limits on its size and on the time."""

from __future__ import annotations

import errno
import http.client
import ipaddress
import os
import re
import socket
import stat
import time
import urllib.error
import urllib.parse
import urllib.request
from io import BufferedIOBase, BytesIO
from pathlib import Path
from typing import IO

from companion.cli.common import CommandError

LONGEST = 1800.0
"""The most seconds that copying a package may take."""

SILENCE = 15.0
"""Seconds without a byte after which a server has gone."""


class UpdateError(CommandError):
    """There is no update, or it is not taken; the message is a sentence."""

    def __init__(self, sentence: str, kind: str = "other") -> None:
        super().__init__(sentence)
        # what failed, for the panel, which has no room for the sentence: ``address``, ``drive``, ``unsigned``,
        # ``signature``, ``space``, ``package``, ``failed``, ``install``, or ``other``
        self.kind = kind


def copy_bounded(place: str, target: Path, most: int) -> None:
    """Copy a file or an address, up to a size.

    Raises UpdateError if it is larger, is no plain file, or cannot be fetched, OSError if it cannot be read or written.
    """
    with target.open("wb") as written:
        if re.match("https?://", place):
            _fetch(place, written, most)
        else:
            # O_NONBLOCK: a pipe in place of the file must not hold this up. O_NOFOLLOW: a link may lead to what only
            # root reads.
            with open(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW), "rb") as content:
                if not stat.S_ISREG(os.fstat(content.fileno()).st_mode):
                    raise UpdateError(f"{place} is no file", "package")
                _pour(content, written, most, place)
        os.fsync(written.fileno())


def fetched(address: str, most: int) -> bytes:
    """Return what is at an address, up to a size.

    Raises UpdateError if it cannot be reached, is larger, or takes too long.
    """
    content = BytesIO()
    _fetch(address, content, most)
    return content.getvalue()


def _fetch(address: str, into: IO[bytes], most: int) -> None:
    """Fetch an address, up to a size; raise UpdateError if it cannot be reached, is larger, or takes too long."""
    try:
        with open_address(address) as answer:
            _pour(answer, into, most, address)
    except urllib.error.HTTPError as error:
        error.close()
        raise UpdateError(f"{address} cannot be fetched: {error.code} {error.reason}", "address") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = getattr(error, "reason", None) or error
        kind = "space" if getattr(error, "errno", None) == errno.ENOSPC else "address"
        raise UpdateError(f"{address} cannot be fetched: {why}", kind) from None


def open_address(address: str) -> BufferedIOBase:
    """Open an address; what it leads to is followed out of the home's network, and not into it.

    Raises OSError if it does not answer.
    """
    opened: BufferedIOBase = urllib.request.build_opener(_Redirects).open(address, timeout=SILENCE)
    return opened


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows an address to another one, but not into this machine or the network at home."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """Return the request for another address.

        Raises URLError if it is on another host, whose address is not one of the internet.
        """
        target = urllib.parse.urlsplit(newurl)
        if target.netloc != urllib.parse.urlsplit(req.full_url).netloc and not _is_public(target.hostname or ""):
            raise urllib.error.URLError(f"it leads to {newurl}, which is no address of the internet")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _is_public(host: str) -> bool:
    try:
        found = {str(each[4][0]).partition("%")[0] for each in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return bool(found) and all(ipaddress.ip_address(address).is_global for address in found)


def _pour(content: BufferedIOBase, into: IO[bytes], most: int, place: str) -> None:
    began, size = time.monotonic(), 0
    while block := content.read1(1 << 16):  # what is there: a slow server must not hide the time
        size += len(block)
        if size > most:
            raise UpdateError(f"{place} is larger than {most:,} bytes", "package")
        if time.monotonic() - began > LONGEST:
            raise UpdateError(f"{place} takes longer than {LONGEST / 60:.0f} minutes", "address")
        into.write(block)
