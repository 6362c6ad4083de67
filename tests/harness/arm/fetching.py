"""Fetches PyPI's JSON, wheels and Debian's indices; each address once."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Sequence
from functools import cache
from urllib.parse import urljoin

import httpx

from tools.locks import PYPI, Locked

from .wheels import File

DEBIAN = "http://deb.debian.org/debian/dists"
FORM = "application/vnd.pypi.simple.v1+json, */*"
"""What is asked for: of PyPI, pages for programs."""

RASPBERRY_PI = "https://archive.raspberrypi.com/debian/dists"


class Unreachable(Exception):
    """A server cannot be reached; the message is a sentence."""


@cache
def _fetched(url: str) -> bytes:
    try:
        answer = httpx.get(url, headers={"Accept": FORM}, follow_redirects=True, timeout=60)
        answer.raise_for_status()
    except httpx.HTTPError as error:
        raise Unreachable(f"{url} cannot be fetched: {error}") from error
    return answer.content


def files(package: Locked) -> Sequence[File]:
    """Return the files of all versions of a package on PyPI.

    Raises:
        Unreachable: PyPI does not answer.
    """
    page = f"{PYPI}/{package.name}/"
    said: list[File] = json.loads(_fetched(page))["files"]
    return [
        {**file, "url": urljoin(page, file["url"])} for file in said
    ]  # a mirror says where its files are from there


@cache
def installed_size(url: str) -> int:
    """Return the bytes that a wheel takes when installed, without compiled byte code.

    Raises:
        Unreachable: It cannot be fetched.
    """
    with zipfile.ZipFile(io.BytesIO(_fetched(url))) as wheel:
        return sum(member.file_size for member in wheel.infolist())


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
