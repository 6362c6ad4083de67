"""The doctor's findings, on simulated machines, and its report."""

from __future__ import annotations

import errno
import os
import re
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.journal import Journal
from hardware import doctor
from hardware.doctor import main
from hardware.findings import AGAIN, Finding, Verdict, answer, locker
from hardware.gpio_chips import CONSUMER
from tests.cli.folders import begin
from tests.hardware.sick_pi import SERVICE, SickPi, refused

SPEED, SLOW = "sys/bus/i2c/devices/i2c-{}/of_node/clock-frequency", (100_000).to_bytes(4, "big")
THROUGH_LGPIO = {6: CONSUMER, 5: "lg", 17: "lg", 18: "lg"}


def unit(**changes: str) -> dict[str, str | None]:
    """Return what systemd answers of the service, with some changes."""
    return {"companion.service": "\n".join(f"{name}={value}" for name, value in {**SERVICE, **changes}.items())}


def kernel(*lines: str) -> dict[str, str | None]:
    return {"-p err": "\n".join(lines)}


def mounted(*lines: str) -> dict[str, str | bytes | None]:
    return {"proc/self/mounts": "\n".join(("/dev/mmcblk0p2 / ext4 rw 0 0", *lines))}


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


def about(topic: str, machine: SickPi, config: Path, data: Path) -> list[Finding]:
    found = [finding for finding in machine.found(config, data) if finding.what.startswith(topic)]
    assert found, f"nothing was said about {topic}"
    return found


def test_a_healthy_box_has_a_line_for_everything_and_nothing_is_wrong(config: Path, data: Path) -> None:
    found = SickPi().found(config, data)
    version = next(finding for finding in found if finding.what.startswith("Version"))
    assert [str(finding).split(":")[0] for finding in found if finding is not version] == [
        "✓ Settings",
        "✓ Device",
        "✓ Pins",
        "✓ Panel",
        "✓ Bus",
        "✓ Service",
        "✓ Watchdog",
        "✓ Power",
        "✓ Python",
        "✓ Fonts",
        "✓ Disk",
        "✓ Kernel",
        "✓ Clock",
        "✓ Games",
    ]
    assert not any(finding.remedy for finding in found)


def test_a_computer_that_is_no_pi_is_not_asked_for_devices(config: Path, data: Path) -> None:
    machine = SickPi(files={"proc/device-tree/model": None, "dev/i2c-1": None}, taken=refused(errno.ENOENT))
    found = machine.found(config, data)
    assert not any(finding.status is Verdict.WRONG for finding in found)
    assert not [each for each in found if each.what.startswith(("Service", "Power"))]
    assert machine.asked == []


