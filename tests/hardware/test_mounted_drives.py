"""Which mounted drives a backup can be written to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardware.mounted_drives import drives

STICK = "/dev/sda1 {} vfat rw,noatime,uid=1000 0 0"


@pytest.fixture(autouse=True)
def _all_writable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda folder, _mode: str(folder) != "/mnt/locked")


def found(tmp_path: Path, *lines: str) -> list[str]:
    (tmp_path / "mounts").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [str(drive) for drive in drives(tmp_path / "mounts")]


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
        "server:/share /mnt/nas nfs4 rw 0 0",
        "systemd-1 /mnt/usb autofs rw 0 0",
        "/dev/sda1 /mnt/usb vfat",
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
