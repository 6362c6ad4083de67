"""Which packages are tried in their newest version, and what is said of them."""

from __future__ import annotations

from pathlib import Path

from tools.outdated import needed, newer


def test_what_the_program_needs_to_run_is_tried_and_nothing_else(tmp_path: Path) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text(
        '[project]\ndependencies = ["a>=1", "b"]\n[project.optional-dependencies]\n'
        'page = ["c>=0.33,<0.55"]\npi = ["a", "d.e"]\ndev = ["f"]\n'
    )
    assert needed(project) == ["a", "b", "c", "d.e"]


def test_only_what_is_installed_in_another_version_is_listed() -> None:
    lines = newer({"a": "1.0", "b": "2.0"}, {"a": "1.1", "b": "2.0", "new": "3"})
    assert [line.split() for line in lines] == [["a", "1.0", "->", "1.1"]]
