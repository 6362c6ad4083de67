"""Installing builds a version beside the others, lets it check itself, and only then chooses it."""

from __future__ import annotations

import fcntl
import pwd
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.installation import __main__ as installation
from companion.installation import building, check_before_switching, sandbox
from companion.installation.building import build, new_folder
from companion.installation.check_before_switching import check
from companion.installation.places import InstallationPaths, version_of
from companion.installation.sandbox import run_checked, sandboxed
from companion.installation.switching import works
from companion.installation.wheel_store import InstallationError, wheel_list
from tests.waiting import LAST_RESORT

from .packages import add_package


@pytest.fixture(autouse=True)
def quick_build(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build no environment, but in the tests that are about one: a folder with a program that ends with a status."""

    def made(places: InstallationPaths, version: str, _package: Path) -> Path:
        folder = new_folder(places, version)
        (folder / "bin").mkdir(parents=True)
        (folder / "bin/python").symlink_to(sys.executable)
        program(folder, FAULTS.get(version, ""))
        return folder

    if "real_build" not in request.fixturenames:
        monkeypatch.setattr(installation, "build", made)


FAULTS = {"0.0.1": "exit 1", "0.0.2": "[ $2 != --reads ] || exit 1"}
"""What the programs of versions do that are not right: fail their check, or cannot read the settings."""


def program(folder: Path, what: str) -> None:
    """Put a program into a version: it writes down what it was asked, says so, and does something."""
    script = f"#!/bin/sh\necho $* >>{folder}/asked 2>/dev/null\necho said $*\n{what}\n"
    (folder / "bin/companion").write_text(script)
    (folder / "bin/companion").chmod(0o755)


def unpack(places: InstallationPaths, version: str) -> None:
    """Put a package there, as dpkg does."""
    wheels = places.package / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    wheels.mkdir(parents=True)
    (wheels / f"tabletop_companion-{version}-py3-none-any.whl").write_text(version)
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (places.package / f"{python}.txt").write_text(f"tabletop-companion=={version}\n")


def kept(places: InstallationPaths) -> list[str]:
    return sorted(path.name for path in places.kept_package("").iterdir())


@pytest.fixture
def real_build() -> None:
    """Ask for real environments."""


def install(places: InstallationPaths, version: str = "0.3.0") -> int:
    if not list(places.package.glob("wheels/pip-*")):  # a real package is there already
        unpack(places, version)
    return installation.main(["install", "--version", version, "--root", str(places.root)])


def names(places: InstallationPaths) -> list[str]:
    return sorted(path.name for path in places.versions.iterdir())


@pytest.mark.usefixtures("real_build")
def test_a_bare_machine_gets_a_version_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    places, shown = add_package(tmp_path), list[Path]()
    monkeypatch.setattr(building, "_show_progress", shown.append)
    assert install(places) == 0
    assert shown == [places.current.resolve()], "the panel says that it is built"
    assert version_of(places.current) == "0.3.0"
    assert version_of(places.previous) is None
    ran = subprocess.run([places.current / "bin/companion", "x"], capture_output=True, text=True, check=True)
    assert ran.stdout == "['x']\n"
    assert "checking it" in capsys.readouterr().out
    assert list(places.versions.rglob("program.cpython-*.pyc")), "it is compiled"
    assert not list(places.versions.rglob("site-packages/pip")), "pip is not in it"


def test_an_upgrade_keeps_the_version_before_and_removes_older_ones(tmp_path: Path) -> None:
    for version in ("0.1.0", "0.2.0", "0.3.0"):
        assert install(InstallationPaths(tmp_path), version) == 0
    places = InstallationPaths(tmp_path)
    assert (version_of(places.current), version_of(places.previous)) == ("0.3.0", "0.2.0")
    assert names(places) == ["0.2.0", "0.3.0"]


def again(places: InstallationPaths, version: str = "0.3.0") -> int:
    """Install a version after the last installation has ended."""
    places.built.unlink()
    return install(places, version)


def test_the_same_version_is_built_once_more_beside_itself(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    assert [install(places), again(places)] == [0, 0]
    assert names(places) == ["0.3.0", "0.3.0~2"]
    assert version_of(places.current) == version_of(places.previous) == "0.3.0"


def test_the_same_version_built_again_keeps_the_one_to_go_back_to_and_the_one_that_runs(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    assert [install(places, version) for version in ("0.2.0", "0.3.0")] == [0, 0]
    assert again(places) == 0
    assert (version_of(places.current), version_of(places.previous)) == ("0.3.0", "0.2.0")
    assert names(places) == ["0.2.0", "0.3.0", "0.3.0~2"]
    install(places, "0.4.0")
    assert names(places) == ["0.3.0~2", "0.4.0"]


def test_a_version_that_fails_its_own_check_is_not_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = InstallationPaths(tmp_path)
    install(places, "0.2.0")
    assert install(places, "0.0.1") == 1
    assert version_of(places.current) == "0.2.0"
    assert names(places) == ["0.2.0"]
    said = capsys.readouterr().err
    assert "0.0.1 was not installed: it does not pass its own check:\nsaid doctor --quick" in said
    assert "stays as it was" in said


def test_a_version_that_hangs_is_not_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = InstallationPaths(tmp_path)
    install(places)
    program(places.current, "exec sleep 1000")
    monkeypatch.setattr(sandbox, "PATIENCE", 0.1)
    with pytest.raises(InstallationError, match="within 0 seconds"):
        check(places.current, places, print)


def test_a_version_that_cannot_be_started_is_not_chosen(tmp_path: Path) -> None:
    with pytest.raises(InstallationError, match="is missing or cannot be started"):
        check(tmp_path, InstallationPaths(tmp_path), print)


@pytest.mark.usefixtures("real_build")
def test_a_damaged_wheel_is_refused_and_nothing_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = add_package(tmp_path)
    (wheel,) = (places.package / "wheels").glob("tabletop_companion-*")
    wheel.write_bytes(wheel.read_bytes().replace(b"import sys", b"import os "))
    assert install(places) == 1
    assert "the packages could not be made" in capsys.readouterr().err
    assert names(places) == []


def test_without_pip_the_package_is_damaged(tmp_path: Path) -> None:
    places = add_package(tmp_path)
    next((places.package / "wheels").glob("pip-*")).unlink()
    with pytest.raises(InstallationError, match="there is no pip"):
        build(places, "0.3.0", places.package)


def test_a_package_without_wheels_for_this_python_says_so(tmp_path: Path) -> None:
    with pytest.raises(InstallationError, match=r"no wheels for Python 3\.\d+: a newer package is needed"):
        wheel_list(tmp_path)


def test_what_an_interrupted_installation_left_is_removed(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    (places.versions / "0.3.0/lib").mkdir(parents=True)
    assert new_folder(places, "0.3.0").name == "0.3.0~2"
    assert install(places) == 0
    assert names(places) == ["0.3.0"]


def test_two_builds_wait_for_each_other_and_the_second_is_spared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unit of the boot and the package's script may both want to build."""
    places = InstallationPaths(tmp_path)
    waited: list[int] = []

    def wait(_lock: object, operation: int) -> None:
        waited.append(operation)
        installation.install(places, "0.3.0")  # the other one has built it meanwhile

    unpack(places, "0.3.0")

    monkeypatch.setattr("fcntl.flock", wait)
    assert installation.main(["rebuild", "--version", "0.3.0", "--root", str(tmp_path)]) == 0
    assert waited == [fcntl.LOCK_EX]
    assert names(places) == ["0.3.0"]


def test_another_python_leaves_nothing_to_go_back_to(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    install(places)
    python = places.current / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3.10")
    assert installation.main(["rebuild", "--version", "0.3.0", "--root", str(tmp_path)]) == 0
    assert names(places) == ["0.3.0~2"]
    assert not places.previous.is_symlink()


needs_root = pytest.mark.needs("root")


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> InstallationPaths:
    """Return places that the user of the service, here nobody, can reach."""
    monkeypatch.setattr(sandbox, "SERVICE_USER", "nobody")
    for folder in (tmp_path, *tmp_path.parents):
        folder.chmod(folder.stat().st_mode | 0o055)
    (tmp_path / "bin").mkdir()
    return InstallationPaths(tmp_path)


@needs_root
@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("id -un", "nobody"),
        ("id -Gn", "nogroup"),
        ("grep ^CapBnd /proc/self/status | tr -d '[:space:]'", "CapBnd:0000000000000000"),
        ("tail -n +3 /proc/net/dev | cut -d : -f 1 | tr -d ' '; cat /proc/net/route /proc/net/if_inet6", "lo"),
        ("ls -d /proc/[0-9]* | head -n 1", "/proc/1"),
        ("tr '\\0' ' ' </proc/1/cmdline | grep -c doctor", "1"),
        ("echo $PYTHONNOUSERSITE", "1"),
        ("touch WRITABLE/x 2>/dev/null && echo written || echo refused", "refused"),
        ("touch /tmp/x 2>/dev/null && echo written || echo refused", "refused"),
        ("echo x >/dev/null && echo written", "written"),
    ],
)
def test_a_new_version_is_checked_in_a_sandbox(box: InstallationPaths, tmp_path: Path, what: str, said: str) -> None:
    writable = tmp_path / "writable"
    writable.mkdir()
    writable.chmod(0o777)
    (tmp_path / "bin/companion").write_text(f"#!/bin/sh\n{what.replace('WRITABLE', str(writable))}\n")
    (tmp_path / "bin/companion").chmod(0o755)
    status, heard = run_checked(box.root, "doctor", "--quick")
    assert (status, heard) == (0, said)
    assert not list(writable.iterdir())


