"""Tries a game's file: works out its examples, which say what points should be, and plays whether a game ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.game import Event, Start
from companion.core.text import N_, IllegalEventError, Phrase, Text
from companion.games.kit.rounds import follow

from .asked_figures import AskedFigure, cells
from .declaration import Answers, Declaration, Given
from .file import Finding, Findings, Path, Question, parts, places, unknown_key
from .rules import apply, open_questions, start
from .state import State, playing, rules_of, side_numbers


def texts_with_lines(game: Declaration, text: str) -> dict[str, int]:
    """Return all texts of a game's file: those of questions with the lines at which they begin, others with 0."""
    keys = places(text).keys
    found: dict[str, int] = {part: 0 for _path, part, _longest in parts(game) if isinstance(part, Phrase)}
    return found | {
        question.text or question.subject: keys["ask", number].line for number, question in enumerate(game.questions)
    }


GAME_KEYS = ("options", "dealer", "then")
"""What an example says of the whole game; the rounds in ``then`` say none of it."""
A_NUMBER, NUMBERS = N_("a whole number"), N_("a list of whole numbers")


def check_examples(game: Declaration, findings: Findings) -> None:
    """Add a finding for each example whose points are not those of the rules, or that the rules refuse."""
    for wrong in _wrong_examples(game).values():
        add = findings.key if isinstance(wrong, _UnknownKeyError) else findings.value
        add(wrong.path, wrong.text)


def wrong_examples(game: Declaration) -> frozenset[int]:
    """Return the places of the examples whose points are not those of the rules, or that the rules refuse."""
    return frozenset(_wrong_examples(game))


def _wrong_examples(game: Declaration) -> dict[int, _WrongExampleError]:
    """Return what is wrong with examples, by their places."""
    found = {}
    for number, example in enumerate(game.example):
        path: Path = ("example", number)
        try:
            state = _begun(game, example, path)
            for inner, content in _rounds(path, example):
                state = _played(game, state, content, inner)
        except _WrongExampleError as wrong:
            found[number] = wrong
    return found


class _WrongExampleError(Exception):
    """What is wrong with an example, and where."""

    def __init__(self, path: Path, said: str | Text, **args: object) -> None:
        self.path, self.text = path, Text(said, **args) if isinstance(said, str) else said


class _UnknownKeyError(_WrongExampleError):
    """An example has a key that is no name of this game."""


