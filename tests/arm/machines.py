"""The machines to look up, with their names in Python, wheels and Debian."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from packaging.tags import Tag, compatible_tags, cpython_tags


@dataclass(frozen=True, slots=True)
class Machine:
    """A Raspberry Pi with a release of its system.

    Attributes:
        release: Debian's name of the release.
        python: The version of its Python.
        glibc: The minor version of its C library, after "2.".
        processor: The processor's name in wheels.
        architecture: The processor's name in Debian.
        oldest: The oldest minor version of the C library that wheels for it are made for.
    """

    release: str
    python: str
    glibc: int
    processor: str
    architecture: str
    oldest: int = 17

    def __str__(self) -> str:
        return f"{self.release} {self.processor}"

    @property
    def tags(self) -> tuple[Tag, ...]:
        """Return the tags of wheels it can install, the best first."""
        version = self.version
        platforms = [*self._platforms()]
        interpreter = f"cp{version[0]}{version[1]}"
        return (
            *cpython_tags(version, [interpreter], platforms),
            *compatible_tags(version, interpreter, platforms),
        )

    @property
    def version(self) -> tuple[int, int]:
        """Return the major and minor version of its Python."""
        major, minor, *_ = self.python.split(".")
        return int(major), int(minor)

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment for the markers of requirements."""
        return {
            "implementation_name": "cpython",
            "implementation_version": self.python,
            "os_name": "posix",
            "platform_machine": self.processor,
            "platform_python_implementation": "CPython",
            "platform_release": "",
            "platform_system": "Linux",
            "platform_version": "",
            "python_full_version": self.python,
            "python_version": ".".join(map(str, self.version)),
            "sys_platform": "linux",
        }

    def _platforms(self) -> Iterator[str]:
        for minor in range(self.glibc, self.oldest - 1, -1):
            yield f"manylinux_2_{minor}_{self.processor}"
            if minor == 17:
                yield f"manylinux2014_{self.processor}"
        yield f"linux_{self.processor}"


MACHINES = tuple(
    Machine(release, python, glibc, processor, architecture)
    for release, python, glibc in (("bookworm", "3.11.2", 36), ("trixie", "3.13.5", 41))
    for processor, architecture in (("aarch64", "arm64"), ("armv7l", "armhf"))
)
