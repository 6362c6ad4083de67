"""The file for the first start of a Pi is what cloud-init reads, and its script installs a package from the card."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

from tools.repository import FIRST_BOOT as TEMPLATE
from tools.repository import SETTINGS


def script() -> str:
    """Return the script that user-data writes and runs."""
    found = re.search(r"install-companion <<'END'\n(.*?)\n    END\n", TEMPLATE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return textwrap.dedent(found[1])


class Pi:
    """A folder that stands for a Pi: its programs write down what they were asked."""

    def __init__(self, folder: Path) -> None:
        self.card = folder / "card"
        self.programs = folder / "programs"
        self.told = folder / "told"
        self.cloud = folder / "cloud"
        self.etc = folder / "etc"
        for made in (self.card, self.programs, self.etc / "apt/sources.list.d"):
            made.mkdir(parents=True)
        for name in ("apt-get", "raspi-config", "systemctl"):
            self.add(name, f'echo "{name} $*" >>{self.told}')
        self.add("dpkg", f'case $1 in --print*) echo arm64 ;; *) echo "dpkg $*" >>{self.told} ;; esac')

    def add(self, name: str, what: str) -> None:
        (self.programs / name).write_text(f"#!/bin/sh\n{what}\n")
        (self.programs / name).chmod(0o755)

    def start(self, address: str = "") -> subprocess.CompletedProcess[str]:
        written = script().replace("/boot/firmware", str(self.card)).replace('address=""', f'address="{address}"')
        written = written.replace("/var/lib/cloud", str(self.cloud)).replace("/etc/", f"{self.etc}/")
        (self.etc / "os-release").write_text('VERSION_ID="13"\n')
        world = {"PATH": f"{self.programs}:{os.environ['PATH']}"}
        return subprocess.run(["sh", "-c", written], env=world, capture_output=True, text=True, check=False)


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_it_installs_the_newest_package_on_the_card(pi: Pi) -> None:
    for version in ("0.9.0", "0.10.0"):
        (pi.card / f"tabletop-companion_{version}+deb13_arm64.deb").touch()
    for other in ("deb13_armhf", "deb12_arm64"):
        (pi.card / f"tabletop-companion_9.9.9+{other}.deb").touch()
    done = pi.start()
    assert done.returncode == 0, done.stderr
    first, second, third = pi.told.read_text().splitlines()
    assert (first, second) == ("dpkg --configure -a", "raspi-config nonint do_i2c 0")
    assert third.startswith("apt-get ")
    assert third.endswith(f" {pi.card}/tabletop-companion_0.10.0+deb13_arm64.deb")
    assert (pi.cloud / "companion-installed").exists()


def test_a_box_that_was_installed_once_is_left_alone_even_if_it_was_removed(pi: Pi) -> None:
    assert "\n    [ ! -e /var/lib/cloud/companion-installed ] || exit 0\n" in TEMPLATE.read_text("utf-8")
    (pi.card / "tabletop-companion_0.3.0+deb13_arm64.deb").touch()
    pi.add("apt-get", "exit 100")
    assert pi.start().returncode == 100
    assert not (pi.cloud / "companion-installed").exists()


def test_a_package_that_cannot_be_configured_does_not_hold_up_its_successor(pi: Pi) -> None:
    (pi.card / "tabletop-companion_0.3.0+deb13_arm64.deb").touch()
    pi.add("dpkg", "case $1 in --print*) echo arm64 ;; *) exit 1 ;; esac")
    assert pi.start().returncode == 0


def test_after_thirty_tries_it_waits_for_the_next_start() -> None:
    text = TEMPLATE.read_text("utf-8")
    assert "--property=StartLimitIntervalSec=infinity --property=StartLimitBurst=30 " in text


def test_without_a_package_on_the_card_apt_fetches_one_that_the_key_in_the_file_has_signed(pi: Pi) -> None:
    sources = pi.etc / "apt/sources.list.d/companion-first.sources"
    pi.add("apt-get", f'echo "apt-get $*" >>{pi.told}; cat {sources} >>{pi.told}')
    done = pi.start("https://example.org/box")
    assert done.returncode == 0, done.stderr
    told = pi.told.read_text().splitlines()
    source = [
        "Types: deb",
        "URIs: https://example.org/box/debian-13",
        "Suites: ./",
        "Signed-By:",
        " @KEYS@",
    ]
    assert told[2:8] == ["apt-get -o DPkg::Lock::Timeout=600 update", *source]
    assert told[8].endswith(" install --yes --no-install-recommends tabletop-companion")
    assert not sources.exists(), "later the settings name an address"


@pytest.mark.needs("shellcheck")
def test_shellcheck_finds_no_fault_in_its_scripts() -> None:
    parts = re.findall(r"^  - \|\n(.*?)(?=^  - \||\Z)", TEMPLATE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    for each in (script(), *map(textwrap.dedent, parts)):
        done = subprocess.run(
            ("shellcheck", "--shell=sh", "-"), input=each, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout


def settings_taken(pi: Pi) -> None:
    """Run the part of user-data that takes the settings from the card."""
    found = re.search(r"^bootcmd:\n  - \|\n(.*?)^  - \|\n", TEMPLATE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None
    written = textwrap.dedent(found[1]).replace("/boot/firmware", str(pi.card)).replace("/etc", str(pi.etc))
    world = {"PATH": f"{pi.programs}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-euc", written], env=world, check=True)


def asked(pi: Pi) -> list[str]:
    """Return what was asked of the Pi's programs, and forget it."""
    told = pi.told.read_text().splitlines() if pi.told.exists() else []
    pi.told.unlink(missing_ok=True)
    return told


