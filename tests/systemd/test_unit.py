"""The unit is what systemd expects, is as closed as it claims, and fits the files beside it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from companion.cli.serving import TELEVISION
from companion.installation.places import InstallationPaths
from hardware.machine.clock import BY_HAND
from hardware.machine.own_wifi import UNIT as WIFI
from hardware.machine.update import UNIT as UPDATE
from hardware.owner_settings import REMOVED
from hardware.system import PLACES
from tests.waiting import LAST_RESORT

FOLDER = Path(__file__).parents[2] / "systemd"
UNIT = FOLDER / "companion.service"

analyzed = pytest.mark.needs("systemd-analyze")


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ("systemd-analyze", *arguments), capture_output=True, text=True, timeout=LAST_RESORT, check=False
    )


def values(name: str) -> list[str]:
    """Return what the unit says under a name, line by line."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)


@analyzed
@pytest.mark.parametrize("name", [unit.name for unit in FOLDER.glob("companion*.service") if "avahi" not in unit.name])
def test_systemd_understands_every_line_of_it(tmp_path: Path, name: str) -> None:
    # Its programs are not installed where the tests run; what stands before their names stays.
    unit = (FOLDER / name).read_text(encoding="utf-8")
    written = re.sub(r"^(Exec\w+=[-+]*)/\S+", r"\1/bin/true", unit, flags=re.MULTILINE)
    (tmp_path / name).write_text(written, encoding="utf-8")
    (tmp_path / "NetworkManager.service").write_text("[Service]\nExecStart=/bin/true\n")
    said = analyze("verify", "--man=no", str(tmp_path / name))
    assert said.returncode == 0, said.stderr
    assert name not in said.stderr


@analyzed
@pytest.mark.parametrize("name", [UNIT.name, "companion-bridge.service", "companion-tv.service", BY_HAND, WIFI, UPDATE])
def test_its_exposure_is_no_more_than_the_documentation_says(name: str) -> None:
    table = (FOLDER.parent / "docs/decisions/packages.md").read_text("utf-8")
    (figure,) = re.findall(rf"^\| `{name.removesuffix('.service')}` \| ([0-9]\.[0-9]) \|", table, re.MULTILINE)
    threshold = f"--threshold={figure.replace('.', '')}"
    said = analyze("security", "--offline=true", threshold, "--no-pager", str(FOLDER / name))
    assert said.returncode == 0, said.stdout[-300:] + said.stderr
    assert "Overall exposure level" in said.stdout


def test_it_never_gives_up_and_is_watched() -> None:
    assert values("Type") == ["notify"]
    assert values("Restart") == ["always"]
    assert values("StartLimitIntervalSec") == ["0"]
    assert int(values("WatchdogSec")[0]) > 0


@pytest.mark.parametrize(("name", "value"), [("PrivateDevices", "yes"), ("ProcSubset", "pid")])
def test_what_would_hide_the_devices_or_the_model_is_not_in_it(name: str, value: str) -> None:
    assert value not in values(name)


def test_it_may_write_to_drives_wherever_the_box_looks_for_them_and_nowhere_else() -> None:
    assert values("ProtectSystem") == ["strict"]
    (written,) = values("ReadWritePaths")
    places = written.replace("-", "").split()
    assert {place.split("/*")[0] for place in PLACES} == set(places)
    assert written.count("-/") == len(places)  # none of them needs to exist


def test_its_user_and_groups_are_made_by_sysusers() -> None:
    made = [line.split()[:3] for line in (FOLDER / "companion.sysusers.conf").read_text().splitlines() if line]
    (user,), (groups,) = values("User"), values("SupplementaryGroups")
    assert ["u", user, "-"] in made
    for group in groups.split():
        assert ["g", group, "-"] in made
        assert ["m", user, group] in made


def test_its_user_may_switch_off_set_the_clock_use_its_units_and_nothing_else() -> None:
    """What it may do with which unit, and that it may not linger, is tried in test_rights.py."""
    rule = (FOLDER / "companion.rules").read_text(encoding="utf-8")
    assert set(re.findall(r'subject\.user [!=]== "([^"]+)"', rule)) == {values("User")[0]}
    assert set(re.findall(r'action\.id [!=]== "([^"]+)"', rule)) == {
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
        "org.freedesktop.login1.set-self-linger",
        "org.freedesktop.systemd1.manage-units",
        "org.freedesktop.timedate1.set-time",
        "org.freedesktop.timedate1.set-timezone",
    }
    assert set(re.findall(r'"([a-z-]+\.service)"', rule)) == {BY_HAND, WIFI, UPDATE}


def test_an_update_ends_by_itself_and_leaves_what_came_of_it() -> None:
    unit = (FOLDER / UPDATE).read_text(encoding="utf-8")
    for line in ("Type=oneshot", "RuntimeDirectory=companion-update", "RuntimeDirectoryPreserve=yes"):
        assert f"\n{line}\n" in unit
    assert re.search(r"^TimeoutStartSec=\w+$", unit, re.MULTILINE)
    assert "[Install]" not in unit  # nothing starts it by itself
    assert str(InstallationPaths().update_outcome) == "/run/companion-update/outcome"


