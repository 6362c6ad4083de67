"""``companion check-game`` tries a game, and says in one sentence each what is wrong or missing."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.cli import check_game, main
from companion.cli.check_game import GameTrial
from companion.cli.random_play import StuckGameError, random_event, random_game, random_header
from companion.core.game import Game, RuleOption, RuleValue, Start
from companion.core.prompt import ChooseSeat, DetailLevel, EnterNumber, Prompt, TakeAlternative
from companion.core.text import Text
from companion.games import GAMES, shipped, toml_games
from companion.games.trick_game import trick_game
from companion.ui import few_keys
from companion.ui.few_keys import SelectableOptions
from companion.ui.keys import AnswerCodes
from tests.cli.command_transcripts import FOLDER
from tests.games.euchre_cards import DECK, beats, suit_of
from tests.games.golf import GOLF, State
from tests.games.seeds import deal

ROOT = Path(__file__).parents[2]
FILES = FOLDER / "files"


def tried(game: Game[Any], games: int = 4, **more: Any) -> GameTrial:
    """Return the trials of a game that is not registered otherwise."""
    GAMES[game.name] = game
    try:
        trials = GameTrial(GAMES[game.name], **more)
        trials.run(games)
        return trials
    finally:
        del GAMES[game.name]


def with_part(name: str, part: Any) -> Game[Any]:
    if name in GOLF.__struct_fields__:
        return replace(GOLF, **{name: part})
    return replace(GOLF, optional=replace(GOLF.optional, **{name: part}))


def asks_forever(state: State, level: DetailLevel, given: tuple[Any, ...]) -> Prompt:
    return Prompt(Text("more?"), (EnterNumber(1),))


def refuses_all(state: State, level: DetailLevel, given: tuple[Any, ...]) -> Any:
    return Start(9) if given else Prompt(Text("who?"), (ChooseSeat(0),))


def long_question(state: State, level: DetailLevel, given: tuple[Any, ...]) -> Any:
    asked = GOLF.ask(state, level, given)
    return replace(asked, text=Text("a question " * 8)) if isinstance(asked, Prompt) else asked


def test_the_examples_of_a_game_of_the_program_are_worked_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shipped.text("tally")
    monkeypatch.setattr(shipped, "text", lambda _name: f"{text}[[example]]\npoints = [1, 2]\nscore = [1, 1]\n")
    assert main(["check-game", "tally", "--games", "1"]) == 1
    assert "score: the rules give 1 2" in capsys.readouterr().err


FIRST_NINE = (RuleOption("rounds", Text("Rounds"), (RuleValue(Text("9"), 9),), GOLF.seats),)


@pytest.mark.parametrize(
    ("name", "part", "said"),
    [
        ("name", "My_Game", "its name may have small letters, digits and hyphens, at most 40"),
        ("title", "a\nb", "its title may have 1 to 30 characters, and no control characters"),
        ("events", (*GOLF.events, *GOLF.events), "two events have the tag round"),
        ("options", FIRST_NINE, "option rounds: its first choice is not the default of the rule"),
        ("options", (), "rule rounds cannot be chosen: it is no option"),
        ("rules", None, "the declaration cannot be checked: TypeError"),
        ("ask", asks_forever, "with 2 players: an entry of more than 60 questions makes no event"),
        ("ask", refuses_all, "with 2 players: “who?”: no answer that was tried can be entered: "),
        (
            "answers",
            lambda _state, _event: (EnterNumber(3),),
            "answers: for Start they do not lead back to it through ask",
        ),
        ("view", lambda _state: None, "view has no line for each of 2 seats"),
        (
            "view",
            lambda state: replace(view := GOLF.view(state), seats=view.seats[: 1 + (state.dealer is None)]),
            "view has no line for each of 2 seats",
        ),
        ("describe", lambda _event: 3, "a text is int: 3"),
        ("alerts", lambda _state: (Text("a\x1b[2J"),), "a text has control characters: "),
        ("moment", lambda _state: None, "a text is NoneType: None"),
        ("winners_so_far", lambda _state: (7,), "with 2 players: Golf cannot be shown: progress names a seat"),
        ("snapshot", lambda _state: {"now": object()}, "snapshot cannot be written as JSON"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_is_wrong_is_said(name: str, part: Any, said: str) -> None:
    wrong = tried(with_part(name, part)).wrong
    assert any(sentence.startswith(said) for sentence in wrong), wrong


@pytest.mark.parametrize(
    ("name", "part", "said"),
    [
        ("keys", lambda _seats, _rules: (), "keys: the menu has no help on typing its entries"),
        (
            "action_names",
            {"strokes": Text("strokes of all seats")},
            "action strokes: its name has more than 14 letters",
        ),
        ("ask", long_question, "pixels too long"),
        ("describe", lambda _event: Text("Flurbs"), "no words in fr: “Flurbs”"),
    ],
)
def test_what_is_missing_is_said(name: str, part: Any, said: str) -> None:
    trials = tried(with_part(name, part))
    assert not trials.wrong
    assert any(said in sentence for sentence in trials.missing), trials.missing


@pytest.mark.parametrize(
    ("functions", "said"),
    [
        ({"beats": lambda *_: 7}, "apply failed (TypeError: beats returns int: it is True or False)"),
        ({"beats": lambda *_: 1 // 0}, "apply failed (RuntimeError: beats fails (ZeroDivisionError: "),
        (
            {"score": lambda _: 7},
            "apply failed (TypeError: score returns something else than a whole number for each seat)",
        ),
        ({"score": lambda _: [1.5] * 3}, "apply failed (TypeError: score returns something else than "),
        ({"score": lambda figures: figures["won"]}, "apply failed (RuntimeError: score fails (KeyError: 'won'))"),
    ],
    ids=("no truth", "an error", "a number", "parts", "no name"),
)
def test_a_function_of_a_trick_game_that_fails_is_named_once(functions: Any, said: str) -> None:
    usual: dict[str, Any] = {"suit_of": suit_of, "beats": beats, "score": lambda figures: figures["tricks"]}
    named: dict[str, Any] = {"name": "odd", "title": "Odd", "seats": "3-5", "dealer": True}
    (wrong,) = tried(trick_game(DECK, hand=4, before=[], **{**usual, **functions}, **named), 6).wrong
    assert f"players: Odd cannot be shown: {said}" in wrong


def test_a_game_that_does_not_end_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_game, "MOST_ENTRIES", 3)
    assert "with 4 players: a random game is not over after 3 entries: can it end?" in tried(GOLF).missing


def test_a_game_that_does_not_end_is_tried_once_for_each_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_game, "MOST_ENTRIES", 1)
    told: list[tuple[int, int]] = []
    GAMES["golf"] = GOLF
    try:
        GameTrial(GAMES["golf"], progress=lambda game, entry: told.append((game, entry))).run(12)
    finally:
        del GAMES["golf"]
    assert {game for game, _entry in told} == {*range(1, len(GOLF.seats) + 1)}
    assert (1, 1) in told


def test_an_entry_of_a_file_that_cannot_be_entered_again_is_said_with_its_question() -> None:
    game = toml_games.load((FILES / "boxes.toml").read_text(), "boxes.toml")
    lost = replace(game, answers=lambda state, event: game.answers(state, event)[:1])
    said = tried(lost, texts={"{player}: box? {left} more to the bonus": 7}).wrong
    assert len(said) == 1, said
    assert "“Dice: Aki”: “Box: " in next(iter(said)), said


def test_the_progress_is_said_every_few_seconds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_game, "BETWEEN", 0)
    file = tmp_path / "box.toml"
    file.write_text((FILES / "box.toml").read_text())
    main(["check-game", str(file), "--games", "2"])
    assert "one-box: game 1 of 2, entry 0\n" in capsys.readouterr().err


def test_the_default_referee_takes_an_offer_as_often_however_many_figures_there_are() -> None:
    figures = tuple(map(EnterNumber, range(10_000)))

    def asks(_state: State, _level: DetailLevel, given: tuple[Any, ...]) -> Any:
        return Start(0) if TakeAlternative() in given else Prompt(Text("points?"), (*figures, TakeAlternative()))

    for seed in range(20):
        assert random_event(with_part("ask", asks), None, next(iter(GOLF.trackings)), Random(seed)) == Start(0)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_wrong_with_the_games_of_the_box(name: str) -> None:
    trials = GameTrial(GAMES[name])
    trials.run(1)
    assert not trials.wrong
    assert not trials.missing
    assert trials.entries > 0


def test_the_default_referee_plays_by_every_rule_and_level() -> None:
    chance = deal("gear", 1).rng
    header = random_header(GAMES["gear"], 4, chance)
    levels = [*GAMES["gear"].trackings]
    assert [*random_game(header, chance, levels[-1])][-1].progress.over
    with pytest.raises(StuckGameError):
        random_event(with_part("ask", asks_forever), None, levels[0], chance)


@pytest.mark.parametrize(
    ("named", "status", "said"),
    [
        ("tests/games/golf.py", 0, "golf: nothing is wrong in 2 random games"),
        ("docs.examples.race", 0, "race: (could be better) keys: the menu has no help"),
        ("tests/games/seeds.py", 1, "holds no game"),
        ("tests/games", 1, "tests/games is a folder: give the .py file in it, or the package's name"),
        ("whist", 0, "whist: nothing is wrong in 2 random games"),
    ],
)
def test_a_game_is_found_by_name_file_or_package(
    named: str, status: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["check-game", named, "--games", "2"]) == status
    out, err = capsys.readouterr()
    assert said in out + err
    assert "golf" not in GAMES


@pytest.mark.parametrize("name", ["our.golf", "time"])
def test_a_file_whose_name_no_module_can_have_is_to_be_renamed(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text("from tests.games.golf import GOLF\n")
    assert main(["check-game", str(file), "--games", "1"]) == 1
    assert f"{name} is no name for a module of one's own; rename the file" in capsys.readouterr().err


def test_the_first_file_of_a_package_stands_for_the_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.path", [*sys.path])
    package = tmp_path / "golf_of_mine"
    package.mkdir()
    (package / "words.toml").write_text('[fr]\nGolf = "Golf"\n')
    (package / "__init__.py").write_text(
        "from companion.games.kit import phrases\nfrom tests.games.golf import GOLF\nphrases(__name__)\n"
    )
    assert main(["check-game", str(package / "__init__.py"), "--games", "1"]) == 0
    assert "golf: nothing is wrong" in capsys.readouterr().out


def test_the_keys_of_a_question_are_tried_once_and_of_a_wide_range_some_on_the_wheel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wheels: list[tuple[Any, ...]] = []

    def asked(codes: AnswerCodes, typed: str) -> SelectableOptions:
        wheels.append(codes.prompt.answers)
        return few_keys.asked(codes, typed)

    monkeypatch.setattr(check_game, "asked", asked)
    trials = GameTrial(GAMES["tally"])
    trials.run(2)
    assert not trials.wrong
    assert len({*wheels}) == len(wheels) < trials.entries
    widest = max(wheels, key=len)
    assert EnterNumber(-1000) in widest
    assert EnterNumber(1000) in widest
    assert len(widest) < 100