@pytest.mark.parametrize(
    ("written", "machine", "topic", "what", "remedy"),
    [
        ('board = "keypad"', SickPi(), "Settings", "board", "correct it in"),
        ("", SickPi(missing=("gpiod",)), "Packages", "gpiod is missing", "install the package again"),
        ("", SickPi(missing=("smbus2",)), "Packages", "smbus2 is missing", "install the package again"),
        (
            "lamp = {on = true, brightness = 0.5}",
            SickPi(missing=("lgpio",)),
            "Packages",
            "lgpio",
            "apt install python3-",
        ),
        ('[sounds]\nbuzzer = "passive"', SickPi(missing=("lgpio",)), "Packages", "lgpio", "apt install python3-lgpio"),
        ('board = "oled-hat"', SickPi(missing=("spidev",)), "Packages", "spidev", "apt install python3-spidev"),
        ("", SickPi(taken=refused(errno.ENOENT)), "Pins", "not there", "drives no pins"),
        ("", SickPi(taken={5: "spi0 CS0"}), "Pins", 'GPIO 5 (row1) is taken by "spi0 CS0"', "[pins]"),
        ("", SickPi(taken={5: "lg"}), "Pins", 'GPIO 5 (row1) is taken by "lg"', "[pins]"),
        ("", SickPi(files={"dev/i2c-1": None}), "Panel", "/dev/i2c-1 is not there", "do_i2c 0"),
        ("[panel]\nport = 3", SickPi(), "Panel", "/dev/i2c-3 is not there", "do_i2c 0"),
        ("", SickPi(bus={0x3C: errno.ETIMEDOUT}), "Panel", "/dev/i2c-1 hangs", "SDA or SCL"),
        ("", SickPi(bus={}), "Panel", "nothing at 0x3c", "SDA to GPIO 2"),
        (
            "panel.port = 0",
            SickPi(files={"dev/i2c-0": ""}, bus={}),
            "Panel",
            "nothing at 0x3c",
            "SDA to GPIO 0, SCL to",
        ),
        ("panel.port = 3", SickPi(files={"dev/i2c-3": ""}, bus={}), "Panel", "nothing at 0x3c", "GND, SDA, SCL"),
        ("", SickPi(bus={0x3D: None}), "Panel", "0x3d answers on", "write address = 0x3d under [panel]"),
        ("[panel]\naddress = 0x3d", SickPi(), "Panel", "nothing at 0x3d", "write address = 0x3c under [panel]"),
        ('board = "oled-hat"', SickPi(files={"dev/spidev0.0": None}), "Panel", "/dev/spidev0.0 is not", "do_spi 0"),
        ("", SickPi(answers=unit(UnitFileState="disabled")), "Service", "does not start", "enable --now"),
        ("", SickPi(answers=unit(ActiveState="activating")), "Service", "(activating)", "journalctl"),
        ("", SickPi(free=49_999_999), "Disk", "room for 49 MB only", "make room"),
        ("", SickPi(free=0), "Disk", "it is full", "make room"),
        ("", SickPi(read_only=True), "Disk", "can only be read", "companion backup"),
        ("", SickPi(files={"sys/fs/ext4/mmcblk0p2/errors_count": "3"}), "Disk", "mmcblk0p2 had 3 errors", "backup"),
        ("", SickPi(now=datetime(1970, 1, 1)), "Clock", "it stands at 1970-01-01", "games keep their order"),
        ("", SickPi(now=None), "Clock", "it stands at a day that no calendar has", "set-ntp true"),
    ],
)
def test_what_is_wrong_is_said_with_its_remedy(
    config: Path, data: Path, written: str, machine: SickPi, topic: str, what: str, remedy: str
) -> None:
    config.write_text(written, encoding="utf-8")
    wrong = [finding for finding in about(topic, machine, config, data) if finding.status is Verdict.WRONG]
    assert any(what in finding.what and remedy in finding.remedy for finding in wrong), wrong


@pytest.mark.parametrize(
    ("machine", "topic", "what", "remedy"),
    [
        (SickPi(taken=refused(errno.EACCES)), "Pins", "by this user", "usermod -aG gpio"),
        (SickPi(answers={"companion.service": None}), "Service", "systemd does not run here", ""),
        (SickPi(answers=unit(LoadState="not-found")), "Service", "not installed", "install the package again"),
        (SickPi(answers=unit(NRestarts="2")), "Service: it had", "restarted 2 times", "journalctl"),
        (
            SickPi(files={SPEED.format(1): SLOW}),
            "Bus",
            "100 kHz",
            "docs/",
        ),
        (SickPi(answers={"polkit.service": "not-found"}), "Rights", "may not switch itself off", "apt install polkitd"),
        (SickPi(answers={"RuntimeWatchdogUSec": "0"}), "Watchdog", "it is off", "docs/operate.md"),
        (SickPi(files={"dev/watchdog0": None}), "Watchdog", "this machine has none", ""),
        (SickPi(answers={"NTPSynchronized": "no"}), "Clock", "not set by the network", "set-ntp true"),
        (SickPi(answers=kernel("I/O error, dev sda", "x")), "Kernel", "last errors: I/O error, dev sda; x", ""),
        (SickPi(answers={"journalctl": ""}), "Kernel", "may not be read by this user", "sudo companion doctor"),
        (SickPi(answers={"get_throttled": None}), "Power", "does not tell the voltage", "sudo companion doctor"),
    ],
)
def test_what_cannot_be_told_is_not_called_wrong(
    config: Path, data: Path, machine: SickPi, topic: str, what: str, remedy: str
) -> None:
    (found,) = about(topic, machine, config, data)
    assert found.status is Verdict.UNKNOWN
    assert what in found.what
    assert remedy in found.remedy


