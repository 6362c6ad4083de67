"""Resolves the distributions that pip installs on a machine: the newest that fits, as a wheel if there is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import Tag
from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from .machines import Machine

File = dict[str, Any]
"""A file as PyPI's JSON describes it."""


class Index(Protocol):
    """An index of distributions."""

    def releases(self, name: str) -> Mapping[str, Sequence[File]]:
        """Return the files of every version of a distribution."""

    def requires(self, files: Sequence[File]) -> Sequence[str]:
        """Return the requirements of a version, given its files."""


class Unresolved(Exception):
    """Nothing fits a requirement; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A distribution to install.

    Attributes:
        name: Its name.
        version: Its version.
        file: The name of its file.
        url: The address of its file.
        size: The size of its file in bytes.
    """

    name: str
    version: Version
    file: str
    url: str
    size: int

    @property
    def wheel(self) -> bool:
        """Return whether it is a wheel; otherwise it must be built on the machine."""
        return self.file.endswith(".whl")

    @property
    def compiled(self) -> bool:
        """Return whether its wheel was made for one kind of processor."""
        return self.wheel and not self.file.endswith("-any.whl")


def resolve(requirements: Iterable[str], machine: Machine, index: Index) -> tuple[Taken, ...]:
    """Return the distributions that requirements lead to on a machine, sorted by name.

    The newest version is taken of each, as pip does until two requirements conflict.

    Raises:
        Unresolved: Nothing fits a requirement, or two conflict; resolving conflicts is left to pip.
    """
    wanted: dict[str, SpecifierSet] = {}
    extras: dict[str, set[str]] = {}
    taken: dict[str, Taken] = {}
    tags = {tag: place for place, tag in enumerate(machine.tags)}
    waiting = [Requirement(each) for each in requirements]
    while waiting:
        requirement = waiting.pop(0)
        name = canonicalize_name(requirement.name)
        wanted[name] = wanted.get(name, SpecifierSet()) & requirement.specifier
        releases = index.releases(name)
        chosen = _best(name, wanted[name], machine, tags, releases)
        news = requirement.extras - extras.get(name, set())
        if taken.get(name) == chosen and not news:
            continue
        if name in taken and taken[name] != chosen:
            raise Unresolved(f"{name}: {taken[name].version} was taken, and then {requirement} was asked for")
        taken[name] = chosen
        extras.setdefault(name, set()).update(news)
        waiting += _dependencies(index.requires(_files(chosen.version, releases)), machine, extras[name])
    return tuple(taken[name] for name in sorted(taken))


def _best(
    name: str, wanted: SpecifierSet, machine: Machine, tags: dict[Tag, int], releases: Mapping[str, Sequence[File]]
) -> Taken:
    versions = sorted(filter(None, map(_version, releases)), reverse=True)
    for version in wanted.filter(versions):
        candidates = [*_fitting(machine, tags, _files(version, releases))]
        if candidates:
            file = min(candidates, key=lambda candidate: candidate[0])[1]
            return Taken(name, version, file["filename"], file["url"], file["size"])
    raise Unresolved(f"there is no {name}{wanted} for {machine}")


def _version(written: str) -> Version | None:
    try:
        return Version(written)
    except InvalidVersion:
        return None


def _files(version: Version, releases: Mapping[str, Sequence[File]]) -> Sequence[File]:
    return next(files for written, files in releases.items() if _version(written) == version)


def _fitting(machine: Machine, tags: dict[Tag, int], files: Iterable[File]) -> Iterator[tuple[int, File]]:
    """Yield the files of a version that a machine can use, each with its rank: lower is better."""
    for file in files:
        if file["yanked"] or not SpecifierSet(file["requires_python"] or "").contains(machine.python):
            continue
        if file["packagetype"] == "sdist":
            yield len(tags), file
        elif file["packagetype"] == "bdist_wheel":
            places = [tags[tag] for tag in parse_wheel_filename(file["filename"])[3] if tag in tags]
            if places:
                yield min(places), file


def _dependencies(required: Iterable[str], machine: Machine, extras: set[str]) -> Iterator[Requirement]:
    for requirement in map(Requirement, required):
        marker = requirement.marker
        if marker is None or any(
            marker.evaluate({**machine.environment, "extra": extra}) for extra in (extras or {""})
        ):
            yield requirement
