"""The package holds what a box needs, is the same when it is made twice, and is signed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

from hardware.machine.own_wifi import INSTALLED
from tools import debian_package
from tools.debian_package import NAME, PYTHONS, PackageError, assemble, main, make, public_key, requirements
from tools.wheels import LOCKS

ROOT = Path(__file__).parents[2]

needs_debhelper = pytest.mark.needs("dh")
needs_ssh = pytest.mark.needs("ssh-keygen")


def wheel(folder: Path, name: str, content: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(zipfile.ZipInfo("content"), content)
    return path


@pytest.fixture(scope="module")
def few_wheels() -> Iterator[None]:
    """Put two small wheels into the package instead of those it needs."""

    def collect(architecture: str, python: str, folder: Path) -> Sequence[Path]:
        tag = f"cp{python.replace('.', '')}"
        return [
            wheel(folder, f"pillow-13.0.0-{tag}-{tag}-{architecture}.whl", python),
            wheel(folder, "pip-26.0-py3-none-any.whl"),
        ]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(debian_package, "collect", collect)
        patched.setenv("SOURCE_DATE_EPOCH", "1790000000")
        yield


KEYS = ("release-key", "second", "lost")


@pytest.fixture(scope="module")
def signed(few_wheels: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a package, once for all workers: a release key signs it, a second one may, a lost one may no more."""
    root = tmp_path_factory.getbasetemp()
    folder = (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / "package"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not (folder / "version.txt").exists():
            make("arm64", PYTHONS, folder, *keys_in(folder / "keys"))
    return next(folder.glob("*.deb"))


def keys_in(folder: Path) -> tuple[Path, list[Path], list[Path]]:
    """Return the release key, further public keys and revoked ones; make what is not there."""
    for name in KEYS:
        public_key(folder / name)
    key, second, lost = (folder / name for name in KEYS)
    return key, [second.with_suffix(".pub")], [lost.with_suffix(".pub")]


def unpacked(package: Path, folder: Path) -> Path:
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(folder)], check=True)
    return folder


@needs_debhelper
@needs_ssh
def test_a_maker_whose_files_nobody_else_may_read_makes_the_same_package(signed: Path, tmp_path: Path) -> None:
    mask = os.umask(0o077)
    try:
        again = make("arm64", PYTHONS, tmp_path, *keys_in(signed.parent / "keys"))
    finally:
        os.umask(mask)
    assert again.read_bytes() == signed.read_bytes()


@needs_debhelper
@needs_ssh
def test_a_package_is_signed_and_holds_what_a_box_needs(signed: Path, tmp_path: Path) -> None:
    assert re.fullmatch(r"tabletop-companion_[0-9.]+_arm64\.deb", signed.name)
    assert (signed.parent / "version.txt").read_text().strip() in signed.name

    stage = unpacked(signed, tmp_path / "out")
    share = stage / "usr/share/tabletop-companion"
    verified = subprocess.run(
        ["ssh-keygen", "-Y", "verify", "-f", str(share / "allowed_signers"), "-I", "release",
         "-n", "tabletop-companion", "-s", f"{signed}.sig"],
        input=signed.read_bytes(), capture_output=True, check=False,
    )  # fmt: skip
    assert verified.returncode == 0, verified.stderr
    for python in PYTHONS:
        lines = (share / f"python{python}.txt").read_text().splitlines()
        assert [line.split("==")[0] for line in lines] == ["pillow", "tabletop-companion"]
    assert len(list((share / "wheels").iterdir())) == 4  # ours, pip's, and Pillow's for two Pythons
    files = [path for path in stage.rglob("*") if path.is_file() and not path.is_symlink()]
    programs = {
        "config",
        "preinst",
        "postinst",
        "prerm",
        "postrm",
        "fewer-writes",
        "wait-for-pins",
        "install",
        "networks",
        "roll-back",
    }
    for file in files:
        assert file.stat().st_mode & 0o777 == (0o755 if file.name in programs else 0o644), file
    assert programs <= {file.name for file in files}
    assert os.readlink(stage / "usr/bin/companion") == "/opt/companion/current/bin/companion"
    assert not (stage / "etc").exists(), "settings are the owner's: dpkg would ask about them during an upgrade"
    assert "Architecture: arm64\n" in (stage / "DEBIAN/control").read_text()


