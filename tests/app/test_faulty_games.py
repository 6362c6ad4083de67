"""A game that raises, hangs or gives wrong values is put aside with a sentence; other games and exports go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.games import GameCallTimer, opened
from companion.cli import main
from companion.core.game import CountedAction, Event, Game, GameView, Progress, SeatLine
from companion.core.games import GameFaultError, NoTimer, TooSlowError
from companion.core.prompt import ChooseItem, DetailLevel, EnterNumber, Prompt
from companion.core.text import IllegalEventError, Text
from companion.gamelog import decode_header
from companion.games import GAMES
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
NAN, HUGE = float("nan"), 10**12
OK = Text("ok")
SEATS = (SeatLine(OK, OK, leads=False),) * 3
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


UNTRACED = pytest.mark.unmeasured
"""A loop is not interrupted while it is traced."""

HANGS = pytest.param(hangs, marks=UNTRACED)


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
    "finished_rounds": (START,),
    "round_points": (START,),
    "counted_actions": (DEALT, Round((1, 2, 3)), DEALT),
    "sides": (3, {}),
    "declarers": (START,),
    "refit": (START, Round((1, 2, 3)), START),
    "log_likelihood": (START, Round((1, 2, 3))),
}
"""Every function of a declaration, and arguments for it."""

PROMPT = Prompt(OK, (EnterNumber(1),))
VIEW = GameView(None, OK, (), SEATS)
WRONG: list[tuple[str, Any, str]] = [
    ("progress", None, "returns NoneType"),
    ("progress", {"totals": (0, 0, 0)}, "returns dict"),
    ("progress", Progress((1.5, 0, 0), None), "has totals that are no whole numbers"),  # type: ignore[arg-type]
    ("ask", "what?", "returns str"),
    ("ask", Event(), "returns Event"),
    ("ask", Prompt(OK, (EnterNumber(1.0),)), "has numbers that are no whole numbers"),  # type: ignore[arg-type]
    ("ask", Prompt(OK, (ChooseItem(1, OK, letter="E"),)), "has an item whose letter is no key"),
    ("ask", Prompt(OK, (ChooseItem(1, OK, letter=["A"]),)), "has an item whose letter is no key"),  # type: ignore[arg-type]
    ("ask", Prompt(OK, (EnterNumber(1),), stays=EnterNumber(77)), "keeps an answer that it does not offer"),
    ("answers", [EnterNumber(1)], "returns list"),
    ("snapshot", None, "returns NoneType"),
    ("view", None, "returns NoneType"),
    ("view", GameView(None, OK, (), SEATS[:2]), "has no line for each of 3 seats"),
    ("outcome", None, "returns NoneType"),
    ("score_sheet", (), "returns tuple"),
    ("describe", None, "has a text that is NoneType"),
    ("moment", 7, "has a text that is int"),
    ("alerts", ["no"], "has no tuple of texts"),
    ("short_moment", Text("{x}", x=NAN), ""),
    ("keys", (OK, 7), "has a text that is int"),
    ("rules_card", (OK,), "returns Text"),
    ("finished_rounds", 1.0, "has rounds that are no whole numbers"),
    ("round_points", [(1, 2, 3)], "returns list"),
    ("counted_actions", (3,), "has an action that is int"),
    ("counted_actions", (CountedAction("magic", 0),), "counts 'magic', which has no name"),
    ("counted_actions", None, "failed (TypeError"),
    ("sides", ((0,), (1,)), "does not have each of 3 seats on one side"),
    ("declarers", ((3,),), "names a seat"),
    ("log_likelihood", NAN, "returns nan"),
    ("log_likelihood", "likely", "returns 'likely'"),
]


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


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    "fault", [raises, leaves, is_interrupted, HANGS], ids=["raises", "leaves", "interrupted", "hangs"]
)
def test_a_function_that_fails_or_hangs_is_named_in_a_sentence(name: str, fault: Callable[..., Any]) -> None:
    GAMES["golf"] = with_function(name, fault)
    with pytest.raises(GameFaultError) as caught:
        called(GAMES["golf"], name)
    said = str(caught.value)
    assert said.startswith(f"Golf cannot be shown: {name if name in said else 'progress'} ")
    assert said.isprintable()


@pytest.mark.parametrize(("name", "value", "said"), WRONG, ids=lambda each: each if isinstance(each, str) else "")
def test_a_wrong_value_is_named_in_a_sentence(name: str, value: Any, said: str) -> None:
    GAMES["golf"] = with_function(name, lambda *_of: value)
    if not said:
        called(GAMES["golf"], name)
        return
    with pytest.raises(GameFaultError) as caught:
        called(GAMES["golf"], name)
    assert f"Golf cannot be shown: {name} {said}" in str(caught.value)


CASES = [pytest.param(name, raises, id=f"{name} raises") for name in FUNCTIONS]
CASES += [
    pytest.param(name, hangs, id=f"{name} hangs", marks=UNTRACED)
    for name in ("start", "apply", "progress", "view", "round_points")
]
CASES += [
    pytest.param(name, lambda *_of, value=value: value, id=f"{name} {said}") for name, value, said in WRONG if said
]


@pytest.mark.parametrize(("name", "fault"), CASES)
def test_history_and_exports_go_on_without_it(
    saved: Path, capfd: pytest.CaptureFixture[str], name: str, fault: Callable[..., Any]
) -> None:
    GAMES["golf"] = with_function(name, fault)
    (saved / "history.db").unlink(missing_ok=True)
    for command in (["history"], ["stats"], ["export", "--csv"], ["export", "--json"], ["export", "--bgstats"]):
        GAMES.ask_for("golf")
        main([*command, "--data", str(saved)])
        out, err = capfd.readouterr()
        assert "Hipparchus" in out or command == ["stats"]
        assert DAI in out
        assert "Traceback" not in err or name in ("counted_actions", "snapshot")


@pytest.mark.parametrize(("name", "fault"), CASES)
def test_the_table_says_so_and_other_games_are_played(name: str, fault: Callable[..., Any]) -> None:
    journal = Journal()
    GAMES["golf"] = GOLF
    header = decode_header(HEADER)
    box = new_box(journal)
    box.begin(header, DetailLevel.ROUND)
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


def test_a_slow_game_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    timer = GameCallTimer(warned_after=-1)
    for _ in range(2):
        timer.end(timer.begin("Golf: view"))
    assert [record.getMessage() for record in caplog.records] == ["companion: Golf: view took 0.0 s"]


class LateTimer(GameCallTimer):
    """Interrupts a call as it ends."""

    interrupts = True

    @property
    def measures(self) -> bool:
        return bool(self._running)

    def end(self, token: object) -> None:
        if self.interrupts:
            self.interrupts = False
            raise TooSlowError
        super().end(token)


@pytest.mark.parametrize("raised", [None, IllegalEventError("golf", "no"), ValueError()])
def test_a_call_that_is_interrupted_as_it_ends_is_not_measured_any_more(
    monkeypatch: pytest.MonkeyPatch, raised: Exception | None
) -> None:
    def ends(*_arguments: object) -> object:
        if raised is not None:
            raise raised
        return None

    timer = LateTimer(stopped_after=600)
    monkeypatch.setattr(GAMES, "timer", timer)
    GAMES["golf"] = with_function("describe", ends)
    with pytest.raises(GameFaultError, match="takes too long"):
        called(GAMES["golf"], "describe")
    timer.interrupts = True
    with pytest.raises(GameFaultError, match="takes too long"):
        opened("golf", lambda: GOLF)
    assert not timer.measures


def test_a_box_has_the_calls_of_games_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES, "timer", NoTimer())
    new_box()
    assert isinstance(GAMES.timer, GameCallTimer)


def test_without_a_timer_nothing_is_measured() -> None:
    NoTimer().end(NoTimer().begin("Golf: view"))


@UNTRACED
def test_a_call_is_interrupted_though_one_that_was_made_in_it_has_ended() -> None:
    timer = GameCallTimer(stopped_after=0.04)
    outer = timer.begin("Golf: view")
    timer.end(timer.begin("Golf: progress"))
    with pytest.raises(TooSlowError):
        hangs()
    timer.end(outer)
