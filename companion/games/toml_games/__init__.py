"""Games without code: a TOML file declares a game, and `load` makes it a `Game` like any other."""

from __future__ import annotations

from functools import partial
from types import ModuleType
from typing import Any

from companion.core.game import Game, RuleOption, RuleValue
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text, joined, listed
from companion.games.kit import tricks
from companion.games.kit.tricks import MOST_REVOKES
from companion.games.toml_games import asks as prompts
from companion.games.toml_games import rules, state
from companion.games.toml_games.checks import declaration
from companion.games.toml_games.declaration import Declaration, Play
from companion.games.toml_games.file import Finding, GameFileError, Question, read
from companion.games.toml_games.form import beginning
from companion.games.toml_games.trial import check_examples

from . import view

__all__ = ["Finding", "GameFileError", "beginning", "declared", "game_of", "load"]

QUESTIONS = Text(N_("Question by question"))
ROUNDS = Text(N_("Rounds only"))
TOTAL = Text(N_("By a name: the total"))


def load(text: str, source: str) -> Game[state.State]:
    """Return the game that a TOML text declares.

    >>> load('name = "x"', "x.toml")
    Traceback (most recent call last):
        ...
    companion.games.toml_games.file.GameFileError: x.toml:1:1: the key title is missing

    Args:
        source: Where the text is from, for the sentences on what is wrong: a file's name.

    Raises:
        GameFileError: A key is unknown, missing or of another kind; or the error says everything else that is wrong.
    """
    return game_of(declared(text, source))


def declared(text: str, source: str, *, new: bool = False) -> Declaration:
    """Return what a TOML text declares; raise GameFileError as `load` does.

    Args:
        new: Whether nobody plays by this text yet: then it is refused for what has no effect, and for examples that
            are wrong, too.
    """
    content, findings = read(text, source)
    found = None if content is None else declaration(content, findings)
    if found is None or (new and findings.warnings):
        raise GameFileError(source, [*findings.all, *(findings.warnings if new else ())])
    if new:
        check_examples(found, findings)
        if findings.all:
            raise GameFileError(source, findings.all)
    return found


def game_of(declared: Declaration) -> Game[state.State]:
    """Return a declared game as a `Game`."""
    play, whole_round = declared.trick_rules, declared.events.round
    counts = {name: Text(each.label) for name, each in declared.counts.items()}
    if play is not None:
        counts["revokes"] = Text(N_("Revokes"))
    functions = {name: partial(getattr(module, name), declared) for module, names in FUNCTIONS for name in names}
    return Game.of(
        view,
        tricks,
        name=declared.name,
        title=declared.title,
        seats=declared.seats,
        rules=state.rules_of(declared),
        options=tuple(_option(declared, name) for name in declared.options),
        events=declared.events.every,
        cards={} if play is None else play.deck.by_name,
        trackings=(trackings := _trackings(declared)),
        usual_tracking=DetailLevel.ROUND if EVERY_CARD in trackings.values() else None,  # its score sheet
        by_turn=() if play is None else (Play,),
        whole_round=() if whole_round is None else (whole_round,),
        keys=lambda _seats, rules: _key_help(declared, rules),
        rules_card=(lambda _seats, _rules: view.rules_card(declared)) if declared.card else None,
        action_names=counts,
        remarkable={} if play is None else {"revokes": MOST_REVOKES},
        best=declared.best_points,
        sides=partial(_sides, declared) if declared.sides == "partners" else None,
        shared_points=declared.sides == "partners",
        declarers=None if declared.sides in ("none", "partners") else partial(state.declarers, declared),
        one_loses=declared.one_loses,
        all_can_win=declared.all_can_win,
        log_likelihood=None if play is None else partial(rules.log_likelihood, declared),
        **functions,
    )


FUNCTIONS: tuple[tuple[ModuleType, tuple[str, ...]], ...] = (
    (rules, ("start", "apply", "winners_so_far")),
    (prompts, ("ask", "answers")),
    (state, ("progress", "snapshot")),
    (view, ("view", "outcome", "score_sheet", "describe", "counted_actions")),
)
"""The parts of a game that are functions of its declaration; those of a state alone are taken as they are."""


def _option(declared: Declaration, name: str) -> RuleOption:
    option = declared.options[name]
    usual = option.values[0][1]
    choices = [
        RuleValue(Text("{value}", value=value) if word is None else Text(word), value) for word, value in option.values
    ]
    if option.typed:
        choices.append(RuleValue(Text(N_("another number")), usual, lambda number: number, "{count}"))
    return RuleOption(name, Text(option.label), tuple(choices), declared.seats)


EVERY_CARD = Text(N_("Every card"))


def _trackings(declared: Declaration) -> dict[DetailLevel, Text]:
    if declared.trick_rules is None:
        several = len(declared.questions) > 1 and declared.asks == "questions"
        return {DetailLevel.FULL: QUESTIONS, DetailLevel.ROUND: ROUNDS} if several else {DetailLevel.FULL: ROUNDS}
    quick = {} if declared.trick_rules.worth else {DetailLevel.QUICK: Text(N_("Trick winners"))}
    asked = [each.when.names if each.when else {} for each in declared.questions if _is_points(declared, each)]
    by_choice = bool(asked) and all(names.keys() & declared.options.keys() for names in asked)
    every = QUESTIONS if by_choice else EVERY_CARD
    return {DetailLevel.FULL: every, **quick, DetailLevel.ROUND: ROUNDS}


def _is_points(declared: Declaration, question: Question) -> bool:
    """Return whether cards tell the answer to a question for a number."""
    rules = declared.trick_rules
    return rules is not None and rules.answers.get(question.name) in ("tricks", "points")


def _key_help(declared: Declaration, rules: Any) -> tuple[Text, ...]:
    """Return the help on typing, by the rules of a table."""
    questions = state.questions_under(declared, rules)
    help_: list[Text] = []
    tricks = declared.trick_rules
    if tricks is not None and any(question.name in tricks.answers for question in questions):
        letters = zip("ABCD0", tricks.suits, strict=False)
        help_.append(joined(Text(f"{letter}={{suit}}", suit=suit.sign) for letter, suit in letters))
        if any(str(card.figure) == "J" for card in tricks.deck):
            help_.append(Text(N_("J 11, Q 12, K 13, A 1#, 10 0")))
        jokers = {card.suit: card for card in tricks.deck if card.suit not in tricks.suits}
        if jokers:
            named = [Text("{key}\u00a0{label}", key=card.keys[0], label=card.suit.label) for card in jokers.values()]
            help_.append(listed(named))
    for question in questions:
        if question.kind == "choice":
            keys = joined(Text("{key} {label}", key=key, label=Text(label)) for label, key in question.choices)
            help_.append(Text("{question}: {keys}", question=Text(question.subject), keys=keys))
    help_.append(Text(N_("Figures: digits, then # if more could follow")))
    counted = () if tricks is None else tricks.answers  # their figures stand first
    beside = [each for each in questions if each.kind == "number" and each.per in ("seat", "side")]
    beside.sort(key=lambda question: question.name not in counted)
    figures = joined((Text(question.label) for question in beside), "/")
    help_.append(Text(N_("By a name: {figures}, or the total"), figures=figures) if beside else TOTAL)
    return tuple(help_)


def _sides(declared: Declaration, seats: int, _rules: Any) -> tuple[tuple[int, ...], ...]:
    numbers = state.side_numbers(declared, seats)
    return tuple(tuple(seat for seat in range(seats) if numbers[seat] == side) for side in sorted(set(numbers)))