@pytest.mark.needs("root")
def test_in_a_root_folder_that_is_no_mount_point_a_version_is_checked_too(tmp_path: Path) -> None:
    """Images are made in such folders."""
    for name in ("bin", "lib", "lib64", "usr", "etc", "sbin"):
        here = Path("/", name)
        if here.is_symlink():
            (tmp_path / name).symlink_to(here.readlink())
        elif here.exists():
            (tmp_path / name).mkdir()
    for name in ("proc", "dev"):
        (tmp_path / name).mkdir()
    tmp_path.chmod(0o755)
    command = shlex.join(sandboxed(["/bin/sh", "-c", "echo checked"], pwd.getpwnam("nobody")))
    mounts = "".join(f"mount --bind /{name} {tmp_path}/{name}\n" for name in ("usr", "etc", "dev"))
    script = f"set -e\n{mounts}mount -t proc proc {tmp_path}/proc\nexec chroot {tmp_path} {command}"
    outer = ("unshare", "--mount", "--propagation=private", "sh", "-c", script)
    done = subprocess.run(outer, capture_output=True, text=True, check=False, timeout=LAST_RESORT)
    assert (done.stdout, done.returncode) == ("checked\n", 0), done.stderr


def test_a_version_that_cannot_read_what_the_current_one_can_is_not_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = InstallationPaths(tmp_path)
    install(places, "0.2.0")
    assert install(places, "0.0.2") == 1
    said = capsys.readouterr().err
    assert "it cannot read the settings or the games of this box, and 0.2.0 can:\nsaid doctor --reads" in said
    assert (version_of(places.current), names(places), kept(places)) == ("0.2.0", ["0.2.0"], ["0.2.0"])


