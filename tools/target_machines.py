"""The machines that the package is made for, with their names in Python, wheels and Debian."""

from __future__ import annotations

from dataclasses import dataclass

from packaging.tags import Tag, compatible_tags, cpython_tags

OLDEST = 17
"""The oldest minor version of the C library that wheels are made for."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor with a release of its system.

    Attributes:
        release: Debian's name of the release.
        python: The version of its Python.
        glibc: The minor version of its C library, after "2.".
        processor: The processor's name in wheels.
        architecture: The processor's name in Debian.
    """

    release: str
    python: str
    glibc: int
    processor: str
    architecture: str

    def __str__(self) -> str:
        return f"{self.release} {self.architecture}"

    @property
    def platforms(self) -> tuple[str, ...]:
        """Return the platforms of the wheels it can install, the best first.

        >>> MACHINES[0].platforms[0]
        'manylinux_2_36_aarch64'
        """
        manylinux = [f"manylinux_2_{minor}_{self.processor}" for minor in range(self.glibc, OLDEST - 1, -1)]
        return (*manylinux, f"manylinux2014_{self.processor}", f"linux_{self.processor}")

    @property
    def tags(self) -> tuple[Tag, ...]:
        """Return the tags of wheels it can install, the best first."""
        major, minor = map(int, self.python.split("."))
        interpreter = f"cp{major}{minor}"
        return (
            *cpython_tags((major, minor), [interpreter], self.platforms),
            *compatible_tags((major, minor), interpreter, self.platforms),
        )


MACHINES = tuple(
    Machine(release, python, glibc, processor, architecture)
    for release, python, glibc in (("bookworm", "3.11", 36), ("trixie", "3.13", 41))
    for processor, architecture in (("aarch64", "arm64"), ("x86_64", "amd64"))
)
