"""The wheels that are collected for a package: the locked ones, fetched once."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tools import wheels
from tools.locks import Locked
from tools.target_machines import MACHINES
from tools.wheels import WheelError, collect, fetched

Pip = Callable[[Sequence[str], Path], int]


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


PICTURES = Locked("pictures", "13.0.0", frozenset({_hash(b"pictures"), _hash(b"sources")}))
PANEL = Locked("luma-core", "2.6.0", frozenset({_hash(b"luma_core")}))
FILES = {"pictures-13.0.0-cp311-cp311-any.whl": b"pictures", "luma.core-2.6.0-py3-none-any.whl": b"luma_core"}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Put a pip there that fetches two wheels; return what it is asked."""
    said: list[list[str]] = []

    def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        folder, requirements = Path(command[command.index("--dest") + 1]), Path(command[-1]).read_text()
        said.append([*command, requirements])
        assert "PIP_FIND_LINKS" not in options["env"]
        for name, data in FILES.items():
            (folder / name).write_bytes(data)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setenv("PIP_FIND_LINKS", "/elsewhere")
    monkeypatch.setattr(subprocess, "run", run)
    return said


def test_wheels_are_fetched_for_the_machine_with_hashes_and_only_once(tmp_path: Path, asked: list[list[str]]) -> None:
    first = fetched(MACHINES[0], [PICTURES, PANEL], tmp_path)
    assert [path.name for path in first] == list(FILES)
    assert fetched(MACHINES[0], [PANEL, PICTURES], tmp_path) == first[::-1]
    (command,) = asked
    assert {"--only-binary=:all:", "--require-hashes", "--no-deps", "--python-version=3.11"} <= set(command)
    assert "--platform=manylinux_2_36_aarch64" in command
    assert command[-1].splitlines() == [PICTURES.requirement, PANEL.requirement]


def test_a_changed_wheel_in_the_cache_is_fetched_again(tmp_path: Path, asked: list[list[str]]) -> None:
    (path, _) = fetched(MACHINES[0], [PICTURES, PANEL], tmp_path)
    path.write_bytes(b"changed")
    assert fetched(MACHINES[0], [PICTURES, PANEL], tmp_path)[0].read_bytes() == b"pictures"
    assert asked[1][-1].splitlines() == [PICTURES.requirement]


@pytest.mark.usefixtures("asked")
def test_a_wheel_whose_hash_is_not_locked_is_refused(tmp_path: Path) -> None:
    other = Locked("pictures", "13.0.0", frozenset({_hash(b"other")}))
    with pytest.raises(WheelError, match="pictures was fetched, but its hash is not in the lock"):
        fetched(MACHINES[0], [PANEL, other], tmp_path)


def test_pip_s_own_words_are_said_when_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, "", "no network\n")
    monkeypatch.setattr(subprocess, "run", lambda *_args, **_options: failed)
    with pytest.raises(WheelError, match="the wheels for bookworm arm64 cannot be fetched:\nno network"):
        fetched(MACHINES[0], [PICTURES], tmp_path)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put files named after packages there, in place of fetched wheels."""
    made = tmp_path / "shelf"
    made.mkdir()

    def put(packages: Sequence[Locked]) -> list[Path]:
        paths = [made / f"{package.name}.whl" for package in packages]
        for path in paths:
            path.touch()
        return paths

    monkeypatch.setattr(wheels, "fetched", lambda _machine, packages: put(packages))
    return made


@pytest.mark.usefixtures("shelf")
def test_a_package_gets_all_wheels_with_pip(tmp_path: Path) -> None:
    names = [path.stem for path in collect("arm64", "3.13", tmp_path / "arm64")]
    assert names == sorted(names)
    assert {"gpiod", "pillow", "pip"} <= {*names}
    assert len(names) == len(list((tmp_path / "arm64").iterdir())) == len({*names})


def test_a_python_without_a_lock_is_said(tmp_path: Path) -> None:
    with pytest.raises(WheelError, match=r"there is no lock file for Python 3\.12"):
        collect("amd64", "3.12", tmp_path)