def test_what_neither_version_can_read_is_said_and_does_not_stop_the_installation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = InstallationPaths(tmp_path)
    install(places, "0.2.0")
    program(places.current, FAULTS["0.0.2"])
    assert install(places, "0.0.2") == 0
    assert "this box cannot play before this is put right:\nsaid doctor --reads" in capsys.readouterr().out


def test_each_version_keeps_its_wheels_as_long_as_it_can_be_gone_back_to(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    install(places, "0.1.0")
    install(places, "0.2.0")
    wheel = places.kept_package("0.1.0") / "wheels/tabletop_companion-0.1.0-py3-none-any.whl"
    assert (kept(places), wheel.read_text()) == (["0.1.0", "0.2.0"], "0.1.0")
    install(places, "0.3.0")
    assert kept(places) == ["0.2.0", "0.3.0"]
    install(places, "0.0.1")
    assert kept(places) == ["0.2.0", "0.3.0"]


def lose_python(places: InstallationPaths) -> None:
    """Upgrade the system's Python: that of every version is gone."""
    for folder in places.versions.iterdir():
        (folder / "bin/python").unlink()
        (folder / "bin/python").symlink_to("/nowhere/python3.10")


def rebuild(places: InstallationPaths, version: str) -> int:
    return installation.main(["rebuild", "--version", version, "--root", str(places.root)])


def test_after_a_roll_back_another_python_gets_the_version_that_plays_and_not_the_package_s(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    install(places, "0.2.0")
    install(places, "0.3.0")
    go_back(places, "0.2.0", "0.3.0")
    lose_python(places)
    assert rebuild(places, "0.3.0") == 0
    assert (version_of(places.current), names(places)) == ("0.2.0", ["0.2.0~2"])
    assert kept(places) == ["0.2.0"]


def test_a_rebuild_looks_into_no_folder_of_games_which_its_unit_may_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, asked = InstallationPaths(tmp_path), Path.is_dir
    install(places, "0.3.0")
    lose_python(places)

    def refused(path: Path) -> bool:
        if places.games in path.parents:
            raise PermissionError(13, "Permission denied", str(path))
        return asked(path)

    monkeypatch.setattr(Path, "is_dir", refused)
    assert rebuild(places, "0.3.0") == 0
    assert works(places.current)


def test_a_current_version_that_cannot_be_built_gives_way_to_the_one_before(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    for version in ("0.2.0", "0.3.0"):
        install(places, version)
    FAULTS["0.3.0"] = "exit 1"
    try:
        lose_python(places)
        assert rebuild(places, "0.3.0") == 0
    finally:
        del FAULTS["0.3.0"]
    assert version_of(places.current) == "0.2.0"


def go_back(places: InstallationPaths, to: str, left: str) -> None:
    places.failed_versions.mkdir(exist_ok=True)
    places.failed(left).write_text("2026-11-23\nexit-code exited 1\n")
    places.current.unlink()
    places.current.symlink_to(f"versions/{to}")
    places.previous.unlink()


def test_a_version_that_failed_here_is_not_built_again_until_its_mark_is_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = InstallationPaths(tmp_path)
    install(places, "0.2.0")
    install(places, "0.3.0")
    go_back(places, "0.2.0", "0.3.0")
    assert install(places, "0.3.0") == 0
    assert version_of(places.current) == "0.2.0"
    assert f"not built again; to try it: rm {places.failed('0.3.0')}" in capsys.readouterr().out
    places.failed("0.3.0").unlink()
    assert install(places, "0.3.0") == 0
    assert (version_of(places.current), version_of(places.previous)) == ("0.3.0", "0.2.0")


def test_a_version_that_failed_here_is_never_the_one_to_go_back_to(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    for version in ("0.2.0", "0.3.0"):
        install(places, version)
    places.failed_versions.mkdir()
    places.failed("0.3.0").touch()  # the power was cut before the roll-back changed the link
    assert install(places, "0.4.0") == 0
    assert (version_of(places.current), version_of(places.previous)) == ("0.4.0", "0.2.0")


@pytest.mark.parametrize("cut", ["before the switch", "after the switch"])
def test_what_was_built_before_a_power_cut_is_not_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    places = InstallationPaths(tmp_path)
    install(places, "0.2.0")

    class PowerCut(BaseException):
        pass

    def cut_power(*_: object) -> None:
        raise PowerCut

    with monkeypatch.context() as patched:
        patched.setattr(installation, "switch" if cut == "before the switch" else "remove_other_packages", cut_power)
        with pytest.raises(PowerCut):
            install(places, "0.3.0")
    assert install(places, "0.3.0") == 0
    assert (version_of(places.current), version_of(places.previous)) == ("0.3.0", "0.2.0")
    assert names(places) == ["0.2.0", "0.3.0"]


def test_after_an_interrupted_first_installation_the_version_of_the_next_start_is_taken(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    unpack(places, "0.3.0")
    assert rebuild(places, "0.3.0") == 0
    assert install(places) == 0
    assert names(places) == ["0.3.0"]


def test_the_same_number_with_other_wheels_is_built(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    install(places)
    unpack(places, "0.3.0")
    next(places.package.glob("python*.txt")).write_text("other hashes\n")
    assert installation.main(["install", "--version", "0.3.0", "--root", str(tmp_path)]) == 0
    assert names(places) == ["0.3.0", "0.3.0~2"]


def test_a_backup_is_written_before_an_upgrade_by_the_new_program(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    places.games.mkdir(parents=True)
    install(places, "0.1.0")
    install(places, "0.2.0")
    assert not places.backups.exists(), "nobody has played yet"
    (places.games / "games").mkdir()
    install(places, "0.3.0")
    asked = (places.current / "asked").read_text().splitlines()
    assert re.fullmatch(
        rf"backup --data {places.games} --newest 3 {places.backups}/before-0\.3\.0-\d{{4}}-\d\d-\d\d\.zip", asked[-1]
    )
    assert places.backups.stat().st_mode & 0o777 == 0o700


def test_a_backup_that_is_not_whole_is_said_and_does_not_stop_an_upgrade(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = InstallationPaths(tmp_path)
    (places.games / "games").mkdir(parents=True)
    install(places, "0.2.0")
    FAULTS["0.3.0"] = "[ $1 != backup ] || { echo the disk is full >&2; exit 1; }"
    try:
        assert install(places, "0.3.0") == 0
    finally:
        del FAULTS["0.3.0"]
    assert "is missing or not whole: the disk is full" in capsys.readouterr().out
    assert version_of(places.current) == "0.3.0"


def test_a_backup_that_hangs_is_said_and_does_not_stop_an_upgrade(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    places = InstallationPaths(tmp_path)
    (places.games / "games").mkdir(parents=True)
    install(places, "0.2.0")
    monkeypatch.setattr(check_before_switching, "BACKUP_TIMEOUT", 0.1)
    monkeypatch.setitem(FAULTS, "0.3.0", "[ $1 != backup ] || exec sleep 1000")
    assert install(places, "0.3.0") == 0
    assert "is missing or not whole: it took longer than 0 seconds" in capsys.readouterr().out
    assert version_of(places.current) == "0.3.0"


def test_it_runs_from_the_wheel_with_the_standard_library_alone() -> None:
    code = "import companion.installation.__main__, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", code],
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()) - set(sys.stdlib_module_names) <= {"companion", "__main__"}
