"""``companion doctor --reads`` says whether this version can play with this box's settings and journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import main
from companion.journal import Journal, JournalError


def reads(tmp_path: Path, settings: str) -> int:
    (tmp_path / "companion.toml").write_text(settings)
    return main(["doctor", "--reads", "--config", str(tmp_path / "companion.toml"), "--data", str(tmp_path / "games")])


def test_what_can_be_read_is_right_and_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reads(tmp_path, "") == 0
    assert not (tmp_path / "games").exists()
    Journal(tmp_path / "games").close()
    before = sorted(tmp_path.rglob("*"))
    assert reads(tmp_path, "[page]\non = true\n") == 0
    assert sorted(tmp_path.rglob("*")) == before
    assert f"✓ Games: 0 in {tmp_path}/games." in capsys.readouterr().out


def test_settings_that_are_refused_are_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reads(tmp_path, 'board = "abacus"\n') == 1
    assert "✗ Settings: " in capsys.readouterr().out


def test_a_journal_that_cannot_be_opened_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "games").mkdir()

    def refused(*_args: object, **_options: object) -> Journal:
        raise JournalError("there is no permission to read it")

    monkeypatch.setattr("companion.cli.settings_and_journal_check.Journal", refused)
    assert reads(tmp_path, "") == 1
    assert "✗ Games: there is no permission to read it." in capsys.readouterr().out
