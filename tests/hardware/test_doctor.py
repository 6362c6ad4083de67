"""The doctor's findings, on simulated machines, and its report."""

from __future__ import annotations

import errno
import os
import re
import sys
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.installation.places import InstallationPaths
from companion.journal import Journal
from hardware import doctor
from hardware.doctor import AGAIN, Finding, Verdict, main
from hardware.system import answer, locker
from tests.cli.folders import begin
from tests.hardware.sick_pi import SickPi
from tests.line_tables import Row, cases, given, says


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
    installed = {"opt/companion/current": "versions/0.3.0"}
    found = SickPi({"opt/companion/versions/0.3.0/pyvenv.cfg": ""}, links=installed).found(config, data)
    assert [str(finding).split(":")[0] for finding in found] == [
        "✓ Settings",
        "✓ Device",
        "✓ Pins",
        "✓ Panel",
        "✓ Bus",
        "✓ Service",
        "✓ Watchdog",
        "✓ Power",
        "✓ Version",
        "✓ Python",
        "✓ Fonts",
        "✓ Disk",
        "✓ Kernel",
        "✓ Clock",
        "✓ Games",
    ]
    assert not any(finding.remedy for finding in found)


@pytest.mark.parametrize(("name", "rows"), cases("doctor-findings"))
def test_of_each_fault_is_said_what_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


def test_the_bus_is_asked_for_the_addresses_of_panels_alone_and_only_on_a_pi(config: Path, data: Path) -> None:
    for machine, asked in ((SickPi(files={"proc/device-tree/model": None}), []), (SickPi(), [0x3C, 0x3D])):
        machine.found(config, data)
        assert machine.asked == asked


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
    with patch("hardware.doctor.os.access", return_value=False):
        found = about("Games", SickPi(), config, data)
    assert found == [Finding(Verdict.UNKNOWN, f"Games: {data} may not be read by this user.", AGAIN)]


def test_a_folder_that_is_a_file_is_wrong(config: Path, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    wrong = about("Games", SickPi(), config, tmp_path / "data")
    assert wrong[0].status is Verdict.WRONG


def test_damage_is_not_logged_and_left_alone(config: Path, data: Path, caplog: pytest.LogCaptureFixture) -> None:
    (game,) = (data / "games").iterdir()
    for file in (game, data / "copies" / game.name):
        file.write_bytes(file.read_bytes().replace(b"tracking", b"trakking"))
    before = {file: file.stat().st_mtime_ns for file in data.rglob("*")}
    (found,) = about("Games", SickPi(), config, data)
    assert found.status is Verdict.WRONG
    assert not caplog.records
    assert {file: file.stat().st_mtime_ns for file in data.rglob("*")} == before


def test_a_folder_that_cannot_be_read_does_not_end_the_report(config: Path, data: Path) -> None:
    (data / "damaged").mkdir()
    error = PermissionError(errno.EACCES, "Permission denied", "damaged")
    with patch("hardware.doctor.os.scandir", side_effect=error):
        found = SickPi().found(config, data)
    assert Finding(Verdict.UNKNOWN, "Files: damaged cannot be read: Permission denied.", AGAIN) in found
    assert [each for each in found if each.what.startswith("Clock")]


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


# The program itself


def test_another_python_of_the_system_is_told(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    own = ".".join(map(str, sys.version_info[:2]))
    inside = places.versions / "0.3.0"
    for system, prefix, status in (
        (None, inside, Verdict.OK),
        (own, inside, Verdict.OK),
        ("3.99", inside, Verdict.UNKNOWN),
        ("3.99", Path("/usr"), Verdict.OK),
    ):
        with patch("hardware.doctor.answer", lambda *_command, system=system: system):
            (found,) = doctor.python(places, prefix)
        assert found.status is status
        assert system in (None, own) or "the system's is 3.99" in found.what


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
