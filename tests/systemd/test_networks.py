"""Root's script tells avahi of the page where others may reach it, and NetworkManager of the own Wi-Fi."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.machine.own_wifi import NETWORK, RUNNING, names_in
from tests.waiting import LAST_RESORT

FOLDER = Path(__file__).parents[2] / "systemd"


def run(root: Path, umask: int = -1) -> str:
    """Run the script; return what it prints."""
    world = {"PATH": os.environ["PATH"], "COMPANION_ROOT": str(root)}
    command = [sys.executable, "-I", str(FOLDER / "networks.py")]
    done = subprocess.run(
        command, env=world, umask=umask, stderr=subprocess.PIPE, text=True, timeout=LAST_RESORT, check=True
    )
    return done.stderr


# The announcement


def announced(root: Path, settings: str | None, *, avahi: bool = True) -> str | None:
    """Start the service with settings; return the port that is announced."""
    services = root / "etc/avahi/services"
    share = root / "usr/share/tabletop-companion"
    for folder in (root / "etc", share, *([services] if avahi else [])):
        folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(FOLDER / "companion.avahi.service", share)
    if settings is not None:
        (root / "etc/companion.toml").write_text(settings)
    run(root)
    file = services / "companion.service"
    assert not avahi or {each.name for each in services.iterdir()} <= {"companion.service"}
    return re.findall("<port>(.*)</port>", file.read_text())[0] if file.exists() else None


@pytest.mark.parametrize(
    ("page", "port"),
    [
        ('on = true\nhost = "0.0.0.0"', "8080"),
        ('host = "::"\nport = 8090\non = true', "8090"),
        ('on = false\nhost = "0.0.0.0"', None),
        ("on = true", None),
        ('on = true\nhost = "127.0.0.1"', None),
        ('on = true\nhost = "localhost"', None),
        ('on = 1\nhost = "0.0.0.0"', None),
        ("on = true\nhost = 7", None),
        ('on = true\nhost = "0.0.0.0"\nport = "8080</port>"', None),
        ("on", None),
        ("\0", None),
    ],
)
def test_the_page_is_announced_only_where_others_may_reach_it(tmp_path: Path, page: str, port: str | None) -> None:
    """An announcement of before is replaced, or goes."""
    assert announced(tmp_path, '[page]\non = true\nhost = "0.0.0.0"\nport = 80\n') == "80"
    assert announced(tmp_path, f"[page]\n{page}\n[power]\noff = true\n") == port


def test_settings_of_another_shape_announce_nothing(tmp_path: Path) -> None:
    assert announced(tmp_path, "page = 1") is None


def test_without_avahi_or_settings_nothing_is_announced(tmp_path: Path) -> None:
    assert announced(tmp_path, None, avahi=False) is None
    assert announced(tmp_path, None) is None


def test_an_announcement_that_is_right_is_not_written_again(tmp_path: Path) -> None:
    settings = 'page = {on = true, host = "0.0.0.0"}'
    announced(tmp_path, settings)
    file = tmp_path / "etc/avahi/services/companion.service"
    before = file.stat().st_ino
    announced(tmp_path, settings)
    assert file.stat().st_ino == before


# The own Wi-Fi


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """Return the root folder of a box with NetworkManager."""
    for folder in ("system-connections", "dnsmasq-shared.d"):
        (tmp_path / "etc/NetworkManager" / folder).mkdir(parents=True)
    (tmp_path / "etc/companion.toml").write_text("lamp.port = 1\npage = {on = true, port = 9_090}\n")
    return tmp_path


def below(root: Path, place: Path) -> Path:
    return root / place.relative_to("/")


def profile(root: Path) -> Path:
    return root / "etc/NetworkManager/system-connections/companion-own-wifi.nmconnection"


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def test_name_and_password_are_made_once_and_others_may_not_read_them(box: Path) -> None:
    run(box)
    file = below(box, NETWORK)
    before = file.read_bytes()
    names = re.fullmatch(rb"(Companion-[A-Z0-9]{4}\n[a-z0-9]{10}\n)([0-9a-f]{16})\n", before)
    assert names is not None
    assert hashlib.sha256(names[1]).hexdigest().startswith(names[2].decode())  # versions before 0.3 look at it
    assert (mode(file), mode(profile(box))) == (0o640, 0o600)
    files = file, profile(box)
    made = [each.stat().st_ino for each in files]
    assert (run(box), file.read_bytes(), [each.stat().st_ino for each in files]) == ("", before, made)
    assert not list(box.rglob("*.new"))


def test_without_networkmanager_there_is_no_own_wifi(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    run(tmp_path)
    assert not below(tmp_path, NETWORK).exists()


def test_the_service_reaches_them_with_the_umask_of_its_unit_and_after_a_folder_was_closed(box: Path) -> None:
    (umask,) = re.findall("^UMask=([0-7]+)$", (FOLDER / "companion.service").read_text("utf-8"), re.MULTILINE)
    folder = below(box, NETWORK).parent
    (box / "var/lib").mkdir(parents=True)
    run(box, int(umask, 8))
    assert {file.name: mode(file) for file in folder.iterdir()} == {
        "network": 0o640, "dnsmasq.conf": 0o644, "page.nft": 0o644
    }  # fmt: skip
    folder.chmod(0o700)
    run(box, int(umask, 8))
    assert mode(folder) == 0o755


def test_damaged_ones_are_made_anew_which_is_said(box: Path) -> None:
    run(box)
    file = below(box, NETWORK)
    whole = file.read_bytes()
    for damaged in (b"", b"\0\0\0", whole[:-1], whole.replace(b"-", b"_"), b"Companion-7F3A\nkx4973mqpt\n", b"\xff"):
        file.write_bytes(damaged)
        assert "were damaged" in run(box)
        name, password = names_in(file) or ("", "")
        text = profile(box).read_text()
        assert f"\nssid={name}\n" in text
        assert f"\npsk={password}\n" in text


def test_a_file_that_a_power_cut_left_in_part_is_made_anew(box: Path) -> None:
    folder = below(box, NETWORK).parent
    folder.mkdir(parents=True)
    (folder / ".network.new").write_text("Companion-7F")
    run(box)
    assert names_in(folder / "network") is not None
    assert not list(box.rglob("*.new"))


def test_the_profile_is_a_wpa2_network_that_does_not_open_by_itself_and_is_put_right(box: Path) -> None:
    run(box)
    text = profile(box).read_text()
    for line in ("autoconnect=false", "mode=ap", "proto=rsn;", "key-mgmt=wpa-psk", "address1=10.42.0.1/24"):
        assert f"\n{line}\n" in text
    for change in (lambda: profile(box).write_text(""), lambda: profile(box).chmod(0o644)):
        change()
        run(box)
        assert (profile(box).read_text(), mode(profile(box))) == (text, 0o600)


def test_the_checks_of_phones_lead_to_the_page(box: Path) -> None:
    run(box)
    folder = below(box, NETWORK).parent
    assert "address=/connectivitycheck.gstatic.com/10.42.0.1\n" in (folder / "dnsmasq.conf").read_text()
    assert "ip daddr 10.42.0.1 tcp dport 80 redirect to :9090\n" in (folder / "page.nft").read_text()
    (box / "etc/companion.toml").write_text("[page")
    run(box)
    assert "redirect to :8080\n" in (folder / "page.nft").read_text()


def test_what_a_pulled_plug_left_of_it_goes_at_the_next_start(box: Path) -> None:
    left, running = box / "etc/NetworkManager/dnsmasq-shared.d/companion.conf", below(box, RUNNING)
    left.touch()
    running.mkdir(parents=True)
    run(box)
    assert left.exists()
    running.rmdir()  # it is in memory
    run(box)
    assert not left.exists()


def test_the_unit_uses_what_the_script_writes(box: Path) -> None:
    run(box)
    unit = (FOLDER / "companion-wifi.service").read_text("utf-8")
    written = {f"/{file.relative_to(box)}" for file in (profile(box), *below(box, NETWORK).parent.iterdir())}
    assert set(re.findall(r"/var/lib/\S+|/etc/\S+\.nmconnection", unit)) == written - {str(NETWORK)}
    assert f"\nRuntimeDirectory={RUNNING.name}\n" in unit
