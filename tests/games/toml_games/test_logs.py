"""Logs of declared games: written, read again strictly, taken back, corrected."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from companion.cli import main
from companion.core.game import Start, Undo
from companion.core.session import Session
from companion.gamelog import LogError, decode_header, decode_line, encode, encode_line
from companion.games import GAMES
from companion.games.toml_games import load

from .files import BIDS, FULL, random_event, refusal
from .test_card_play import WORTH

HEADER = '{"format":1,"game":"bids","players":["Ann","Bo","Cy"],"rules":{"rounds":2}}'
LINES = [
    {"type": "start", "player": 0},
    {"type": "bid", "figures": [1, 1, 0]},
    {"type": "round", "tricks": [1, 1, 1]},
    {"type": "round", "bid": [1, 2, 0], "tricks": [1, 1, 0]},
]


@pytest.fixture(autouse=True)
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (BIDS, WORTH):
        game = load(text, "game.toml")
        monkeypatch.setitem(GAMES, game.name, game)


def test_a_log_is_replayed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "bids.jsonl"
    log.write_text("\n".join((HEADER, *map(json.dumps, LINES))))
    assert main(["replay", str(log)]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["rounds"] == [[11, 11, 0], [11, 0, 10]]
    assert said["winners"] == [0]
    assert main(["keys", str(log)]) == 0
    keys = [line.split("\t")[1] for line in capfd.readouterr().out.splitlines()]
    assert [*keys[:2], keys[-1]] == ["1", "101", "01201#"]


@pytest.mark.parametrize(
    "line",
    [
        {"type": "bid", "figures": [1, 1]},
        {"type": "bid", "figures": [1, 1, "0"]},
        {"type": "bid", "figures": [1, 1, 0], "more": 1},
        {"type": "bid", "figure": 1},
        {"type": "bids", "figures": [1, 1, 0]},
        {"type": "round", "bids": [1, 1, 0]},
        {"type": "end"},
    ],
)
def test_a_line_that_says_anything_else_is_refused(line: object) -> None:
    session = Session(decode_header(HEADER)).add(decode_line(json.dumps(LINES[0]), decode_header(HEADER)))
    with pytest.raises((LogError, ValueError, Exception)):
        session.add(decode_line(json.dumps(line), session.header))


@pytest.mark.parametrize("name", ["bids", "worth"])
def test_random_games_replay_to_the_same_state_and_are_taken_back(name: str) -> None:
    game = GAMES[name]
    for seed in range(8):
        rng = Random(seed)
        players = json.dumps(["Ann", "Bo", "Cy", "Di"][: rng.choice(game.seats)])
        header = decode_header(f'{{"format":1,"game":"{name}","players":{players},"rules":{{}}}}')
        session, lines = Session(header), []
        for _ in range(40):
            event = random_event(game, session.state, rng.choice([FULL, *game.trackings]), rng)
            if event is None:
                break
            before = session
            session = session.add(event)
            assert session.add(Undo()).state is before.state
            lines.append(encode_line(event))
        again = Session(header)
        for line in lines:
            again = again.add(decode_line(line, header))
        assert encode(game.snapshot(again.state)) == encode(game.snapshot(session.state))


def test_a_log_without_a_question_that_was_added_later_is_read_where_it_is_not_asked() -> None:
    question = '\n[[ask]]\nname = "extra"\nwhen = "bid == 2"\nmost = 3\n[score]'
    game = load(BIDS.replace("\n[score]", question), "game.toml")
    state = game.apply(game.start(3, game.rules()), Start(0))
    (kind,) = (kind for kind in game.events if kind.__struct_config__.tag == "round")
    assert game.apply(state, kind(bid=(1, 1, 0), tricks=(1, 1, 1))).rounds == ((11, 11, 0),)
    assert refusal(game, state, kind(bid=(2, 2, 0), tricks=(1, 1, 1))) == ("missing", "Extra of this round is missing")
