"""The package holds what a box needs, is the same when it is made twice, and is signed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from hardware.own_wifi import INSTALLED
from tools import debian_package
from tools.debian_package import FILES, PYTHONS, PackageFault, assemble, main, make, public_key, requirements

ROOT = Path(__file__).parents[2]

needs_dpkg = pytest.mark.skipif(
    shutil.which("dpkg-deb") is None and os.environ.get("COMPANION_SYSTEMD") != "required",
    reason="dpkg-deb is not installed",
)
needs_ssh = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None and os.environ.get("COMPANION_SYSTEMD") != "required",
    reason="ssh-keygen is not installed",
)


def wheel(folder: Path, name: str, content: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(zipfile.ZipInfo("content"), content)
    return path


@pytest.fixture
def few_wheels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put two small wheels into the package instead of those it needs."""

    def collect(architecture: str, python: str, folder: Path) -> Sequence[Path]:
        tag = f"cp{python.replace('.', '')}"
        return [
            wheel(folder, f"pillow-13.0.0-{tag}-{tag}-{architecture}.whl", python),
            wheel(folder, "pip-26.0-py3-none-any.whl"),
        ]

    monkeypatch.setattr(debian_package, "collect", collect)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")


def unpacked(package: Path, folder: Path) -> Path:
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(folder)], check=True)
    return folder


@needs_dpkg
@needs_ssh
@pytest.mark.usefixtures("few_wheels")
def test_a_package_is_made_signed_and_made_again_with_the_same_bytes(tmp_path: Path) -> None:
    key = tmp_path / "keys/release-key"
    first = make("arm64", PYTHONS, tmp_path / "one", key)
    second = make("arm64", PYTHONS, tmp_path / "two", key)
    assert re.fullmatch(r"tabletop-companion_[0-9.]+_arm64\.deb", first.name)
    assert first.read_bytes() == second.read_bytes()
    assert (tmp_path / "one/version.txt").read_text().strip() in first.name

    stage = unpacked(first, tmp_path / "out")
    share = stage / "usr/share/tabletop-companion"
    verified = subprocess.run(
        ["ssh-keygen", "-Y", "verify", "-f", str(share / "allowed_signers"), "-I", "release",
         "-n", "tabletop-companion", "-s", f"{first}.sig"],
        input=first.read_bytes(), capture_output=True, check=False,
    )  # fmt: skip
    assert verified.returncode == 0, verified.stderr
    for python in PYTHONS:
        lines = (share / f"python{python}.txt").read_text().splitlines()
        assert [line.split("==")[0] for line in lines] == ["pillow", "tabletop-companion"]
    assert len(list((share / "wheels").iterdir())) == 4  # ours, pip's, and Pillow's for two Pythons
    for target, mode in FILES.values():
        assert (stage / target).stat().st_mode & 0o777 == mode, target
    assert os.readlink(stage / "usr/bin/companion") == "/opt/companion/current/bin/companion"
    assert not (stage / "etc").exists(), "settings are the owner's: dpkg would ask about them during an upgrade"
    assert "Architecture: arm64\n" in (stage / "DEBIAN/control").read_text()


@needs_dpkg
@pytest.mark.skipif(shutil.which("lintian") is None, reason="lintian is not installed")
@pytest.mark.usefixtures("few_wheels")
def test_lintian_finds_nothing_but_the_named_exceptions(tmp_path: Path) -> None:
    package = make("amd64", PYTHONS, tmp_path, None)
    said = subprocess.run(["lintian", "--allow-root", str(package)], capture_output=True, text=True, check=False)
    assert said.stdout == ""


@needs_dpkg
@pytest.mark.usefixtures("few_wheels")
def test_a_package_without_a_key_takes_no_updates(tmp_path: Path) -> None:
    stage = unpacked(make("amd64", ["3.11"], tmp_path, None), tmp_path / "out")
    assert (stage / "usr/share/tabletop-companion/allowed_signers").read_text() == ""
    assert not list(tmp_path.glob("*.sig"))


def test_every_requirement_has_its_hash_and_pip_is_none(tmp_path: Path) -> None:
    wheels = [
        wheel(tmp_path, name)
        for name in (
            "tabletop_companion-0.3.0-py3-none-any.whl",
            "pip-26.0-py3-none-any.whl",
            "h11-0.16.0-py3-none-any.whl",
        )
    ]
    lines = requirements(wheels, "0.3.0").splitlines()
    assert [re.sub("[0-9a-f]{64}", "…", line) for line in lines] == [
        "h11==0.16.0 --hash=sha256:…",
        "tabletop-companion==0.3.0 --hash=sha256:…",
    ]


def test_without_its_own_wheel_there_is_no_package(tmp_path: Path) -> None:
    with pytest.raises(PackageFault, match=r"the wheel of 0\.4\.0 is missing"):
        assemble(
            tmp_path, "arm64", "0.4.0", {"3.11": [wheel(tmp_path, "tabletop_companion-0.3.0-py3-none-any.whl")]}, ""
        )


def test_what_is_missing_on_this_machine_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["--own"]) == 1
    assert "dpkg is missing: the package is made on Debian or Raspberry Pi OS" in capsys.readouterr().err


@needs_ssh
def test_a_key_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    tmp_path.joinpath("key.pub").mkdir()
    with pytest.raises(PackageFault, match="ssh-keygen"):
        public_key(tmp_path / "key")


def test_every_program_that_the_units_name_is_in_the_package() -> None:
    targets = {f"/{target}" for target, _mode in FILES.values()}
    units = [ROOT / source for source in FILES if source.endswith(".service") and "avahi" not in source]
    named = {name for unit in units for name in re.findall(r"/usr/lib/tabletop-companion/[\w-]+", unit.read_text())}
    assert named
    assert named <= targets
    assert str(INSTALLED) in targets


def test_every_file_beside_the_units_is_in_the_package() -> None:
    files = {f"systemd/{path.name}" for path in (ROOT / "systemd").iterdir() if path.is_file()}
    assert files <= set(FILES)


@pytest.mark.parametrize("script", ["postinst", "prerm", "postrm", "install.sh"])
def test_every_script_is_one_that_the_shell_can_read(script: str) -> None:
    subprocess.run(["sh", "-n", str(ROOT / "systemd/package" / script)], check=True)
