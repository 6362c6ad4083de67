"""Warns of what a game's file says without effect: keys that do nothing, formulas that look at one seat alone."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from companion.core.text import N_

from .declaration import AskedFor, Declaration
from .file_grammar import Findings, GameFile, TricksSection
from .formulas import Formula, Scope
from .toml_places import Path
from .trick_rules import TrickRules

SAME, BY_SIDE, BY_SEAT = range(3)
"""How a figure differs: it is the same for all, for partners, or each seat has its own."""
ONE_SEAT = N_("this is worked out for one seat, and {name} differs by seat: write max({name}), or any() around it")
ONE_OF_SIDE = N_("this is worked out for the first seat of a side: write ours({name})")
OF_SIDE = N_(
    "{name} is a figure of each side, and {function}() adds it up for each seat: write {name}*(seat <= seats//2)"
)
_NUMBER_KEYS = ("least", "most", "step", "sum")
_WITHOUT_EFFECT = {
    "number": ("nobody", "up_to"),
    "choice": (*_NUMBER_KEYS, "nobody", "up_to"),
    "seat": (*_NUMBER_KEYS, "per", "order", "up_to"),
    "seats": (*_NUMBER_KEYS, "per", "order"),
}
"""The keys that do nothing at a question, by its kind."""


def warn(content: GameFile, game: Declaration, findings: Findings) -> None:
    """Add a warning for everything in a file without effect, or hardly with the intended one."""
    _Warnings(content, game, findings).add()


class _Warnings:
    def __init__(self, content: GameFile, game: Declaration, findings: Findings) -> None:
        self._content, self._game, self._findings = content, game, findings
        self._partners = game.sides == "partners" and any(seats > 2 and seats % 2 == 0 for seats in game.seats)
        self._differs = self._how_figures_differ()

    def add(self) -> None:
        for question in self._game.questions:
            self._keys(question)
            self._seats_of(question)
        for path, formula in self._formulas():
            self._names(path, formula)
        game = self._game
        self._one_seat(("end", "when"), game.end)
        for path, formula in ((("score", "points"), game.points), (("end", "tie"), game.tie)):
            self._one_of_side(path, formula)
        for seats in game.seats:
            if game.sits is not None and not any(self._plays(seats)):
                self._findings.warn(("sits",), N_("with {count} players, everybody sits out"), count=seats)
                break
        if self._content.tricks is not None and game.tricks is not None:
            self._tricks(self._content.tricks, game.tricks)

    # Questions

    def _keys(self, question: AskedFor) -> None:
        path: Path = ("ask", question.place)
        for key in _WITHOUT_EFFECT[question.kind]:
            if self._findings.has((*path, key)):
                said = N_('{key} has no effect at a question of kind "{kind}"')
                self._findings.warn((*path, key), said, key=key, kind=question.kind)
        for key in ("sum", "order"):
            asks_round = question.per == "round" and question.kind in ("number", "choice")
            if self._findings.has((*path, key)) and (asks_round or (key, question.per) == ("order", "side")):
                said = N_('{key} has no effect at a question with per = "{per}"')
                self._findings.warn((*path, key), said, key=key, per=question.per)
        if question.because is not None and question.refuse is None:
            self._findings.warn((*path, "because"), N_("because has no effect without refuse"))

    def _seats_of(self, question: AskedFor) -> None:
        """Warn of formulas that are worked out for fewer seats than they look at."""
        path: Path = ("ask", question.place)
        self._one_seat((*path, "sum"), question.sum)
        bounds = {"least": question.least, "most": question.most} if question.kind == "number" else {}
        for key, formula in {"when": question.when, **bounds}.items():
            if question.per == "round":
                self._one_seat((*path, key), formula)
            elif question.per == "side":
                self._one_of_side((*path, key), formula)
        if question.kind in ("number", "choice") and question.per == "round":
            self._one_seat((*path, "refuse"), question.refuse)

    # Formulas

    def _formulas(self) -> Iterator[tuple[Path, Formula | None]]:
        """Yield every formula with its path."""
        game = self._game
        for question in game.questions:
            for key in ("least", "most", "sum", "refuse", "when"):
                yield ("ask", question.place, key), getattr(question, key)
        yield from ((("define", name), formula) for name, formula in game.define.items())
        yield from ((("score", "carry", name), formula) for name, formula in game.carry.items())
        yield from ((("counts", name, "count"), count.count) for name, count in game.counts.items())
        yield ("score", "points"), game.points
        yield ("sits",), game.sits
        yield ("end", "when"), game.end
        yield ("end", "tie"), game.tie
        yield ("tricks", "hand"), None if game.tricks is None else game.tricks.hand

    def _names(self, path: Path, formula: Formula | None) -> None:
        """Warn of names that mean nothing here, and of functions over seats that look at no seat."""
        if formula is None:
            return
        if "dealer" in formula.names and not self._game.dealer:
            self._findings.warn(path, N_("nobody deals in this game: write dealer = true"), formula.names["dealer"])
        for doubt in formula.doubts:
            self._findings.warn(path, doubt.text.template, doubt.column, **doubt.text.args)
        for fold in formula.folds:
            names = self._all_names(fold.names)
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

    def _all_names(self, names: tuple[str, ...]) -> set[str]:
        """Return names with those in the formulas that they stand for."""
        found: set[str] = set()
        for name in names:
            inner = self._game.define.get(name)
            found |= {name} if inner is None else {name, *self._all_names(tuple(inner.names))}
        return found

    def _how_figures_differ(self) -> dict[str, int]:
        """Return by name how its figure differs between the seats; `ours` and `theirs` stand for these functions."""
        game = self._game
        own = BY_SIDE if game.sides == "partners" else BY_SEAT
        found = dict.fromkeys(("seats", "round", *game.options, *game.carry), SAME)
        found |= {"seat": BY_SEAT, "dealer": BY_SEAT, "asked_last": BY_SEAT, "total": own, "ours": own, "theirs": own}
        for question in game.questions:
            by = {"seat": BY_SEAT, "side": BY_SIDE, "round": SAME}[question.per]
            found[question.name] = BY_SEAT if question.kind in ("seat", "seats") else by
        for _ in range(1 + len(game.carry)):  # a carried figure may need another
            for name, formula in (*game.define.items(), *game.carry.items()):
                found[name] = max((found[inner] for inner in formula.own), default=SAME)
        return found

    def _one_seat(self, path: Path, formula: Formula | None) -> None:
        self._too_different(path, formula, BY_SIDE, ONE_SEAT)

    def _one_of_side(self, path: Path, formula: Formula | None) -> None:
        if self._partners:
            self._too_different(path, formula, BY_SEAT, ONE_OF_SIDE)

    def _too_different(self, path: Path, formula: Formula | None, most: int, said: str) -> None:
        for name, column in {} if formula is None else formula.own.items():
            if self._differs[name] >= most:
                shown = f"{name}()" if name in ("ours", "theirs") else name
                self._findings.warn(path, said, column, name=shown)
                return

    def _usual(self, seats: int, dealer: int) -> Scope:
        """Return the figures before the first round, by the usual rules."""
        game = self._game
        nothing = dict.fromkeys(
            (*game.carry, "asked_last", "total", *(each.name for each in game.questions)), (0,) * seats
        )
        figures = nothing | {name: (option.values[0][1],) * seats for name, option in game.options.items()}
        figures |= {"seats": (seats,) * seats, "seat": tuple(range(1, seats + 1)), "round": (1,) * seats}
        figures["dealer"] = tuple(int(game.dealer and seat == dealer) for seat in range(seats))
        return Scope(seats, tuple(range(seats)), figures).define(game.define)

    def _plays(self, seats: int) -> Iterator[bool]:
        """Yield for each seat whether it plays the first round, if the first seat deals."""
        sits, figures = self._game.sits, self._usual(seats, 0)
        yield from (sits is None or not sits.value(figures, seat) for seat in range(seats))

    # Cards

    def _tricks(self, written: TricksSection, rules: TrickRules) -> None:
        asked = [question.name for question in self._game.questions]
        for key in ("tricks", "points", "last_by"):
            name = getattr(written, key)
            if self._findings.has(("tricks", key)) and name not in asked:
                near = get_close_matches(name, asked, 1) or asked
                said = N_("there is no question {name}; do you mean {near}?")
                self._findings.warn(("tricks", key), said, name=name, near=near[0])
        if written.deck.trump_ranks and rules.trump == "none":
            self._findings.warn(("tricks", "deck", "trump_ranks"), N_("trump_ranks has no effect without trump"))
        for count in rules.without:
            if count not in self._game.seats:
                path: Path = ("tricks", "deck", "without", str(count))
                self._findings.warn(path, N_("a table of {count} cannot play this game"), count=count)
        if rules.hand is not None:
            self._hand(rules, rules.hand)

    def _hand(self, rules: TrickRules, hand: Formula) -> None:
        path: Path = ("tricks", "hand")
        self._one_seat(path, hand)
        names = self._all_names(tuple(hand.names))
        first = min(question.place for question in self._game.questions if question.name in rules.answers)
        for question in self._game.questions[first:]:
            if question.name in names:
                said = N_("{name} is not known yet when the cards are dealt")
                self._findings.warn(path, said, name=question.name)
        count = self._game.seats.start
        cards = len(rules.deck) - rules.without.get(count, 0).bit_count()
        playing = sum(self._plays(count))
        wanted = hand.value(self._usual(count, 0), 0)
        if playing and not names - {"seats"} - set(self._game.define) and wanted * playing > cards:
            said = N_("{hand} cards for each of {count} players are more than the {cards} of the deck")
            self._findings.warn(path, said, hand=wanted, count=playing, cards=cards)