@needs_debhelper
@needs_ssh
@pytest.mark.needs("lintian")
def test_lintian_finds_nothing_but_the_named_exceptions(signed: Path) -> None:
    command = ["lintian", "--allow-root", "--pedantic", "--display-info", str(signed)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    # One override is for the size of the real wheels; these are small.
    unused = r"(I: .* unused-override arch-dep-package-has-big-usr-share .*\nN: .*1 unused override\n)?"
    assert re.fullmatch(unused, said.stdout), said.stdout


@needs_debhelper
@needs_ssh
def test_the_hub_of_a_club_is_not_in_the_package(signed: Path, tmp_path: Path) -> None:
    (ours,) = unpacked(signed, tmp_path / "out").rglob("tabletop_companion-*.whl")
    with zipfile.ZipFile(ours) as opened:
        names = opened.namelist()
    assert "companion/bridge/bridge.py" in names
    assert [name for name in names if name.startswith("companion/club/")] == []


def test_a_package_without_a_key_takes_no_updates(tmp_path: Path) -> None:
    ours = wheel(tmp_path, "tabletop_companion-0.3.0-py3-none-any.whl")
    assemble(tmp_path / "tree", "0.3.0", {"3.11": [ours]}, (), "")
    assert (tmp_path / "tree/build/package/allowed_signers").read_text() == ""


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
    wheels = {"3.11": [wheel(tmp_path, "tabletop_companion-0.3.0-py3-none-any.whl")]}
    with pytest.raises(PackageError, match=r"the wheel of 0\.4\.0 is missing"):
        assemble(tmp_path / "tree", "0.4.0", wheels, (), "")


def test_what_is_missing_on_this_machine_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["--own"]) == 1
    assert "dpkg is missing: the package is made on Debian or Raspberry Pi OS" in capsys.readouterr().err


@needs_ssh
def test_a_key_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    tmp_path.joinpath("key.pub").mkdir()
    with pytest.raises(PackageError, match="ssh-keygen"):
        public_key(tmp_path / "key")


@needs_debhelper
def test_every_program_that_the_units_name_and_every_file_beside_them_is_in_the_package(
    signed: Path, tmp_path: Path
) -> None:
    stage = unpacked(signed, tmp_path / "out")
    inside = {f"/{path.relative_to(stage)}" for path in stage.rglob("*") if path.is_file()}
    units = sorted((stage / "usr/lib/systemd/system").glob("*.service"))
    named = {name for unit in units for name in re.findall(rf"/usr/lib/{NAME}/[\w-]+", unit.read_text())}
    assert named
    assert named <= inside
    assert str(INSTALLED) in inside
    contents = {Path(stage, path[1:]).read_bytes() for path in inside}
    left_out = [
        path.name for path in (ROOT / "systemd").iterdir() if path.is_file() and path.read_bytes() not in contents
    ]
    assert left_out == []


@needs_debhelper
@needs_ssh
def test_further_keys_may_sign_and_revoked_ones_are_listed(signed: Path, tmp_path: Path) -> None:
    pairs = [public_key(signed.parent / "keys" / name) for name in KEYS]
    share = unpacked(signed, tmp_path / "out") / f"usr/share/{NAME}"
    lines = (share / "allowed_signers").read_text().splitlines()
    assert lines == [f'release namespaces="{NAME}" {pair}' for pair in pairs[:2]]
    assert (share / "revoked_signers").read_text() == f"{pairs[2]}\n"
    with pytest.raises(PackageError, match="there is no public key in"):
        make("amd64", ["3.11"], tmp_path, signed.parent / "keys/release-key", [tmp_path / "gone.pub"])


def test_the_package_has_the_version_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (ROOT / "debian/changelog").read_text().startswith(f"{NAME} ({project['version']}) ")


def locked(lock: str) -> set[str]:
    return {*re.findall(r"^([\w.-]+)==", (LOCKS / f"{lock}.txt").read_text(), re.MULTILINE)}


def test_a_box_and_the_build_get_all_they_need_from_the_locks() -> None:
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, extras = said["project"], said["project"]["optional-dependencies"]

    def names(lines: Sequence[str]) -> set[str]:
        return {re.split(r"[^\w.-]", line)[0].replace(".", "-") for line in lines}

    assert names(said["build-system"]["requires"]) <= locked("build")
    for python in PYTHONS:
        assert names([*project["dependencies"], *extras["page"], *extras["pi"], "pip"]) <= locked(f"python{python}")
        assert "setuptools" not in locked(f"python{python}"), "colorzero names it, but nothing imports it: 7 MB"


