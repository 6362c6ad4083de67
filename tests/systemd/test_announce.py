"""The page is announced in the network where the settings let others reach it, and only there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import LAST_RESORT

FOLDER = Path(__file__).parents[2] / "systemd"


def announced(root: Path, settings: str | None, *, avahi: bool = True) -> str | None:
    """Start the service with settings; return the port that is announced."""
    services = root / "etc/avahi/services"
    share = root / "usr/share/tabletop-companion"
    for folder in (root / "etc", share, *([services] if avahi else [])):
        folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(FOLDER / "companion.avahi.service", share)
    if settings is not None:
        (root / "etc/companion.toml").write_text(settings)
    world = {"PATH": os.environ["PATH"], "COMPANION_ROOT": str(root)}
    subprocess.run([sys.executable, "-I", str(FOLDER / "announce.py")], env=world, timeout=LAST_RESORT, check=True)
    file = services / "companion.service"
    assert not (services / "companion.service.new").exists()
    return re.findall("<port>(.*)</port>", file.read_text())[0] if file.exists() else None


@pytest.mark.parametrize(
    ("page", "port"),
    [
        ('on = true\nhost = "0.0.0.0"', "8080"),
        ('host = "::"\nport = 8090\non = true', "8090"),
        ('on = false\nhost = "0.0.0.0"', None),
        ("on = true", None),
        ('on = true\nhost = "127.0.0.1"', None),
    ],
)
def test_the_page_is_announced_where_others_may_reach_it(tmp_path: Path, page: str, port: str | None) -> None:
    assert announced(tmp_path, f"[page]\n{page}\n[hdmi]\non = true\n") == port


@pytest.mark.parametrize(
    ("settings", "port"),
    [
        ("[page]\non = true\nhost = '0.0.0.0'", "8080"),
        ('page.on = true\npage.host = "0.0.0.0"', "8080"),
        ('[ page ]\non = true\nhost = "0.0.0.0"', "8080"),
        ('page = {on = true, host = "0.0.0.0", port = 8090}', "8090"),
        ('[page]\non = true\nhost = "0.0.0.0"\nport = 9_000', "9000"),
        ('[page]\non = true\nhost = "0.0.0.0"\nport = 0x1F90', "8080"),
        ('[page]\non = true # yes\n"host" = "0.0.0.0"', "8080"),
        ('[page]\non = true\nhost = "localhost"', None),
        ('text = """\n[page]\non = true\nhost = "0.0.0.0"\n"""', None),
    ],
)
def test_settings_are_read_however_toml_lets_them_be_written(tmp_path: Path, settings: str, port: str | None) -> None:
    assert announced(tmp_path, settings) == port


@pytest.mark.parametrize(
    "settings",
    ["[page", "page = 1", '[page]\non = 1\nhost = "0.0.0.0"', "[page]\non = true\nhost = 7", "\0",
     '[page]\non = true\nhost = "0.0.0.0"\nport = "8080</port>"'],
)  # fmt: skip
def test_with_wrong_settings_nothing_is_announced(tmp_path: Path, settings: str) -> None:
    announced(tmp_path, '[page]\non = true\nhost = "0.0.0.0"\n')
    assert announced(tmp_path, settings) is None


def test_a_page_that_was_switched_off_is_announced_no_more(tmp_path: Path) -> None:
    assert announced(tmp_path, '[page]\non = true\nhost = "0.0.0.0"\n') == "8080"
    assert announced(tmp_path, "[page]\non = false\n") is None


def test_an_announcement_that_is_right_is_not_written_again(tmp_path: Path) -> None:
    settings = '[page]\non = true\nhost = "0.0.0.0"\n'
    announced(tmp_path, settings)
    file = tmp_path / "etc/avahi/services/companion.service"
    before = file.stat().st_ino
    announced(tmp_path, settings)
    assert file.stat().st_ino == before


def test_without_avahi_or_settings_nothing_is_announced(tmp_path: Path) -> None:
    assert announced(tmp_path, None, avahi=False) is None
    assert announced(tmp_path, None) is None
