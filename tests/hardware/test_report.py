"""The report for asking for help contains what helps, and no name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from unittest.mock import patch

import pytest
from anyascii import anyascii
from hypothesis import given
from hypothesis import strategies as st

from companion.history.renamed_and_hidden import NameChange, People, written
from companion.journal import Journal
from hardware.blotting import BLOT, Blotter
from hardware.doctor import main
from hardware.findings import Finding, Status
from hardware.own_wifi import NETWORK
from hardware.private_names import people
from hardware.report import Report, ReportError
from tests.hardware.test_doctor import Patient

NAMES = [
    "Zoë",
    "はるな",
    "Straße Weiß",
    "İpek",
    "Миша",
    "김철수",
    "محمد",
    "Ελένη Παππά",
    "愛",
    "Al",
    "O’Neil",
    "Ｋｅｎ",
]
FORMER, NOW, HIDDEN, PHONE, TYPED, PLAYED = "Brünhild", "Xaver", "Quentin", "Dagny", "Ottokar", "Åsa"
EVERYBODY = [*NAMES, FORMER, NOW, HIDDEN, PHONE, TYPED, PLAYED]
WIFI = "Nachbars Netz"


def plain(text: str) -> str:
    return anyascii(unicodedata.normalize("NFKC", text)).lower()


def variants(name: str) -> set[str]:
    """Return a name in other cases, forms and scripts, and as programs write it."""
    cases = {name, name.upper(), name.lower(), name.title(), name.casefold()}
    forms = {unicodedata.normalize(form, case) for case in cases for form in ("NFC", "NFD", "NFKC", "NFKD")}
    codes = {name.encode("ascii", "backslashreplace").decode(), str(name.encode())[2:-1]}
    kana = name.translate({place: place + 0x60 for place in range(0x3041, 0x3097)})
    return {*forms, *codes, kana, anyascii(name)}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    journal = Journal(folder)
    for one, other in zip(NAMES[::2], NAMES[1::2], strict=True):
        game = journal.name_for("gear")
        journal.begin(game, f'{{"format":1,"game":"gear","players":["{one}","{other}"]}}', "full", 0.0)
    journal.keep_setting("roster", written(People((NameChange(FORMER, NOW, 1),), (HIDDEN,))))
    journal.keep_setting("phones", f'{{"phones":[{{"number":1,"name":"{PHONE}","hash":"00"}}]}}')
    journal.keep_imported({"A-1": {"game": "gear", "players": [PLAYED]}})
    journal.keep_draft(None, f'1"{TYPED}"#', sync=True)
    journal.save()
    journal.close()
    (folder / f"{NAMES[0]} on holiday.txt").write_text("")
    return folder


def machine(log: str) -> Patient:
    found = Patient(answers={"journalctl": log, "nmcli": f"802-11-wireless:{WIFI}\nethernet:Wired"}, accounts={"ulla"})
    found.files |= {"/proc/sys/kernel/hostname": "kartenkiste", "/etc/os-release": 'PRETTY_NAME="Debian 12"'}
    found.files |= {str(NETWORK): "Companion-7F3A\nsecret7password\n"}
    return found


def report_of(data: Path, log: str, file: Path) -> str:
    finding = Finding(Status.WRONG, f"Games: {data}/{NAMES[0]} cannot be read.")
    Report(machine(log), data / "none.toml", data).write(file, [finding])
    return file.read_text("utf-8")


def test_every_name_in_the_journal_is_found(data: Path) -> None:
    assert set(EVERYBODY) <= people(data)
    assert not {"gear", "roster", "players"} & people(data)


def test_names_in_damaged_and_set_aside_files_are_found(data: Path) -> None:
    (data / "damaged").mkdir()
    (data / "damaged" / "x.1").write_text('{"format":1,"game":"gear","players":["anna","Böse"]}\t{\n"torn" "Carl')
    assert {"anna", "Böse"} <= people(data)


def test_no_name_of_the_journal_is_in_the_report_in_any_case_or_script(data: Path, tmp_path: Path) -> None:
    spoken = [f"File x, in {each}: no {each}'s turn" for name in EVERYBODY for each in sorted(variants(name))]
    text = report_of(data, "\n".join(spoken), tmp_path / "report.txt")
    lines = [line for line in text.splitlines() if line.startswith("File x")]
    assert len(lines) == len(spoken)
    for name in EVERYBODY:
        for part in filter(None, re.split("[^a-z0-9]+", plain(name))):
            found = (
                part in plain(text) if len(part) > 2 else re.search(rf"(?<![a-z0-9]){part}(?![a-z0-9])", plain(text))
            )
            assert not found, (name, part)
        assert not [each for each in variants(name) if not each.isascii() and each in text]


def test_addresses_secrets_and_names_of_computers_are_not_in_the_report(data: Path, tmp_path: Path) -> None:
    private = {
        "192.168.178.23", "fe80::1ff:fe23:4567:890a", "2001:db8::7", "b8:27:eb:12:34:56", "zoe.k@example.org",
        "kartenkiste", "KARTENKISTE.local", "/home/ulla/x", "ulla", WIFI, "Companion-7F3A", "secret7password",
        "483921", "hunter2",
    }  # fmt: skip
    log = "\n".join(
        (
            *(f"seen: {each}!" for each in sorted(private - {"483921", "hunter2"})),
            "PIN: 483921",
            'psk="hunter2"',
            "20:15:03 modprobe@i2c_dev.service, http://127.0.0.1:8080, version 1.26.3",
        )
    )
    text = report_of(data, log, tmp_path / "report.txt")
    assert not [each for each in private if each.lower() in text.lower()]
    assert "20:15:03 modprobe@i2c_dev.service, http://127.0.0.1:8080, version 1.26.3" in text


def test_the_report_has_findings_system_settings_files_and_log(data: Path, tmp_path: Path) -> None:
    (data / "none.toml").write_text("# Zimmer\n[panel]\nchip = 'sh1106'\n")
    found = machine("Started")
    found.files[str(data / "none.toml")] = (data / "none.toml").read_text()
    Report(found, data / "none.toml", data).write(tmp_path / "report.txt", [Finding(Status.OK, "Disk: well.")])
    text = (tmp_path / "report.txt").read_text("utf-8")
    for line in ("✓ Disk: well.", "system: Debian 12", "model: Raspberry Pi", "chip = 'sh1106'", "Started"):
        assert line in text
    assert re.search(r"^ +16384 games/000001-gear-[0-9a-f]{8}.jsonl$", text, re.MULTILINE)
    assert "2 other files" in text
    assert "Zimmer" not in text


def test_a_report_is_written_whole_or_not_at_all(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    file.write_text("before")
    with patch("os.fsync", side_effect=OSError(28, "No space left on device")), pytest.raises(OSError, match="space"):
        report_of(data, "", file)
    assert file.read_text() == "before"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["data", "report.txt"]


def test_without_the_names_there_is_no_report(data: Path) -> None:
    with (
        patch("hardware.private_names._files", side_effect=PermissionError(13, "Permission denied", str(data))),
        pytest.raises(ReportError, match=r"could not be blotted out.*sudo companion doctor --report"),
    ):
        Report(machine(""), None, data)


def test_the_doctor_says_where_the_report_is_and_to_read_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "set.toml").write_text("volume = ")
    assert main(tmp_path / "set.toml", tmp_path / "none", tmp_path / "report.txt") == 1
    said = capsys.readouterr().out
    assert f"The report is in {tmp_path / 'report.txt'}. Read it before you send it" in said
    assert "it is not TOML" in (tmp_path / "report.txt").read_text("utf-8")


@given(st.text(max_size=300), st.lists(st.text(min_size=1, max_size=12), max_size=4))
def test_blotting_takes_any_text_and_any_names(text: str, names: list[str]) -> None:
    once = Blotter(names).blot(text)
    assert once.count("\n") >= 0


def test_short_names_are_found_as_words_only() -> None:
    assert Blotter(["Al"]).blot("Al, AL and all") == f"{BLOT}, {BLOT} and all"


@pytest.mark.needs("another-user")
def test_a_user_who_may_not_read_the_journal_gets_no_report(data: Path) -> None:
    os.chmod(data, 0o700)
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-m", "companion"]
    done = subprocess.run(
        [*command, "doctor", "--data", str(data), "--report", "/tmp/no-such-report.txt"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )
    assert done.returncode == 1
    assert "no report" in done.stderr
    assert not Path("/tmp/no-such-report.txt").exists()
