"""Which mounted drives a backup can be written to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardware.drives import drives

STICK = "36 35 8:1 / {} rw,noatime shared:1 - vfat /dev/sda1 rw,uid=1000"


@pytest.fixture(autouse=True)
def _all_writable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda folder, _mode: str(folder) != "/mnt/locked")


def found(tmp_path: Path, *lines: str) -> list[str]:
    (tmp_path / "mountinfo").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [str(drive) for drive in drives(tmp_path / "mountinfo")]


def test_drives_in_the_usual_places_are_found_in_order(tmp_path: Path) -> None:
    places = ("/run/media/pi/STICK", "/media/pi/STICK", "/media/stick", "/mnt/usb")
    assert found(tmp_path, *map(STICK.format, places)) == sorted(places)


def test_a_space_and_a_letter_with_an_accent_in_a_name_are_read(tmp_path: Path) -> None:
    assert found(tmp_path, STICK.format(r"/media/pi/Zoë\040A\134B")) == ["/media/pi/Zoë A\\B"]


@pytest.mark.parametrize(
    "place", ["/", "/boot/firmware", "/mnt", "/mnt/a/b", "/media/a/b/c", "/home/pi", "/mnt/locked"]
)
def test_other_places_are_left_out(place: str, tmp_path: Path) -> None:
    assert found(tmp_path, STICK.format(place)) == []


@pytest.mark.parametrize(
    "line",
    [
        STICK.format("/mnt/usb").replace(" rw,noatime", " ro,noatime"),
        STICK.format("/mnt/usb").replace(" rw,uid", " ro,uid"),
        "36 35 0:50 / /mnt/nas rw - nfs4 server:/share rw",
        "36 35 0:50 / /mnt/usb rw - autofs systemd-1 rw",
        "36 35 0:50 / /mnt/usb rw - vfat",
        "",
    ],
)
def test_read_only_and_network_drives_are_left_out(line: str, tmp_path: Path) -> None:
    assert found(tmp_path, line) == []


def test_a_drive_mounted_twice_is_one(tmp_path: Path) -> None:
    assert found(tmp_path, *[STICK.format("/mnt/usb")] * 2) == ["/mnt/usb"]


def test_without_a_list_of_mounts_there_are_none(tmp_path: Path) -> None:
    assert drives(tmp_path / "none") == []
    assert isinstance(drives(), list)