@pytest.mark.parametrize(
    ("written", "machine", "topic", "what"),
    [
        ("", SickPi(taken={5: CONSUMER, 12: CONSUMER}), "Pins", "in use by the companion"),
        ('[sounds]\nbuzzer = "passive"', SickPi(taken=THROUGH_LGPIO), "Pins", ""),
        ("[lamp]\non = true\nbrightness = 0.5", SickPi(taken=THROUGH_LGPIO), "Pins", ""),
        ("", SickPi(missing=("lgpio", "spidev")), "Pins", "free"),
        ("panel.port = 3", SickPi(files={"dev/i2c-3": "", SPEED.format(3): SLOW}), "Bus", "100 kHz"),
        ("", SickPi(bus={0x3C: errno.EBUSY}), "Panel", "0x3c answers"),
        ('board = "oled-hat"', SickPi(bus={}), "Panel", "/dev/spidev0.0 is there"),
    ],
    ids=[
        "lines that the running box has itself",
        *["lines that the running box has through lgpio"] * 2,
        "packages that these settings do not need",
        "a slow bus that config.txt makes no faster",
        "a panel that a driver of the kernel uses",
        "a panel on SPI that is not on I2C",
    ],
)
def test_what_is_no_trouble_is_well(
    config: Path, data: Path, written: str, machine: SickPi, topic: str, what: str
) -> None:
    config.write_text(written, encoding="utf-8")
    (found,) = about(topic, machine, config, data)
    assert found.status is Verdict.OK
    assert what in found.what
    assert machine.asked == ([] if "oled-hat" in written else [0x3C, 0x3D])


