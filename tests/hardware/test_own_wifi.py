"""The own Wi-Fi: switched through systemd, opened by a script of root's that reads only what root wrote."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.app.ports import DeviceError
from hardware.own_wifi import NETWORK, UNIT, SystemdWifi, names_in
from tests.fakes.clock import FixedClock
from tests.waiting import LAST_RESORT

SCRIPT = Path(__file__).parents[2] / "systemd" / "own_wifi.py"


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


@pytest.fixture
def names(tmp_path: Path) -> Path:
    """Return the file with the names that root's script made."""
    assert run(tmp_path, "name").returncode == 0
    return tmp_path / NETWORK.relative_to("/")


def test_a_box_without_the_unit_the_names_or_networkmanager_has_no_own_wifi(
    tmp_path: Path, names: Path, unit: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    systemctl = str(program(programs, "systemctl", "echo inactive"))
    assert SystemdWifi(FixedClock(), names, unit, systemctl).status is not None
    assert SystemdWifi(FixedClock(), names, tmp_path / "none", systemctl).status is None
    assert SystemdWifi(FixedClock(), tmp_path / "none", unit, systemctl).status is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert SystemdWifi(FixedClock(), names, unit, systemctl).status is None


def test_it_is_switched_through_systemd_and_counts_as_on_at_once(names: Path, unit: Path, programs: Path) -> None:
    systemctl = program(programs, "systemctl", 'echo "$0 $*" >> "$0.said"; echo inactive')
    wifi = SystemdWifi(FixedClock(), names, unit, str(systemctl))
    wifi.switch(True)
    network = wifi.status
    assert network is not None
    assert network.on
    wifi.switch(False)
    network = wifi.status
    assert network is not None
    assert not network.on
    assert [line.split()[2:] for line in said(systemctl) if "no-block" in line] == [["start", UNIT], ["stop", UNIT]]


@pytest.mark.parametrize("state", ["active", "activating"])
def test_it_is_on_while_its_unit_is(names: Path, unit: Path, programs: Path, state: str) -> None:
    systemctl = str(program(programs, "systemctl", f"echo {state}"))
    wifi = SystemdWifi(FixedClock(), names, unit, systemctl)
    wifi.look()
    network = wifi.status
    assert network is not None
    assert network.on


def test_it_is_off_once_its_unit_has_ended(names: Path, unit: Path, programs: Path) -> None:
    wifi = SystemdWifi(FixedClock(), names, unit, str(program(programs, "systemctl", "echo inactive")))
    wifi.switch(True)
    wifi.look()
    network = wifi.status
    assert network is not None
    assert not network.on


def test_a_refusal_of_systemd_is_a_fault_with_its_reason(names: Path, unit: Path, programs: Path) -> None:
    systemctl = str(program(programs, "systemctl", "echo 'Access denied' >&2; exit 1"))
    wifi = SystemdWifi(FixedClock(), names, unit, systemctl)
    with pytest.raises(DeviceError, match=r"^The own Wi-Fi cannot be started: Access denied\.$"):
        wifi.switch(True)
    network = wifi.status
    assert network is not None
    assert not network.on


# the script that root runs


def run(tmp_path: Path, *words: str, umask: int = -1) -> subprocess.CompletedProcess[str]:
    """Run the script with stand-ins for nmcli and nft."""
    for name in ("nmcli", "nft"):
        program(tmp_path / "bin", name, 'echo "$0 $*" >> "$0.said"; cat >> "$0.read"')
    for folder in ("etc/NetworkManager/dnsmasq-shared.d", "run/NetworkManager"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / "etc/companion.toml").write_text("lamp.port = 1\npage = {on = true, port = 9_090}\n")
    env = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "COMPANION_ROOT": str(tmp_path)}
    return subprocess.run(
        (sys.executable, "-I", str(SCRIPT), *words), umask=umask,
        env=env, capture_output=True, text=True, timeout=LAST_RESORT, check=False,
    )  # fmt: skip


def connection(tmp_path: Path) -> Path:
    return tmp_path / "run/NetworkManager/system-connections/companion-own-wifi.nmconnection"


def test_name_and_password_are_made_once_and_others_may_not_read_them(tmp_path: Path, names: Path) -> None:
    before = names.read_bytes()
    assert re.fullmatch(rb"Companion-[A-Z0-9]{4}\n[a-z0-9]{10}\n[0-9a-f]{16}\n", before)
    assert names.stat().st_mode & 0o777 == 0o640
    assert (run(tmp_path, "name").stderr, names.read_bytes()) == ("", before)


