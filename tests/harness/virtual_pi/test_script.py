"""Tests of the evening that need no virtual Pi: its script, and that nothing runs without a lab."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.state import PANEL
from companion.gamelog import read
from tests.games.seeds import events
from tests.harness.virtual_pi.__main__ import main
from tests.harness.virtual_pi.script import PLAYERS, Script, written


@pytest.fixture(scope="module")
def script() -> Script:
    return written()


def test_the_keys_enter_the_game_that_the_referee_wrote_down(script: Script) -> None:
    entered = read("\n".join(script.log).encode())
    assert list(entered.header.players) == PLAYERS
    assert events(entered) == events(script.dealt.session())
    assert script.entered(len(script.keys)) == len(script.dealt.lines)


def test_every_key_changes_what_is_seen(script: Script) -> None:
    assert all(before != after for before, after in zip(script.pictures, script.pictures[1:], strict=False))


def test_a_box_restarted_within_an_entry_is_led_to_its_end(script: Script) -> None:
    for pressed in range(script.ends[0], script.ends[4]):
        box = script.restarted(pressed)
        for key in script.rest(pressed):
            box.take(PANEL, key)
        assert box.picture == script.pictures[script.ends[script.entered(pressed) + 1]]


def test_where_there_is_no_virtual_pi_it_says_so_and_nothing_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAB", str(tmp_path))
    assert main([]) == 0
    assert "no virtual Pi" in capsys.readouterr().out


def test_a_chapter_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evening"]) == 2
    assert "no chapter evening" in capsys.readouterr().err
