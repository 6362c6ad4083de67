"""The packages that apt installs, from a part of an archive's index."""

from __future__ import annotations

import pytest

from .__main__ import packages
from .debian import Missing, closure, depends, installed_by, mentioned, parsed, taken
from .report import of_debian

INDEX = """\
Package: make
Version: 4.3-4.1
Installed-Size: 1615
Priority: optional
Architecture: arm64
Depends: libc6 (>= 2.34), libguile-3.0-1 (>= 3.0.7) | libguile
Description: utility for directing compilation
Size: 391000

Package: libc6
Version: 2.36-9
Installed-Size: 13000
Priority: required
Depends: libgcc-s1
Description: GNU C Library:
 shared libraries
Size: 2500000

Package: libgcc-s1
Version: 12.2.0
Installed-Size: 150
Depends: libc6:any
Size: 40000

Package: libguile-three
Version: 3.0.8
Installed-Size: 60000
Provides: libguile-3.0-1 (= 3.0.8), scheme
Pre-Depends: libc6
Size: 7000000
"""
ARCHIVE = parsed(INDEX)


def test_a_package_is_read_as_it_stands_in_the_index() -> None:
    (make,) = ARCHIVE["make"]
    assert (make.version, make.size, make.installed, make.priority) == ("4.3-4.1", 391000, 1615 * 1024, "optional")
    assert make.depends == (("libc6",), ("libguile-3.0-1", "libguile"))
    assert ARCHIVE["libgcc-s1"][0].depends == (("libc6",),)


def test_what_another_package_provides_is_found() -> None:
    assert [package.name for package in ARCHIVE["scheme"]] == ["libguile-three"]


def test_all_that_is_depended_on_is_taken_but_for_what_every_system_has() -> None:
    assert set(closure(["make"], ARCHIVE)) == {"make", "libc6", "libgcc-s1", "libguile-three"}
    assert set(taken(["make"], ARCHIVE)) == {"make", "libguile-three"}
    assert taken(["libc6"], ARCHIVE) == {}


def test_what_the_archive_does_not_have_is_named() -> None:
    with pytest.raises(Missing, match="git"):
        taken(["make", "git"], ARCHIVE)


def test_what_apt_takes_is_said_with_its_sizes() -> None:
    names = ("make", "libc6")
    assert of_debian("bookworm arm64", "for everybody", names, taken(names, ARCHIVE), ARCHIVE) == (
        "    Debian bookworm arm64, for everybody: make 4.3-4.1, libc6 2.36-9 (there already); "
        "with all they depend on 2 packages, 7.4 MB to fetch, 63.1 MB installed"
    )


def test_packages_are_found_in_instructions() -> None:
    text = (
        '    sudo apt install git make\nIt needs `python3-spidev`: sudo apt install ./companion_0.3.0_arm64.deb gcc" \\'
    )
    assert installed_by(text) == ("git", "make", "gcc")
    assert mentioned(text) == ("python3-spidev",)


def test_what_a_package_depends_on_is_read_from_its_control_file() -> None:
    needed = "debconf (>= 0.5) | debconf-2.0, systemd, systemd (>= 2), ${misc:Depends}"
    control = f"Package: companion\nDepends: {needed}\nSection: utils\n"
    assert depends(control) == ("debconf", "systemd")


def test_what_is_asked_about_is_what_people_are_told() -> None:
    assert {"python3", "systemd"} <= set(packages()["for the package"])
    assert "python3-lgpio" in packages()["for tunes, a dimmed lamp, a panel on SPI"]
