"""Whole games worked out by hand: their replay ends in the state worked out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.gamelog import InvalidLineError, encode_line, read, replay, snapshot
from companion.games import GAMES

FOLDER = Path(__file__).parent.parent / "transcripts"
LOGS = sorted(FOLDER.glob("*/*.jsonl"))
REFUSED = sorted(FOLDER.glob("*/refused/*.jsonl"))


def exact(value: Any) -> str:
    """Return a value in a form that tells true from 1."""
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_transcripts(game: str) -> None:
    assert list((FOLDER / game).glob("*.jsonl"))


def test_no_log_is_without_its_snapshot_and_no_snapshot_without_its_log() -> None:
    snapshots = FOLDER.glob("*/*.json")
    assert {path.with_suffix("") for path in LOGS} == {path.with_suffix("") for path in snapshots}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_transcript_ends_as_it_was_worked_out(path: Path) -> None:
    *_, last = replay(path.read_bytes())
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert last.session.header.game.name == path.parent.name
    assert exact(json.loads(snapshot(last.session))) == exact(expected)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_line_can_be_written_as_it_was_read(path: Path) -> None:
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    readings = list(replay(path.read_bytes()))
    assert [reading.number for reading in readings] == list(range(1, len(lines) + 2))
    assert readings[0].line is None
    assert exact(json.loads(readings[0].session.header.written)) == exact(json.loads(header))
    for reading, text in zip(readings[1:], lines, strict=True):
        assert reading.line is not None
        line = json.loads(text)
        assert exact(json.loads(encode_line(reading.line))) == exact(short(line))


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_a_wrong_last_line_is_refused_and_the_entry_that_does_not_fit_is_named(path: Path) -> None:
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert expected["line"] == len(lines)
    read(b"".join(lines[:-1]))
    with pytest.raises(InvalidLineError) as caught:
        read(data)
    assert caught.value.number == len(lines)
    assert ("number" in caught.value.text.args and "why" in caught.value.text.args) == (expected["entry"] is not None)
    if expected["entry"] is not None:
        assert caught.value.text.args["number"] == expected["entry"]


@pytest.mark.parametrize("game", GAMES)
def test_every_transcript_is_explained_beside_it(game: str) -> None:
    explained = re.findall(r"\*\*([^*]+)\*\*", (FOLDER / game / "README.md").read_text(encoding="utf-8"))
    logs = (FOLDER / game).glob("*.jsonl"), (FOLDER / game / "refused").glob("*.jsonl")
    assert sorted(explained) == sorted(path.stem for paths in logs for path in paths)


def short(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line without its optional keys."""
    if line["type"] == "amend":
        return {**line, "to": short(line["to"])}
    if line["type"] == "splice":
        return {**line, "put": [short(event) for event in line["put"]]}
    said = {key: value for key, value in line.items() if (key, value) != ("shown", [])}
    if line["type"] == "trick" and "captured" in line:
        said["captured"] = {suit: count for suit, count in line["captured"].items() if count}
    return said
