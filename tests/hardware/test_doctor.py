"""The doctor's findings, on simulated machines."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.installation.places import InstallationPaths
from companion.journal import Journal
from hardware.bus_and_watchdog_checks import CONFIG
from hardware.doctor import check, main
from hardware.findings import Finding, Verdict
from hardware.gpio_chips import CONSUMER
from hardware.system_probes import ADDRESSES, SystemProbes
from tests.cli.folders import begin

HEALTHY = {
    "LoadState": "loaded",
    "UnitFileState": "enabled",
    "ActiveState": "active",
    "NRestarts": "0",
    "WatchdogTimestampMonotonic": "97000000",
}

THROUGH_LGPIO = {6: CONSUMER, 5: "lg", 17: "lg", 18: "lg"}


@dataclass
class Patient(SystemProbes):
    """A machine without faults, except for those that a test sets."""

    files: dict[str, str] = field(
        default_factory=lambda: {
            "/proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0",
            "/run/systemd/timesync/synchronized": "",
        }
    )
    taken: dict[int, str] | OSError = field(default_factory=dict)
    bus: list[int] | OSError = field(default_factory=lambda: [0x3C])
    spi: OSError | None = None
    missing: tuple[str, ...] = ()
    service: dict[str, str] | None = field(default_factory=lambda: dict(HEALTHY))
    ntp: str | None = "no"
    clock: float = datetime(2026, 11, 20, 20, 15).timestamp()
    readable: bool = True
    writable: bool = True
    writer: str = ""
    free: int | OSError = 10**9
    kernel: str | None = "Linux version 6.12"
    firmware: dict[str, str] | None = field(
        default_factory=lambda: {"get_throttled": "throttled=0x0", "measure_temp": "temp=47.2'C"}
    )
    answers: dict[str, str] = field(default_factory=dict)
    scanned: list[int] = field(default_factory=list)
    speed: int | None = 400_000
    watchdog: str | None = "15s"
    polkit: str | None = "loaded"
    devices: tuple[str, ...] = ("/dev/watchdog0",)
    owners: dict[str, str] = field(default_factory=dict)

    def text(self, path: str) -> str | None:
        return self.files.get(path)

    def number(self, path: str) -> int | None:
        return self.speed if path == "/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency" else None

    def exists(self, path: str) -> bool:
        return path in self.devices

    def owner(self, path: Path) -> str:
        return self.owners.get(path.name, "companion")

    def open(self, device: str) -> None:
        assert device == "/dev/spidev0.0"
        if self.spi is not None:
            raise self.spi

    def holders(self, lines: Iterable[int]) -> dict[int, str]:
        if isinstance(self.taken, OSError):
            raise self.taken
        return {line: who for line, who in self.taken.items() if line in set(lines)}

    def answering(self, bus: int) -> list[int]:
        self.scanned.append(bus)
        if isinstance(self.bus, OSError):
            raise self.bus
        return self.bus

    def has(self, module: str) -> bool:
        return module not in self.missing

    def output_of(self, *command: str) -> str | None:
        match command:
            case ("systemctl", "show", "--property=RuntimeWatchdogUSec", _):
                return self.watchdog
            case ("systemctl", *_, "polkit.service"):
                return self.polkit
            case ("timedatectl", *_):
                return self.ntp
            case ("journalctl", "-k", *_):
                return self.kernel
            case ("vcgencmd", what):
                return None if self.firmware is None else self.firmware.get(what)
            case (program, *_) if program != "systemctl":
                return self.answers.get(program)
        return None if self.service is None else "\n".join(f"{name}={value}" for name, value in self.service.items())

    def finds(self, program: str) -> bool:
        return self.firmware is not None

    def now(self) -> float:
        return self.clock

    def up(self) -> float:
        return 100.0

    def may_read(self, folder: Path) -> bool:
        return self.readable

    def may_write(self, folder: Path) -> bool:
        return self.writable

    def locker(self, folder: Path) -> str:
        return self.writer

    def room(self, folder: Path) -> int:
        if isinstance(self.free, OSError):
            raise self.free
        return self.free


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "companion.toml"
    file.write_text("", encoding="utf-8")
    return file


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    journal = Journal(folder)
    game = begin(journal, "{}")
    journal.append(game, "{}", now=0, tracking="full")
    journal.close()
    return folder


def about(topic: str, machine: SystemProbes, config: Path, data: Path) -> list[Finding]:
    found = [finding for finding in check(machine, config, data) if finding.what.startswith(topic)]
    assert found, f"nothing was said about {topic}"
    return found


def refused(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def test_a_healthy_box_has_a_line_for_everything_and_nothing_is_wrong(config: Path, data: Path) -> None:
    places = InstallationPaths(data.parent / "root")
    (places.versions / "0.3.0").mkdir(parents=True)
    places.current.symlink_to("versions/0.3.0")
    with patch("hardware.doctor.installed_version", return_value="0.3.0"):
        found = list(check(Patient(), config, data, places))
    assert [str(finding).split(":")[0] for finding in found] == [
        "✓ Settings",
        "✓ Device",
        "✓ Packages",
        "✓ Pins",
        "✓ Panel",
        "✓ Bus",
        "✓ Service",
        "✓ Watchdog",
        "✓ Version",
        "✓ Python",
        "✓ Fonts",
        "✓ Games",
        "✓ Disk",
        "✓ Disk",
        "✓ Power",
        "✓ Clock",
    ]
    assert not any(finding.remedy for finding in found)


def test_a_computer_that_is_no_pi_is_not_asked_for_devices(config: Path, data: Path) -> None:
    machine = Patient(files={}, taken=refused(errno.ENOENT), bus=refused(errno.ENOENT), service=None)
    found = list(check(machine, config, data))
    assert not any(finding.status is Verdict.WRONG for finding in found)
    assert machine.scanned == []


@pytest.mark.parametrize(
    ("written", "machine", "topic", "what", "remedy"),
    [
        ('board = "keypad"', Patient(), "Settings", "board", "correct it in"),
        ("", Patient(missing=("gpiod",)), "Packages", "gpiod is missing", "install the package again"),
        ('factory = "lgpio"', Patient(missing=("lgpio",)), "Packages", "lgpio", "apt install python3-lgpio"),
        ('[sounds]\nbuzzer = "passive"', Patient(missing=("lgpio",)), "Packages", "lgpio", "apt install python3-lgpio"),
        ('board = "oled-hat"', Patient(missing=("spidev",)), "Packages", "spidev", "apt install python3-spidev"),
        ("", Patient(taken=refused(errno.ENOENT)), "Pins", "not there", "drives no pins"),
        ("", Patient(taken={5: "spi0 CS0"}), "Pins", 'GPIO 5 (row1) is taken by "spi0 CS0"', "[pins]"),
        ("", Patient(taken={5: "lg"}), "Pins", 'GPIO 5 (row1) is taken by "lg"', "[pins]"),
        ("", Patient(bus=refused(errno.ENOENT)), "Panel", "/dev/i2c-1 is not there", "do_i2c 0"),
        ("[panel]\nport = 3", Patient(bus=refused(errno.ENOENT)), "Panel", "/dev/i2c-3 is not there", "do_i2c 0"),
        ("", Patient(bus=refused(errno.ETIMEDOUT)), "Panel", "/dev/i2c-1 hangs", "SDA or SCL"),
        ("", Patient(bus=refused(errno.EBUSY)), "Panel", "cannot be opened", "dmesg"),
        ("", Patient(bus=[]), "Panel", "nothing at 0x3c", "SDA to GPIO 2"),
        ("panel.port = 0", Patient(bus=[]), "Panel", "nothing at 0x3c", "SDA to GPIO 0, SCL to GPIO 1"),
        ("panel.port = 3", Patient(bus=[]), "Panel", "nothing at 0x3c", "GND, SDA, SCL"),
        ("", Patient(bus=[0x48]), "Panel", "0x48 answers on /dev/i2c-1", "SDA to GPIO 2"),
        ("", Patient(bus=[0x3D, 0x48]), "Panel", "0x3d and 0x48 answer on", "write address = 0x3d under [panel]"),
        ("[panel]\naddress = 0x3d", Patient(), "Panel", "nothing at 0x3d", "write address = 0x3c under [panel]"),
        ('board = "oled-hat"', Patient(spi=refused(errno.ENOENT)), "Panel", "/dev/spidev0.0 is not there", "do_spi 0"),
        ("", Patient(service={**HEALTHY, "UnitFileState": "disabled"}), "Service", "does not start", "enable --now"),
        ("", Patient(service={**HEALTHY, "ActiveState": "activating"}), "Service", "(activating)", "journalctl"),
        ("", Patient(free=49_999_999), "Disk", "room for 49 MB only", "make room"),
        ("", Patient(free=0), "Disk", "it is full", "make room"),
        ("", Patient(free=refused(errno.EROFS)), "Disk", "can only be read", "card"),
        (
            "",
            Patient(owners={"games": "root"}),
            "Owners",
            "1 file belongs to root, such as games",
            "chown -hR companion:",
        ),
        ("", Patient(owners={"games": "root", "copies": "1000"}), "Owners", "2 files belong to 1000 and root", "chown"),
        ("", Patient(clock=0), "Clock", "it stands at 1970-01-01", "games keep their order"),
    ],
)
def test_what_is_wrong_is_said_with_its_remedy(
    config: Path, data: Path, written: str, machine: Patient, topic: str, what: str, remedy: str
) -> None:
    config.write_text(written, encoding="utf-8")
    wrong = [finding for finding in about(topic, machine, config, data) if finding.status is Verdict.WRONG]
    assert any(what in finding.what and remedy in finding.remedy for finding in wrong), wrong


@pytest.mark.parametrize(
    ("machine", "topic", "what", "remedy"),
    [
        (Patient(taken=refused(errno.EACCES)), "Pins", "by this user", "usermod -aG gpio"),
        (Patient(bus=refused(errno.EACCES)), "Panel", "by this user", "usermod -aG i2c"),
        (Patient(readable=False), "Games", "by this user", "sudo companion doctor"),
        (Patient(service=None), "Service", "systemd does not run here", ""),
        (Patient(service={"LoadState": "not-found"}), "Service", "not installed", "install the package again"),
        (Patient(service={**HEALTHY, "NRestarts": "2"}), "Service: it had", "restarted 2 times", "journalctl"),
        (Patient(speed=100_000), "Bus", "is set to 100 kHz", "baudrate=400000"),
        (Patient(polkit="not-found"), "Rights", "may not switch itself off", "sudo apt install polkitd"),
        (Patient(watchdog="0"), "Watchdog", "it is off", "docs/operate.md"),
        (Patient(devices=()), "Watchdog", "this machine has none", ""),
        (Patient(files={"/proc/device-tree/model": "Pi"}), "Clock", "not set by the network", "set-ntp true"),
    ],
)
def test_what_cannot_be_told_is_not_called_wrong(
    config: Path, data: Path, machine: Patient, topic: str, what: str, remedy: str
) -> None:
    (found,) = about(topic, machine, config, data)
    assert found.status is Verdict.UNKNOWN
    assert what in found.what
    assert remedy in found.remedy


@pytest.mark.parametrize(
    ("written", "machine", "topic", "what"),
    [
        ("", Patient(taken={5: CONSUMER, 12: CONSUMER}), "Pins", "in use by the companion"),
        ('factory = "lgpio"', Patient(taken=THROUGH_LGPIO), "Pins", ""),
        ('[sounds]\nbuzzer = "passive"', Patient(taken=THROUGH_LGPIO), "Pins", ""),
        ("[lamp]\non = true\nbrightness = 0.5", Patient(taken=THROUGH_LGPIO), "Pins", ""),
        ("", Patient(missing=("lgpio", "spidev")), "Packages", ""),
        ('board = "oled-hat"', Patient(bus=[]), "Panel", ""),
        ("", Patient(), "Service", "its last sign of life 3 s ago"),
        ("", Patient(files={}, ntp="yes"), "Clock", ""),
    ],
    ids=[
        "lines that the running box has itself",
        *["lines that the running box has through lgpio"] * 3,
        "packages that these settings do not need",
        "a panel on SPI that is not on I2C",
        "a service that is alive",
        "a clock that timedatectl knows of",
    ],
)
def test_what_is_no_trouble_is_well(
    config: Path, data: Path, written: str, machine: Patient, topic: str, what: str
) -> None:
    config.write_text(written, encoding="utf-8")
    (found,) = about(topic, machine, config, data)
    assert found.status is Verdict.OK
    assert what in found.what
    assert machine.scanned == ([] if "oled-hat" in written or not machine.files else [1])


def test_a_lamp_that_is_not_switched_on_needs_no_lines(config: Path, data: Path) -> None:
    taken = dict.fromkeys(range(28), "somebody")
    without = about("Pins", Patient(taken=taken), config, data)
    config.write_text("[lamp]\non = true", encoding="utf-8")
    assert len(about("Pins", Patient(taken=taken), config, data)) == len(without) + 3


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("on = true", "Page: for this computer only, http://localhost:8080/table."),
        (
            'on = true\nhost = "0.0.0.0"\nport = 8090',
            "Page: http://cards.local:8090/table, or with this computer's address.",
        ),
    ],
)
def test_the_address_of_the_page_is_told(page: str, said: str, config: Path, data: Path) -> None:
    config.write_text(f"[page]\n{page}\n")
    machine = Patient()
    machine.files["/proc/sys/kernel/hostname"] = "cards\n"
    (found,) = about("Page", machine, config, data)
    assert found == Finding(Verdict.OK, said)


def test_an_unknown_setting_is_told_and_not_called_wrong(config: Path, data: Path) -> None:
    config.write_text("volume = 3", encoding="utf-8")
    (told,) = [each for each in about("Settings", Patient(), config, data) if each.status is Verdict.UNKNOWN]
    assert "volume is unknown" in told.what
    assert "it has no effect" in told.remedy


def test_wrong_settings_do_not_hide_what_else_is_wrong(config: Path, data: Path) -> None:
    config.write_text("volume =", encoding="utf-8")
    machine = Patient(service={**HEALTHY, "ActiveState": "failed"})
    wrong = [finding.what for finding in check(machine, config, data) if finding.status is Verdict.WRONG]
    assert len(wrong) == 2
    assert wrong[1].startswith("Service")


@pytest.mark.parametrize("clock", [-1e12, 253_402_400_000.0, 2.0**63])
def test_a_clock_that_is_absurdly_wrong_is_said(clock: float, config: Path, data: Path) -> None:
    (found,) = about("Clock", Patient(clock=clock), config, data)
    assert (found.status, found.what) == (Verdict.WRONG, "Clock: it stands at a day that no calendar has.")


def test_games_are_counted_while_the_box_writes_them(config: Path, data: Path) -> None:
    journal = Journal(data)
    try:
        game = begin(journal, "{}")
        (found,) = about("Games", Patient(writer="812"), config, data)
        assert found.status is Verdict.OK
        assert "2 in" in found.what
        assert "with 1 lines" in found.what
        assert "; in use by 812." in found.what
        journal.append(game, "{}", now=0, tracking="full")  # the program can still write
        assert journal.fault is None
    finally:
        journal.close()
    (found,) = about("Games", Patient(), config, data)
    assert "writes in it" not in found.what


def test_a_box_without_games_yet_is_not_wrong(config: Path, tmp_path: Path) -> None:
    (found,) = about("Games", Patient(), config, tmp_path / "new")
    assert found.status is Verdict.UNKNOWN
    assert not (tmp_path / "new").exists()
    (tmp_path / "new").mkdir()
    assert about("Games", Patient(), config, tmp_path / "new") == [found]


def test_a_folder_this_user_may_not_write_in_is_told(config: Path, data: Path) -> None:
    told, sound = about("Games", Patient(writable=False), config, data)
    assert "may not be written by this user" in told.what
    assert sound.status is Verdict.OK


def test_a_folder_that_is_a_file_is_wrong(config: Path, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    wrong = about("Games", Patient(), config, tmp_path / "data")
    assert wrong[0].status is Verdict.WRONG


def test_damage_is_told_in_the_report_alone_and_left_alone(
    config: Path, data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (game,) = (data / "games").iterdir()
    for file in (game, data / "copies" / game.name):
        file.write_bytes(file.read_bytes().replace(b"tracking", b"trakking"))
    before = {file: file.stat().st_mtime_ns for file in data.rglob("*")}
    found = about("Games", Patient(), config, data)
    assert [finding.status for finding in found] == [Verdict.WRONG]
    assert "Game 1: damaged, and nothing of it can be read" in found[0].what
    assert "keep a copy" in found[0].remedy
    assert not caplog.records
    assert {file: file.stat().st_mtime_ns for file in data.rglob("*")} == before


def test_damaged_plays_of_other_programs_are_told(config: Path, data: Path) -> None:
    with closing(Journal(data)) as journal:
        journal.keep_imported({"A-1": {"game": "Chess"}})
    for file in data.rglob("imported.jsonl"):
        file.write_bytes(b"x" * 99 + b"\n")
    assert [finding.status for finding in about("Games", Patient(), config, data)] == [Verdict.WRONG]


def test_damage_of_a_second_copy_is_told_but_not_wrong(config: Path, data: Path) -> None:
    (copy,) = (data / "copies").glob("*-*")
    copy.write_bytes(b"x" * 100 + b"\n")
    told, sound = about("Games", Patient(), config, data)
    assert (told.status, sound.status) == (Verdict.UNKNOWN, Verdict.OK)
    assert "a file is damaged" in told.what


def test_a_folder_that_cannot_be_read_does_not_end_the_report(config: Path, data: Path) -> None:
    error = PermissionError(errno.EACCES, "Permission denied", "damaged")
    with patch("hardware.journal_checks._set_aside", side_effect=error):
        sound, told = about("Games", Patient(), config, data)
    assert (sound.status, told.status) == (Verdict.OK, Verdict.UNKNOWN)
    assert "damaged cannot be read: Permission denied" in told.what


def test_games_that_are_there_only_once_are_counted(config: Path, data: Path) -> None:
    (copy,) = (data / "copies").glob("*-*")
    copy.unlink()
    (found,) = about("Copies", Patient(), config, data)
    assert found.status is Verdict.UNKNOWN
    assert found.what == "Copies: games without their second copy: 1; without their first: 0."


def test_damaged_files_that_were_set_aside_are_counted(config: Path, data: Path) -> None:
    (data / "damaged").mkdir()
    for number in range(3):
        (data / "damaged" / f"game.{number}").touch()
    (found,) = about("Damage", Patient(), config, data)
    assert found.status is Verdict.UNKNOWN
    assert "3 damaged files were set aside" in found.what
    assert f"the first on {datetime.now():%Y-}" in found.what


def test_the_advice_for_a_faster_bus_may_be_followed_twice_and_counts_for_every_model(
    config: Path, data: Path, tmp_path: Path
) -> None:
    (told,) = about("Bus", Patient(speed=100_000), config, data)
    file = tmp_path / "config.txt"
    file.write_text("dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=50000\n[cm5]\ndtoverlay=dwc2\n")
    command = (
        told.remedy.partition(": ")[2].replace("sudo reboot", "true").replace("sudo ", "").replace(CONFIG, str(file))
    )
    for _ in range(2):
        subprocess.run(["sh", "-ec", command], check=True, stdout=subprocess.DEVNULL)
    lines = file.read_text().splitlines()
    assert lines[:3] == ["dtparam=i2c_arm=on", "[cm5]", "dtoverlay=dwc2"]
    assert [line for line in lines if "baudrate" in line] == ["dtparam=i2c_arm_baudrate=400000"]
    assert lines[-2:] == ["[all]", "dtparam=i2c_arm_baudrate=400000"]


def test_a_disk_that_does_not_tell_its_room_is_not_called_wrong(config: Path, data: Path) -> None:
    told, _errors = about("Disk", Patient(free=refused(errno.EIO)), config, data)
    assert (told.status, "does not say" in told.what) == (Verdict.UNKNOWN, True)


@given(st.lists(st.sampled_from(ADDRESSES), unique=True).map(sorted))
def test_the_panel_is_found_if_and_only_if_its_address_answers(answering: list[int]) -> None:
    nowhere = Path("/nonexistent")
    found = [each for each in check(Patient(bus=answering), None, nowhere) if each.what.startswith("Panel")]
    assert [each.status is Verdict.OK for each in found] == [0x3C in answering]


def test_a_finding_is_one_line() -> None:
    assert str(Finding(Verdict.WRONG, "Disk: full.", "make room")) == "✗ Disk: full. → make room"
    assert str(Finding(Verdict.OK, "Disk: empty.")) == "✓ Disk: empty."


def test_the_exit_status_tells_whether_something_is_wrong(
    config: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text("volume =", encoding="utf-8")
    assert main(config, data) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("✗ Settings")
    assert all(line[0] in "✓✗–" for line in lines)
