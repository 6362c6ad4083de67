"""What is locked, and how the lock files are made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools import locks
from tools.debian_package import PYTHONS
from tools.locks import BUILD, LOCKS, NOT_NEEDED, Locked, LockError, header, lock_for, read, recipes
from tools.outdated import needed

TEXT = """\
# A comment.
anyascii==0.3.3 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
    # via tabletop-companion (pyproject.toml)
cbor2==5.9.0 \\
    --hash=sha256:cc
"""


def test_a_lock_file_is_read_with_its_versions_and_hashes(tmp_path: Path) -> None:
    (tmp_path / "python3.11.txt").write_text(TEXT)
    first, second = read(tmp_path / "python3.11.txt")
    assert first == Locked("anyascii", "0.3.3", frozenset({"aa", "bb"}))
    assert first.requirement == "anyascii==0.3.3 --hash=sha256:aa --hash=sha256:bb"
    assert second.requirement == "cbor2==5.9.0 --hash=sha256:cc"


@pytest.mark.parametrize("python", PYTHONS)
def test_a_box_gets_all_it_needs_and_every_file_has_its_hash(python: str) -> None:
    packages = read(lock_for(python))
    names = {package.name for package in packages}
    assert {name.replace(".", "-").lower() for name in needed()} <= names
    assert NOT_NEEDED not in names
    assert all(len(each) == 64 for package in packages for each in package.hashes)
    assert all(package.hashes for package in packages)


def test_what_builds_the_package_is_locked_with_pip() -> None:
    assert {"babel", "hatchling", "pip"} <= {package.name for package in read(BUILD)}


def test_only_hashes_are_in_the_locks_and_no_address() -> None:
    for path in LOCKS.iterdir():
        text = path.read_text()
        assert text.startswith(header(path.name)), path
        assert not any(word in text for word in ("://", "--index", "--find-links")), path


def test_a_python_without_a_lock_is_named() -> None:
    with pytest.raises(LockError, match=r"there is no lock file for Python 3\.10"):
        lock_for("3.10")


def test_every_lock_file_has_a_recipe() -> None:
    assert set(recipes()) == {path.name for path in LOCKS.iterdir()}
    _asked, arguments = recipes()["python3.13.txt"]
    assert {"--python-version=3.13", "--extra=page", "--extra=pi", "--no-emit-package=setuptools"} <= set(arguments)
    assert "hatchling" in recipes()[BUILD.name][0]


def test_new_locks_replace_the_old_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []

    def uv(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        assert not any(name.startswith("UV_") for name in options["env"])
        return subprocess.CompletedProcess(command, 0, TEXT + "\n# The following packages were excluded\n# a\n", "")

    monkeypatch.setenv("UV_INDEX", "https://elsewhere")
    monkeypatch.setattr(subprocess, "run", uv)
    monkeypatch.setattr(locks, "LOCKS", tmp_path / "locks")
    assert locks.main() == 0
    assert {path.name for path in (tmp_path / "locks").iterdir()} == set(recipes())
    assert (tmp_path / "locks/build.txt").read_text() == header("build.txt") + TEXT
    assert [command[-1] for command in asked] == ["-", "pyproject.toml", "pyproject.toml"]
    assert "build.txt: 2 packages" in capsys.readouterr().out


def test_without_uv_the_locks_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(locks, "LOCKS", tmp_path)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert locks.main() == 1
    assert "The lock files were not changed: uv failed" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
