"""A package holds a finished program and what a box needs beside it, and is the same when it is made twice."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

from hardware.machine.own_wifi import INSTALLED
from tools import debian_package, wheels
from tools.debian_package import NAME, PackageError, main, make, public_keys
from tools.wheels import LOCKS, SYSTEMS, System, WheelError, assemble

ROOT = Path(__file__).parents[2]
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"

needs_debhelper = pytest.mark.needs("dh")
needs_gpg = pytest.mark.needs("gpg")


def wheel(folder: Path, name: str, **files: str) -> Path:
    """Make a wheel with modules that hold a text."""
    folder.mkdir(parents=True, exist_ok=True)
    path, (project, number, *_tags) = folder / name, name.split("-")
    about = f"{project}-{number}.dist-info"
    tag = name.removesuffix(".whl").split("-", 2)[2]
    with zipfile.ZipFile(path, "w") as made:
        contents = {f"{module}.py": text for module, text in files.items()} | {
            f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {project}\nVersion: {number}\n",
            f"{about}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n",
            f"{about}/entry_points.txt": f"[console_scripts]\n{project} = {project}:run\n",
        }
        for each, text in contents.items():
            made.writestr(zipfile.ZipInfo(each), text)
        made.writestr(zipfile.ZipInfo(f"{about}/RECORD"), "".join(f"{each},,\n" for each in contents))
    return path


@pytest.fixture(scope="module")
def few_wheels() -> Iterator[None]:
    """Put one small wheel into the package instead of those it needs; any Python compiles it."""

    def collect(architecture: str, system: System, folder: Path) -> None:
        tag = f"cp{system.python.replace('.', '')}"
        name = f"pillow-13.0.0-{tag}-{tag}-manylinux_2_28_{wheels.PROCESSORS[architecture]}.whl"
        wheel(folder, name, pillow="def run(): pass")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(debian_package, "collect", collect)
        patched.setenv("SOURCE_DATE_EPOCH", "1790000000")
        patched.setattr("shutil.which", _which)
        yield


def _which(name: str, found: object = shutil.which) -> str | None:
    assert callable(found)
    path: str | None = sys.executable if re.fullmatch(r"python3\.1[0-9]", name) else found(name)
    return path


@pytest.fixture(scope="module")
def made(few_wheels: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a package, once for all workers, with a release key."""
    root = tmp_path_factory.getbasetemp()
    folder = (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / "package"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not any(folder.glob("*.deb")):
            make("arm64", "13", folder, folder / "keys")
    return next(folder.glob("*.deb"))


def unpacked(package: Path, folder: Path) -> Path:
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(folder)], check=True)
    return folder


@needs_debhelper
@needs_gpg
def test_a_maker_whose_files_nobody_else_may_read_makes_the_same_package(made: Path, tmp_path: Path) -> None:
    mask = os.umask(0o077)
    try:
        again = make("arm64", "13", tmp_path, made.parent / "keys")
    finally:
        os.umask(mask)
    assert again.read_bytes() == made.read_bytes()


