"""A game that raises, hangs or returns nonsense is told in a sentence; other games, history and exports go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from msgspec.structs import replace

from companion.app.games import GameCallTimer, opened
from companion.cli import main
from companion.core.game import CountedAction, Game, OptionalParts, Progress, Start
from companion.core.games import GameFaultError, NoTimer, TooSlowError
from companion.core.prompt import DetailLevel
from companion.core.text import IllegalEventError, Text
from companion.gamelog import decode_header, read
from companion.games import GAMES
from companion.history.history import History
from companion.history.results import seat_ranks
from companion.history.results import sides as sides_of
from companion.journal import Journal
from tests.app.boxes import new_box, press, says
from tests.games.golf import GOLF, Round, State
from tests.games.golf import Rules as GolfRules
from tests.raised_errors import expected

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
PLAYERS = ("Aki", "Bea", "Cyr")
HEADER = json.dumps({"format": 1, "game": "golf", "players": PLAYERS, "rules": {"rounds": 1}})
LINES = ('{"type":"start","player":0}', '{"type":"round","points":[4,-3,9]}')
OTHER, *STARS = (TRANSCRIPTS / "hipparchus/whole-game-of-three-rounds.jsonl").read_text().splitlines()
DAI = json.loads(OTHER)["players"][0]
START = State(3, GolfRules())
DEALT = replace(START, dealer=0)


def raises(*_arguments: Any) -> Any:
    raise ZeroDivisionError("a number\x1b[2J divided by 0")


def leaves(*_arguments: Any) -> Any:
    raise SystemExit(3)


def is_interrupted(*_arguments: Any) -> Any:
    raise TooSlowError


def hangs(*_arguments: Any) -> Any:
    while True:
        pass


def gives_nonsense(*_arguments: Any) -> Any:
    return object()


UNTRACED = pytest.mark.unmeasured
"""A loop is not interrupted while it is traced."""

FAILS = [
    pytest.param(raises, id="raises"),
    pytest.param(leaves, id="leaves"),
    pytest.param(is_interrupted, id="interrupted"),
    pytest.param(hangs, id="hangs", marks=UNTRACED),
]
BEHAVES = [*FAILS, pytest.param(gives_nonsense, id="nonsense")]
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "start": (3, GolfRules()),
    "apply": (DEALT, Round((1, 2, 3))),
    "ask": (DEALT, DetailLevel.ROUND, ()),
    "answers": (DEALT, Round((1, 2, 3))),
    "progress": (START,),
    "snapshot": (START,),
    "view": (START,),
    "outcome": (DEALT, Round((1, 2, 3)), DEALT),
    "score_sheet": (START,),
    "describe": (Round((1, 2, 3)),),
    "moment": (START,),
    "alerts": (START,),
    "short_moment": (START,),
    "keys": (3, GolfRules()),
    "rules_card": (3, GolfRules()),
    "as_whole_round": (DEALT, Round((1, 2, 3)), DEALT),
    "finished_rounds": (START,),
    "round_points": (START,),
    "counted_actions": (DEALT, Round((1, 2, 3)), DEALT),
    "sides": (3, {}),
    "winners_so_far": (START,),
    "declarers": (START,),
    "refit": (START, Round((1, 2, 3)), START),
    "log_likelihood": (START, Round((1, 2, 3))),
}
"""Every function of a declaration, and arguments for it."""


def with_function(name: str, function: Callable[..., Any]) -> Game[Any]:
    """Return Golf with one function replaced; one that hangs is interrupted soon."""
    if function is hangs:
        GAMES.timer = GameCallTimer(stopped_after=0.04)
    if name in GOLF.__struct_fields__:
        return replace(GOLF, **{name: function})
    return replace(GOLF, optional=replace(GOLF.optional, **{name: function}))


def called(game: Game[Any], name: str) -> Any:
    """Call a function of the game."""
    function = getattr(game, name, None) or getattr(game.optional, name)
    return function(*FUNCTIONS[name])


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(GAMES, "timer", GameCallTimer(stopped_after=600))  # a slow machine is no slow game
    yield
    GAMES.pop("golf", None)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a journal with a finished game of Golf and one of another game."""
    folder = tmp_path_factory.mktemp("faulty")
    GAMES["golf"] = GOLF
    journal = Journal(folder)
    for kind, header, lines in (("golf", HEADER, LINES), ("hipparchus", OTHER, STARS)):
        name = journal.name_for(kind)
        journal.begin(name, header, "round", 1.795e9)
        for line in lines:
            journal.append(name, line, now=1.795e9, tracking="round", over=line == lines[-1])
    journal.close()
    del GAMES["golf"]
    return folder


def test_the_table_has_every_function_of_a_declaration() -> None:
    declared = {**get_type_hints(Game), **get_type_hints(OptionalParts)}
    assert {name for name, kind in declared.items() if "Callable" in str(kind)} == {*FUNCTIONS}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("fault", FAILS)
