"""Which packages are tried in their newest version, and what is said of them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools import outdated
from tools.locks import lock_for, read
from tools.outdated import locked, needed, newer, newest


def test_what_the_program_needs_to_run_is_tried_and_nothing_else(tmp_path: Path) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text(
        '[project]\ndependencies = ["a>=1", "b"]\n[project.optional-dependencies]\n'
        'page = ["c>=0.33,<0.55"]\npi = ["a", "d.e"]\ndev = ["f"]\n'
    )
    assert needed(project) == ["a", "b", "c", "d.e"]


def test_only_what_is_locked_in_another_version_is_listed() -> None:
    lines = newer({"a": "1.0", "b": "2.0"}, {"a": "1.1", "b": "2.0", "new": "3"})
    assert [line.split() for line in lines] == [["a", "1.0", "->", "1.1"]]


@pytest.fixture
def locks(tmp_path: Path) -> Path:
    for name, content in (
        ("python3.9", "panel==0.9"),
        ("python3.11", "panel==1.0"),
        ("python3.13", "panel==1.1"),
        ("build", "pip==26.0"),
    ):
        (tmp_path / f"{name}.txt").write_text(f"{content}\n")
    return tmp_path


@pytest.mark.parametrize(("python", "panel"), [("3.11", "1.0"), ("3.13", "1.1"), ("3.14", "1.1")])
def test_the_locks_of_the_build_and_of_this_python_count_else_the_newest_one_s(
    locks: Path, python: str, panel: str
) -> None:
    assert locked(python, locks) == {"panel": panel, "pip": "26.0"}


def test_every_locked_package_of_a_box_is_compared() -> None:
    assert {package.name for package in read(lock_for("3.13"))} <= set(locked("3.13"))


def test_pip_says_what_is_newest_and_installs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        assert {"--dry-run", "pip", "Luma.Core"} <= set(command)
        report = {"install": [{"metadata": {"name": "Luma.Core", "version": "2.7"}}]}
        return subprocess.CompletedProcess(command, 0, json.dumps(report), "")

    monkeypatch.setattr(subprocess, "run", run)
    assert newest(["pip", "Luma.Core"]) == {"luma-core": "2.7"}


def test_the_tests_run_with_the_newest_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[list[str], Any]] = []

    def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        asked.append((command, options))
        return subprocess.CompletedProcess(command, 3)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(outdated, "FOLDER", tmp_path / "outdated")
    monkeypatch.setattr(outdated, "newest", lambda names: dict.fromkeys(names, "1000"))
    monkeypatch.setattr(outdated, "versions", lambda _folder: {"pillow": "999"})
    assert outdated.main(["tests/web"]) == 3
    said = capsys.readouterr().out
    assert "-> 999" in said
    assert "hatchling" in said
    (install, _), (tests, options) = asked
    assert install[-len(needed()) :] == needed()
    assert tests[-1] == "tests/web"
    assert options["env"]["PYTHONPATH"] == str(tmp_path / "outdated")
