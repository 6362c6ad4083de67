"""The files of locked packages that fit a machine, from a small index."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tools.locks import Locked
from tools.target_machines import MACHINES, Machine

from .report import of_wheels
from .wheels import Absent, File, Found, find

BOOKWORM, BOOKWORM_PC, TRIXIE, _ = MACHINES

PICTURES = (
    "pictures-13.0.0-cp311-cp311-manylinux_2_27_aarch64.manylinux_2_28_aarch64.whl",
    "pictures-13.0.0-cp313-cp313-manylinux2014_aarch64.whl",
    "pictures-13.0.0-cp311-cp311-musllinux_1_2_aarch64.whl",
    "pictures-13.0.0.tar.gz",
)


def _file(name: str) -> File:
    return {
        "filename": name,
        "url": f"https://somewhere/{name}",
        "size": len(name),
        "hashes": {"sha256": f"hash of {name}"},
    }


def _one(names: Sequence[str], machine: Machine, locked: Sequence[str] | None = None) -> Found:
    hashes = frozenset(f"hash of {name}" for name in (names if locked is None else locked))
    (found,) = find([Locked("some", "13.0.0", hashes)], machine, lambda _package: [_file(name) for name in names])
    return found


@pytest.mark.parametrize(
    ("machine", "file"), [(BOOKWORM, PICTURES[0]), (TRIXIE, PICTURES[1]), (BOOKWORM_PC, PICTURES[3])]
)
def test_the_best_wheel_is_found_else_the_source_archive(machine: Machine, file: str) -> None:
    found = _one(PICTURES, machine)
    assert (found.file, found.wheel) == (file, file.endswith(".whl"))


def test_a_wheel_for_a_newer_c_library_does_not_fit() -> None:
    names = ["bell-1.0-cp311-cp311-manylinux_2_39_aarch64.whl", "bell-1.0-cp313-cp313-manylinux_2_39_aarch64.whl",
             "bell-1.0.tar.gz"]  # fmt: skip
    assert not _one(names, BOOKWORM).wheel
    assert _one(names, TRIXIE).wheel


def test_a_wheel_for_a_processor_is_told_from_one_for_any() -> None:
    assert _one(PICTURES, BOOKWORM).compiled
    assert not _one(["knob-2-py2.py3-none-any.whl"], BOOKWORM_PC).compiled


def test_a_file_whose_hash_is_not_in_the_lock_is_passed_over() -> None:
    assert _one(PICTURES, BOOKWORM, PICTURES[1:]).file == PICTURES[3]
    with pytest.raises(Absent, match=r"some 13\.0\.0 has no locked file for bookworm arm64"):
        _one(PICTURES, BOOKWORM, [])


def test_what_a_machine_takes_is_said_with_its_sizes() -> None:
    found = [_one(PICTURES, BOOKWORM_PC), _one(["knob-2-py3-none-any.whl"], BOOKWORM_PC)]
    assert of_wheels(BOOKWORM_PC, found, {"some": 1_500_000}).splitlines()[0] == (
        "bookworm amd64, Python 3.11: 2 packages, 1 must be compiled; 45 bytes to fetch, 1.5 MB installed"
    )