def test_its_devices_belong_to_its_groups() -> None:
    given = re.findall(r'GROUP="(\w+)"', (FOLDER / "companion.udev.rules").read_text(encoding="utf-8"))
    assert given == values("SupplementaryGroups")[0].split()


@pytest.mark.parametrize("name", [UNIT.name, UPDATE])
def test_no_unit_runs_code_from_the_home_of_its_user(name: str) -> None:
    """The service writes there: what somebody planted would outlive each update."""
    assert re.search("^Environment=.*PYTHONNOUSERSITE=1", (FOLDER / name).read_text("utf-8"), re.MULTILINE)


def test_each_script_of_root_runs_python_without_folders_and_variables_of_others() -> None:
    for script in FOLDER.glob("*.py"):
        assert script.read_text("utf-8").startswith("#!/usr/bin/python3 -I\n")
    for line in (FOLDER / "first-boot/user-data").read_text("utf-8").splitlines():
        assert "python3 -I" in line or "python3 " not in line


def test_nothing_on_a_usb_drive_is_run_and_its_owner_may_read_it() -> None:
    rules = (FOLDER / "companion.udev.rules").read_text(encoding="utf-8")
    (options,) = re.findall(r"systemd-mount .*--options=([\w=,]+)", rules)
    assert {"nosuid", "nodev", "noexec", "uid=companion", "gid=plugdev", "umask=007"} == set(options.split(","))


def test_the_watchdog_waits_no_longer_than_a_pi_allows() -> None:
    written = (FOLDER / "companion.system.conf").read_text(encoding="utf-8")
    (seconds,) = re.findall(r"^RuntimeWatchdogSec=(\d+)s$", written, re.MULTILINE)
    assert int(seconds) <= 15


TELEVISION_UNIT = (FOLDER / "companion-tv.service").read_text(encoding="utf-8")


def test_a_television_is_shown_the_page_that_the_box_has_told_and_reaches_nothing_else() -> None:
    told = f"%t/companion/{TELEVISION}"
    assert values("RuntimeDirectory") == ["companion"]
    assert set(re.findall(r"%t/companion/[\w.]+", TELEVISION_UNIT)) == {told}
    assert f"[ -s {told} ]" in TELEVISION_UNIT  # it waits for the page
    assert "\nPartOf=companion.service\n" in TELEVISION_UNIT  # the cookie ends with the program
    assert "\nAfter=companion.service seatd.service\n" in TELEVISION_UNIT
    assert "\nIPAddressDeny=any\nIPAddressAllow=localhost\n" in TELEVISION_UNIT
    assert re.findall(r"^DeviceAllow=(.*)$", TELEVISION_UNIT, re.MULTILINE) == ["char-drm rw"]


def test_a_television_is_off_until_the_owner_installs_a_browser_and_switches_it_on() -> None:
    programs = set(re.findall(r"^AssertFileIsExecutable=/usr/s?bin/(\w+)$", TELEVISION_UNIT, re.MULTILINE))
    assert programs == {"cage", "cog", "seatd"}
    debian = FOLDER.parent / "debian"
    (suggested,) = re.findall(r"^Suggests: (.*)$", (debian / "control").read_text("utf-8"), re.MULTILINE)
    assert programs <= set(suggested.split(", "))
    assert "companion-tv" not in (debian / "postinst").read_text("utf-8")
    assert "disable --now companion-bridge.service companion-tv.service" in (debian / "prerm").read_text("utf-8")
    command = "sudo systemctl enable --now companion-tv"
    guide = (FOLDER.parent / "docs/operate.md").read_text("utf-8")
    (line,) = re.findall(rf"apt install (.*) && {command}$", guide, re.M)
    assert programs <= set(line.split())
    assert "A television at the Pi" in REMOVED["hdmi"]
    assert "\n## A television at the Pi\n" in guide


def test_a_browser_at_the_box_reads_the_command_s_words_as_they_are_meant(tmp_path: Path) -> None:
    """bash is given the unit's own line, with a program in place of the compositor and the browser."""
    (line,) = re.findall(r"^ExecStart=/usr/bin/bash -c '(.*?)'$", TELEVISION_UNIT, re.MULTILINE | re.DOTALL)
    line = line.replace("\\\n", "").replace("%t/companion", str(tmp_path)).replace("$$", "$").replace("cage", "echo")
    (tmp_path / TELEVISION).write_text("# http://127.0.0.1:8080/wall?lang=fr\n127.0.0.1\tFALSE\t/\n")
    world = {"PATH": os.environ["PATH"], "CHOSEN": "&light=bright"}
    said = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=LAST_RESORT, check=True, env=world
    )
    assert said.stdout.split()[-1] == "http://127.0.0.1:8080/wall?lang=fr&light=bright"
    assert said.stdout.startswith("-- cog --platform=wl ")
