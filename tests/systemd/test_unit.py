"""The unit is what systemd expects, is as closed as it claims, and fits the files beside it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hardware.drives import PLACES
from tests.waiting import LAST_RESORT

FOLDER = Path(__file__).parents[2] / "systemd"
UNIT = FOLDER / "companion.service"

ANALYZE = shutil.which("systemd-analyze")
analyzed = pytest.mark.skipif(
    ANALYZE is None and os.environ.get("COMPANION_SYSTEMD") != "required", reason="systemd-analyze is not installed"
)


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    assert ANALYZE is not None, "systemd-analyze is required, but not installed"
    return subprocess.run((ANALYZE, *arguments), capture_output=True, text=True, timeout=LAST_RESORT, check=False)


def values(name: str) -> list[str]:
    """Return what the unit says under a name, line by line."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)


@analyzed
def test_systemd_understands_every_line_of_it(tmp_path: Path) -> None:
    # Its programs are not installed where the tests run; what stands before their names stays.
    written = re.sub(r"^(Exec\w+=[-+]*)/\S+", r"\1/bin/true", UNIT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (tmp_path / UNIT.name).write_text(written, encoding="utf-8")
    said = analyze("verify", "--man=no", str(tmp_path / UNIT.name))
    assert said.returncode == 0, said.stderr
    assert UNIT.name not in said.stderr


@analyzed
def test_its_exposure_is_at_most_1_3() -> None:
    said = analyze("security", "--offline=true", "--threshold=13", "--no-pager", str(UNIT))
    assert said.returncode == 0, said.stdout + said.stderr
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


def test_its_user_may_switch_off_and_switch_the_own_wifi_and_nothing_else() -> None:
    rule = (FOLDER / "companion.rules").read_text(encoding="utf-8")
    assert f'subject.user === "{values("User")[0]}"' in rule
    assert set(re.findall(r'action\.id === "([^"]+)"', rule)) == {
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
        "org.freedesktop.systemd1.manage-units",
    }
    assert rule.count("polkit.Result.YES") == 2
    assert re.findall(r'action\.lookup\("unit"\) === "([^"]+)"', rule) == ["companion-wifi.service"]
    assert set(re.findall(r'action\.lookup\("verb"\) === "([^"]+)"', rule)) == {"start", "stop"}


def test_its_devices_belong_to_its_groups() -> None:
    given = re.findall(r'GROUP="(\w+)"', (FOLDER / "companion.udev.rules").read_text(encoding="utf-8"))
    assert given == values("SupplementaryGroups")[0].split()
