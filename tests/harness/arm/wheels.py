"""Finds the file of each locked package that fits a machine: its best wheel, else its source archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from packaging.utils import parse_wheel_filename

from tools.locks import Locked
from tools.target_machines import Machine

File = dict[str, Any]
"""A file as PyPI's index describes it."""


class Absent(Exception):
    """A locked package has no file for a machine any more; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file of a locked package.

    Attributes:
        name: The name of the package.
        version: Its version.
        file: The name of the file.
        url: The address of the file.
        size: The size of the file in bytes.
    """

    name: str
    version: str
    file: str
    url: str
    size: int

    @property
    def wheel(self) -> bool:
        """Return whether it is a wheel; otherwise it must be compiled."""
        return self.file.endswith(".whl")

    @property
    def compiled(self) -> bool:
        """Return whether its wheel was made for one kind of processor."""
        return self.wheel and not self.file.endswith("-any.whl")


def find(packages: Iterable[Locked], machine: Machine, files: Callable[[Locked], Sequence[File]]) -> tuple[Found, ...]:
    """Return the files of locked packages for a machine, in their order.

    Args:
        packages: The packages.
        machine: The machine.
        files: Returns the files of a package; those that are not locked are passed over.

    Raises:
        Absent: Nothing of a package fits.
    """
    ranks = {tag: rank for rank, tag in enumerate(machine.tags)}
    found = []
    for package in packages:
        fitting = []
        for file in files(package):
            if file["hashes"]["sha256"] not in package.hashes:
                continue
            if not file["filename"].endswith(".whl"):
                fitting.append((len(ranks), file))
            else:
                fitting += [(ranks[tag], file) for tag in parse_wheel_filename(file["filename"])[3] if tag in ranks]
        if not fitting:
            raise Absent(f"{package.name} {package.version} has no locked file for {machine}")
        file = min(fitting, key=lambda ranked: ranked[0])[1]
        found.append(Found(package.name, package.version, file["filename"], file["url"], file["size"]))
    return tuple(found)
