"""The report for asking for help contains what helps, and nothing that was entered."""

from __future__ import annotations

import re
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.journal import Journal
from hardware.doctor import main
from hardware.findings import Finding, Verdict
from hardware.support_report import Report
from tests.hardware.test_doctor import Patient


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    journal = Journal(folder)
    journal.begin(journal.name_for("gear"), '{"format":1,"game":"gear","players":["Zoë","Åsa"]}', "full", 0.0)
    journal.keep_setting("phones", '{"phones":[{"number":1,"name":"Dagny","hash":"00"}]}')
    journal.keep_draft(None, '1"Ottokar"#', sync=True)
    journal.save()
    journal.close()
    (folder / "Zoë on holiday.txt").write_text("")
    return folder


def report_of(data: Path, file: Path) -> str:
    config = data / "set.toml"
    config.write_text("# Zimmer\n[panel]\nchip = 'sh1106'\n")
    machine = Patient(answers={"journalctl": "Zoë's turn"})
    machine.files |= {"/etc/os-release": 'PRETTY_NAME="Debian 12"', str(config): config.read_text()}
    Report(machine, config, data).write(file, [Finding(Verdict.OK, "Disk: well.")])
    return file.read_text("utf-8")


def test_the_report_has_findings_system_settings_and_files(data: Path, tmp_path: Path) -> None:
    text = report_of(data, tmp_path / "report.txt")
    for line in ("✓ Disk: well.", "system: Debian 12", "model: Raspberry Pi", "chip = 'sh1106'"):
        assert line in text
    assert re.search(r"^ +16384 games/000001-gear-[0-9a-f]{8}.jsonl$", text, re.MULTILINE)
    assert "2 other files" in text
    assert "Zimmer" not in text


def test_no_name_that_was_entered_is_in_the_report_and_the_log_is_named_instead(data: Path, tmp_path: Path) -> None:
    text = report_of(data, tmp_path / "report.txt")
    assert not [name for name in ("Zoë", "Åsa", "Dagny", "Ottokar") if name in text]
    assert "The log is not in it, as it may hold names: sudo journalctl -u companion -b" in text


def test_a_report_is_written_whole_or_not_at_all(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    file.write_text("before")
    with patch("os.fsync", side_effect=OSError(28, "No space left on device")), pytest.raises(OSError, match="space"):
        report_of(data, file)
    assert file.read_text() == "before"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["data", "report.txt"]


def test_the_doctor_says_where_the_report_is_and_to_read_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "set.toml").write_text("volume = ")
    assert main(tmp_path / "set.toml", tmp_path / "none", tmp_path / "report.txt") == 1
    said = capsys.readouterr().out
    assert f"The report is in {tmp_path / 'report.txt'}. Read it before you send it" in said
    assert "it is not TOML" in (tmp_path / "report.txt").read_text("utf-8")
