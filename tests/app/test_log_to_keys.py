"""The keys computed for a log reproduce that log."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from companion.app.log_to_keys import LogToKeys
from companion.core.errors import IllegalEvent
from companion.core.prompt import Tracking
from companion.gamelog import encode, replay
from companion.journal import Journal
from companion.ui.keys import parse
from tests.app.controllers import lines_of, new_controller
from tests.example_counts import examples
from tests.gamelog.test_transcripts import short
from tests.games.seeds import Dealt, games

LOGS = sorted((Path(__file__).parents[1] / "transcripts").glob("*/*.jsonl"))
SPLICED = [path for path in LOGS if '"splice"' in path.read_text()]
TRANSCRIPTS = [path for path in LOGS if path not in SPLICED]


def pressed(log: bytes) -> list[str]:
    """Begin the log's game, press the keys of every line, and return the lines in the journal."""
    journal = Journal()
    box = new_controller(journal)
    keys_of_log = None
    for reading in replay(log):
        if keys_of_log is None or reading.line is None:
            box.begin(reading.session.header, Tracking.FULL)
            keys_of_log = LogToKeys(reading.session)
            continue
        before = box.lines
        for key in parse(keys_of_log.spell(reading.line)):
            box.press(key)
        assert box.lines == before + 1, f"line {reading.number}: {box.words()}"
        assert box.game is not None
        game = reading.session.header.game
        assert encode(game.snapshot(box.game.session.state)) == encode(game.snapshot(reading.session.state))
    return lines_of(journal)


def same(lines: list[str], log: bytes) -> bool:
    """Return whether a journal's lines mean the same as a log; optional parts may differ."""
    return [json.loads(line) for line in lines] == [short(json.loads(line)) for line in log.splitlines()[1:]]


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_typed_on_the_box_is_the_transcript(transcript: Path) -> None:
    log = transcript.read_bytes()
    assert same(pressed(log), log)


@pytest.mark.parametrize("transcript", SPLICED, ids=lambda path: path.stem)
def test_no_keys_enter_a_splice(transcript: Path) -> None:
    with pytest.raises(IllegalEvent, match="no keys enter a correction of several entries"):
        pressed(transcript.read_bytes())


@settings(max_examples=examples(15, 800))
@given(games(stop=0.001))
def test_any_game_typed_on_the_box_is_the_game(dealt: Dealt) -> None:
    assert same(pressed(dealt.bytes()), dealt.bytes())