@needs_debhelper
@needs_gpg
def test_a_package_holds_the_finished_program_and_what_a_box_needs(made: Path, tmp_path: Path) -> None:
    assert re.fullmatch(r"tabletop-companion_[0-9.]+\+deb13_arm64\.deb", made.name)
    stage = unpacked(made, tmp_path / "out")
    program = stage / "usr/lib/tabletop-companion/program"
    assert os.readlink(program / "bin/python") == "/usr/bin/python3.13"
    modules = program / "lib/python3.13/site-packages"
    assert {"companion", "hardware", "pillow.py"} < {path.name for path in modules.iterdir()}
    assert not (modules / "bin").exists(), "programs of others name the Python of the machine that made it"
    assert (stage / f"usr/share/keyrings/{NAME}.gpg").read_bytes() == public_keys(made.parent / "keys")
    files = [path for path in stage.rglob("*") if path.is_file() and not path.is_symlink()]
    programs = {
        "preinst",
        "postinst",
        "prerm",
        "postrm",
        "companion",
        "fewer-writes",
        "wait-for-pins",
        "networks",
        "roll-back",
    }
    for file in files:
        runs = file.name in programs and file.parent.name != "completions"
        assert file.stat().st_mode & 0o777 == (0o755 if runs else 0o644), file
    assert programs <= {file.name for file in files}
    assert os.readlink(stage / "usr/bin/companion") == "/opt/companion/current/bin/companion"
    assert not (stage / "etc").exists(), "settings are the owner's: dpkg would ask about them during an upgrade"
    control = (stage / "DEBIAN/control").read_text()
    assert "Architecture: arm64\n" in control
    assert re.search("^Depends: .*libc6, polkitd, python3, python3.13, systemd", control, re.MULTILINE), control


@needs_debhelper
@needs_gpg
@pytest.mark.needs("lintian")
def test_lintian_finds_nothing_but_the_named_exceptions(made: Path) -> None:
    command = ["lintian", "--allow-root", "--pedantic", "--display-info", str(made)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    # Some exceptions are for the real modules; these are small.
    lines = [line for line in said.stdout.splitlines() if "unused-override" not in line and not line.startswith("N: ")]
    assert lines == []


@needs_debhelper
@needs_gpg
def test_the_hub_of_a_club_is_not_in_the_package(made: Path, tmp_path: Path) -> None:
    (ours,) = unpacked(made, tmp_path / "out").rglob("site-packages/companion")
    assert (ours / "bridge/bridge.py").exists()
    assert not (ours / "club").exists()


def finished(folder: Path, system: System) -> Path:
    """Make a program's folder of a small wheel of ours, for this machine."""
    wheel(folder / "wheels", "companion-0.3.0-py3-none-any.whl", companion="import sys\nprint(sys.argv[1:], x)")
    assemble(folder / "program", folder / "wheels", "amd64", system)
    return folder / "program"


def test_the_program_runs_from_any_place_from_its_byte_code_without_the_folder_it_is_called_in(tmp_path: Path) -> None:
    program = finished(tmp_path, System(THIS, 36))
    (program / "bin/python").unlink()
    (program / "bin/python").symlink_to(sys.executable)
    shutil.copytree(program, tmp_path / "versions/0.3.0", symlinks=True, copy_function=os.link)
    (tmp_path / "current").symlink_to("versions/0.3.0")
    (tmp_path / "called").symlink_to("current/bin/companion")
    (source,) = (tmp_path / "versions").rglob("companion.py")
    source.write_text("print('the byte code is not used')")
    (tmp_path / "companion.py").write_text("print('that of the folder it is called in')")
    world = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}  # as on a box
    done = subprocess.run(
        [tmp_path / "called", "a", "b"], cwd=tmp_path, env=world, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 1)
    assert f'"{tmp_path}/versions/0.3.0/lib/python{THIS}/site-packages/companion.py", line 2' in done.stderr


def test_files_that_nothing_on_a_box_opens_are_left_out(tmp_path: Path) -> None:
    name = "pillow-13.0.0-py3-none-any.whl"
    wheel(tmp_path / "wheels", name, **{"PIL/Image": "", "PIL/_webp": "", "PIL/_avif": ""})
    program = finished(tmp_path, System(THIS, 36))
    modules = {file.name for file in program.rglob("*")}
    assert "Image.py" in modules
    assert "METADATA" in modules
    assert not {"_webp.py", "_avif.py", "RECORD", "INSTALLER"} & modules


