"""The distributions that pip installs on a machine, from a small index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from packaging.version import Version

from .machines import MACHINES, Machine
from .wheels import File, Taken, Unresolved, resolve

BOOKWORM, BOOKWORM_32, TRIXIE, _ = MACHINES


def _file(name: str, python: str | None = None, yanked: bool = False) -> File:
    kind = "bdist_wheel" if name.endswith(".whl") else "sdist"
    about: dict[str, Any] = {"packagetype": kind, "requires_python": python, "yanked": yanked}
    return {"filename": name, "url": f"https://somewhere/{name}", "size": len(name), **about}


class Shelf:
    """A small index: the files of distributions by version, and the requirements of a version."""

    def __init__(self, requires: Mapping[str, Sequence[str]] = {}, **releases: Mapping[str, Sequence[File]]) -> None:
        self._requires = requires
        self._releases = releases

    def releases(self, name: str) -> Mapping[str, Sequence[File]]:
        return self._releases[name]

    def requires(self, files: Sequence[File]) -> Sequence[str]:
        return self._requires.get(str(files[0]["filename"]).split("-")[0], ())


PICTURES = {
    "12.0.0": [_file("pictures-12.0.0-cp311-cp311-manylinux_2_27_aarch64.manylinux_2_28_aarch64.whl")],
    "13.0.0": [
        _file("pictures-13.0.0-cp311-cp311-manylinux_2_27_aarch64.manylinux_2_28_aarch64.whl"),
        _file("pictures-13.0.0-cp313-cp313-manylinux2014_aarch64.whl"),
        _file("pictures-13.0.0-cp311-cp311-musllinux_1_2_aarch64.whl"),
        _file("pictures-13.0.0-cp311-cp311-win_arm64.whl"),
        _file("pictures-13.0.0.tar.gz"),
    ],
    "14.0.0rc1": [_file("pictures-14.0.0rc1-py3-none-any.whl")],
}


def _one(shelf: Shelf, requirement: str, machine: Machine = BOOKWORM) -> Taken:
    (taken,) = resolve([requirement], machine, shelf)
    return taken


@pytest.mark.parametrize(
    ("machine", "file"),
    [
        (BOOKWORM, "pictures-13.0.0-cp311-cp311-manylinux_2_27_aarch64.manylinux_2_28_aarch64.whl"),
        (TRIXIE, "pictures-13.0.0-cp313-cp313-manylinux2014_aarch64.whl"),
        (BOOKWORM_32, "pictures-13.0.0.tar.gz"),
    ],
)
def test_the_newest_is_taken_as_a_wheel_that_fits_else_as_it_was_written(machine: Machine, file: str) -> None:
    taken = _one(Shelf(pictures=PICTURES), "pictures>=10", machine)
    assert (taken.file, taken.version) == (file, Version("13.0.0"))
    assert taken.wheel is file.endswith(".whl")


def test_a_version_that_has_nothing_that_fits_is_passed_over() -> None:
    releases = {**PICTURES, "13.1.0": [_file("pictures-13.1.0-cp311-cp311-win_arm64.whl")]}
    assert _one(Shelf(pictures=releases), "pictures").version == Version("13.0.0")


def test_a_c_library_that_is_newer_than_the_machine_s_is_not_there() -> None:
    newer = {"1.0": [_file("bell-1.0-cp311-cp311-manylinux_2_39_aarch64.whl"), _file("bell-1.0.tar.gz")]}
    assert not _one(Shelf(bell=newer), "bell").wheel
    newer = {"1.0": [_file("bell-1.0-cp313-cp313-manylinux_2_39_aarch64.whl"), _file("bell-1.0.tar.gz")]}
    assert _one(Shelf(bell=newer), "bell", TRIXIE).wheel


def test_a_wheel_for_a_processor_is_told_from_one_for_any() -> None:
    assert _one(Shelf(pictures=PICTURES), "pictures").compiled
    assert not _one(Shelf(knob={"2": [_file("knob-2-py2.py3-none-any.whl")]}), "knob").compiled


def test_what_is_too_new_for_python_or_was_taken_back_is_passed_over() -> None:
    releases = {
        "1": [_file("knob-1-py3-none-any.whl")],
        "2": [_file("knob-2-py3-none-any.whl", python=">=3.12")],
        "3": [_file("knob-3-py3-none-any.whl", yanked=True)],
        "not a version": [_file("knob-x.tar.gz")],
    }
    assert _one(Shelf(knob=releases), "knob").version == Version("1")
    assert _one(Shelf(knob=releases), "knob", TRIXIE).version == Version("2")


def test_what_is_required_is_taken_too_where_its_marker_says_so() -> None:
    shelf = Shelf(
        {
            "panel": ['old; python_version < "3.13"', 'bus; extra == "i2c"', "wires", 'win; sys_platform == "win32"'],
            "wires": ["Panel"],
        },
        panel={"1": [_file("panel-1-py3-none-any.whl")]},
        old={"1": [_file("old-1-py3-none-any.whl")]},
        bus={"1": [_file("bus-1-py3-none-any.whl")]},
        wires={"1": [_file("wires-1-py3-none-any.whl")]},
    )
    assert [each.name for each in resolve(["panel"], BOOKWORM, shelf)] == ["old", "panel", "wires"]
    assert [each.name for each in resolve(["panel[i2c]"], TRIXIE, shelf)] == ["bus", "panel", "wires"]


def test_what_nothing_fits_is_said() -> None:
    with pytest.raises(Unresolved, match=r"there is no pictures>=15 for bookworm aarch64"):
        _one(Shelf(pictures=PICTURES), "pictures>=15")


def test_two_that_want_different_ones_are_said() -> None:
    shelf = Shelf({"panel": ["pictures<13"]}, pictures=PICTURES, panel={"1": [_file("panel-1-py3-none-any.whl")]})
    with pytest.raises(Unresolved, match=r"13\.0\.0 was taken, and then pictures<13 was asked for"):
        resolve(["pictures", "panel"], BOOKWORM, shelf)