def test_lgpio_is_looked_for_and_not_imported_as_that_makes_a_pipe(
    config: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages/lgpio.py").write_text("raise FileNotFoundError(2, 'No such file or directory', '.lgd-nfy-3')")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    config.write_text('[sounds]\nbuzzer = "passive"', encoding="utf-8")
    box = doctor.Box(config, data)
    settings, _found = doctor.read_settings(box)
    assert settings is not None
    with patch("hardware.gpio_chips.busy", lambda _lines: {}):
        (found,) = doctor.pins(box, settings)
    assert found.status is Verdict.OK


def test_a_lamp_that_is_not_switched_on_needs_no_lines(config: Path, data: Path) -> None:
    taken = dict.fromkeys(range(28), "somebody")
    without = about("Pins", SickPi(taken=taken), config, data)
    config.write_text("[lamp]\non = true", encoding="utf-8")
    assert len(about("Pins", SickPi(taken=taken), config, data)) == len(without) + 3


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
    (found,) = about("Page", SickPi(), config, data)
    assert found == Finding(Verdict.OK, said)


def test_an_unknown_setting_is_told_and_not_called_wrong(config: Path, data: Path) -> None:
    config.write_text("volume = 3", encoding="utf-8")
    (told,) = [each for each in about("Settings", SickPi(), config, data) if each.status is Verdict.UNKNOWN]
    assert "volume is unknown" in told.what
    assert "it has no effect" in told.remedy


def test_a_pin_on_a_line_of_the_console_is_remarked_on(config: Path, data: Path) -> None:
    config.write_text("pins.row1 = 14", encoding="utf-8")
    (told,) = about("Board", SickPi(), config, data)
    assert (told.status, "pins.row1 is GPIO 14" in told.what) == (Verdict.UNKNOWN, True)


def test_wrong_settings_do_not_hide_what_else_is_wrong(config: Path, data: Path) -> None:
    config.write_text("volume =", encoding="utf-8")
    found = SickPi(answers=unit(ActiveState="failed")).found(config, data)
    wrong = [finding.what for finding in found if finding.status is Verdict.WRONG]
    assert len(wrong) == 2
    assert wrong[1].startswith("Service")


@pytest.mark.parametrize("answering", [(), (0x3C,), (0x3D,), (0x3D, 0x3C), (0x48,), (0x48, 0x3C)])
def test_the_panel_is_found_if_and_only_if_its_address_answers(
    answering: tuple[int, ...], config: Path, data: Path
) -> None:
    (found,) = about("Panel", SickPi(bus=dict.fromkeys(answering)), config, data)
    assert (found.status is Verdict.OK) is (0x3C in answering)


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
def test_voltage_and_throttling_are_told_in_words(
    bits: str, status: Verdict, said: str, config: Path, data: Path
) -> None:
    (found,) = about("Power", SickPi(answers={"get_throttled": f"throttled={bits}"}), config, data)
    assert found.status is status
    assert said in found.what
    assert ("cable" in found.remedy) is (int(bits, 16) & 0x10001 > 0)


@pytest.mark.parametrize(
    "line",
    [
        "I/O error, dev mmcblk0, sector 8 op 0x1:(WRITE)",
        "Buffer I/O error on dev mmcblk0p2, logical block 9, lost async page write",
        "EXT4-fs error (device sda2): ext4_lookup:1855: inode #1: comm companion: iget: checksum invalid",
        "EXT4-fs (mmcblk0p2): Remounting filesystem read-only",
        "mmcblk0: timed out sending r/w cmd command, card status 0x900",
    ],
)
def test_an_error_of_the_disk_in_the_kernels_log_is_wrong(line: str, config: Path, data: Path) -> None:
    (found,) = about("Kernel", SickPi(answers=kernel("usb 1-1: device descriptor read", line)), config, data)
    assert found.status is Verdict.WRONG
    assert line in found.what
    assert f"companion backup --data {data} FILE" in found.remedy


@pytest.mark.parametrize("kind", ["tmpfs", "overlay"])
def test_games_that_are_kept_in_memory_are_told(kind: str, config: Path, data: Path) -> None:
    (found,) = about("Disk", SickPi(files=mounted(f"none {data} {kind} rw 0 0")), config, data)
    assert found.status is Verdict.WRONG
    assert "is kept in memory: its games are gone with the power" in found.what
    assert "Read-only root" in found.remedy


# Games


def test_games_are_counted_while_the_box_writes_them(config: Path, data: Path) -> None:
    journal = Journal(data)
    try:
        game = begin(journal, "{}")
        (found,) = about("Games", SickPi(), config, data)
        assert found.status is Verdict.OK
        assert f"2 in {data}, with 1 lines, all of them sound; in use by process {os.getpid()}, " in found.what
        journal.append(game, "{}", now=0, tracking="full")  # the program can still write
        assert journal.fault is None
    finally:
        journal.close()
    (found,) = about("Games", SickPi(), config, data)
    assert "in use" not in found.what


def test_a_box_without_games_yet_is_not_wrong(config: Path, tmp_path: Path) -> None:
    (found,) = about("Games", SickPi(), config, tmp_path / "new")
    assert found.status is Verdict.UNKNOWN
    assert not (tmp_path / "new").exists()
    (tmp_path / "new").mkdir()
    assert about("Games", SickPi(), config, tmp_path / "new") == [found]


def test_games_that_this_user_may_not_read_ask_for_sudo(config: Path, data: Path) -> None:
    with patch("hardware.journal_checks.os.access", return_value=False):
        found = about("Games", SickPi(), config, data)
    assert found == [Finding(Verdict.UNKNOWN, f"Games: {data} may not be read by this user.", AGAIN)]


def test_a_folder_that_is_a_file_is_wrong(config: Path, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    wrong = about("Games", SickPi(), config, tmp_path / "data")
    assert wrong[0].status is Verdict.WRONG


def test_damage_is_told_in_the_report_alone_and_left_alone(
    config: Path, data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (game,) = (data / "games").iterdir()
    for file in (game, data / "copies" / game.name):
        file.write_bytes(file.read_bytes().replace(b"tracking", b"trakking"))
    before = {file: file.stat().st_mtime_ns for file in data.rglob("*")}
    found = about("Games", SickPi(), config, data)
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
    assert [finding.status for finding in about("Games", SickPi(), config, data)] == [Verdict.WRONG]


def test_damage_of_a_second_copy_is_told_but_not_wrong(config: Path, data: Path) -> None:
    (copy,) = (data / "copies").glob("*-*")
    copy.write_bytes(b"x" * 100 + b"\n")
    told, sound = about("Games", SickPi(), config, data)
    assert (told.status, sound.status) == (Verdict.UNKNOWN, Verdict.OK)
    assert "a file is damaged" in told.what


def test_a_folder_that_cannot_be_read_does_not_end_the_report(config: Path, data: Path) -> None:
    (data / "damaged").mkdir()
    error = PermissionError(errno.EACCES, "Permission denied", "damaged")
    with patch("hardware.journal_checks.os.scandir", side_effect=error):
        found = SickPi().found(config, data)
    assert Finding(Verdict.UNKNOWN, "Files: damaged cannot be read: Permission denied.", AGAIN) in found
    assert [each for each in found if each.what.startswith("Clock")]


def test_games_that_are_there_only_once_are_counted(config: Path, data: Path) -> None:
    (copy,) = (data / "copies").glob("*-*")
    copy.unlink()
    (found,) = about("Copies", SickPi(), config, data)
    assert found.status is Verdict.UNKNOWN
    assert found.what == "Copies: games without their second copy: 1; without their first: 0."


def test_damaged_files_that_were_set_aside_are_counted(config: Path, data: Path) -> None:
    (data / "damaged").mkdir()
    for number in range(3):
        (data / "damaged" / f"game.{number}").touch()
    (found,) = about("Damage", SickPi(), config, data)
    assert found.status is Verdict.UNKNOWN
    assert "3 damaged files were set aside" in found.what
    assert f"the first on {datetime.now():%Y-}" in found.what


@pytest.mark.needs("root")
def test_files_of_another_user_are_wrong(config: Path, data: Path) -> None:
    (data / "link").symlink_to("nowhere")
    assert not [each for each in SickPi().found(config, data) if each.what.startswith("Owners")]
    os.chown(data / "link", 54321, -1, follow_symlinks=False)
    (found,) = about("Owners", SickPi(), config, data)
    assert found.what == f"Owners: 1 file belongs to 54321, such as link; the folder {data}, to root."
    assert found.remedy == f"sudo chown -hR root: {data}"
    os.chown(data / "games", 1, -1)
    (found,) = about("Owners", SickPi(), config, data)
    assert "2 files belong to 54321 and daemon, such as games;" in found.what


# How the machine is asked


def test_a_finding_is_one_line() -> None:
    assert str(Finding(Verdict.WRONG, "Disk: full.", "make room")) == "✗ Disk: full. → make room"
    assert str(Finding(Verdict.OK, "Disk: empty.")) == "✓ Disk: empty."


def test_a_program_is_heard_only_if_it_succeeds() -> None:
    assert answer(sys.executable, "-c", "print('yes')") == "yes"
    assert answer(sys.executable, "-c", "print('no'); raise SystemExit(1)") is None
    assert answer("no-such-program") is None


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="this system tells of no locks")
def test_the_process_that_holds_a_lock_on_a_folder_is_found(tmp_path: Path) -> None:
    assert locker(tmp_path) == ""
    with closing(Journal(tmp_path)):
        assert locker(tmp_path).startswith(f"process {os.getpid()}, ")
    assert locker(tmp_path) == ""


def test_the_command_of_a_process_is_shown_without_signs_that_cannot_be_printed(tmp_path: Path) -> None:
    (tmp_path / "42").mkdir()
    (tmp_path / "locks").write_text(f"1: FLOCK  ADVISORY  WRITE 42 fe:00:{tmp_path.stat().st_ino} 0 EOF\n")
    (tmp_path / "42" / "cmdline").write_bytes(b"python\0-m\0comp\x1b[2J\0" + b"x" * 200 + b"\0")
    assert locker(tmp_path, tmp_path) == "process 42, python -m comp?[2J " + "x" * 61 + "…"


# The command and its report


def test_the_exit_status_tells_whether_something_is_wrong(
    config: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text("volume =", encoding="utf-8")
    assert main(config, data) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("✗ Settings")
    assert all(line[0] in "✓✗–" for line in lines)


@pytest.fixture
def names_of_people(tmp_path: Path) -> Path:
    """Return the folder of a journal that is full of names."""
    folder = tmp_path / "data"
    with closing(Journal(folder)) as journal:
        journal.begin(journal.name_for("gear"), '{"format":1,"game":"gear","players":["Zoë","Åsa"]}', "full", 0.0)
        journal.keep_setting("phones", '{"phones":[{"number":1,"name":"Dagny","hash":"00"}]}')
        journal.keep_draft(None, '1"Ottokar"#', sync=True)
        journal.save()
    (folder / "Zoë on holiday.txt").write_text("")
    return folder


def report_of(config: Path, data: Path, file: Path) -> str:
    config.write_text("# Zimmer\n[panel]\nchip = 'sh1106'\n")
    SickPi(answers={"journalctl": "Zoë's turn"}).checked(lambda: main(config, data, file))
    return file.read_text("utf-8")


def test_the_report_has_findings_system_settings_and_files(config: Path, names_of_people: Path, tmp_path: Path) -> None:
    text = report_of(config, names_of_people, tmp_path / "report.txt")
    for line in ("✓ Settings: ", "\nsystem: ", "\nmodel: ", "chip = 'sh1106'"):
        assert line in text
    assert re.search(r"^ +16384 games/000001-gear-[0-9a-f]{8}.jsonl$", text, re.MULTILINE)
    assert "other files: 1" in text
    assert "Zimmer" not in text


def test_no_name_that_was_entered_is_in_the_report_and_the_log_is_named_instead(
    config: Path, names_of_people: Path, tmp_path: Path
) -> None:
    text = report_of(config, names_of_people, tmp_path / "report.txt")
    assert not [name for name in ("Zoë", "Åsa", "Dagny", "Ottokar") if name in text]
    assert "The log is not in it, as it may hold names: sudo journalctl -u companion -b" in text


def test_a_report_is_written_whole_or_not_at_all(config: Path, names_of_people: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    file.write_text("before")
    with patch("os.fsync", side_effect=OSError(28, "No space left on device")), pytest.raises(OSError, match="space"):
        report_of(config, names_of_people, file)
    assert file.read_text() == "before"
    assert not (tmp_path / ".report.txt.new").exists()


def test_the_doctor_says_where_the_report_is_and_to_read_it(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text("volume = ")
    assert main(config, tmp_path / "none", tmp_path / "report.txt") == 1
    said = capsys.readouterr().out
    assert f"The report is in {tmp_path / 'report.txt'}. Read it before you send it" in said
    assert "it is not TOML" in (tmp_path / "report.txt").read_text("utf-8")