def test_a_module_of_many_small_files_is_read_from_one(tmp_path: Path) -> None:
    wheel(tmp_path / "wheels", "anyascii-0.3.3-py3-none-any.whl", **{"anyascii/__init__": "x = 1"})
    wheel(
        tmp_path / "wheels", "companion-0.3.0-py3-none-any.whl", companion="import anyascii; print(anyascii.__file__)"
    )
    assemble(tmp_path / "program", tmp_path / "wheels", "amd64", System(THIS, 36))
    (tmp_path / "program/bin/python").unlink()
    (tmp_path / "program/bin/python").symlink_to(sys.executable)
    done = subprocess.run([tmp_path / "program/bin/companion"], capture_output=True, text=True, check=False)
    assert done.stdout.endswith("/anyascii.zip/anyascii/__init__.py\n"), done.stderr


def test_where_no_python_can_compile_it_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(WheelError, match=r"there is no python3\.99 on this machine"):
        finished(tmp_path, System("3.99", 36))


def test_a_wheel_for_another_machine_is_refused(tmp_path: Path) -> None:
    name = "companion-0.3.0-cp311-cp311-manylinux_2_28_aarch64.whl"
    wheel(tmp_path / "wheels", name)
    with pytest.raises(WheelError, match="the wheels cannot be unpacked"):
        assemble(tmp_path / "program", tmp_path / "wheels", "amd64", System(THIS, 36))


def test_what_is_missing_on_this_machine_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["--own"]) == 1
    assert "dpkg is missing: packages are made on Debian or Raspberry Pi OS" in capsys.readouterr().err


@needs_gpg
def test_a_key_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "keys").touch()
    with pytest.raises(PackageError, match="gpg --homedir"):
        public_keys(tmp_path / "keys")


@needs_debhelper
@needs_gpg
def test_every_program_that_the_units_name_and_every_file_beside_them_is_in_the_package(
    made: Path, tmp_path: Path
) -> None:
    stage = unpacked(made, tmp_path / "out")
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
    for python in (system.python for system in SYSTEMS.values()):
        assert names([*project["dependencies"], *extras["page"], *extras["pi"]]) <= locked(f"python{python}")
        assert "setuptools" not in locked(f"python{python}"), "colorzero names it, but nothing imports it: 7 MB"


def test_the_copyright_file_names_every_wheel() -> None:
    text = (ROOT / "debian/copyright").read_text("utf-8")
    packages = {name for python in (system.python for system in SYSTEMS.values()) for name in locked(f"python{python}")}
    missing = {name for name in packages if f"*/{name.replace('-', '_').replace('.', '_')}-*" not in text}
    assert missing == set()


