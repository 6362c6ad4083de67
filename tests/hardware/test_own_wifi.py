"""The own Wi-Fi: switched through systemd, opened by a script of root's that trusts nobody."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from companion.app.ports import DeviceFault
from hardware.own_wifi import UNIT, SystemdWifi
from tests.waiting import LAST_RESORT

SCRIPT = Path(__file__).parents[2] / "systemd" / "own-wifi.sh"


def program(folder: Path, name: str, text: str = 'echo "$0 $*" >> "$0.said"') -> Path:
    """Make a stand-in for a program, which writes down how it was called."""
    folder.mkdir(exist_ok=True)
    made = folder / name
    made.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    made.chmod(0o755)
    return made


def said(made: Path) -> list[str]:
    """Return how a stand-in was called."""
    file = made.with_name(f"{made.name}.said")
    return [line.removeprefix(f"{made} ") for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program(tmp_path / "bin", "nmcli")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return tmp_path / "bin"


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    made = tmp_path / UNIT
    made.touch()
    return made


def test_a_box_without_the_unit_or_without_networkmanager_has_no_own_wifi(
    tmp_path: Path, unit: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    systemctl = str(program(programs, "systemctl", "echo inactive"))
    assert SystemdWifi(tmp_path / "names", unit, systemctl).network() is not None
    assert SystemdWifi(tmp_path / "names", tmp_path / "none", systemctl).network() is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert SystemdWifi(tmp_path / "names", unit, systemctl).network() is None


def test_name_and_password_are_made_once(tmp_path: Path, unit: Path, programs: Path) -> None:
    systemctl = str(program(programs, "systemctl", "echo inactive"))
    networks = [SystemdWifi(tmp_path / "names", unit, systemctl).network() for _ in range(2)]
    assert networks[0] == networks[1]
    assert networks[0] is not None
    assert networks[0].name.startswith("Companion-")
    assert len(networks[0].password) == 10
    assert not networks[0].on


def test_a_folder_that_keeps_no_name_has_no_own_wifi(tmp_path: Path, unit: Path, programs: Path) -> None:
    assert SystemdWifi(tmp_path / "missing" / "names", unit).network() is None


def test_it_is_switched_through_systemd_and_counts_as_on_at_once(tmp_path: Path, unit: Path, programs: Path) -> None:
    systemctl = program(programs, "systemctl", 'echo "$0 $*" >> "$0.said"; echo inactive')
    wifi = SystemdWifi(tmp_path / "names", unit, str(systemctl))
    wifi.switch(True)
    network = wifi.network()
    assert network is not None
    assert network.on
    wifi.switch(False)
    network = wifi.network()
    assert network is not None
    assert not network.on
    assert [line.split()[2:] for line in said(systemctl) if "no-block" in line] == [["start", UNIT], ["stop", UNIT]]


@pytest.mark.parametrize("state", ["active", "activating"])
def test_it_is_on_while_its_unit_is(tmp_path: Path, unit: Path, programs: Path, state: str) -> None:
    systemctl = str(program(programs, "systemctl", f"echo {state}"))
    wifi = SystemdWifi(tmp_path / "names", unit, systemctl)
    wifi.look()
    network = wifi.network()
    assert network is not None
    assert network.on


def test_it_is_off_once_its_unit_has_ended(tmp_path: Path, unit: Path, programs: Path) -> None:
    wifi = SystemdWifi(tmp_path / "names", unit, str(program(programs, "systemctl", "echo inactive")))
    wifi.switch(True)
    wifi.look()
    network = wifi.network()
    assert network is not None
    assert not network.on


@pytest.mark.parametrize(
    "damaged", [b"", b"\0\0\0", b"Companion-7F3A\n", b"\xff\xfe\n\n", b"Companion-7F3A\nkx4973mqpt"]
)
def test_a_damaged_file_is_made_anew(tmp_path: Path, unit: Path, programs: Path, damaged: bytes) -> None:
    (tmp_path / "names").write_bytes(damaged)
    wifi = SystemdWifi(tmp_path / "names", unit)
    made = wifi.network()
    assert made is not None
    assert len(made.password) == 10
    assert SystemdWifi(tmp_path / "names", unit).network() == made


def test_a_refusal_of_systemd_is_a_fault_with_its_reason(tmp_path: Path, unit: Path, programs: Path) -> None:
    systemctl = str(program(programs, "systemctl", "echo 'Access denied' >&2; exit 1"))
    wifi = SystemdWifi(tmp_path / "names", unit, systemctl)
    with pytest.raises(DeviceFault, match=r"^The own Wi-Fi cannot be started: Access denied\.$"):
        wifi.switch(True)
    network = wifi.network()
    assert network is not None
    assert not network.on


# the script that root runs


def run(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the script with stand-ins for nmcli and nft."""
    for name in ("nmcli", "nft"):
        program(tmp_path / "bin", name)
    (tmp_path / "companion.toml").write_text("[lamp]\nport = 1\n[page]\non = true\nport = 9090\n[power]\nport = 2\n")
    env = {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "OWN_WIFI_NAMES": str(tmp_path / "dns" / "companion.conf"),
        "OWN_WIFI_SETTINGS": str(tmp_path / "companion.toml"),
    }
    return subprocess.run(
        ("sh", str(SCRIPT), *words), env=env, capture_output=True, text=True, timeout=LAST_RESORT, check=False
    )


