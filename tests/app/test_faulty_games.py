"""A game that raises, hangs or gives wrong values is put aside with a sentence; other games and exports go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.game_call_timer import GameCallTimer
from companion.app.games import opened
from companion.cli import main
from companion.core.cards import Suit
from companion.core.errors import IllegalEventError
from companion.core.events import Event
from companion.core.game import CountedAction, EventOutcome, Game
from companion.core.game_guard import GameFaultError, NoTimer, TooSlowError
from companion.core.game_view import GameView, Headline, PileColumn, Piles, SeatLine, Table, TextPage
from companion.core.prompt import ChooseItem, ChooseSeat, DetailLevel, EnterNumber, LayCard, Prompt, TallySheet
from companion.core.scores_and_turn import Progress
from companion.core.text import Text
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
CELLS = ((OK,),) * 3
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


def refuses(*_arguments: Any) -> Any:
    raise IllegalEventError("no", "no\x07")


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
    "odds": (START, Round((1, 2, 3))),
}
"""Every function of a declaration, and arguments for it."""

PROMPT = Prompt(OK, (EnterNumber(1),))
VIEW = GameView(None, OK, (), SEATS)
WRONG: list[tuple[str, Any, str]] = [
    ("progress", None, "returns NoneType"),
    ("progress", {"totals": (0, 0, 0)}, "returns dict"),
    ("progress", Progress((0,), None), "has totals of 1 seats"),
    ("progress", Progress([0, 0, 0], None), "has totals that are no tuple"),  # type: ignore[arg-type]
    ("progress", Progress(("four", 0, 0), None), "has totals that are no whole numbers"),  # type: ignore[arg-type]
    ("progress", Progress((1.5, 0, 0), None), "has totals that are no whole numbers"),  # type: ignore[arg-type]
    ("progress", Progress((NAN, 0, 0), None), "has totals that are no whole numbers"),  # type: ignore[arg-type]
    ("progress", Progress((True, 0, 0), None), "has totals that are no whole numbers"),
    ("progress", Progress((HUGE, 0, 0), None), "has totals that are not from"),
    ("progress", Progress((0, 0, 0), (7,)), "names a seat that 3 players do not have"),
    ("progress", Progress((0, 0, 0), 1), "has winners that are no tuple"),  # type: ignore[arg-type]
    ("progress", Progress((0, 0, 0), ()), "has no winners, though the game is over"),
    ("progress", Progress((0, 0, 0), None, turn="Aki"), "names a seat"),  # type: ignore[arg-type]
    ("progress", Progress((0, 0, 0), None, round=-1), "has rounds that are not from"),
    ("progress", Progress((0, 0, 0), None, phase=3), "has a phase that is no word"),  # type: ignore[arg-type]
    ("ask", "what?", "returns str"),
    ("ask", Event(), "returns Event"),
    ("ask", Prompt(OK, ()), "asks a question without answers"),
    ("ask", Prompt(OK, (3,)), "has an answer that is int"),  # type: ignore[arg-type]
    ("ask", Prompt(OK, (ChooseSeat(3),)), "names a seat"),
    ("ask", Prompt(OK, (EnterNumber(1.0),)), "has numbers that are no whole numbers"),  # type: ignore[arg-type]
    ("ask", Prompt(OK, (EnterNumber(HUGE),)), "has numbers that are not from"),
    ("ask", Prompt(OK, (EnterNumber(1), EnterNumber(1))), "offers an answer twice"),
    ("ask", Prompt(OK, tuple(map(EnterNumber, range(3000)))), "asks a question with more than 2500 answers"),
    ("ask", Prompt(OK, (LayCard("ace"),)), "has a card that is str"),  # type: ignore[arg-type]
    ("ask", Prompt(OK, (ChooseItem(1, Text("{gone}", here=1)),)), "has a text that cannot be written"),
    ("ask", Prompt(OK, (ChooseItem(1, OK, letter="E"),)), "has an item whose letter is no key"),
    ("ask", Prompt(OK, (ChooseItem(1, OK, letter=["A"]),)), "has an item whose letter is no key"),  # type: ignore[arg-type]
    ("ask", replace(PROMPT, stays=EnterNumber(77)), "keeps an answer that it does not offer"),
    ("ask", Prompt(Text("a\x1b[2Jb"), (EnterNumber(1),)), "has a text with control characters"),
    ("ask", Prompt(Text("a" * 500), (EnterNumber(1),)), "has a text of more than 400 characters"),
    ("ask", replace(PROMPT, seat=9), "names a seat"),
    ("ask", replace(PROMPT, suits=(Suit("a", "A"),) * 5), "asks for more than 4 suits"),
    ("ask", replace(PROMPT, alike=((Suit("a", "A"), -1),)), "has cards left that are not from 0 to"),
    ("ask", replace(PROMPT, alike=(("a", 1),)), "returns str"),
    ("ask", replace(PROMPT, alike=(3,)), "has kinds of cards that are no pairs"),
    ("ask", replace(PROMPT, bare=("a",)), "has a suit that is no suit"),
    ("ask", replace(PROMPT, deck=(1,)), "has a card that is int"),
    ("ask", replace(PROMPT, sheet=TallySheet(OK, (OK,), ((1,),), None)), "has a form without a row for each"),
    ("ask", replace(PROMPT, sheet=TallySheet(OK, (OK,), ((1, 2),) * 3, None)), "has a form with a row of another"),
    ("ask", replace(PROMPT, sheet=TallySheet(OK, (OK,), ((1,),) * 3, (3, 0))), "names a seat"),
    ("ask", replace(PROMPT, sheet=TallySheet(OK, (OK,), ((1,),) * 3, None)), ""),
    ("answers", [EnterNumber(1)], "returns list"),
    ("snapshot", None, "returns NoneType"),
    ("view", None, "returns NoneType"),
    ("view", GameView(None, OK, (), SEATS[:2]), "has no line for each of 3 seats"),
    ("view", replace(VIEW, status=3), "has a text that is int"),
    ("view", replace(VIEW, columns=(PileColumn(OK, 1.5),)), "has piles that are no whole numbers"),  # type: ignore[arg-type]
    ("view", replace(VIEW, headline=Headline(1, OK, (0, 0, 0))), "has a headline"),  # type: ignore[arg-type]
    ("view", replace(VIEW, headline=Headline("sun", OK, (0, 0))), "has a colour that"),  # type: ignore[arg-type]
    ("view", replace(VIEW, headline=Headline("sun", OK, (0, 0, 300))), "has colours that are not from 0 to 255"),
    ("view", replace(VIEW, piles=Piles((), ((),))), "has no piles for each of 3 seats"),
    ("view", replace(VIEW, suits=("red",)), "has a suit that is no suit"),
    ("view", replace(VIEW, result="a\nb"), "has a text with control characters"),
    ("outcome", None, "returns NoneType"),
    ("outcome", EventOutcome(lines=[OK]), "has no tuple of texts"),  # type: ignore[arg-type]
    ("outcome", EventOutcome(new_trump=4), "has trumps that are not from 0 to 3"),
    ("outcome", EventOutcome(laid_as="lead"), "has a sound that is no CardSound"),  # type: ignore[arg-type]
    ("outcome", EventOutcome(table=Table(OK, (OK,), CELLS[:1])), "has no row for each of 3 seats"),
    ("outcome", EventOutcome(finished=GameView(None, OK, (), ())), "has no line for each of 3 seats"),
    ("score_sheet", (), "returns tuple"),
    ("score_sheet", Table(OK, (OK,), CELLS[:2]), "has no row for each of 3 seats"),
    ("score_sheet", Table(OK, (OK, OK), CELLS), "has a row of 1 cells under 2 columns"),
    ("score_sheet", Table(OK, (OK,), CELLS, (5,)), "names a seat"),
    ("describe", None, "has a text that is NoneType"),
    ("moment", 7, "has a text that is int"),
    ("alerts", ["no"], "has no tuple of texts"),
    ("short_moment", Text("{x}", x=NAN), ""),
    ("keys", (OK, 7), "has a text that is int"),
    ("rules_card", (OK,), "returns Text"),
    ("rules_card", (TextPage(OK, (1,)),), "has a text that is int"),  # type: ignore[arg-type]
    ("finished_rounds", 1.0, "has rounds that are no whole numbers"),
    ("finished_rounds", -1, "has rounds that are not from"),
    ("round_points", [(1, 2, 3)], "returns list"),
    ("round_points", ((1, 2),), "has no points for each of 3 seats"),
    ("round_points", ((1, 2, NAN),), "has points that are no whole numbers"),
    ("counted_actions", (3,), "has an action that is int"),
    ("counted_actions", (CountedAction("magic", 0),), "counts 'magic', which has no name"),
    ("counted_actions", None, "failed (TypeError"),
    ("sides", ((0,), (1,)), "does not have each of 3 seats on one side"),
    ("sides", ((0, 0, 1), (2,)), "does not have each of 3 seats on one side"),
    ("sides", ("012",), "has a side that is no tuple"),
    ("declarers", ((3,),), "names a seat"),
    ("odds", NAN, "returns nan"),
    ("odds", "likely", "returns 'likely'"),
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


def test_a_refusal_that_cannot_be_shown_is_a_fault() -> None:
    GAMES["golf"] = with_function("apply", refuses)
    with pytest.raises(GameFaultError, match="apply has a text with control characters"):
        called(GAMES["golf"], "apply")


def test_a_game_that_has_failed_three_times_is_put_aside_until_it_is_asked_for() -> None:
    calls: list[int] = []
    GAMES["golf"] = with_function("view", lambda _state: calls.append(1))
    for _ in range(5):
        with pytest.raises(GameFaultError):
            called(GAMES["golf"], "view")
    assert (len(calls), GAMES.aside("golf")) == (3, True)
    with pytest.raises(GameFaultError, match="it has failed three times"):
        called(GAMES["golf"], "moment")
    GAMES.ask_for("golf")
    assert str(called(GAMES["golf"], "moment")) == "round 1"


def test_a_game_that_works_gives_what_it_gives_without_a_guard() -> None:
    GAMES["golf"] = GOLF
    for name in ("ask", "answers", "progress", "view", "score_sheet", "snapshot", "moment", "describe"):
        assert called(GAMES["golf"], name) == called(GOLF, name)
    assert GAMES["hipparchus"].view is GAMES["hipparchus"].view


CASES = [pytest.param(name, raises, id=f"{name} raises") for name in FUNCTIONS]
CASES += [
    pytest.param(name, hangs, id=f"{name} hangs", marks=UNTRACED)
    for name in ("start", "apply", "progress", "view", "round_points")
]
CASES += [
    pytest.param(name, lambda *_of, value=value: value, id=f"{name} {said}") for name, value, said in WRONG[::3] if said
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


def test_without_a_timer_nothing_is_measured() -> None:
    NoTimer().end(NoTimer().begin("Golf: view"))
