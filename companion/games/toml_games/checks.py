"""Checks what a game's file says, and adds what is made of it.

Warns of what says nothing: keys that do nothing, formulas that look at one seat alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from msgspec.structs import asdict, replace

from companion.core.game import Best
from companion.core.games import FAMILIES
from companion.core.text import N_, Text

from .cards import CardChecks, OwnCards, TrickRules, trick_rules
from .declaration import LARGEST, Declaration
from .file import (
    Findings,
    GameFile,
    Path,
    PhraseChecks,
    Question,
    names_in,
    parts,
)
from .formulas import NAME, RESERVED, Formula, Scope, UnknownNameError
from .rules import begin, winners
from .state import rules_of, scope

SAME, BY_SIDE, BY_SEAT = range(3)
"""How a figure differs: it is the same for all, for partners, or each seat has its own."""
ONE_SEAT = N_("this is worked out for one seat, and {name} differs by seat: write max({name}), or any() around it")
ONE_OF_SIDE = N_("this is worked out for the first seat of a side: write ours({name})")
OF_SIDE = N_(
    "{name} is a figure of each side, and {function}() adds it up for each seat: write {name}*(seat <= seats//2)"
)
_NUMBER_KEYS = ("least", "most", "step", "sum")
_WITHOUT_EFFECT = {
    "number": ("nobody", "up_to", "once"),
    "choice": (*_NUMBER_KEYS, "nobody", "up_to"),
    "seat": (*_NUMBER_KEYS, "per", "order", "once", "up_to"),
    "seats": (*_NUMBER_KEYS, "per", "order", "once"),
    "order": (*_NUMBER_KEYS, "per", "order", "once"),
}
"""The keys that do nothing at a question, by its kind."""


BEFORE = -1
"""Before the first round, when options and seats alone are known."""


class FormulaOfFile(NamedTuple):
    """A formula, where it stands, and when it is worked out."""

    path: Path
    formula: Formula
    questions: int  # how many have an answer then; or BEFORE
    asked: bool  # whether it is needed to ask the question that follows


def formulas(content: GameFile) -> Iterator[FormulaOfFile]:
    """Yield every formula of a file; a name in a text of the top line is one, too."""
    for path, part, _longest in parts(content):
        if isinstance(part, Formula):
            yield FormulaOfFile(path, part, *_when(content, path))
        elif path[0] in ("head", "heads"):
            yield from (FormulaOfFile(path, Formula(name), 0, False) for name in names_in(part, "player"))


def _when(content: GameFile, path: Path) -> tuple[int, bool]:
    """Return how many questions have an answer when a formula is worked out, and whether one waits for it."""
    match path:
        case ("score", "start") | ("score", "first", _):
            return BEFORE, False
        case ("sits_out",) | ("heads", _, "when"):
            return 0, False
        case ("ask", int(place), key):
            asked = content.questions[place]
            at_once = key in ("least", "most", "sum", "left") or (
                key == "when" and (asked.per == "round" or asked.names_seats)
            )
            return place + (not at_once), at_once
    return len(content.questions), False


def needed(names: Iterable[str], content: GameFile) -> list[str]:
    """Return names with all those in the formulas that they stand for."""
    found = [*names]
    for name in found:  # it grows
        if name in content.define:
            found += [inner for inner in content.define[name].names if inner not in found]
    return found


class _Warnings:
    """Adds a warning for everything in a file without effect, or hardly with the intended one."""

    def __init__(self, game: Declaration, findings: Findings) -> None:
        self._game, self._findings = game, findings
        self._partners = game.sides == "partners" and any(seats > 2 and seats % 2 == 0 for seats in game.seats)
        self._differs = self._how_figures_differ()

    def add(self) -> None:
        game = self._game
        for place, question in enumerate(game.questions):
            self._keys(("ask", place), question)
        for each in formulas(game):
            self._names(each.path, each.formula)
            self._seats_of(each.path, each.formula)
        score = game.score
        answers = {*(each.name for each in game.questions), *score.carry}
        asks = game.tricks is None and game.end.winners is None  # cards may count, or a function of a package
        if asks and not answers & {*needed(score.points.names, game)}:
            self._findings.warn(("score", "points"), N_("the points of a round use none of its answers"))
        for key in ("tie", "loser"):
            if game.end.winners is not None and self._findings.has(("end", key)):
                self._findings.warn(("end", key), N_("{key} has no effect beside {other}"), key=key, other="winners")
        for seats in game.seats:
            if game.sits_out is not None and not any(self._plays(seats)):
                self._findings.warn(("sits_out",), N_("with {count} players, everybody sits out"), count=seats)
                break
        by_player = [place for place, each in enumerate(game.questions) if each.per == "seat"]
        if game.asks == "players" and len(by_player) < 2:
            self._findings.warn(("asks",), N_("asks has no effect unless each seat is asked two questions"))
        for place in by_player if game.asks == "players" else ():
            if self._findings.has(("ask", place, "sum")):
                said = N_('{key} has no effect in a game with asks = "players"')
                self._findings.warn(("ask", place, "sum"), said, key="sum")
        if game.trick_rules is not None:
            self._tricks(game.trick_rules)

    # Questions

    def _keys(self, path: Path, question: Question) -> None:
        for key in _WITHOUT_EFFECT[question.kind]:
            if self._findings.has((*path, key)):
                said = N_('{key} has no effect at a question of kind "{kind}"')
                self._findings.warn((*path, key), said, key=key, kind=question.kind)
        for key in ("sum", "order"):
            asks_round = question.per == "round" and question.kind in ("number", "choice")
            if self._findings.has((*path, key)) and (asks_round or (key, question.per) == ("order", "side")):
                said = N_('{key} has no effect at a question with per = "{per}"')
                self._findings.warn((*path, key), said, key=key, per=question.per)
        if question.left is not None and "{left}" not in (question.text or ""):
            said = N_("{key} has no effect without {name} in the text")
            self._findings.warn((*path, "left"), said, key="left", name="{left}")
        if question.because and question.refuse is None:
            self._findings.warn((*path, "because"), N_("because has no effect without refuse"))

    # Formulas

    def _names(self, path: Path, formula: Formula) -> None:
        """Warn of names that mean nothing here, and of functions over seats that look at no seat."""
        if "dealer" in formula.names and not self._game.dealer:
            self._findings.warn(path, N_("nobody deals in this game: write dealer = true"), formula.names["dealer"])
        for doubt in formula.doubts:
            self._findings.warn(path, doubt.text, doubt.column)
        for fold in formula.folds:
            names = needed(fold.names, self._game)
            # a name beside it that differs by seat can choose one seat of each side
            alike = all(self._is_of_side(name) or self._differs.get(name) == SAME for name in names)
            sides = [name for name in fold.names if alike and self._is_of_side(name)]
            if not names:
                said = N_("{function}() looks at a figure of several seats, and there is none in it")
                self._findings.warn(path, said, fold.column, function=fold.function)
            elif self._partners and sides and fold.function in ("sum", "ours", "theirs"):
                self._findings.warn(path, OF_SIDE, fold.column, name=sides[0], function=fold.function)

    def _is_of_side(self, name: str) -> bool:
        """Return whether a name stands for answers of sides, and for those alone."""
        question, formula = self._game.question(name), self._game.define.get(name)
        if formula is not None:
            return self._differs[name] == BY_SIDE and any(map(self._is_of_side, formula.own))
        return question is not None and question.per == "side"

    def _how_figures_differ(self) -> dict[str, int]:
        """Return by name how its figure differs between the seats; `ours` and `theirs` stand for these functions."""
        game = self._game
        own = BY_SIDE if game.sides == "partners" else BY_SEAT
        found = dict.fromkeys(("seats", "round", *game.options, *game.score.carry), SAME)
        found |= {"seat": BY_SEAT, "dealer": BY_SEAT, "asked_last": BY_SEAT, "total": own, "ours": own, "theirs": own}
        for question in game.questions:
            by = {"seat": BY_SEAT, "side": BY_SIDE, "round": SAME}[question.per]
            found[question.name] = BY_SEAT if question.names_seats else by
        worked_out = {**game.define, **game.score.carry}
        found |= dict.fromkeys(worked_out, SAME)
        for _ in worked_out:  # one may need another
            for name, formula in worked_out.items():
                found[name] = max((found[inner] for inner in formula.own), default=SAME)
        return found

    def _seats_of(self, path: Path, formula: Formula) -> None:
        """Warn of a formula that looks at more seats than it is worked out for."""
        per = "seat"
        match path:
            case ("end", "when") | ("tricks", "hand") | ("tricks", "instead", *_) | ("ask", _, "sum"):
                per = "round"
            case ("head" | "heads", *_):
                per = "round"
            case ("score", "points" | "start") | ("end", "tie" | "winners"):
                per = "side"
            case ("ask", int(place), str(key)):
                asked = self._game.questions[place]
                unused = key in ("least", "most") and asked.kind != "number"
                for_each = key == "refuse" and (asked.names_seats or asked.per == "side")
                per = "seat" if unused or for_each else asked.per
        if per == "seat" or (per == "side" and not self._partners):
            return
        most, said = (BY_SEAT, ONE_OF_SIDE) if per == "side" else (BY_SIDE, ONE_SEAT)
        for name, column in formula.own.items():
            if self._differs[name] >= most:
                shown = f"{name}()" if name in ("ours", "theirs") else name
                self._findings.warn(path, said, column, name=shown)
                return

    def _usual(self, seats: int, dealer: int) -> Scope:
        """Return the figures before the first round, by the usual rules."""
        state = begin(self._game, seats, rules_of(self._game)())
        return scope(self._game, replace(state, dealer=None if self._game.dealer is None else dealer))

    def _plays(self, seats: int) -> Iterator[bool]:
        """Yield for each seat whether it plays the first round, if the first seat deals."""
        sits, figures = self._game.sits_out, self._usual(seats, 0)
        yield from (sits is None or not sits.value(figures, seat) for seat in range(seats))

    # Cards

    def _tricks(self, rules: TrickRules) -> None:
        asked, said = [question.name for question in self._game.questions], rules.said
        for key in ("tricks", "points", "last_by", "all"):
            name = getattr(said, key)
            if self._findings.has(("tricks", key)) and name not in asked:
                near = get_close_matches(name, asked, 1) or asked
                why = N_("there is no question {name}; do you mean {near}?")
                self._findings.warn(("tricks", key), why, name=name, near=near[0])
        for key in ("trump_ranks", "bowers"):
            if getattr(said.deck, key) and said.trump == "none" and not any(each.trump for each in said.instead):
                self._findings.warn(("tricks", "deck", key), N_("{key} has no effect without trump"), key=key)
        for count in rules.without:
            if count not in self._game.seats:
                path: Path = ("tricks", "deck", "without", str(count))
                self._findings.warn(path, N_("a table of {count} cannot play this game"), count=count)
        for each in formulas(self._game):
            if each.path[0] == "tricks":
                self._before_the_cards(each.path, each.formula, rules)
        if said.hand is not None:
            self._hand(rules, said.hand)

    def _before_the_cards(self, path: Path, formula: Formula, rules: TrickRules) -> None:
        """Warn of what a formula cannot see before the first card is laid."""
        names = needed(formula.names, self._game)
        first = next(place for place, each in enumerate(self._game.questions) if each.name in rules.answers)
        for question in self._game.questions[first:]:
            if question.name in names:
                said = N_("{name} is not known yet when the cards are dealt")
                self._findings.warn(path, said, name=question.name)

    def _hand(self, rules: TrickRules, hand: Formula) -> None:
        count = self._game.seats.start
        cards = rules.cards(count)
        playing = sum(self._plays(count))
        wanted = hand.value(self._usual(count, 0), 0)
        names = needed(hand.names, self._game)
        if playing and not {*names} - {"seats", *self._game.define} and wanted * playing > cards:
            said = N_("{hand} cards for each of {count} players are more than the {cards} of the deck")
            self._findings.warn(("tricks", "hand"), said, hand=wanted, count=playing, cards=cards)


# Checks


GIVEN = ("seats", "seat", "round", "dealer", "asked_last", "total")
"""The names that every formula can use."""
GAME_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
LINES = frozenset({"start", "undo", "redo", "amend", "splice", "players", "substitute", "finish"})
"""The words for lines of every log."""
EVENTS = LINES | {"play", "trick", "round", "end", "trump", "lead"}
TOO_EARLY = {  # by whether this question asks for it, and whether it is a question itself
    (True, True): N_("{name} is not known yet here: this question asks for it"),
    (False, True): N_("{name} is not known yet here: it is asked later"),
    (True, False): N_("{name} is not known yet here: it needs {question}, which this question asks for"),
    (False, False): N_("{name} is not known yet here: it needs {question}, which is asked later"),
}


def declaration(content: GameFile, findings: Findings, own: OwnCards | None = None) -> Declaration | None:
    """Return the game that a file declares, or a package with cards of its own; None if anything in it is wrong."""
    made = _Checker(content, findings, own).declaration()
    if made is None:
        return None
    _Warnings(made, findings).add()
    return with_winners(made)


TIE = "_tie"
"""The defined name of ``end.tie``; no file can define it."""


def with_winners(game: Declaration) -> Declaration:
    """Return a game with one formula of who wins: the file's own, or one of its best total, `tie` and `loser`."""
    end, said = game.end, game.end.winners is not None
    if not said:
        more, fewer = (">", "<") if game.best_points is Best.HIGHEST else ("<", ">")
        ahead, behind = f"total {more} my(total)", f"total {fewer} my(total)"
        if end.tie is not None:
            game = replace(game, define={**game.define, TIE: end.tie})
            ahead += f" or total == my(total) and {TIE} > my({TIE})"
            behind += f" or total == my(total) and {TIE} < my({TIE})"
        wins = f"any({behind}) or not any({ahead})" if end.loser else f"not any({ahead})"
        game = replace(game, end=replace(end, winners=Formula(wins)))
    return replace(game, all_can_win=said, one_loses=_one_loses(game) if said else end.loser)