def script(name: str, root: Path, *arguments: str, **world: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the package with another root folder and programs that stand in for those of the system."""
    text = (ROOT / "debian" / name).read_text().replace("#VERSION#", "0.3.0").replace("#DEBHELPER#", "")
    text = re.sub("(/etc|/opt|/run|/usr/lib|/usr/share|/var/lib)(?=/)", rf"{root}\1", text)
    here = {"PATH": f"{root}/programs:{os.environ['PATH']}", **world}
    return subprocess.run(["sh", "-c", text, name, *arguments], env=here, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [("install",), ("upgrade", "0.2.0", "0.3.0")])
def test_a_version_that_failed_here_is_refused_before_anything_is_unpacked(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    assert script("preinst", tmp_path, *arguments).returncode == 0
    (tmp_path / "opt/companion/failed").mkdir(parents=True)
    (tmp_path / "opt/companion/failed/0.3.0").write_text("2026-11-23\nexit-code exited 1\n")
    done = script("preinst", tmp_path, *arguments)
    assert done.returncode == 1
    assert "0.3.0 failed on this box on 2026-11-23. To try it again: sudo rm" in done.stderr
    assert script("preinst", tmp_path, "abort-upgrade", "0.3.0").returncode == 0


class Machine:
    """A root folder for postinst, whose programs write down what they were asked, and fail as told."""

    def __init__(self, root: Path) -> None:
        self.root = root
        program = root / "usr/lib/tabletop-companion/program/bin"
        for folder in (program, root / "programs", root / "etc", root / "run/systemd/system", root / "var/lib"):
            folder.mkdir(parents=True)
        (root / "etc/companion.toml").touch()
        names = ["install", "deb-systemd-helper", "deb-systemd-invoke", "systemctl", "udevadm", "sync", "timeout"]
        for place in (*(root / "programs" / name for name in names), program / "python", program / "companion"):
            place.write_text(
                f'#!/bin/sh\necho "${{0##*/}} $*" >>{root}/asked\ncase $FAILS in "${{0##*/}}") exit 1 ;; esac\n'
            )
            place.chmod(0o755)

    def configure(self, fails: str = "", before: str = "") -> subprocess.CompletedProcess[str]:
        (self.root / "asked").unlink(missing_ok=True)
        return script("postinst", self.root, "configure", before, FAILS=fails)

    @property
    def asked(self) -> str:
        """Return the programs that were asked, in order, but those of the system's details."""
        lines = (self.root / "asked").read_text().splitlines()
        return " ".join(line.split()[0] for line in lines if not re.match("udevadm|systemctl|deb-systemd-helper", line))


def test_the_package_backs_up_the_games_then_installs_the_version_then_starts_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert machine.configure().returncode == 0
    assert machine.asked == "python deb-systemd-invoke", "without games there is nothing to back up"
    (tmp_path / "var/lib/companion/games").mkdir(parents=True)
    assert machine.configure().returncode == 0
    assert machine.asked == "install timeout python deb-systemd-invoke"
    asked = (tmp_path / "asked").read_text()
    assert "-m 700 " in asked
    assert re.search(
        r"runuser -u companion -- .*/companion backup --data .* --newest 3 .*/before-0\.3\.0-2.*zip", asked
    )
    assert asked.splitlines()[-1] == "deb-systemd-invoke restart companion.service"


def test_a_backup_that_is_not_whole_is_said_and_stops_nothing(tmp_path: Path) -> None:
    (machine := Machine(tmp_path)).root.joinpath("var/lib/companion/games").mkdir(parents=True)
    done = machine.configure(fails="timeout")
    assert done.returncode == 0
    assert "is missing or not whole" in done.stdout
    assert machine.asked.endswith("deb-systemd-invoke")


def test_a_version_that_is_not_installed_is_not_started_and_one_that_does_not_start_is_said(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert machine.configure(fails="python").returncode == 1
    assert machine.asked == "python"
    done = machine.configure(fails="deb-systemd-invoke")
    assert done.returncode == 1
    assert "it did not start. It is tried three times, then the version before plays" in done.stderr


def test_where_systemd_does_not_run_nothing_is_started(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    (tmp_path / "run/systemd/system").rmdir()
    assert machine.configure().returncode == 0
    assert machine.asked == "python"


def test_the_service_is_enabled_once_and_whoever_disables_it_has_done_so_for_good(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.configure()
    assert "systemctl --no-reload enable companion.service" in (tmp_path / "asked").read_text()
    machine.configure(before="0.2.0")
    assert " enable " not in (tmp_path / "asked").read_text()


def test_a_service_that_an_older_package_masked_when_it_was_removed_is_unmasked(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.configure()
    assert "unmask" not in (tmp_path / "asked").read_text()
    (tmp_path / "etc/systemd/system").mkdir(parents=True)
    (tmp_path / "etc/systemd/system/companion.service").symlink_to("/dev/null")
    machine.configure()
    assert "deb-systemd-helper unmask companion.service" in (tmp_path / "asked").read_text()


@pytest.mark.parametrize("script", ["preinst", "postinst", "prerm", "postrm", "tests/play"])
def test_every_script_is_one_that_the_shell_can_read(script: str) -> None:
    subprocess.run(["sh", "-n", str(ROOT / "debian" / script)], check=True)


def test_where_there_is_neither_git_nor_a_history_every_file_has_the_earliest_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert debian_package.moment(tmp_path) == 315532800
