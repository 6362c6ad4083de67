"""Installing checks the version of the package, links it to a place beside the others, and only then chooses it."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest

from companion.installation import __main__ as installation
from companion.installation.__main__ import InstallationError, checked, limits_of, main
from companion.installation.places import InstallationPaths, version_of
from tests.line_tables import Row, cases, given, says

UNIT = Path(__file__).parents[2] / "systemd/companion.service"


@contextmanager
def without_systemd(folder: Path) -> Iterator[None]:
    """Stand on a machine where systemd does not run; what runs a check as another user runs it as this one."""
    programs = folder / "programs"
    programs.mkdir()
    as_another = f'#!/bin/sh\necho "$2" >>{folder}/user\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'
    (programs / "runuser").write_text(as_another)
    (programs / "runuser").chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    with patch.dict(os.environ, PATH=path), patch.object(installation, "SYSTEMD", folder / "nowhere"):
        yield


@pytest.fixture(autouse=True)
def _without_systemd(tmp_path: Path) -> Iterator[None]:
    with without_systemd(tmp_path):
        yield


def unpack(places: InstallationPaths, what: str = "exit 0") -> None:
    """Put a package's program there, as dpkg does: every file is a new one."""
    shutil.rmtree(places.program, ignore_errors=True)
    (places.program / "bin").mkdir(parents=True)
    (places.program / "bin/python").symlink_to(sys.executable)
    (places.program / "bin/companion").write_text(f"#!/bin/sh\necho said $*\n{what}\n")
    (places.program / "bin/companion").chmod(0o755)
    (places.program / "pyvenv.cfg").touch()


def install(places: InstallationPaths, version: str = "0.3.0", what: str = "exit 0") -> int:
    unpack(places, what)
    return main(places, version)


def installations(moves: str | bytes) -> str:
    """Return which version plays after installations, which is the one to go back to, what is left, and what was said.

    Moves are parted by `` ; ``: a version, and what its program does when it is checked; ``again VERSION`` goes on
    after a power cut, ``part VERSION`` leaves a folder of one, ``back VERSION`` is a roll-back to it, ``mark`` and
    ``unmark`` are those of a version that failed.
    """
    with TemporaryDirectory() as top, without_systemd(Path(top)):
        places, said = InstallationPaths(Path(top, "root")), io.StringIO()
        places.failed_versions.mkdir(parents=True)
        for move in str(moves).split(" ; "):
            verb, _space, rest = move.partition(" ")
            said.seek(said.truncate(0))
            with redirect_stdout(said), redirect_stderr(said):
                match verb:
                    case "again":
                        main(places, rest)
                    case "part":
                        (places.versions / rest / "lib").mkdir(parents=True)
                    case "lose":
                        (places.current / "bin/python").unlink()
                        (places.current / "bin/python").symlink_to("/nowhere/python3.10")
                    case "mark":
                        places.failed(rest).touch()
                    case "unmark":
                        places.failed(rest).unlink()
                    case "back":
                        places.failed(str(version_of(places.current))).touch()
                        places.current.unlink()
                        places.current.symlink_to(f"versions/{rest}")
                        places.previous.unlink()
                    case _:
                        install(places, verb, rest or f"exit 0 # {verb}")
        current, previous = versions(places)
        if previous is not None:  # dpkg has not changed it
            assert f"# {previous}" in (places.previous / "bin/companion").read_text() or "exit" in str(moves)
        left = " ".join(sorted(path.name for path in places.versions.glob("*")))
        told = " / ".join(said.getvalue().replace(f"{top}/root", "").splitlines())
        return f"{current}, back to {previous}; left: {left} | {told}"


@pytest.fixture
def places(tmp_path: Path) -> InstallationPaths:
    return InstallationPaths(tmp_path / "root")


def versions(places: InstallationPaths) -> tuple[str | None, str | None]:
    return version_of(places.current), version_of(places.previous)


