"""A repository is signed, and apt takes it with the keys of the package, and with those in user-data, and no other."""

from __future__ import annotations

import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from tools import repository
from tools.debian_package import public_keys, run

pytestmark = [pytest.mark.needs("apt-ftparchive"), pytest.mark.needs("gpg")]


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the repository of two small packages."""
    folder = tmp_path_factory.mktemp("dist")
    public_keys(folder / "keys")
    for version in ("0.3.0+deb12", "0.10.0+deb12"):
        control = folder / "stage/DEBIAN/control"
        control.parent.mkdir(parents=True, exist_ok=True)
        control.write_text(
            f"Package: tabletop-companion\nVersion: {version}\nArchitecture: all\nMaintainer: a <a@b.c>\n"
            "Description: x\n"
        )
        made = folder / f"tabletop-companion_{version}_all.deb"
        run(["dpkg-deb", "--root-owner-group", "--build", str(folder / "stage"), str(made)])
    assert repository.main(["--dist", str(folder), "--keys", str(folder / "keys")]) == 0
    return folder


def look(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Let apt look at one source alone, in folders of its own; print the newest version."""
    for name in ("lists/partial", "cache/archives/partial", "sources"):
        (folder / name).mkdir(parents=True)
    suffix = "list" if source.startswith("deb ") else "sources"
    (folder / f"sources/x.{suffix}").write_text(source)
    (folder / "status").touch()
    options = {
        "Dir::State::lists": folder / "lists", "Dir::State::status": folder / "status", "Dir::Cache": folder / "cache",
        "Dir::Etc::SourceList": "/dev/null", "Dir::Etc::SourceParts": folder / "sources", "APT::Sandbox::User": "root",
        "APT::Update::Error-Mode": "any", "Debug::NoLocking": "1",
    }  # fmt: skip
    given = [f"-o{name}={value}" for name, value in options.items()]
    command = 'apt-get "$@" update && apt-cache "$@" policy tabletop-companion'
    return subprocess.run(["sh", "-c", command, "sh", *given], capture_output=True, text=True, check=False)


def source(dist: Path, keyring: Path, keys: Path) -> str:
    keyring.write_bytes(public_keys(keys))
    return f"deb [signed-by={keyring}] copy:{dist}/tabletop-companion/debian-12 ./\n"


def test_apt_takes_it_with_the_keys_of_the_package(dist: Path, tmp_path: Path) -> None:
    done = look(tmp_path, source(dist, tmp_path / "keys.gpg", dist / "keys"))
    assert done.returncode == 0, done.stderr
    assert "Candidate: 0.10.0+deb12\n" in done.stdout


def test_apt_refuses_it_with_the_keys_of_somebody_else(dist: Path, tmp_path: Path) -> None:
    done = look(tmp_path, source(dist, tmp_path / "keys.gpg", tmp_path / "other"))
    assert done.returncode != 0
    assert "NO_PUBKEY" in done.stderr


@pytest.mark.parametrize("file", ["Packages", "InRelease"])
def test_apt_refuses_what_was_changed(dist: Path, tmp_path: Path, file: str) -> None:
    shutil.copytree(dist / "tabletop-companion", tmp_path / "tabletop-companion")
    changed = tmp_path / "tabletop-companion/debian-12" / file
    changed.write_text(changed.read_text().replace("0", "1", 1))
    done = look(tmp_path, source(tmp_path, tmp_path / "keys.gpg", dist / "keys"))
    assert done.returncode != 0


def test_apt_takes_it_with_the_key_in_user_data(dist: Path, tmp_path: Path) -> None:
    text = (dist / "user-data").read_text("utf-8")
    block = text.partition("\nbootcmd:\n")[2]
    assert [line for line in block.splitlines() if line and not line.startswith("  ")] == [], (
        "YAML ends the script there"
    )
    found = re.search(
        r"<<SOURCES\n(.*?)^SOURCES$", textwrap.dedent(block.rpartition("  - |\n")[2]), re.DOTALL | re.MULTILINE
    )
    assert found is not None
    place = f"copy:{dist}/tabletop-companion/debian-12"
    done = look(tmp_path, found[1].replace("$address/debian-$release", place))
    assert done.returncode == 0, done.stderr
    assert "Candidate: 0.10.0+deb12\n" in done.stdout
    assert (dist / "companion.toml").exists()


def test_a_release_without_packages_has_an_empty_index(dist: Path) -> None:
    assert (dist / "tabletop-companion/debian-13/Packages").read_text() == ""


def test_without_the_key_there_is_no_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "keys").mkdir(mode=0o700)
    assert repository.main(["--dist", str(tmp_path), "--keys", str(tmp_path / "keys")]) == 1
    assert "No repository was made: gpg --homedir" in capsys.readouterr().err
