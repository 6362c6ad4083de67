"""Fetches Debian's indices; each address once."""

from __future__ import annotations

import gzip
import lzma
from functools import cache

import httpx

DEBIAN = "http://deb.debian.org/debian/dists"
RASPBERRY_PI = "https://archive.raspberrypi.com/debian/dists"


class Unreachable(Exception):
    """A server cannot be reached; the message is a sentence."""


@cache
def _fetched(url: str) -> bytes:
    try:
        answer = httpx.get(url, follow_redirects=True, timeout=60)
        answer.raise_for_status()
    except httpx.HTTPError as error:
        raise Unreachable(f"{url} cannot be fetched: {error}") from error
    return answer.content


def debian(release: str, architecture: str) -> str:
    """Return Debian's index of a release for an architecture.

    Raises:
        Unreachable: It cannot be fetched.
    """
    return lzma.decompress(_fetched(f"{DEBIAN}/{release}/main/binary-{architecture}/Packages.xz")).decode()


def raspberry_pi(release: str, architecture: str) -> str | None:
    """Return the index of what Raspberry Pi OS adds to Debian; None if it cannot be reached."""
    try:
        return gzip.decompress(_fetched(f"{RASPBERRY_PI}/{release}/main/binary-{architecture}/Packages.gz")).decode()
    except Unreachable:
        return None