def test_the_network_is_opened_with_wpa2_and_the_checks_of_phones_lead_to_the_box(tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_text("Companion-7F3A\nkx4973mqpt\n")
    done = run(tmp_path, "start", str(file))
    assert done.returncode == 0, done.stderr
    add, up = said(tmp_path / "bin" / "nmcli")[-2:]
    assert "ssid Companion-7F3A 802-11-wireless.mode ap" in add
    assert "wifi-sec.proto rsn wifi-sec.pairwise ccmp wifi-sec.group ccmp wifi-sec.psk kx4973mqpt" in add
    assert up == "connection up companion-own-wifi"
    assert "address=/connectivitycheck.gstatic.com/10.42.0.1" in (tmp_path / "dns" / "companion.conf").read_text()


def test_the_network_is_ended_and_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_text("Companion-7F3A\nkx4973mqpt\n")
    run(tmp_path, "start", str(file))
    assert run(tmp_path, "stop").returncode == 0
    assert said(tmp_path / "bin" / "nmcli")[-1] == "connection delete companion-own-wifi"
    assert said(tmp_path / "bin" / "nft")[-1] == "delete table ip companion"
    assert not (tmp_path / "dns" / "companion.conf").exists()


@pytest.mark.parametrize(
    "names",
    [
        "",
        "Companion-7F3A\n",
        "Companion-7F3A\nshort1\n",
        f"Companion-7F3A\n{'x' * 21}\n",
        "Companion-7F3A\nkx49 3mqpt\n",
        "Companion-7F3A\n--help12\n",
        "Companion-7f3a\nkx4973mqpt\n",
        "Companion-7F3AB\nkx4973mqpt\n",
        "$(touch bad)\nkx4973mqpt\n",
        "Elsewhere-7F3A\nkx4973mqpt\n",
        "x" * 200,
    ],
)
def test_any_other_name_or_password_is_refused_before_anything_is_done(tmp_path: Path, names: str) -> None:
    file = tmp_path / "names"
    file.write_text(names)
    done = run(tmp_path, "start", str(file))
    assert done.returncode == 1
    assert done.stderr.startswith("companion: ")
    assert said(tmp_path / "bin" / "nmcli") == []


def test_a_link_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_text("Companion-7F3A\nkx4973mqpt\n")
    link = tmp_path / "link"
    link.symlink_to(file)
    for path in (link, tmp_path / "none", tmp_path):
        assert run(tmp_path, "start", str(path)).returncode == 1
    assert run(tmp_path, "begin").returncode == 1
