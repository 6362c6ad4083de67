"""The keys computed for a log reproduce that log."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.core.correction import Correction, CorrectionKind
from companion.core.game import Amend, Players, Splice
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.core.text import IllegalEventError
from companion.gamelog import decode_header, decode_line, encode, encode_line, replay
from companion.journal import Journal
from companion.ui.keys import parse
from tests.app.boxes import lines_of, new_box
from tests.example_counts import examples
from tests.gamelog.test_transcripts import short
from tests.games.seeds import Dealt, deal, games

TRANSCRIBED = sorted((Path(__file__).parents[1] / "transcripts").glob("*/*.jsonl"))
WITHOUT_KEYS = [path for path in TRANSCRIBED if '"finish"' in path.read_text() or '"substitute"' in path.read_text()]
LOGS = [path for path in TRANSCRIBED if path not in WITHOUT_KEYS]
SPLICED = [path for path in LOGS if '"splice"' in path.read_text()]
SEVERAL = {
    "east-rune/splice-after-the-end",
    "east-rune/splice-at-the-very-end",
    "east-rune/splice-puts-a-chain-for-a-pass",
    "east-rune/undo-a-splice",
    "eternity/splice-after-the-end",
    "eternity/splice-at-the-very-end",
    "eternity/splice-puts-four-cards-for-a-trick",
    "gear/splice-after-the-end",
    "gear/splice-at-the-very-end",
    "gear/splice-puts-the-bids-for-the-prices",
    "gear/undo-a-splice",
    "hipparchus/splice-at-the-very-end",
    "hipparchus/splice-drops-a-trick-entered-twice",
    "hipparchus/splice-inserts-a-forgotten-trick",
    "hipparchus/splice-puts-two-plays-for-a-trick",
}
"""The transcripts with splices that no single correction makes."""
TRANSCRIPTS = [path for path in LOGS if path not in SPLICED]


def pressed(log: bytes) -> list[str]:
    """Begin the log's game, press the keys of every line, and return the lines in the journal."""
    journal = Journal()
    box = new_box(journal)
    keys_of_log = None
    for reading in replay(log):
        if keys_of_log is None or reading.line is None:
            box.begin(reading.session.header, DetailLevel.FULL)
            keys_of_log = LogToKeys(reading.session)
            continue
        before = box.lines
        for key in parse(keys_of_log.spell(reading.line)):
            box.take(PANEL, key)
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


@pytest.mark.parametrize("transcript", WITHOUT_KEYS, ids=lambda path: path.stem)
def test_no_keys_end_a_game_early_or_seat_somebody_else(transcript: Path) -> None:
    with pytest.raises(IllegalEventError, match="no keys enter this"):
        pressed(transcript.read_bytes())


@pytest.mark.parametrize("transcript", SPLICED, ids=lambda path: "-".join(path.parts[-2:]))
def test_a_splice_is_typed_if_one_correction_makes_it(transcript: Path) -> None:
    log = transcript.read_bytes()
    if "/".join(transcript.parts[-2:]).removesuffix(".jsonl") in SEVERAL:
        with pytest.raises(IllegalEventError, match="no keys enter this correction"):
            pressed(log)
    else:
        assert same(pressed(log), log)


def up_to_an_idle_amend(dealt: Dealt) -> bytes:
    """Return a log up to the first amend that changes nothing: such a line cannot be typed."""
    session = dealt.session(0)
    for place, line in enumerate(dealt.lines):
        decoded = decode_line(json.dumps(line), session.header)
        if isinstance(decoded, Amend) and session.step(decoded.event).event == decoded.to:
            return replace(dealt, lines=dealt.lines[:place]).bytes()
        session = session.add(decoded)
    return dealt.bytes()


@settings(max_examples=examples(15, 800))
@given(games(stop=0.001))
def test_any_game_typed_on_the_box_is_the_game(dealt: Dealt) -> None:
    log = up_to_an_idle_amend(dealt)
    assert same(pressed(log), log)


@pytest.mark.parametrize(
    ("game", "seed", "lines"), [("eternity", 0, 42), ("eternity", 1, 30), ("gear", 5, 12), ("east-rune", 0, 12)]
)
def test_an_undone_round_end_is_redone_beside_offered_corrections(game: str, seed: int, lines: int) -> None:
    dealt = deal(game, seed, coarse=0.0, edits=0.0, stop=0.0, misplay=0.0, most_rounds=2)
    log = replace(dealt, lines=[*dealt.lines[:lines], {"type": "undo"}, {"type": "redo"}]).bytes()
    assert same(pressed(log), log)


def test_a_correction_that_changes_nothing_has_no_keys() -> None:
    dealt = deal("eternity", 1, coarse=0.0, edits=0.0)
    session = dealt.session(5)
    event = session.step(5).event
    assert event is not None
    with pytest.raises(IllegalEventError, match="no keys enter this correction"):
        LogToKeys(session).spell(Amend(5, event))


def test_an_end_of_a_turn_that_was_forgotten_before_passes_is_put_right_by_keys() -> None:
    dealt, number = deal("east-rune", 382378578, coarse=0.0, edits=0.0, misplay=0.0, most_rounds=1), 61
    session = dealt.session()
    event = session.step(number).event
    assert event is not None
    removed = Correction(session, number, CorrectionKind.REMOVE).leave_out().line()
    assert removed is not None
    without = session.add(removed)
    put_back = Correction(without, number, CorrectionKind.INSERT).put(event).line()
    assert isinstance(put_back, Splice)
    assert put_back.event == without.head.number + 1
    log = dealt.bytes() + "".join(f"{encode_line(line)}\n" for line in (removed, put_back)).encode()
    assert same(pressed(log), log)


def test_the_keys_of_a_swap_are_spelt_and_those_of_other_names_are_not_known() -> None:
    header = '{"format":1,"game":"eternity","players":["Aki","Bea","Cyr","Dai"]}'
    keys = LogToKeys(Session(decode_header(header)))
    assert keys.spell(Players(("Aki", "Dai", "Cyr", "Bea"))) == "h#045#"
    with pytest.raises(IllegalEventError, match="no keys enter these names"):
        keys.spell(Players(("Ida", "Dai", "Cyr", "Bea")))