def test_the_copyright_file_names_every_wheel() -> None:
    text = (ROOT / "debian/copyright").read_text("utf-8")
    packages = {name for python in PYTHONS for name in locked(f"python{python}")}
    missing = {name for name in packages if f"wheels/{name.replace('-', '_').replace('.', '_')}-*" not in text}
    assert missing == set()


def test_the_package_is_for_the_pythons_it_has_wheels_for() -> None:
    control = (ROOT / "debian/control").read_text()
    newest = int(PYTHONS[-1].partition(".")[2])
    assert f"python3 (>= {PYTHONS[0]}), python3 (<< 3.{newest + 1})" in control


class Preinst:
    """The script that runs before anything is unpacked, with another root folder and another Python."""

    def __init__(self, root: Path, python: str) -> None:
        (root / "usr/bin").mkdir(parents=True)
        (root / "usr/bin/python3").write_text(f"#!/bin/sh\necho {python}\n")
        (root / "usr/bin/python3").chmod(0o755)
        self.root = root

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        text = (ROOT / "debian/preinst").read_text()
        for token, value in (("#PYTHONS#", " ".join(PYTHONS)), ("#VERSION#", "0.3.0"), ("#DEBHELPER#", "")):
            text = text.replace(token, value)
        for place in ("/usr/bin", "/opt"):
            text = text.replace(place, f"{self.root}{place}")
        return subprocess.run(["sh", "-c", text, "preinst", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("python", ["3.12", "3.14"])
@pytest.mark.parametrize("arguments", [("install",), ("upgrade", "0.2.0", "0.3.0")])
def test_a_python_without_wheels_is_refused_before_anything_is_unpacked(
    tmp_path: Path, python: str, arguments: tuple[str, ...]
) -> None:
    done = Preinst(tmp_path, python).run(*arguments)
    assert done.returncode == 1
    assert f"for Python 3.11 3.13, and the system's is {python}" in done.stderr


@pytest.mark.parametrize(("python", "arguments"), [("3.13", ("install",)), ("3.14", ("abort-upgrade", "0.3.0"))])
def test_a_python_with_wheels_and_an_upgrade_that_is_taken_back_are_not_refused(
    tmp_path: Path, python: str, arguments: tuple[str, ...]
) -> None:
    done = Preinst(tmp_path, python).run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("deb-systemd-helper") is None, reason="Debian's tool for units is missing")
def test_a_service_that_an_older_package_masked_when_it_was_removed_is_enabled_again(tmp_path: Path) -> None:
    unit = tmp_path / "usr/lib/systemd/system/companion.service"
    unit.parent.mkdir(parents=True)
    shutil.copy(ROOT / "systemd/companion.service", unit)
    enabling = (ROOT / "debian/postinst").read_text().partition("# Enabled before")[2].partition("\nsync\n")[0]
    world = {"PATH": os.environ["PATH"], "DPKG_ROOT": str(tmp_path), "DPKG_MAINTSCRIPT_PACKAGE": NAME}
    wanted = tmp_path / "etc/systemd/system/multi-user.target.wants/companion.service"

    def run(script: str) -> None:
        subprocess.run(["sh", "-ec", script], env=world, stdout=subprocess.DEVNULL, check=True)

    run(f"#{enabling}")
    assert wanted.is_symlink()
    wanted.unlink()
    run("deb-systemd-helper mask companion.service")
    masked = tmp_path / "etc/systemd/system/companion.service"
    assert os.readlink(masked) == "/dev/null"
    run(f"#{enabling}")
    assert not masked.is_symlink()


@pytest.mark.parametrize("script", ["preinst", "postinst", "prerm", "postrm", "config", "tests/play"])
def test_every_script_is_one_that_the_shell_can_read(script: str) -> None:
    subprocess.run(["sh", "-n", str(ROOT / "debian" / script)], check=True)


def test_where_there_is_neither_git_nor_a_history_every_file_has_the_earliest_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert debian_package.moment(tmp_path) == 315532800
