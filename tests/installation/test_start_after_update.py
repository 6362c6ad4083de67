"""At the end of an installation it says what really runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.installation import __main__ as installation
from companion.installation import start_after_update
from companion.installation.places import InstallationPaths
from companion.installation.start_after_update import ABSENT, LONGEST, STEADY, Service, outcome, service_state
from companion.installation.switching import switch


class Systemd:
    """A service whose state changes with the time, in place of the real one."""

    def __init__(self, places: InstallationPaths, *states: tuple[float, Service | str | None]) -> None:
        self.now = 0.0
        self._places = places
        self._states = [*states]
        self._state: Service | None = None

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def read_service(self) -> Service | None:
        while self._states and self._states[0][0] <= self.now:
            _, state = self._states.pop(0)
            if isinstance(state, str):
                self._places.current.unlink()
                self._places.current.symlink_to(f"versions/{state}")
            else:
                self._state = state
        return self._state

    def outcome(self, version: str = "0.3.0") -> tuple[bool, str]:
        return outcome(self._places, version, self.read_service, self.wait, lambda: self.now)


@pytest.fixture
def places(tmp_path: Path) -> InstallationPaths:
    made = InstallationPaths(tmp_path)
    for name in ("0.2.0", "0.3.0"):
        (made.versions / name / "bin").mkdir(parents=True)
        (made.versions / name / "bin/python").touch()
        switch(made, made.versions / name)
    return made


STARTING = Service(False, "0", "")
OFF = STARTING._replace(off=True)


def plays(process: int, status: str = "") -> Service:
    return Service(True, str(process), status)


def test_a_version_that_plays_for_a_while_runs(places: InstallationPaths) -> None:
    systemd = Systemd(places, (0, STARTING), (30, plays(7, "Panel and keys are well.")))
    assert systemd.outcome() == (True, "0.3.0 runs. Panel and keys are well.")
    assert systemd.now == 30 + STEADY


def test_a_version_that_is_started_again_and_again_and_left_has_failed(places: InstallationPaths) -> None:
    states = [(second * 10.0, plays(second)) for second in range(3)]
    systemd = Systemd(places, *states, (30, "0.2.0"), (30, STARTING), (33, plays(9)))
    assert systemd.outcome() == (
        False,
        f"0.3.0 failed three times, and 0.2.0 runs again; why: {places.failed('0.3.0')}",
    )


@pytest.mark.parametrize("now", [plays(9), None])
def test_a_version_that_was_left_before_the_first_look_has_failed(
    places: InstallationPaths, now: Service | None
) -> None:
    places.built.write_text("0.3.0 digest\n")
    places.failed("0.3.0").parent.mkdir()
    places.failed("0.3.0").touch()
    systemd = Systemd(places, (0, "0.2.0"), (0, STARTING), (3, now))
    systemd.read_service()
    assert systemd.outcome() == (
        False,
        f"0.3.0 failed three times, and 0.2.0 runs again; why: {places.failed('0.3.0')}",
    )


def test_a_version_that_never_starts_is_not_waited_for_for_ever(places: InstallationPaths) -> None:
    systemd = Systemd(places, (0, STARTING))
    played, said = systemd.outcome()
    assert (played, systemd.now) == (False, LONGEST)
    assert "did not start within 10 minutes" in said


def test_the_first_version_of_a_box_is_given_up_after_three_starts(places: InstallationPaths) -> None:
    places.previous.unlink()
    systemd = Systemd(places, (0, STARTING), (40, STARTING._replace(restarts=3)))
    played, said = systemd.outcome()
    assert (played, systemd.now) == (False, 40)
    assert said.startswith("0.3.0 does not start, and there is none to go back to; why: ")


@pytest.mark.parametrize(("service", "waits"), [(None, 0), (OFF, ABSENT)])
def test_without_systemd_or_with_a_service_that_was_switched_off_it_says_so(
    places: InstallationPaths, service: Service | None, waits: float
) -> None:
    systemd = Systemd(places, (0, service))
    assert systemd.outcome() == (True, "0.3.0 is installed, and runs from the next start on")
    assert systemd.now == waits


def test_a_service_that_systemd_is_just_starting_again_is_not_taken_for_switched_off(places: InstallationPaths) -> None:
    again = Systemd(places, (0, OFF), (1, STARTING), (90, OFF), (91, STARTING), (180, "0.2.0"), (183, plays(9)))
    assert again.outcome() == (
        False,
        f"0.3.0 failed three times, and 0.2.0 runs again; why: {places.failed('0.3.0')}",
    )


def test_a_version_that_was_not_chosen_is_not_waited_for(places: InstallationPaths) -> None:
    assert Systemd(places).outcome("0.4.0") == (True, "0.4.0 was not chosen; 0.3.0 runs")


@pytest.mark.parametrize(
    ("said", "service"),
    [
        ("ActiveState=active\nMainPID=7\nStatusText=Panel and keys are well.\n", plays(7, "Panel and keys are well.")),
        ("ActiveState=activating\nMainPID=0\nNRestarts=2\n", STARTING._replace(restarts=2)),
        ("ActiveState=inactive\nMainPID=0\n", OFF),
        ("", None),
    ],
)
def test_systemd_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, service: Service | None) -> None:
    (tmp_path / "systemctl").write_text(f"#!/bin/sh\nprintf '{said}'\n")
    (tmp_path / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert service_state() == service
    (tmp_path / "systemctl").unlink()
    assert service_state() is None


@pytest.mark.parametrize(("played", "status"), [(True, 0), (False, 1)])
def test_the_package_ends_as_the_start_did(
    places: InstallationPaths,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    played: bool,
    status: int,
) -> None:
    monkeypatch.setattr(installation, "outcome", lambda *_: (played, "what runs"))
    places.built.write_text("0.3.0 digest\n")
    assert installation.main(["finish", "--version", "0.3.0", "--root", str(places.root)]) == status
    said = capsys.readouterr()
    assert (said.out or said.err) == "companion: what runs\n"
    assert not places.built.exists()
    assert start_after_update.PAUSE <= 1