def test_settings_on_the_card_replace_those_of_the_box_at_each_start(pi: Pi) -> None:
    settings_taken(pi)
    assert asked(pi) == [] == list(pi.etc.glob("*.toml"))
    (pi.card / "companion.toml").write_text('board = "three-buttons"\n')
    settings_taken(pi)
    assert (pi.etc / "companion.toml").read_text() == 'board = "three-buttons"\n'
    assert asked(pi) == ["systemctl --no-block try-restart companion.service"]
    settings_taken(pi)
    assert asked(pi) == [], "nothing was changed"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [('board = "oled-hat"\r\n', True), ('[panel]\n  bus="spi"\n', True), ('#bus = "spi"\nbus = "i2c"\n', False)],
)
def test_settings_that_need_spi_switch_it_on(pi: Pi, text: str, wanted: bool) -> None:
    (pi.card / "companion.toml").write_text(text)
    settings_taken(pi)
    assert ("raspi-config nonint do_spi 0" in asked(pi)) is wanted


def test_the_default_settings_need_no_spi(pi: Pi) -> None:
    (pi.card / "companion.toml").write_bytes(SETTINGS.read_bytes())
    settings_taken(pi)
    assert "raspi-config nonint do_spi 0" not in asked(pi)


def test_with_neither_package_nor_address_it_says_so(pi: Pi) -> None:
    done = pi.start()
    assert done.returncode == 1
    assert "on the card, and no address in user-data" in done.stdout


def test_it_is_a_cloud_config_that_runs_at_every_start() -> None:
    text = TEMPLATE.read_text("utf-8")
    assert text.startswith("#cloud-config\n")
    assert re.findall(r"^(\w+):", text, re.MULTILINE) == ["bootcmd"]
    assert not re.search(r"\t", text)


def test_it_waits_neither_for_a_user_nor_for_the_network() -> None:
    """cloud-final.service follows multi-user.target, which waits until somebody has answered the question."""
    text = TEMPLATE.read_text("utf-8")
    assert "userconfig.service.d/companion.conf" in text
    assert "After=" not in text
