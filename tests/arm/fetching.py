"""Fetches PyPI's JSON, wheels and Debian's indices; each address once."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from urllib.parse import urljoin

import httpx
from packaging.metadata import parse_email

from .wheels import File

PYPI = "https://pypi.org/pypi"
DEBIAN = "http://deb.debian.org/debian/dists"
RASPBERRY_PI = "https://archive.raspberrypi.com/debian/dists"
PIWHEELS = "https://www.piwheels.org/simple/"


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


class PyPI:
    """PyPI, the index that pip uses."""

    def releases(self, name: str) -> Mapping[str, Sequence[File]]:
        """Return the files of every version of a distribution.

        Raises:
            Unreachable: PyPI does not answer.
        """
        page = f"{PYPI}/{name}/json"
        said: dict[str, dict[str, list[File]]] = json.loads(_fetched(page))
        return {  # a mirror says where its files are from there
            version: [{**file, "url": urljoin(page, file["url"])} for file in files]
            for version, files in said["releases"].items()
        }

    def requires(self, files: Sequence[File]) -> Sequence[str]:
        """Return the requirements of a version, from the smallest of its wheels.

        Raises:
            Unreachable: It cannot be fetched.
        """
        kinds = {kind: [file for file in files if file["packagetype"] == kind] for kind in ("bdist_wheel", "sdist")}
        smallest = min(kinds["bdist_wheel"] or kinds["sdist"], key=lambda file: int(file["size"]))
        return parse_email(_metadata(smallest["filename"], _fetched(smallest["url"])))[0].get("requires_dist", [])


def _metadata(name: str, data: bytes) -> bytes:
    """Return the metadata of a wheel or a source archive."""
    if name.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(data)) as wheel:
            return wheel.read(next(each for each in wheel.namelist() if each.endswith(".dist-info/METADATA")))
    with tarfile.open(fileobj=io.BytesIO(data)) as sources:
        about = min((each for each in sources.getnames() if each.endswith("/PKG-INFO")), key=len)
        file = sources.extractfile(about)
        assert file is not None  # it was among the names
        return file.read()


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


def reachable(url: str) -> bool:
    """Return whether a server answers at all."""
    try:
        return httpx.head(url, follow_redirects=True, timeout=10).is_success
    except httpx.HTTPError:
        return False
