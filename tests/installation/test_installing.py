"""Installing builds a version beside the others, lets it check itself, and only then chooses it."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.installation import __main__ as installation
from companion.installation.building import InstallationFault, build, locked, new_folder
from companion.installation.places import Places, version_of

from .packages import add_package


@pytest.fixture(autouse=True)
def quick_build(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build no environment, but in the tests that are about one: a folder with a program that ends with a status."""

    def made(places: Places, version: str) -> Path:
        folder = new_folder(places, version)
        (folder / "bin").mkdir(parents=True)
        (folder / "bin/python").symlink_to(sys.executable)
        (folder / "bin/companion").write_text(f"#!/bin/sh\necho said $*; exit {statuses.get(version, 0)}\n")
        (folder / "bin/companion").chmod(0o755)
        return folder

    statuses = {"0.0.1": 1}
    if "real_build" not in request.fixturenames:
        monkeypatch.setattr(installation, "build", made)


@pytest.fixture
def real_build() -> None:
    """Ask for real environments."""


def install(places: Places, version: str = "0.3.0") -> int:
    return installation.main(["install", "--version", version, "--root", str(places.root)])


def names(places: Places) -> list[str]:
    return sorted(path.name for path in places.versions.iterdir())


@pytest.mark.usefixtures("real_build")
def test_a_bare_machine_gets_a_version_that_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = add_package(tmp_path)
    assert install(places) == 0
    assert version_of(places.current) == "0.3.0"
    assert version_of(places.previous) is None
    ran = subprocess.run([places.current / "bin/companion", "x"], capture_output=True, text=True, check=True)
    assert ran.stdout == "['x']\n"
    assert "checking it" in capsys.readouterr().out
    assert list(places.versions.rglob("program.cpython-*.pyc")), "it is compiled"
    assert not list(places.versions.rglob("site-packages/pip")), "pip is not in it"


def test_an_upgrade_keeps_the_version_before_and_removes_older_ones(tmp_path: Path) -> None:
    for version in ("0.1.0", "0.2.0", "0.3.0"):
        assert install(Places(tmp_path), version) == 0
    places = Places(tmp_path)
    assert (version_of(places.current), version_of(places.previous)) == ("0.3.0", "0.2.0")
    assert names(places) == ["0.2.0", "0.3.0"]


def test_the_same_version_is_built_once_more_beside_itself(tmp_path: Path) -> None:
    places = Places(tmp_path)
    assert [install(places), install(places)] == [0, 0]
    assert names(places) == ["0.3.0", "0.3.0~2"]
    assert version_of(places.current) == version_of(places.previous) == "0.3.0"


def test_the_same_version_built_again_keeps_the_one_to_go_back_to_and_the_one_that_runs(tmp_path: Path) -> None:
    places = Places(tmp_path)
    assert [install(places, version) for version in ("0.2.0", "0.3.0", "0.3.0")] == [0, 0, 0]
    assert (version_of(places.current), version_of(places.previous)) == ("0.3.0", "0.2.0")
    assert names(places) == ["0.2.0", "0.3.0", "0.3.0~2"]
    install(places, "0.4.0")
    assert names(places) == ["0.3.0~2", "0.4.0"]


def test_a_version_that_fails_its_own_check_is_not_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = Places(tmp_path)
    install(places, "0.2.0")
    assert install(places, "0.0.1") == 1
    assert version_of(places.current) == "0.2.0"
    assert names(places) == ["0.2.0"]
    said = capsys.readouterr().err
    assert "0.0.1 was not installed: it does not pass its own check:\nsaid doctor --quick" in said
    assert "stays as it was" in said


def test_a_version_that_hangs_is_not_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = Places(tmp_path)
    install(places)
    (places.current / "bin/companion").write_text("#!/bin/sh\nexec sleep 1000\n")
    monkeypatch.setattr(installation, "PATIENCE", 0.1)
    with pytest.raises(InstallationFault, match="within 0 seconds"):
        installation.check(places.current)


def test_a_version_that_cannot_be_started_is_not_chosen(tmp_path: Path) -> None:
    with pytest.raises(InstallationFault, match="cannot be started: No such file"):
        installation.check(tmp_path)


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
    with pytest.raises(InstallationFault, match="there is no pip"):
        build(places, "0.3.0")


def test_a_package_without_wheels_for_this_python_says_so(tmp_path: Path) -> None:
    with pytest.raises(InstallationFault, match=r"no wheels for Python 3\.\d+: a newer package is needed"):
        locked(Places(tmp_path))


def test_what_an_interrupted_installation_left_is_removed(tmp_path: Path) -> None:
    places = Places(tmp_path)
    (places.versions / "0.3.0/lib").mkdir(parents=True)
    assert new_folder(places, "0.3.0").name == "0.3.0~2"
    assert install(places) == 0
    assert names(places) == ["0.3.0"]


def test_two_builds_wait_for_each_other_and_the_second_is_spared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unit of the boot and the package's script may both want to build."""
    places = Places(tmp_path)
    waited: list[int] = []

    def wait(_lock: object, operation: int) -> None:
        waited.append(operation)
        installation.install(places, "0.3.0")  # the other one has built it meanwhile

    monkeypatch.setattr("fcntl.flock", wait)
    assert installation.main(["rebuild", "--version", "0.3.0", "--root", str(tmp_path)]) == 0
    assert waited == [fcntl.LOCK_EX]
    assert names(places) == ["0.3.0"]


def test_another_python_leaves_nothing_to_go_back_to(tmp_path: Path) -> None:
    places = Places(tmp_path)
    install(places)
    python = places.current / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3.10")
    assert installation.main(["rebuild", "--version", "0.3.0", "--root", str(tmp_path)]) == 0
    assert names(places) == ["0.3.0~2"]
    assert not places.previous.is_symlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_the_check_runs_as_the_services_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "SERVICE_USER", "nobody")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/companion").write_text("#!/bin/sh\nid -un; exit 1\n")
    (tmp_path / "bin/companion").chmod(0o755)
    for folder in (tmp_path, *tmp_path.parents):
        folder.chmod(folder.stat().st_mode | 0o055)
    with pytest.raises(InstallationFault, match="nobody"):
        installation.check(tmp_path)


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
