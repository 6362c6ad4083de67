"""Installing checks the version of the package, links it to a place beside the others, and only then chooses it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.installation import __main__ as installation
from companion.installation.__main__ import InstallationError, checked, limits_of, main
from companion.installation.places import InstallationPaths, version_of

UNIT = Path(__file__).parents[2] / "systemd/companion.service"

UNREADABLE = f"echo cannot read that; exit {os.EX_CONFIG}"


@pytest.fixture(autouse=True)
def without_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand on a machine where systemd does not run; what runs a check as another user runs it as this one."""
    programs = tmp_path / "programs"
    programs.mkdir()
    as_another = f'#!/bin/sh\necho "$2" >>{tmp_path}/user\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'
    (programs / "runuser").write_text(as_another)
    (programs / "runuser").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setattr(installation, "SYSTEMD", tmp_path / "nowhere")


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


@pytest.fixture
def places(tmp_path: Path) -> InstallationPaths:
    return InstallationPaths(tmp_path / "root")


def names(places: InstallationPaths) -> list[str]:
    return sorted(path.name for path in places.versions.glob("*"))


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


def test_an_upgrade_keeps_the_version_before_and_removes_older_ones(places: InstallationPaths) -> None:
    for version in ("0.1.0", "0.2.0", "0.3.0"):
        assert install(places, version, f"exit 0 # {version}") == 0
    assert versions(places) == ("0.3.0", "0.2.0")
    assert names(places) == ["0.2.0", "0.3.0"]
    assert "# 0.2.0" in (places.previous / "bin/companion").read_text(), "dpkg has not changed it"


def test_the_same_version_again_keeps_the_one_to_go_back_to_and_the_one_that_runs(places: InstallationPaths) -> None:
    for version in ("0.2.0", "0.3.0", "0.3.0"):
        assert install(places, version) == 0
    assert versions(places) == ("0.3.0", "0.2.0")
    assert names(places) == ["0.2.0", "0.3.0", "0.3.0~2"]
    install(places, "0.4.0")
    assert names(places) == ["0.3.0~2", "0.4.0"]


@pytest.mark.parametrize(("what", "said"), [("exit 1", "said doctor --reads"), ("rm $0; exec $0", "not found")])
def test_a_version_that_fails_its_check_or_cannot_be_started_is_not_chosen(
    places: InstallationPaths, capsys: pytest.CaptureFixture[str], what: str, said: str
) -> None:
    install(places, "0.2.0")
    assert install(places, "0.3.0", what) == 1
    assert (versions(places), names(places)) == (("0.2.0", None), ["0.2.0"])
    told = capsys.readouterr().err
    assert "0.3.0 was not installed, and what was there stays as it was: it does not pass its check" in told
    assert said in told


