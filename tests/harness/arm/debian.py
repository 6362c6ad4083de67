"""Resolves Debian packages: the ones asked for, and all their dependencies that are not installed yet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

THERE = ("required", "important", "standard")
"""The priorities of packages that every system has."""


class Missing(Exception):
    """A package is not in the archive; the message is its name."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the archive.

    Attributes:
        name: Its name.
        version: Its version.
        size: The bytes to fetch.
        installed: The bytes it takes when installed.
        priority: Its Debian priority.
        depends: Its dependencies; each is satisfied by one of several names.
    """

    name: str
    version: str
    size: int
    installed: int
    priority: str
    depends: tuple[tuple[str, ...], ...]


def installed_by(text: str) -> tuple[str, ...]:
    """Return the packages that instructions tell to install, without duplicates, in their order."""
    lists = re.findall(r"apt install ([a-z0-9_./+ -]+)", text)
    return tuple(dict.fromkeys(name for each in lists for name in each.split() if "/" not in name))


def depends(control: str) -> tuple[str, ...]:
    """Return the packages that a package's control file depends on, the first of each choice."""
    (field,) = re.findall(r"^Depends: (.*)$", control, re.MULTILINE)
    return tuple(dict.fromkeys(names[0] for names in _alternatives(re.sub(r", \$\{.*?\}", "", field))))


def mentioned(text: str) -> tuple[str, ...]:
    """Return the python3 packages that a text names between backquotes."""
    return tuple(dict.fromkeys(re.findall(r"`(python3-[a-z0-9]+)`", text)))


def parsed(index: str) -> dict[str, tuple[Package, ...]]:
    """Return an archive's packages by name; packages of that name come before those that only provide it."""
    real: dict[str, tuple[Package, ...]] = {}
    provided: dict[str, tuple[Package, ...]] = {}
    for paragraph in index.split("\n\n"):
        if not paragraph.strip():
            continue
        fields = dict(line.split(": ", 1) for line in paragraph.split("\n") if ": " in line and line[0] != " ")
        package = Package(
            fields["Package"],
            fields["Version"],
            int(fields["Size"]),
            int(fields.get("Installed-Size", "0")) * 1024,
            fields.get("Priority", "optional"),
            (*_alternatives(fields.get("Pre-Depends", "")), *_alternatives(fields.get("Depends", ""))),
        )
        real[package.name] = (*real.get(package.name, ()), package)
        for name, *_others in _alternatives(fields.get("Provides", "")):
            provided[name] = (*provided.get(name, ()), package)
    return {name: real.get(name, ()) + provided.get(name, ()) for name in {**real, **provided}}


def _alternatives(field: str) -> Iterator[tuple[str, ...]]:
    for each in filter(None, map(str.strip, field.split(","))):
        yield tuple(re.split(r"[ :(\[]", name.strip(), maxsplit=1)[0] for name in each.split("|"))


def closure(names: Iterable[str], archive: Mapping[str, tuple[Package, ...]]) -> dict[str, Package]:
    """Return packages and all their dependencies, by name.

    Raises:
        Missing: One of them is not in the archive.
    """
    found: dict[str, Package] = {}
    waiting: list[tuple[str, ...]] = [(name,) for name in names]
    while waiting:
        alternatives = waiting.pop()
        known = [package for name in alternatives for package in archive.get(name, ())]
        if not known:
            raise Missing(" or ".join(alternatives))
        if not any(package.name in found for package in known):
            found[known[0].name] = known[0]
            waiting += known[0].depends
    return found


def taken(names: Iterable[str], archive: Mapping[str, tuple[Package, ...]]) -> dict[str, Package]:
    """Return the packages to install on a standard system to get the given ones.

    Raises:
        Missing: One of them is not in the archive.
    """
    base = {package.name for packages in archive.values() for package in packages if package.priority in THERE}
    there = closure(base, archive)
    return {name: package for name, package in closure(names, archive).items() if name not in there}