def _one_loses(game: Declaration) -> bool:
    """Return whether all but the last win, as two rounds would show in which the totals are the other way round."""
    seats = game.seats[-1]
    state, totals = begin(game, seats, rules_of(game)()), range(1, seats + 1)
    last = 0 if game.best_points is Best.HIGHEST else seats - 1
    others = tuple(seat for seat in range(seats) if seat != last)
    mirrored = tuple(sorted(seats - 1 - seat for seat in others))
    won = [winners(game, replace(state, totals=tuple(each))) for each in (totals, reversed(totals))]
    return seats > 2 and won == [others, mirrored]


class _Checker:
    """Checks a file from top to bottom: its names, texts, numbers and formulas."""

    def __init__(self, content: GameFile, findings: Findings, own: OwnCards | None) -> None:
        self._content, self._findings, self._own = content, findings, own

    def declaration(self) -> Declaration | None:
        content, findings = self._content, self._findings
        self._check_names()
        self._check_circles()
        for place, question in enumerate(content.questions):
            self._check_question(("ask", place), question)
        if not content.questions:
            findings.key(("ask",), N_("a game asks at least one question"))
        if content.tricks is not None:
            CardChecks(content, content.tricks, findings, self._own).check()
        if not content.seats:
            findings.value(("seats",), N_('seats are 2 to 8: write 4, or "3-6"'))
        self._check_word(("family",), content.family, (*FAMILIES,))
        self._check_word(("best",), content.best, ("highest", "lowest"))
        self._check_word(("asks",), content.asks, ("questions", "players"))
        if content.asks == "players" and content.tricks is not None:
            findings.value(("asks",), N_("a game with [tricks] is asked question by question"))
        self._check_sides()
        self._check_options()
        PhraseChecks(content, findings).check()
        self._check_formulas()
        if findings.all:
            return None
        # a question that names seats is asked once
        questions = [replace(each, per="round") if each.names_seats else each for each in content.questions]
        stopping = frozenset(
            each.name for each in questions if each.when is not None and each.name in needed(each.when.names, content)
        )
        tricks = None if content.tricks is None else trick_rules(content.tricks, questions, self._own)
        return Declaration(**asdict(content) | {"questions": questions}, trick_rules=tricks, stopping=stopping)

    # Names, seats, options

    def _check_names(self) -> None:
        content, findings = self._content, self._findings
        if not GAME_NAME.fullmatch(content.name):
            findings.value(
                ("name",), N_("a game's name has up to 40 small letters, digits and hyphens, a letter first")
            )
        named: list[tuple[str, Path]] = [
            *((each.name, ("ask", place, "name")) for place, each in enumerate(content.questions)),
            *((name, ("options", name)) for name in content.options),
            *((name, ("define", name)) for name in content.define),
            *((name, ("score", "carry", name)) for name in content.score.carry),
        ]
        seen: set[str] = set()
        before = len(findings.all)
        for name, path in named:
            if not NAME.fullmatch(name) or name in RESERVED:
                findings.value(
                    path, N_("a name here has up to 20 small letters, digits and _, and is no word of formulas")
                )
            elif name in GIVEN or (path[0] == "ask" and name in EVENTS):
                findings.value(path, N_("the name {name} is reserved: take another"), name=name)
            elif name in seen:
                findings.value(path, N_("the name {name} is used twice"), name=name)
            seen.add(name)
        findings.name_refused = len(findings.all) > before
        for key, named_there in (("first", content.score.first), ("shown", content.score.shown)):
            for name in named_there:
                if name not in content.score.carry:
                    findings.key(("score", key, name), N_("there is no name {name} in score.carry"), name=name)
        for name in content.counts:
            if not NAME.fullmatch(name):
                findings.key(
                    ("counts", name),
                    N_("a name here has up to 20 small letters, digits and _, and is no word of formulas"),
                )

    def _check_options(self) -> None:
        for name, option in self._content.options.items():
            path: Path = ("options", name)
            if not option.values:
                self._findings.value((*path, "values"), N_("an option has at least one value"))
            numbers = [value for _word, value in option.values]
            if len(set(numbers)) < len(numbers) or any(abs(value) > 10**6 for value in numbers):
                self._findings.value((*path, "values"), N_("the values differ, and none is beyond a million"))

    def _check_sides(self) -> None:
        seats = [each.name for each in self._content.questions if each.kind in ("seat", "seats")]
        if not self._findings.name_refused:
            for word in self._content.sides.split():
                alone = len(self._content.sides.split()) == 1
                self._check_word(("sides",), word, (*(("none", "partners") if alone else ()), *seats))

    def _check_word(self, path: Path, word: str, words: Sequence[str]) -> None:
        if word not in words:
            self._findings.value(path, N_("expected one of {words}"), words=", ".join(words))

    # Questions

    def _check_question(self, path: Path, asked: Question) -> None:
        findings = self._findings
        self._check_word((*path, "kind"), asked.kind, tuple(_WITHOUT_EFFECT))
        self._check_word((*path, "per"), asked.per, ("seat", "side", "round"))
        self._check_word((*path, "order"), asked.order, ("left", "seats"))
        if asked.per == "side" and not asked.names_seats and self._content.sides != "partners":
            findings.value((*path, "per"), N_('only a game with sides = "partners" asks each side'))
        if (asked.kind == "choice") != bool(asked.choices):
            findings.key(path, N_('a question of kind "choice" has choices, and no other has'))
        numbers = [number for _word, number in asked.choices]
        if len(set(numbers)) < len(numbers) or not all(0 <= number <= 999 for number in numbers):
            findings.value((*path, "choices"), N_("each choice has a number of its own, 0 to 999: its key"))
        if asked.once and asked.kind == "choice":
            self._check_once(path, asked)
        if not 1 <= asked.step <= 1000:
            findings.value((*path, "step"), N_("a step is 1 to 1000"))
        if not 1 <= asked.up_to <= 8:
            findings.value((*path, "up_to"), N_("a question names 1 to 8 seats"))
        least, most = asked.least.source, asked.most.source
        for name, bound in (("least", least), ("most", most)):
            if isinstance(bound, int) and abs(bound) > LARGEST:
                findings.value((*path, name), N_("a bound is at most {most}"), most=LARGEST)
        if isinstance(least, int) and isinstance(most, int) and most < least:
            findings.value((*path, "most"), N_("the most is less than the least"))

    def _check_once(self, path: Path, asked: Question) -> None:
        self._check_word((*path, "once"), asked.once, ("seat", "dealer", "game"))
        if (asked.once == "seat") != (asked.per != "round"):
            said = N_(
                'once = "seat" stands at a question by seat or side, "dealer" and "game" at one with per = "round"'
            )
            self._findings.value((*path, "once"), said)
        if asked.once == "dealer" and not self._content.dealer:
            self._findings.value((*path, "once"), N_("nobody deals in this game: write dealer = true"))
        if any(number == 0 for _word, number in asked.choices):
            self._findings.value(
                (*path, "choices"), N_("with once, choices have numbers from 1 on: 0 is no choice yet")
            )

    # Formulas

    def _known(self, questions: int, asked: bool = False) -> dict[str, Text | None]:
        """Return the names that a formula can use after so many questions; with a sentence, those that it cannot.

        Args:
            asked: Whether the formula is needed to ask the question that follows.
        """
        content = self._content
        known: dict[str, Text | None] = dict.fromkeys((*GIVEN, *content.options, *content.score.carry))
        known |= {each.name: None for each in content.questions[: max(0, questions)]}
        later = [each.name for each in content.questions[max(0, questions) :] if each.name not in known]
        if questions == BEFORE:
            later += ["round", "dealer", "asked_last", "total", *content.score.carry]
        waiting = {name: name for name in later}  # with the question that it waits for
        for name, formula in content.define.items():
            known[name] = None
            first = next((each for each in needed(formula.names, content) if each in later), None)
            if first is not None:
                waiting[name] = first
        for name, question in waiting.items():
            if questions == BEFORE:
                known[name] = Text(N_("{name} is not known before the first round"), name=name)
                continue
            now = asked and question == content.questions[questions].name
            known[name] = Text(TOO_EARLY[now, name == question], name=name, question=question)
        return known

    def _check_circles(self) -> None:
        """Check the defined names: each may use others, but not itself, not even by way of others."""
        told: set[str] = set()
        for name, formula in self._content.define.items():
            names = needed(formula.names, self._content)
            if name in names and told.isdisjoint(names):
                self._findings.value(("define", name), N_("{name} needs itself"), name=name)
                told.add(name)

    def _check_formulas(self) -> None:
        for each in formulas(self._content):
            for wrong in each.formula.wrong(self._known(each.questions, each.asked)):
                if not (self._findings.name_refused and isinstance(wrong, UnknownNameError)):
                    self._findings.value(each.path, wrong.text, wrong.column)
