"""The packages that are looked up, and a part of an archive's index."""

from __future__ import annotations

from .arm import offered, wanted

INDEX = """\
Package: make
Version: 4.3-4.1
Depends: libc6 (>= 2.34), libguile-3.0-1 (>= 3.0.7) | libguile
Description: utility for directing compilation

Package: libguile-three
Version: 3.0.8
Provides: libguile-3.0-1 (= 3.0.8), scheme
"""


def test_packages_are_read_with_their_versions_and_those_that_others_provide() -> None:
    assert offered(INDEX) == {"make": "4.3-4.1", "libguile-three": "3.0.8", "libguile-3.0-1": "", "scheme": ""}


def test_what_is_looked_up_is_what_people_are_told_and_what_the_package_depends_on() -> None:
    assert {"python3", "systemd", "python3-lgpio"} <= wanted()