def test_a_function_that_fails_or_hangs_is_named_in_a_sentence(name: str, fault: Callable[..., Any]) -> None:
    GAMES["golf"] = with_function(name, fault)
    with pytest.raises(GameFaultError) as caught:
        called(GAMES["golf"], name)
    said = str(caught.value)
    assert said.startswith(f"Golf cannot be shown: {name} ")
    assert said.isprintable()


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("fault", BEHAVES)
def test_history_and_exports_go_on_without_it(
    saved: Path, capfd: pytest.CaptureFixture[str], name: str, fault: Callable[..., Any]
) -> None:
    GAMES["golf"] = with_function(name, fault)
    (saved / "history.db").unlink(missing_ok=True)
    for command in (["history"], ["stats"], ["export", "--csv"], ["export", "--json"], ["export", "--bgstats"]):
        GAMES.ask_for("golf")
        with expected() as logged:
            main([*command, "--data", str(saved)])
        assert fault is gives_nonsense or not logged
        out, _err = capfd.readouterr()
        assert "Hipparchus" in out or command == ["stats"]
        assert DAI in out


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("progress", Progress((1.5, 0, 0), None)),  # type: ignore[arg-type]
        ("round_points", (("4", "-3", "9"),)),
        ("round_points", ((4, -3),)),
        ("declarers", ((3,),)),
        ("counted_actions", (CountedAction("strokes", -1),)),
        ("counted_actions", (CountedAction("strokes", 0, 1.5),)),  # type: ignore[arg-type]
    ],
)
def test_a_game_with_a_wrong_result_is_left_out_of_the_history_which_says_so(
    saved: Path, name: str, value: Any
) -> None:
    game = with_function(name, lambda *_of: value)
    GAMES["golf"] = replace(game, optional=replace(game.optional, action_names={"strokes": Text("strokes")}))
    history = History(Journal(saved, writes=False), None)
    with expected():
        assert [result.game for result in history.results()] == ["hipparchus"]
    assert len(history.unreadable) == 1


@pytest.mark.parametrize("sides", [((0,), (1,)), ((0, 1, 2), ()), 3])
def test_of_a_game_with_wrong_sides_each_player_is_alone(saved: Path, sides: Any) -> None:
    GAMES["golf"] = with_function("sides", lambda *_of: sides)
    golf = History(Journal(saved, writes=False), None).results()[0]
    assert sides_of(golf) == ((0,), (1,), (2,))
    assert seat_ranks(golf) == (2, 1, 3)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("fault", BEHAVES)
def test_the_table_goes_on_keeps_what_was_entered_and_plays_other_games(name: str, fault: Callable[..., Any]) -> None:
    journal = Journal()
    GAMES["golf"] = GOLF
    box = new_box(journal)
    box.begin(decode_header(HEADER), DetailLevel.ROUND)
    press(box, "1 1")
    GAMES["golf"] = with_function(name, fault)
    with expected():
        again = new_box(journal)
        for keys in ("1", "2#", "3#", "h#3", "h*", "*", "h#1", "#"):
            press(again, keys)
        press(again, "h# h*")
    again.begin(decode_header(OTHER), DetailLevel.FULL)
    press(again, "1")
    assert DAI in says(again)
    assert again.game is not None
    assert again.game.session.head.number == 1
    GAMES["golf"] = GOLF
    kept = read(journal.log(journal.names()[0]).encode())
    assert kept.entry(1).event == Start(0)
    assert kept.head.number - 1 == len(kept.state.rounds)


def test_an_entry_that_could_not_be_read_back_is_not_written() -> None:
    GAMES["golf"] = replace(GOLF, events=(), optional=replace(GOLF.optional, whole_round=()))
    journal = Journal()
    box = new_box(journal)
    box.begin(decode_header(HEADER), DetailLevel.ROUND)
    with expected():
        press(box, "1 1 2# 3# 4#")
    assert "Golf cannot be shown" in says(box)
    assert journal.lines(journal.names()[0]) == list(LINES[:1])


def test_a_slow_game_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    timer = GameCallTimer(warned_after=-1)
    for _ in range(2):
        timer.call("Golf: view", str)
    assert [record.getMessage() for record in caplog.records] == ["companion: Golf: view took 0.0 s"]


class LateTimer(GameCallTimer):
    """Interrupts a call as it begins or as it ends."""

    interrupts = ""

    @property
    def measures(self) -> bool:
        return bool(self._running)

    def _begin(self, thread: int, call: Any) -> None:
        super()._begin(thread, call)
        self._interrupt("begin")

    def _end(self, thread: int) -> None:
        self._interrupt("end")
        super()._end(thread)

    def _interrupt(self, at: str) -> None:
        if self.interrupts == at:
            self.interrupts = ""
            raise TooSlowError


@pytest.mark.parametrize("at", ["begin", "end"])
@pytest.mark.parametrize("raised", [None, IllegalEventError("golf", "no"), ValueError()])
def test_a_call_that_is_interrupted_as_it_begins_or_ends_is_not_measured_any_more(
    monkeypatch: pytest.MonkeyPatch, raised: Exception | None, at: str
) -> None:
    def ends(*_arguments: object) -> object:
        if raised is not None:
            raise raised
        return None

    timer = LateTimer(stopped_after=600)
    monkeypatch.setattr(GAMES, "timer", timer)
    GAMES["golf"] = with_function("describe", ends)
    timer.interrupts = at
    with pytest.raises(GameFaultError, match="takes too long"):
        called(GAMES["golf"], "describe")
    timer.interrupts = at
    with pytest.raises(GameFaultError, match="takes too long"):
        opened("golf", lambda: GOLF)
    assert not timer.measures


def test_a_box_has_the_calls_of_games_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES, "timer", NoTimer())
    new_box()
    assert isinstance(GAMES.timer, GameCallTimer)


@UNTRACED
def test_a_call_is_interrupted_though_one_that_was_made_in_it_has_ended() -> None:
    timer = GameCallTimer(stopped_after=0.04)

    def outer() -> None:
        timer.call("Golf: progress", str)
        hangs()

    with pytest.raises(TooSlowError):
        timer.call("Golf: view", outer)


@UNTRACED
def test_a_call_is_interrupted_again_if_that_was_lost() -> None:
    def loses_it() -> None:
        with suppress(TooSlowError):
            hangs()
        hangs()

    with pytest.raises(TooSlowError):
        GameCallTimer(stopped_after=0.04).call("Golf: view", loses_it)