def _rounds(path: Path, example: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield the rounds of an example, each with its place."""
    yield path, {key: value for key, value in example.items() if key not in GAME_KEYS}
    following = example.get("then", [])
    if not isinstance(following, list) or not all(isinstance(each, dict) for each in following):
        raise _WrongExampleError((*path, "then"), N_("expected tables [[{name}]]"), name="example.then")
    for number, content in enumerate(following):
        yield (*path, "then", number), content


def _begun(game: Declaration, example: Mapping[str, Any], path: Path) -> State:
    """Return the state in which the first round of an example begins."""
    options = example.get("options", {})
    if not isinstance(options, dict):
        raise _WrongExampleError((*path, "options"), N_("expected a table"))
    chosen = {name: _option(game, name, value, (*path, "options", name)) for name, value in options.items()}
    seats = len(_score(example, path))
    if seats not in game.seats:
        raise _WrongExampleError((*path, "score"), N_("a table of {count} cannot play this game"), count=seats)
    state = start(game, seats, rules_of(game)(**chosen))
    if not game.dealer:
        return state
    (dealer,) = _numbers(example.get("dealer", 1), False, {}, (*path, "dealer"))
    if not 1 <= dealer <= seats:
        raise _WrongExampleError((*path, "dealer"), N_("there is no seat {player}"), player=dealer)
    return _applied(game, state, Start(dealer - 1), (*path, "dealer"))


def _option(game: Declaration, name: str, value: object, path: Path) -> int:
    if name not in game.options:
        raise _UnknownKeyError(path, unknown_key(name, [*game.options]))
    option = game.options[name]
    (number,) = _numbers(value, False, {word: number for word, number in option.values if word is not None}, path)
    if not option.allows(number):
        raise _WrongExampleError(path, N_("{rule} cannot be {number}"), rule=name, number=number)
    return number


def _score(content: Mapping[str, Any], path: Path) -> Sequence[int]:
    """Return the points that a round should have."""
    if "score" not in content:
        raise _WrongExampleError(path, N_("the key {name} is missing"), name="score")
    return _numbers(content["score"], True, {}, (*path, "score"))


def points_of(game: Declaration, answers: Mapping[str, Any], seats: int) -> tuple[int, ...] | Text:
    """Return the points that the rules give for a first round, or what is wrong with its answers.

    Args:
        answers: By question, as an example says them.
    """
    path: Path = ("example", 0)
    try:
        state = _begun(game, {"score": [0] * seats}, path)
        return _entered(game, state, answers, path).rounds[-1]
    except _WrongExampleError as wrong:
        return wrong.text


def _played(game: Declaration, state: State, content: Mapping[str, Any], path: Path) -> State:
    """Return the state after a round of an example; raise unless its points are those of the rules."""
    state = _entered(game, state, content, path)
    should, points = tuple(_score(content, path)), state.rounds[-1]
    if should != points:
        figures = " ".join(map(str, points))
        raise _WrongExampleError((*path, "score"), N_("score: the rules give {points}"), points=figures)
    return state


def _entered(game: Declaration, state: State, content: Mapping[str, Any], path: Path) -> State:
    """Return the state after the answers of a round of an example."""
    asked = {question.name: question for question in game.questions}
    for name in content:
        if name not in (*asked, "score"):
            known = [*asked, "score", *(GAME_KEYS if len(path) == 2 else ())]
            raise _UnknownKeyError((*path, name), unknown_key(name, known))
    answers = {question.name: _answer(game, state, question, content, path) for question in game.questions}
    if len(answers) > 1:
        answers = {each.name: answers[each.name] for each in open_questions(game, state)}
    return _applied(game, state, game.round_of(answers), path)


def _answer(game: Declaration, state: State, question: Question, content: Mapping[str, Any], path: Path) -> Given:
    """Return the answer to a question; where an example says none it is 0, or names nobody."""
    if question.name not in content:
        sides = len(set(side_numbers(game, state.seats)))
        return () if question.names_seats else (0,) * {"seat": state.seats, "side": sides, "round": 1}[question.per]
    several = question.kind in ("seats", "order") or question.per != "round"
    numbers = _numbers(content[question.name], several, dict(question.choices), (*path, question.name))
    if not question.names_seats:
        return tuple(numbers)
    seats = [number - 1 for number in numbers]
    if question.kind != "order":
        return tuple(sorted(seats))
    able = playing(game, state)
    count = min(question.up_to, len(able))
    if seats and (len(seats) != count or len({*seats} & {*able}) != count):
        said = N_("seats that belong in this order, each once: {count}")
        raise _WrongExampleError((*path, question.name), said, count=count)
    return tuple(seats)


def _numbers(value: Any, several: bool, words: Mapping[Any, int], path: Path) -> list[int]:
    """Return the numbers that a value of an example stands for; some are said as words."""
    listed = value if isinstance(value, list) else [value]
    numbers: list[Any] = [words.get(each, each) if isinstance(each, str) else each for each in listed]
    word = next((each for each in numbers if isinstance(each, str)), None)
    if word is not None and words:
        raise _WrongExampleError(path, N_("expected one of {words}"), words=", ".join(words))
    if isinstance(value, list) != several or any(type(number) is not int for number in numbers):
        raise _WrongExampleError(path, N_("expected {wanted}"), wanted=Text(NUMBERS if several else A_NUMBER))
    return numbers


def _applied(game: Declaration, state: State, event: Event, path: Path) -> State:
    try:
        return apply(game, state, event)
    except IllegalEventError as error:
        raise _WrongExampleError(path, error.text) from None


# Whether it ends


ROUNDS = 200
"""The rounds of a game that is tried."""
MOST_REFUSED = 100
"""The figures that are refused in a row before a game is given up."""

Ends = tuple[int, int] | None
"""Which end of the values of a figure is entered, for the first seat and for the others; None for any value."""
PREFERRED: tuple[Ends, ...] = ((-1, -1), (-1, 0), (0, 0), None)

ENDLESS = N_("with {count} players, no game ended in {rounds} rounds, whatever was entered: can this become true?")


def endless(game: Declaration, text: str) -> Finding | None:
    """Return what is wrong with a game that seems not to end; None if it can end, or the table says when it does.

    Args:
        text: The file that declares it.
    """
    if game.end.when is None:
        return None
    for seats in (game.seats.start, game.seats.stop - 1):
        if not any(_ends(game, seats, ends) for ends in PREFERRED):
            return Finding(*places(text).values["end", "when"], Text(ENDLESS, count=seats, rounds=ROUNDS))
    return None


def _ends(game: Declaration, seats: int, ends: Ends) -> bool:
    """Return whether a game ends; it is taken to end if its figures are refused, which is another fault."""
    chance = Random(1)  # a trial, no secret
    state = start(game, seats, rules_of(game)())
    if game.dealer:
        state = apply(game, state, Start(0))
    try:
        while state.phase != "over" and state.round <= ROUNDS:
            asked = open_questions(game, state)
            answers = _answers(game, replace(state, play=None), asked, ends, chance)
            state = apply(game, state, game.round_of({each.name: answers[each.name] for each in asked}))
    except IllegalEventError:
        return True
    return state.phase == "over"


def _answers(game: Declaration, state: State, asked: Sequence[Question], ends: Ends, chance: Random) -> Answers:
    """Return the answers of a round. In place of a figure that is refused another is tried; those before it stay."""
    said: list[int] = []
    refused = 0

    def figure(known: Iterator[int], cell: AskedFigure) -> int:
        value = next(known, None)
        if value is None:
            by_end = ends if cell.question.kind == "number" and not refused else None
            value = chance.choice(cell.values) if by_end is None else cell.values[by_end[bool(cell.seat)]]
            said.append(value)
        return value

    while True:
        try:
            return follow(cells(game, state, asked), partial(figure, iter([*said]))).end
        except IllegalEventError:
            refused += 1
            if not said or refused == MOST_REFUSED:
                raise
            said.pop()
