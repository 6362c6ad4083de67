"""Compiling for armhf: what it needs, what it is made from, and that it is done once."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest

from tools import armhf
from tools.armhf import CompileFault, compiled, debian, digest, missing, source
from tools.locks import Locked

SOURCES = b"the sources"
KNOB = Locked("knob", "1.0", frozenset({hashlib.sha256(SOURCES).hexdigest()}))


@pytest.fixture
def able(monkeypatch: pytest.MonkeyPatch) -> None:
    """Act as if this were root on a machine with debootstrap."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/sbin/{name}")


@pytest.mark.usefixtures("able")
def test_a_pi_with_32_bits_or_an_emulator_lacks_nothing(tmp_path: Path) -> None:
    assert missing("armv7l", tmp_path / "none") == ""
    assert missing("x86_64", tmp_path) == ""


@pytest.mark.usefixtures("able")
def test_what_a_machine_lacks_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "qemu-user-static" in missing("aarch64", tmp_path / "none")
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    assert missing("armv7l") == "debootstrap is missing: sudo apt install debootstrap"
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert missing("armv7l") == "compiling for armhf needs root's rights"


def _index(monkeypatch: pytest.MonkeyPatch, *names: str, data: bytes = SOURCES) -> None:
    """Put a PyPI there that has files with the locked hash, and sends these bytes for each."""
    (locked,) = KNOB.hashes
    files = [{"filename": name, "url": f"../../files/{name}", "hashes": {"sha256": locked}} for name in names]
    files.append({"filename": "knob-0.9.tar.gz", "url": "no", "hashes": {"sha256": "other"}})

    def urlopen(asked: Any, timeout: float) -> io.BytesIO:
        page = not isinstance(asked, str)
        assert page or asked == "https://pypi.org/files/knob-1.0.tar.gz"
        return io.BytesIO(json.dumps({"files": files}).encode() if page else data)

    monkeypatch.setattr(armhf, "urlopen", urlopen)


def test_the_locked_source_archive_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _index(monkeypatch, "knob-1.0-py3-none-any.whl", "knob-1.0.tar.gz")
    path = source(KNOB, tmp_path)
    assert (path.name, path.read_bytes()) == ("knob-1.0.tar.gz", SOURCES)


def test_a_source_archive_that_is_missing_or_changed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _index(monkeypatch, "knob-1.0-py3-none-any.whl")
    with pytest.raises(CompileFault, match=r"knob 1\.0 has no source archive"):
        source(KNOB, tmp_path)
    _index(monkeypatch, "knob-1.0.tar.gz", data=b"other sources")
    with pytest.raises(CompileFault, match="is not the locked one"):
        source(KNOB, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_network_that_is_down_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def urlopen(*_args: object, **_options: object) -> None:
        raise URLError("no route")

    monkeypatch.setattr(armhf, "urlopen", urlopen)
    with pytest.raises(CompileFault, match="knob cannot be fetched from PyPI: no route"):
        source(KNOB, tmp_path)


def test_the_name_of_a_compiled_wheel_s_folder_follows_what_it_is_made_from(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest("bookworm", KNOB)
    assert before == digest("bookworm", KNOB)
    assert before not in (digest("trixie", KNOB), digest("bookworm", KNOB._replace(version="1.1")))
    monkeypatch.setitem(armhf.SETTINGS, "knob", ("turn=left",))
    assert digest("bookworm", KNOB) != before


def test_a_debian_is_made_once_and_only_a_whole_one_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(armhf, "_run", ran.append)
    (tmp_path / "trixie.new/left").mkdir(parents=True)  # by an interrupted one
    root = debian("trixie", tmp_path)
    assert root == debian("trixie", tmp_path)
    assert not (root / "left").exists()
    assert [command[0] for command in ran] == ["debootstrap"]
    assert {"--arch=armhf", "--force-check-gpg", "trixie"} <= set(ran[0])


def test_a_wheel_is_compiled_offline_and_completed_by_auditwheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    work = tmp_path / "root/work/knob"

    def run(command: list[str]) -> None:
        ran.append(" ".join(command))
        if "wheel" in command:
            (work / "raw").mkdir()
            (work / "raw/knob-1.0-linux_armv7l.whl").touch()
        if "repair" in command:
            (work / "done").mkdir()
            (work / "done/knob-1.0-manylinux_2_31_armv7l.whl").touch()

    monkeypatch.setattr(armhf, "_run", run)
    monkeypatch.setitem(armhf.SETTINGS, "knob", ("turn=left",))
    for name in ("knob-1.0.tar.gz", "pip-26.3-py3-none-any.whl"):
        (tmp_path / name).touch()
    armhf.prepare(tmp_path / "root", [tmp_path / "pip-26.3-py3-none-any.whl"])
    armhf.compile_one(tmp_path / "root", KNOB, tmp_path / "knob-1.0.tar.gz", tmp_path)
    assert (tmp_path / "knob-1.0-manylinux_2_31_armv7l.whl").exists()
    steps = ("venv --without-pip", "pip install", "pip wheel", "auditwheel repair")
    assert all(step in command for step, command in zip(steps, ran, strict=True))
    assert all("--no-index" in command for command in ran[1:3])
    assert ran[2].endswith("-C turn=left /work/knob/knob-1.0.tar.gz")


@pytest.mark.usefixtures("able")
def test_a_wheel_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def compile_one(root: Path, package: Locked, archive: Path, out: Path) -> None:
        assert (root / "work").exists()
        assert archive.exists()
        ran.append(package.name)
        (out / f"{package.name}.whl").touch()

    def fetch(_package: Locked, folder: Path) -> Path:
        path = folder / "knob.tar.gz"
        path.touch()
        return path

    monkeypatch.setattr(armhf, "missing", lambda _processor: "")
    monkeypatch.setattr(armhf, "debian", lambda _release: tmp_path / "root")
    monkeypatch.setattr(armhf, "prepare", lambda root, _tools: (root / "work").mkdir(parents=True))
    monkeypatch.setattr(armhf, "source", fetch)
    monkeypatch.setattr(armhf, "compile_one", compile_one)
    first = compiled("bookworm", [KNOB], [], tmp_path / "cache")
    assert first == compiled("bookworm", [KNOB], [], tmp_path / "cache")
    assert [path.name for path in first] == ["knob.whl"]
    assert ran == ["knob"]
    assert not (tmp_path / "root/work").exists()


def test_where_it_cannot_be_compiled_the_package_and_the_reason_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(armhf, "missing", lambda _processor: "debootstrap is missing")
    with pytest.raises(CompileFault, match="knob has no wheel for armhf, and debootstrap is missing"):
        compiled("bookworm", [KNOB], [], tmp_path)


def test_the_words_of_a_program_that_failed_are_said() -> None:
    with pytest.raises(CompileFault, match=r"(?s)sh -c echo no; exit 1 failed:.*no"):
        armhf._run(["sh", "-c", "echo no; exit 1"])
