"""What units and scripts of one version expect of the program of another, which runs after a roll-back.

docs/decisions/packages.md lists it. What is pinned here may get more, but nothing may go or change its meaning.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from companion.cli.commands import parsed
from companion.cli.common import CommandError, InUseError
from companion.installation.places import InstallationPaths
from hardware.machine.clock import BY_HAND
from hardware.machine.own_wifi import NETWORK, names_in
from hardware.machine.own_wifi import UNIT as WIFI
from hardware.machine.update import UNIT as UPDATE

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
DECISION = ROOT / "docs/decisions/packages.md"

COMMANDS = (
    "run",
    "update --box",
    "doctor --reads",
    "backup --data DIR --newest 3 FILE",
    "bridge --data /var/lib/companion --state /var/lib/companion-bridge",
)
"""The commands that units, scripts and the installation of another version run."""


@pytest.mark.parametrize("command", COMMANDS)
def test_the_program_knows_every_command_that_another_version_runs(command: str) -> None:
    assert callable(parsed(command.split()).run)
    assert f"`{command}`" in DECISION.read_text("utf-8")


def test_the_units_run_no_other_commands() -> None:
    text = "".join(unit.read_text("utf-8") for unit in SYSTEMD.glob("*.service"))
    asked = set(re.findall(r"^Exec\w+=\S*/bin/companion (.*)$", text, re.MULTILINE))
    assert asked
    assert asked <= set(COMMANDS)


def test_the_exit_statuses_keep_their_meaning() -> None:
    assert (CommandError.status, InUseError.status, os.EX_UNAVAILABLE) == (78, 75, 69)
    script = (SYSTEMD / "roll-back.sh").read_text("utf-8")
    assert set(re.findall(r"exit-code/([0-9]+)", script)) == {"69", "75", "78"}


def test_the_files_keep_their_places() -> None:
    places = InstallationPaths()
    assert [str(place) for place in (
        places.current, places.previous, places.roll_back_note, places.failed("0.3.0"), places.update_outcome,
    )] == [
        "/opt/companion/current", "/opt/companion/previous", "/opt/companion/went-back", "/opt/companion/failed/0.3.0",
        "/run/companion-update/outcome",
    ]  # fmt: skip
    text = DECISION.read_text("utf-8")
    for place in ("/opt/companion/current", "/opt/companion/failed", str(places.update_outcome), str(NETWORK)):
        assert f"`{place}" in text


def test_the_units_that_the_menu_starts_keep_their_names() -> None:
    """What the rules of polkit of one version allow, the program of another one asks for."""
    names = "companion-clock", "companion-wifi", "companion-update"
    assert {BY_HAND, WIFI, UPDATE} == {f"{name}.service" for name in names}


def test_name_and_password_of_the_own_wifi_are_read_by_another_version(tmp_path: Path) -> None:
    assert str(NETWORK) == "/var/lib/companion-wifi/network"
    (tmp_path / "network").write_text("Companion-7F3A\nkx4973mqpt\n40517a68fc1b8830\n")
    assert names_in(tmp_path / "network") == ("Companion-7F3A", "kx4973mqpt")
