"""Logs of declared games: written, read again strictly, taken back, corrected."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from companion.cli import main
from companion.core.game import Event, Start, Undo
from companion.core.session import Session
from companion.gamelog import LogError, decode_header, decode_line, encode, encode_line
from companion.games import GAMES
from companion.games.toml_games import load

from .edits import text_of
from .files import BIDS, FULL, random_event, refusal

HEADER = '{"format":1,"game":"bids","players":["Ann","Bo","Cy"],"rules":{"rounds":2}}'
LINES = [
    {"type": "start", "player": 0},
    {"type": "bid", "figures": [1, 1, 0]},
    {"type": "round", "tricks": [1, 1, 1]},
    {"type": "round", "bid": [1, 2, 0], "tricks": [1, 1, 0]},
]


@pytest.fixture(autouse=True)
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (BIDS, text_of("worth")):
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


@pytest.mark.parametrize(
    ("game", "lines", "totals"),
    [
        ("euchre", [{"maker": 1}, {"alone": 0}, {"won": 4}], (0, 1, 0, 1)),
        ("euchre", [{"maker": None}, {"maker": 2}, {"alone": 1}, {"won": 5}], (4, 0, 4, 0)),
        ("belote", [{"taker": 0}, {"belote": 2}, {"won": 92}], (92, 90, 92, 90)),
        ("belote", [{"taker": 2}, {"belote": 1}, {"won": 162}, {"capot": 1}], (272, 0, 272, 0)),
        ("belote", [{"taker": 0}, {"belote": 0}, {"won": 0}, {"capot": 1}, {"taker": None}], (0, 252, 0, 252)),
        ("coinche", [{"taker": 0}, {"contract": 90}, {"doubled": 1}, {"belote": 0}, {"won": 104}], (190, 60, 190, 60)),
        ("coinche", [{"taker": 0}, {"contract": 80}, {"doubled": 1}, {"belote": 0}, {"won": 162}, {"capot": 1}], None),
        ("skat", [{"declarer": 1}, {"game": 11}, {"tops": 1}, {"steps": 0}, {"won": 1}], (0, 22, 0, 0)),
        ("skat", [{"declarer": 1}, {"game": 9}, {"tops": 1}, {"steps": 0}, {"won": 0}, {"called": 18}], (0, -36, 0, 0)),
        ("skat", [{"declarer": None}, {"declarer": 2}, {"game": 23}, {"won": 1}], (0, 0, 23, 0)),
        ("jass", [{"factor": 2}, {"cards": [157, 0]}, {"match": 1}, {"melds": [20, 0]}], (554, 0, 554, 0)),
        ("jass", [{"factor": 3}, {"cards": [57, 100]}, {"melds": [0, 50]}], (171, 450, 171, 450)),
    ],
)
def test_a_log_from_before_a_game_was_played_card_by_card_is_read_carried_on_and_corrected_as_then(
    game: str, lines: list[dict[str, object]], totals: tuple[int, ...] | None
) -> None:
    header = decode_header(f'{{"format":1,"game":"{game}","players":["Ann","Bo","Cy","Di"],"rules":{{}}}}')
    session = Session(header).add(decode_line('{"type":"start","player":0}', header))
    for line in lines:
        ((name, value),) = line.items()
        field = (
            "player" if name in ("maker", "taker", "declarer") else "figures" if isinstance(value, list) else "figure"
        )
        event = decode_line(json.dumps({"type": name, field: value}), header)
        assert isinstance(event, Event)
        assert session.state.asked == name
        answers = header.game.answers(session.state, event)
        assert header.game.ask(session.state, FULL, answers) == event
        session = session.add(event)
    assert session.state.totals == (totals or (330, 0, 330, 0))
    assert session.state.asked in lines[0]
