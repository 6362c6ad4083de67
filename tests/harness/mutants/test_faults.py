"""The mutations that count as faults."""

from __future__ import annotations

from pathlib import Path

from .faults import faults, no_fault

MODULE = '''"""A module."""

LIMIT = 3


class Heap:
    """A heap."""

    @property
    def full(self) -> bool:
        return self.count > LIMIT

    @cache
    def room(self) -> int:
        return self.count + 1

    def __repr__(self) -> str:
        return "a heap"


def refuse(count, other):
    if count:
        raise Refused("full", N_("{count} do not fit"), count=count)
    if not isinstance(other, int):
        raise TypeError("not a number")
    return dict(zip(count, other, strict=True))
'''


def changed(folder: Path) -> dict[str, list[str]]:
    """Return the faulty lines of the module by their function."""
    path = folder / "heap.py"
    path.write_text(MODULE)
    found: dict[str, list[str]] = {}
    for fault in faults(path):
        lines = [line[1:].strip() for line in fault.diff().splitlines() if line.startswith("+")]
        found.setdefault(".".join(fault.holders), []).extend(lines)
    return found


def test_properties_and_other_decorated_functions_have_faults_like_any(tmp_path: Path) -> None:
    assert changed(tmp_path)["Heap.full"] == ["return self.count >= LIMIT"]
    assert changed(tmp_path)["Heap.room"] == ["return self.count - 1", "return self.count + 2"]


def test_which_sentence_is_said_counts_and_its_wording_does_not(tmp_path: Path) -> None:
    lines = changed(tmp_path)["refuse"]
    assert 'raise Refused("full", None, count=count)' in lines
    assert 'raise Refused("full", N_("{count} do not fit"), count=None)' in lines
    assert 'raise Refused("XXfullXX", N_("{count} do not fit"), count=count)' in lines
    assert not [line for line in lines if "XX{count}" in line]


def test_what_nobody_at_the_table_can_notice_is_no_fault(tmp_path: Path) -> None:
    found = changed(tmp_path)
    assert set(found) == {"Heap.full", "Heap.room", "refuse"}
    assert not [line for line in found["refuse"] if "TypeError" in line or "strict=False" in line]


def test_a_fault_that_is_none_leaves_the_module_as_it_is(tmp_path: Path) -> None:
    changed(tmp_path)
    assert [fault.source for fault in no_fault(tmp_path / "heap.py")] == [MODULE]