def test_a_version_that_hangs_is_not_chosen(places: InstallationPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    install(places, "0.2.0")
    monkeypatch.setattr(installation, "PATIENCE", 0.1)
    assert install(places, "0.3.0", "exec sleep 1000") == 1
    assert versions(places) == ("0.2.0", None)


def test_a_version_that_cannot_read_what_the_current_one_can_is_not_chosen(
    places: InstallationPaths, capsys: pytest.CaptureFixture[str]
) -> None:
    install(places, "0.2.0")
    assert install(places, "0.3.0", UNREADABLE) == 1
    assert "cannot read that" in capsys.readouterr().err
    assert versions(places) == ("0.2.0", None)


def test_what_neither_version_can_read_is_said_and_does_not_stop_the_installation(
    places: InstallationPaths, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install(places, "0.2.0", UNREADABLE) == 0
    assert install(places, "0.3.0", UNREADABLE) == 0
    assert "this box cannot play before this is put right:\nsaid doctor --reads\ncannot" in capsys.readouterr().out
    assert versions(places) == ("0.3.0", "0.2.0")


def test_what_an_interrupted_installation_has_linked_in_part_is_removed(places: InstallationPaths) -> None:
    (places.versions / "0.3.0/lib").mkdir(parents=True)
    assert install(places) == 0
    assert (versions(places), names(places)) == (("0.3.0", None), ["0.3.0~2"])


def test_after_a_power_cut_that_followed_the_switch_nothing_is_left_to_do(places: InstallationPaths) -> None:
    install(places, "0.2.0")
    install(places, "0.3.0")
    assert main(places, "0.3.0") == 0
    assert (versions(places), names(places)) == (("0.3.0", "0.2.0"), ["0.2.0", "0.3.0"])


def test_a_version_whose_python_is_gone_is_nothing_to_go_back_to(places: InstallationPaths) -> None:
    install(places, "0.2.0")
    (places.current / "bin/python").unlink()
    (places.current / "bin/python").symlink_to("/nowhere/python3.10")
    assert install(places, "0.3.0") == 0
    assert (versions(places), names(places)) == (("0.3.0", None), ["0.3.0"])


def go_back(places: InstallationPaths, to: str, left: str) -> None:
    places.failed_versions.mkdir(exist_ok=True)
    places.failed(left).write_text("2026-11-23\nexit-code exited 1\n")
    places.current.unlink()
    places.current.symlink_to(f"versions/{to}")
    places.previous.unlink()


def test_a_version_that_failed_here_is_not_chosen_again_until_its_mark_is_removed(
    places: InstallationPaths, capsys: pytest.CaptureFixture[str]
) -> None:
    install(places, "0.2.0")
    install(places, "0.3.0")
    go_back(places, "0.2.0", "0.3.0")
    assert install(places, "0.3.0") == 0
    assert versions(places) == ("0.2.0", None)
    assert f"is not chosen; to try it: rm {places.failed('0.3.0')}" in capsys.readouterr().out
    places.failed("0.3.0").unlink()
    assert install(places, "0.3.0") == 0
    assert versions(places) == ("0.3.0", "0.2.0")


def test_a_version_that_failed_here_is_never_the_one_to_go_back_to(places: InstallationPaths) -> None:
    for version in ("0.2.0", "0.3.0"):
        install(places, version)
    places.failed_versions.mkdir()
    places.failed("0.3.0").touch()  # the power was cut before the roll-back changed the link
    assert install(places, "0.4.0") == 0
    assert versions(places) == ("0.4.0", "0.2.0")


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


def test_the_limits_of_a_check_start_nothing_and_restart_nothing() -> None:
    limits = limits_of(UNIT)
    names = {line.removeprefix("--property=").partition("=")[0] for line in limits}
    assert {"CapabilityBoundingSet", "SystemCallFilter", "DevicePolicy", "ProtectHome", "Environment"} < names
    assert not [name for name in names if name.startswith(("Exec", "Restart", "Watchdog", "StateD", "ReadWrite"))]
    assert "WantedBy" not in names, "lines of the service's section alone"


def test_without_a_program_nothing_is_chosen(places: InstallationPaths) -> None:
    with pytest.raises(InstallationError, match="does not pass its check"):
        installation.install(places, "0.3.0")
    assert names(places) == []


@pytest.mark.needs("dh")
@pytest.mark.parametrize("version", ["0.3.0", "0.3.0~rc1", "0.3.0+git20261130.1"])
def test_the_package_installs_the_version_without_the_release_of_debian_that_it_is_for(
    tmp_path: Path, version: str
) -> None:
    rules = (UNIT.parents[1] / "debian/rules").read_text()
    changelog = (UNIT.parents[1] / "debian/changelog").read_text()
    (tmp_path / "debian").mkdir()
    (tmp_path / "debian/changelog").write_text(changelog.replace("(0.2.0)", f"({version}+deb13)", 1))
    (tmp_path / "rules").write_text(rules.replace("%:\n", "told:\n\t@echo $(version)\n\n%:\n", 1))
    made = subprocess.run(
        ["make", "-s", "-f", "rules", "told"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert made.stdout == f"{version}\n"