def test_the_service_reaches_them_with_the_umask_of_its_unit_and_after_a_folder_was_closed(tmp_path: Path) -> None:
    (umask,) = re.findall("^UMask=([0-7]+)$", SCRIPT.with_name("companion.service").read_text("utf-8"), re.MULTILINE)
    folder = tmp_path / "var/lib/companion-wifi"
    (tmp_path / "var/lib").mkdir(parents=True)
    run(tmp_path, "name", umask=int(umask, 8))
    assert (folder.stat().st_mode & 0o777, (folder / "network").stat().st_mode & 0o777) == (0o755, 0o640)
    folder.chmod(0o700)
    run(tmp_path, "name", umask=int(umask, 8))
    assert folder.stat().st_mode & 0o777 == 0o755


def test_each_damaged_byte_is_noticed_and_others_are_made_which_is_said(tmp_path: Path, names: Path) -> None:
    whole = names.read_bytes()
    for place in range(len(whole)):
        names.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert names_in(names) is None
    for damaged in (b"", b"\0\0\0", whole[:-1], b"Companion-7F3A\nkx4973mqpt\n"):
        names.write_bytes(damaged)
        done = run(tmp_path, "name")
        assert "were damaged" in done.stderr
        assert names_in(names) is not None


def test_the_network_is_opened_with_wpa2_and_the_checks_of_phones_lead_to_the_box(tmp_path: Path, names: Path) -> None:
    done = run(tmp_path, "start")
    assert done.returncode == 0, done.stderr
    assert said(tmp_path / "bin" / "nmcli") == [
        f"connection load {connection(tmp_path)}",
        "connection up companion-own-wifi",
    ]
    name, password = names_in(names) or ("", "")
    profile = connection(tmp_path).read_text()
    for line in ("mode=ap", f"ssid={name}", f"psk={password}", "proto=rsn;", "address1=10.42.0.1/24"):
        assert f"\n{line}\n" in profile
    shared = tmp_path / "etc/NetworkManager/dnsmasq-shared.d/companion.conf"
    assert "address=/connectivitycheck.gstatic.com/10.42.0.1" in shared.read_text()
    assert "redirect to :9090\n" in (tmp_path / "bin" / "nft.read").read_text()


def test_the_password_is_in_no_argument_and_in_no_file_that_others_may_read(tmp_path: Path, names: Path) -> None:
    run(tmp_path, "start")
    _name, password = names_in(names) or ("", "")
    assert password not in "".join(said(tmp_path / "bin" / "nmcli"))
    assert connection(tmp_path).stat().st_mode & 0o777 == 0o600


def test_the_network_is_ended_and_leaves_nothing(tmp_path: Path, names: Path) -> None:
    run(tmp_path, "start")
    assert run(tmp_path, "stop").returncode == 0
    assert said(tmp_path / "bin" / "nmcli")[-1] == "connection delete companion-own-wifi"
    assert said(tmp_path / "bin" / "nft")[-1] == "delete table ip companion"
    assert not connection(tmp_path).exists()
    assert not (tmp_path / "etc/NetworkManager/dnsmasq-shared.d/companion.conf").exists()


def test_what_a_pulled_plug_left_of_it_goes_at_the_next_start(tmp_path: Path, names: Path) -> None:
    shared = tmp_path / "etc/NetworkManager/dnsmasq-shared.d/companion.conf"
    run(tmp_path, "start")
    run(tmp_path, "name")
    assert shared.exists()
    connection(tmp_path).unlink()  # it is in memory
    run(tmp_path, "name")
    assert not shared.exists()


def test_without_whole_names_and_with_other_words_nothing_is_done(tmp_path: Path, names: Path) -> None:
    assert run(tmp_path, "begin").returncode == 1
    names.write_text("Companion-7F3A\nkx4973mqpt\n")
    done = run(tmp_path, "start")
    assert done.returncode == 1
    assert done.stderr.startswith("companion: there is no name")
    assert said(tmp_path / "bin" / "nmcli") == []


def test_a_network_that_does_not_start_leaves_nothing(tmp_path: Path, names: Path) -> None:
    run(tmp_path, "name")
    program(tmp_path / "bin", "nmcli", 'case "$*" in *" up "*) exit 4 ;; esac')
    env = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "COMPANION_ROOT": str(tmp_path)}
    done = subprocess.run(
        (sys.executable, "-I", str(SCRIPT), "start"),
        env=env, capture_output=True, text=True, timeout=LAST_RESORT, check=False,
    )  # fmt: skip
    assert done.stderr == "companion: NetworkManager cannot start the network\n"
    assert done.returncode == 1
    assert not connection(tmp_path).exists()