def test_a_bare_machine_gets_the_version_without_a_second_copy_of_it(
    places: InstallationPaths, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install(places) == 0
    assert versions(places) == ("0.3.0", None)
    assert (places.current / "bin/companion").samefile(places.program / "bin/companion")
    assert os.readlink(places.current / "bin/python") == sys.executable
    assert (tmp_path / "user").read_text() == "companion\n", "root's rights are given away for the check"
    assert capsys.readouterr().out == "companion: 0.3.0 is installed\n"


@pytest.mark.parametrize(("name", "rows"), cases("installations"))
def test_installations_end_as_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


@pytest.mark.parametrize("what", ["exec sleep 1000", "rm $0; exec $0"])
def test_a_version_that_hangs_or_cannot_be_started_is_not_chosen(
    places: InstallationPaths, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    install(places, "0.2.0")
    monkeypatch.setattr(installation, "PATIENCE", 0.1 if "sleep" in what else 300)
    assert install(places, "0.3.0", what) == 1
    assert versions(places) == ("0.2.0", None)


def test_a_disk_that_refuses_links_leaves_the_version_before(
    places: InstallationPaths, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(places, "0.2.0")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.link", full)
    assert install(places, "0.3.0") == 1
    assert "No space left on device" in capsys.readouterr().err
    assert versions(places) == ("0.2.0", None)


def test_where_systemd_runs_a_check_has_user_and_limits_of_the_service_and_nowhere_to_write(
    places: InstallationPaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the limits do is tried in tests/systemd/test_rights.py."""
    (tmp_path / "programs/systemd-run").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{tmp_path}/asked\nexit 78\n')
    (tmp_path / "programs/systemd-run").chmod(0o755)
    monkeypatch.setattr(installation, "SYSTEMD", tmp_path)
    monkeypatch.setattr(installation, "UNIT", UNIT)
    assert checked(places.program)[0] == os.EX_CONFIG
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked[-3:] == [f"{places.program}/bin/companion", "doctor", "--reads"]
    assert {"--wait", "--pipe", "--property=User=companion", "--property=ProtectSystem=strict"} < {*asked}
    assert "--property=PrivateNetwork=yes" in asked


def test_the_first_version_is_started_without_a_check_and_a_later_one_is_checked(
    places: InstallationPaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "programs/systemd-run").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "programs/systemd-run").chmod(0o755)
    monkeypatch.setattr(installation, "SYSTEMD", tmp_path)
    monkeypatch.setattr(installation, "UNIT", UNIT)
    assert install(places, "0.2.0") == 0
    assert install(places, "0.3.0") == 1
    assert versions(places) == ("0.2.0", None)


def test_the_limits_of_a_check_start_nothing_and_restart_nothing() -> None:
    limits = limits_of(UNIT)
    names = {line.removeprefix("--property=").partition("=")[0] for line in limits}
    assert {"CapabilityBoundingSet", "SystemCallFilter", "DevicePolicy", "ProtectHome", "Environment"} < names
    assert not [name for name in names if name.startswith(("Exec", "Restart", "Watchdog", "StateD", "ReadWrite"))]
    assert "WantedBy" not in names, "lines of the service's section alone"


def test_without_a_program_nothing_is_chosen(places: InstallationPaths) -> None:
    with pytest.raises(InstallationError, match="does not pass its check"):
        installation.install(places, "0.3.0")
    assert [*places.versions.glob("*")] == []


@pytest.mark.needs("dh")
@pytest.mark.parametrize("version", ["0.3.0", "0.3.0~rc1", "0.3.0+git20261130.1"])
def test_the_package_installs_the_version_without_the_release_of_debian_that_it_is_for(
    tmp_path: Path, version: str
) -> None:
    rules = (UNIT.parents[1] / "debian/rules").read_text()
    changelog = (UNIT.parents[1] / "debian/changelog").read_text()
    (tmp_path / "debian").mkdir()
    (tmp_path / "debian/changelog").write_text(re.sub(r"\(.*?\)", f"({version}+deb13)", changelog, count=1))
    (tmp_path / "rules").write_text(rules.replace("%:\n", "told:\n\t@echo $(version)\n\n%:\n", 1))
    made = subprocess.run(
        ["make", "-s", "-f", "rules", "told"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert made.stdout == f"{version}\n"
