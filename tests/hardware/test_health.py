"""The doctor's findings on disk, power and version, on simulated machines."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.installation.places import InstallationPaths
from hardware.disk_checks import disk
from hardware.findings import Finding, Verdict
from hardware.own_version_checks import python, version
from hardware.power_checks import power
from tests.hardware.test_doctor import Patient

CARD = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0"
NOTHING = Patient().kernel


def disks(data: Path, *, mounts: str = CARD, kernel: str | None = NOTHING, **files: str) -> list[Finding]:
    """Return the findings on a disk; ``files`` are those of the kernel that count its errors."""
    machine = Patient(kernel=kernel)
    machine.files |= {"/proc/self/mounts": mounts}
    machine.files |= {f"/sys/fs/ext4/{name}/errors_count": count for name, count in files.items()}
    return list(disk(machine, data))


def test_a_disk_without_errors_is_well(tmp_path: Path) -> None:
    assert [finding.status for finding in disks(tmp_path, mmcblk0p2="0")] == [Verdict.OK, Verdict.OK]


def test_a_file_system_that_became_read_only_is_named(tmp_path: Path) -> None:
    first, *_ = disks(tmp_path, mounts=f"{CARD}\n/dev/sda1 {tmp_path} ext4 ro,errors=remount-ro 0 0")
    assert first.status is Verdict.WRONG
    assert f"{tmp_path}, where the games are, can only be read" in first.what
    assert "companion backup" in first.remedy


@pytest.mark.parametrize("kind", ["tmpfs", "overlay"])
def test_games_that_are_kept_in_memory_are_told(tmp_path: Path, kind: str) -> None:
    first, *_ = disks(tmp_path, mounts=f"{CARD}\nnone {tmp_path} {kind} rw 0 0")
    assert first.status is Verdict.WRONG
    assert "is kept in memory: they are gone with the power" in first.what
    assert "Read-only root" in first.remedy


def test_a_read_only_file_system_without_the_games_is_well(tmp_path: Path) -> None:
    mounts = f"/dev/mmcblk0p2 / ext4 ro 0 0\n/dev/mmcblk0p3 {tmp_path} ext4 rw,errors=remount-ro 0 0"
    assert all(finding.status is Verdict.OK for finding in disks(tmp_path, mounts=mounts))


def test_the_later_of_two_file_systems_at_one_place_counts(tmp_path: Path) -> None:
    folder = tmp_path / "with blank"
    written = str(folder).replace(" ", "\\040")
    mounts = f"/dev/sda1 {written} ext4 ro 0 0\n/dev/sda2 {written} ext4 rw 0 0"
    assert disks(folder, mounts=mounts)[0].status is Verdict.OK


@pytest.mark.parametrize(
    "line",
    [
        "blk_update_request: I/O error, dev mmcblk0, sector 123 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0",
        "I/O error, dev mmcblk0, sector 8 op 0x1:(WRITE)",
        "Buffer I/O error on dev mmcblk0p2, logical block 9, lost async page write",
        "EXT4-fs error (device mmcblk0p2): ext4_lookup:1855: inode #1: comm companion: iget: checksum invalid",
        "EXT4-fs (mmcblk0p2): Remounting filesystem read-only",
        "mmcblk0: error -110 sending status command",
        "mmcblk0: timed out sending r/w cmd command, card status 0x900",
    ],
)
def test_an_error_of_the_disk_in_the_kernels_log_is_told(line: str, tmp_path: Path) -> None:
    *_, last = disks(tmp_path, kernel=f"Linux version 6.12\n{line}\n{line}\nEXT4-fs (mmcblk0p2): mounted filesystem")
    assert last.status is Verdict.WRONG
    assert f"2 errors of mmcblk0 since the start, such as: {line[:60]}" in last.what
    assert str(tmp_path) in last.remedy


def test_a_drive_that_was_pulled_out_is_not_called_wrong(tmp_path: Path) -> None:
    *_, last = disks(tmp_path, kernel="I/O error, dev sda, sector 5\nI/O error, dev loop0, sector 5")
    assert (last.status, "1 errors of sda" in last.what) == (Verdict.UNKNOWN, True)


def test_the_root_disk_counts_where_the_kernel_does_not_name_it(tmp_path: Path) -> None:
    mounts = "/dev/root / ext4 rw 0 0"
    assert disks(tmp_path, mounts=mounts, kernel="I/O error, dev mmcblk0, sector 5")[-1].status is Verdict.WRONG


def test_a_kernel_log_that_may_not_be_read_asks_for_sudo(tmp_path: Path) -> None:
    for kernel in (None, "", "-- No entries --"):
        *_, last = disks(tmp_path, kernel=kernel)
        assert (last.status, last.remedy) == (Verdict.UNKNOWN, "ask again with sudo: sudo companion doctor")


def test_errors_that_the_file_system_has_counted_are_told(tmp_path: Path) -> None:
    _room, counted, _log = disks(tmp_path, mmcblk0p2="3")
    assert counted.status is Verdict.WRONG
    assert "mmcblk0p2 had 3 errors since it was last repaired" in counted.what


@pytest.mark.parametrize(
    ("bits", "status", "said"),
    [
        ("0x0", Verdict.OK, "Power: the voltage was enough since the start; the processor has 47 °C."),
        ("0x1", Verdict.WRONG, "Power: now the voltage is too low; the processor has 47 °C."),
        ("0x50005", Verdict.WRONG, "now the voltage is too low and the processor is throttled; the"),
        ("0x10000", Verdict.WRONG, "since the start the voltage was too low"),
        ("0x80000", Verdict.UNKNOWN, "since the start the processor was near its highest temperature"),
        ("0xe0008", Verdict.WRONG, "now the processor is near its highest temperature; since the start"),
    ],
)
def test_voltage_and_throttling_are_told_in_words(bits: str, status: Verdict, said: str) -> None:
    (found,) = power(Patient(firmware={"get_throttled": f"throttled={bits}", "measure_temp": "temp=47.2'C"}))
    assert found.status is status
    assert said in found.what
    assert ("cable" in found.remedy) is (int(bits, 16) & 0x10001 > 0)


def test_the_kernels_temperature_is_told_where_the_firmware_has_none() -> None:
    machine = Patient(firmware=None)
    assert list(power(machine)) == []
    machine.files["/sys/class/thermal/thermal_zone0/temp"] = "51540"
    (found,) = power(machine)
    assert (found.status, "52 °C" in found.what) == (Verdict.OK, True)


def test_a_firmware_that_does_not_answer_this_user_asks_for_sudo() -> None:
    (found,) = power(Patient(firmware={}))
    assert (found.status, "sudo" in found.remedy) == (Verdict.UNKNOWN, True)


@pytest.fixture
def places(tmp_path: Path) -> InstallationPaths:
    made = InstallationPaths(tmp_path)
    for name in ("0.2.0", "0.3.0~2"):
        (made.versions / name).mkdir(parents=True)
    made.current.symlink_to("versions/0.3.0~2")
    return made


def test_the_version_is_told_and_what_it_was_before(places: InstallationPaths) -> None:
    (found,) = version(places, "0.3.0")
    assert str(found) == "✓ Version: 0.3.0; there is none to go back to."
    places.previous.symlink_to("versions/0.2.0")
    (found,) = version(places, "0.3.0")
    assert str(found) == "✓ Version: 0.3.0; before it was 0.2.0."


def test_a_doctor_of_another_version_says_so(places: InstallationPaths, tmp_path: Path) -> None:
    _found, other = version(places, "0.4.0")
    assert "of 0.4.0" in other.what
    for own, said in ((None, "from its sources"), ("0.4.0", "0.4.0, not installed as a package")):
        (found,) = version(InstallationPaths(tmp_path / "none"), own)
        assert (found.status, said in found.what) == (Verdict.UNKNOWN, True)


def test_a_roll_back_is_told(places: InstallationPaths) -> None:
    places.failed_versions.mkdir()
    places.failed("0.4.0").write_text("2026-11-23\nwatchdog killed ABRT\nStarted.\nNo answer.\n")
    _found, back = version(places, None)
    assert "0.4.0 failed three times in ten minutes on 2026-11-23 (watchdog killed ABRT)" in back.what
    assert "its last line: No answer." in back.remedy
    places.failed("0.4.0").write_text("2026-11-23\nwatchdog killed ABRT\n")
    _found, back = version(places, None)
    assert back.remedy == f"why: {places.failed('0.4.0')}"
    places.failed("0.4.0").write_text("")
    assert len(list(version(places, None))) == 1


def test_another_python_of_the_system_is_told(places: InstallationPaths) -> None:
    own = ".".join(map(str, sys.version_info[:2]))
    inside = places.current.resolve()
    for system, prefix, status in (
        (None, inside, Verdict.OK),
        (own, inside, Verdict.OK),
        ("3.99", inside, Verdict.UNKNOWN),
        ("3.99", Path("/usr"), Verdict.OK),
    ):
        answers = {} if system is None else {"/usr/bin/python3": system}
        (found,) = python(Patient(answers=answers), places, prefix)
        assert found.status is status
        assert system in (None, own) or "the system's is 3.99" in found.what
