"""``companion doctor --reads`` says whether this version can play on this box, before an installation chooses it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from companion.cli import doctor, main
from companion.journal import Journal, JournalError
from tools.wheels import build

pytestmark = pytest.mark.unmeasured


def reads(tmp_path: Path, settings: str = "") -> int:
    (tmp_path / "companion.toml").write_text(settings)
    return main(["doctor", "--reads", "--config", str(tmp_path / "companion.toml"), "--data", str(tmp_path / "games")])


def test_a_version_that_can_play_passes_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reads(tmp_path) == 0
    assert not (tmp_path / "games").exists()
    Journal(tmp_path / "games").close()
    before = sorted(tmp_path.rglob("*"))
    assert reads(tmp_path, "[page]\non = true\n") == 0
    assert sorted(tmp_path.rglob("*")) == before
    assert f"✓ Games: 0 in {tmp_path}/games." in capsys.readouterr().out


def test_settings_that_are_refused_are_told_apart_from_a_broken_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reads(tmp_path, 'board = "abacus"\n') == os.EX_CONFIG
    assert "✗ Settings: " in capsys.readouterr().out


def test_so_is_a_journal_that_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "games").mkdir()

    def refused(*_args: object, **_options: object) -> Journal:
        raise JournalError("there is no permission to read it")

    monkeypatch.setattr(doctor, "Journal", refused)
    assert reads(tmp_path) == os.EX_CONFIG
    assert "✗ Games: there is no permission to read it." in capsys.readouterr().out


BROKEN = {
    "companion/web/wall.py": ("this is no Python", "companion.web.wall cannot be imported. → SyntaxError: "),
    "hardware/lamp.py": ("import no_such_module", "hardware.lamp cannot be imported. → ModuleNotFoundError: "),
    "companion/history/chart.py": (
        "raise SystemExit(0)",
        "companion.history.chart cannot be imported. → SystemExit: 0",
    ),
}
"""Text at the end of modules, and what is said of each."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the unpacked wheel of a box, which comes without the club."""
    made, site = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("site")
    with ZipFile(build(made, club=False)) as opened:
        opened.extractall(site)
    return site


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-B", "-m", "companion", *words]
    world = {"PYTHONPATH": str(site), "PATH": os.defpath, "LANG": "C.UTF-8", "HOME": str(site)}
    return subprocess.run(command, cwd="/", env=world, capture_output=True, text=True, check=False)


def test_every_module_that_is_broken_is_named_even_if_the_box_would_start(site: Path) -> None:
    (site / "box.toml").touch()
    checks = "doctor", "--reads", "--config", str(site / "box.toml"), "--data", str(site / "games")
    done = run(site, *checks)
    assert done.returncode == 0, done.stdout + done.stderr
    for name, (text, _said) in BROKEN.items():
        with (site / name).open("a") as file:
            file.write(f"\n{text}\n")
    done = run(site, *checks)
    assert done.returncode == 1
    assert [said for _text, said in BROKEN.values() if said not in done.stdout] == [], done.stdout


def test_a_box_says_in_a_sentence_that_it_comes_without_the_club(site: Path) -> None:
    for words in (["serve", "--config", "no-file"], ["evening", "friday.jsonl", "new"]):
        done = run(site, "club", *words)
        sentence = "a box comes without the club; docs/club.md says how another computer runs it"
        assert (done.returncode, done.stderr) == (1, f"companion: {sentence}\n")
