"""Checks the content of a game's file from top to bottom, and makes the declared game of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from companion.core.game import Best
from companion.core.text import N_, Phrase, Text

from .declaration import LARGEST, AskedFor, Declaration, DeclaredCount, DeclaredOption
from .file_grammar import Findings, GameFile, QuestionSection, Source
from .file_warnings import warn
from .formulas import NAME, RESERVED, Formula, FormulaError, UnknownNameError, parsed
from .toml_places import Path
from .trick_rules import trick_rules
from .words import PhraseMaker

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


def declaration(content: GameFile, findings: Findings) -> Declaration | None:
    """Return the game that a file declares; None if anything in it is wrong."""
    made = _Checker(content, findings).declaration()
    if made is not None:
        warn(content, made, findings)
    return made


class _Checker:
    """Checks a file's content from top to bottom."""

    def __init__(self, content: GameFile, findings: Findings) -> None:
        self._content, self._findings = content, findings
        self._words = PhraseMaker(content.words, findings)
        self._defined: dict[str, Formula] = {}

    def declaration(self) -> Declaration | None:
        content, findings, words = self._content, self._findings, self._words
        self._check_names()
        if self._has_too_many():
            return None
        self._define()
        questions = tuple(self._question(place, each) for place, each in enumerate(content.ask))
        if not questions:
            findings.key(("ask",), N_("a game asks at least one question"))
        tricks = None
        if content.tricks is not None:
            hand = self._optional(content.tricks.hand, ("tricks", "hand"), len(content.ask))
            tricks = trick_rules(content, hand, words, findings)
        every = len(content.ask)
        end = self._optional(content.end.when, ("end", "when"), every)
        made = Declaration(
            name=content.name,
            title=words.text(("title",), content.title, 24),
            about=words.text(("about",), content.about, 80) if content.about else None,
            seats=self._seats(),
            best=Best.LOWEST
            if self._word(("best",), content.best, ("highest", "lowest")) == "lowest"
            else Best.HIGHEST,
            dealer=content.dealer,
            sides=self._sides(),
            sits=self._optional(content.sits, ("sits",), 0),
            options=dict(self._options()),
            questions=questions,
            define=self._defined,
            points=self._formula(content.score.points, ("score", "points"), every),
            carry={
                name: self._formula(source, ("score", "carry", name), every)
                for name, source in content.score.carry.items()
            },
            shown=dict(self._shown()),
            end=end,
            tie=self._optional(content.end.tie, ("end", "tie"), every),
            loser=content.end.loser,
            counts={
                name: DeclaredCount(
                    words.text(("counts", name, "label"), each.label, 14),
                    self._formula(each.count, ("counts", name, "count"), every),
                )
                for name, each in content.counts.items()
            },
            tricks=tricks,
            card=tuple(words.text(("card", place), line, 60) for place, line in enumerate(content.card)),
        )
        words.check_all_used()
        return None if findings.all else made

    # Names, seats, options

    def _check_names(self) -> None:
        content, findings = self._content, self._findings
        if not GAME_NAME.fullmatch(content.name):
            findings.value(
                ("name",), N_("a game's name has up to 40 small letters, digits and hyphens, a letter first")
            )
        named: list[tuple[str, Path]] = [
            *((each.name, ("ask", place, "name")) for place, each in enumerate(content.ask)),
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
        for name in content.counts:
            if not NAME.fullmatch(name):
                findings.key(
                    ("counts", name),
                    N_("a name here has up to 20 small letters, digits and _, and is no word of formulas"),
                )

    def _has_too_many(self) -> bool:
        """Add a finding for each section that is too long; return whether there is one."""
        content, before = self._content, len(self._findings.all)
        lengths: list[tuple[Path, int, int]] = [
            (("ask",), len(content.ask), 12),
            (("options",), len(content.options), 8),
            (("define",), len(content.define), 30),
            (("score", "carry"), len(content.score.carry), 12),
            (("counts",), len(content.counts), 12),
            (("card",), len(content.card), 40),
            *((("ask", place, "choices"), len(each.choices), 30) for place, each in enumerate(content.ask)),
            *((("options", name, "values"), len(each.values), 30) for name, each in content.options.items()),
        ]
        for path, length, most in lengths:
            if length > most:
                self._findings.key(path, N_("at most {most} can stand here"), most=most)
        return len(self._findings.all) > before

    def _shown(self) -> Iterator[tuple[str, Phrase]]:
        """Yield the carried figures that score tables show, with their labels."""
        carried = self._content.score.carry
        for name, label in self._content.score.shown.items():
            path = ("score", "shown", name)
            if name not in carried:
                self._findings.key(path, N_("there is no name {name} in score.carry"), name=name)
            yield name, self._words.text(path, label, 8)

    def _seats(self) -> range:
        seats = self._content.seats
        found = re.fullmatch(r"([1-9])(?:-([1-9]))?", str(seats))
        if found:
            least, most = int(found[1]), int(found[2] or found[1])
            if 2 <= least <= most <= 8:
                return range(least, most + 1)
        self._findings.value(("seats",), N_('seats are 2 to 8: write 4, or "3-6"'))
        return range(0)

    def _options(self) -> Iterator[tuple[str, DeclaredOption]]:
        for name, option in self._content.options.items():
            path: Path = ("options", name)
            label = self._words.text((*path, "label"), option.label, 24)
            if not option.values:
                self._findings.value((*path, "values"), N_("an option has at least one value"))
            values: list[tuple[Phrase | None, int]] = []
            if isinstance(option.values, dict):
                for word, value in option.values.items():
                    values.append((self._words.text((*path, "values", word), word, 24), value))
            else:
                values = [(None, value) for value in option.values]
            numbers = [value for _word, value in values]
            if len(set(numbers)) < len(numbers) or any(abs(value) > 10**6 for value in numbers):
                self._findings.value((*path, "values"), N_("the values differ, and none is beyond a million"))
            yield name, DeclaredOption(label, tuple(values), option.typed)

    def _sides(self) -> str:
        seats = [each.name for each in self._content.ask if each.kind in ("seat", "seats")]
        if self._findings.name_refused:
            return "none"
        return self._word(("sides",), self._content.sides, ("none", "partners", *seats))

    def _word(self, path: Path, word: str, words: Iterable[str]) -> str:
        if word not in words:
            self._findings.value(path, N_("expected one of {words}"), words=", ".join(words))
        return word

    # Questions

    def _question(self, place: int, asked: QuestionSection) -> AskedFor:
        path: Path = ("ask", place)
        words, findings = self._words, self._findings
        kind = self._word((*path, "kind"), asked.kind, ("number", "choice", "seat", "seats"))
        per = self._word((*path, "per"), asked.per, ("seat", "side", "round"))
        if kind in ("seat", "seats"):
            per = "round"
        if per == "side" and self._content.sides != "partners":
            findings.value((*path, "per"), N_('only a game with sides = "partners" asks each side'))
        if (kind == "choice") != bool(asked.choices):
            findings.key(path, N_('a question of kind "choice" has choices, and no other has'))
        if len(set(asked.choices.values())) < len(asked.choices) or not all(
            0 <= n <= 999 for n in asked.choices.values()
        ):
            findings.value((*path, "choices"), N_("each choice has a number of its own, 0 to 999: its key"))
        if not 1 <= asked.step <= 1000:
            findings.value((*path, "step"), N_("a step is 1 to 1000"))
        if not 1 <= asked.up_to <= 8:
            findings.value((*path, "up_to"), N_("a question names 1 to 8 seats"))
        for name in ("least", "most"):
            bound = getattr(asked, name)
            if isinstance(bound, int) and abs(bound) > LARGEST:
                findings.value((*path, name), N_("a bound is at most {most}"), most=LARGEST)
        if isinstance(asked.least, int) and isinstance(asked.most, int) and asked.most < asked.least:
            findings.value((*path, "most"), N_("the most is less than the least"))
        return AskedFor(
            place=place,
            name=asked.name,
            kind=kind,
            per=per,
            label=words.text((*path, "label"), asked.label or asked.name.capitalize().replace("_", " "), 14),
            text=words.text((*path, "text"), asked.text, 40, player=True) if asked.text else None,
            least=self._formula(asked.least, (*path, "least"), place, asked=True),
            most=self._formula(asked.most, (*path, "most"), place, asked=True),
            step=max(1, asked.step),
            sum=self._optional(asked.sum, (*path, "sum"), place, asked=True),
            refuse=self._optional(asked.refuse, (*path, "refuse"), place + 1),
            because=words.text((*path, "because"), asked.because, 80) if asked.because else None,
            when=(when := self._optional(asked.when, (*path, "when"), place + (per != "round"), per == "round")),
            stops=when is not None and self._depends(when, asked.name),
            left_first=self._word((*path, "order"), asked.order, ("left", "seats")) == "left",
            choices=tuple(
                (words.text((*path, "choices", word), word, 20), value) for word, value in asked.choices.items()
            ),
            nobody=words.text((*path, "nobody"), asked.nobody, 14) if asked.nobody else None,
            up_to=asked.up_to,
        )

    # Formulas

    def _known(self, questions: int, asked: bool = False) -> dict[str, Text | None]:
        """Return the names that a formula can use after so many questions; with a sentence, those that it cannot.

        Args:
            asked: Whether the formula is needed to ask the question that follows.
        """
        content = self._content
        known: dict[str, Text | None] = dict.fromkeys((*GIVEN, *content.options, *content.score.carry))
        known |= {each.name: None for each in content.ask[:questions]}
        later = {each.name: each.name for each in content.ask[questions:] if each.name not in known}
        known |= dict.fromkeys(content.define)
        for name, formula in self._defined.items():  # those that one needs stand before it
            waits = next((later[inner] for inner in formula.names if inner in later), None)
            if waits is not None:
                later[name] = waits
        for name, question in later.items():
            now = asked and question == content.ask[questions].name
            known[name] = Text(TOO_EARLY[now, name == question], name=name, question=question)
        return known

    def _define(self) -> None:
        """Check the defined names: each may use others, but not itself, not even by way of others."""
        everything = self._known(len(self._content.ask))
        made: dict[str, Formula] = {}
        for name, source in self._content.define.items():
            made[name] = self._parsed(source, ("define", name), everything)
        done: dict[str, bool] = {}

        def visit(name: str, above: tuple[str, ...]) -> None:
            if name in above:
                self._findings.value(("define", name), N_("{name} needs itself"), name=name)
            elif name not in done:
                for inner in made[name].names:
                    if inner in made:
                        visit(inner, (*above, name))
                done[name] = True
                self._defined[name] = made[name]  # those it needs stand before it

        for name in made:
            visit(name, ())

    def _depends(self, formula: Formula, name: str) -> bool:
        """Return whether a formula looks at a name, perhaps by way of others."""
        waiting, seen = [*formula.names], set[str]()
        while waiting:  # names may go in a circle, which is told elsewhere
            each = waiting.pop()
            if each == name:
                return True
            if each in self._defined and each not in seen:
                seen.add(each)
                waiting += self._defined[each].names
        return False

    def _optional(self, source: Source | None, path: Path, questions: int, asked: bool = False) -> Formula | None:
        return None if source is None else self._formula(source, path, questions, asked)

    def _formula(self, source: Source, path: Path, questions: int, asked: bool = False) -> Formula:
        return self._parsed(source, path, self._known(questions, asked))

    def _parsed(self, source: Source, path: Path, known: Mapping[str, Text | None]) -> Formula:
        try:
            return parsed(str(source), known)
        except FormulaError as error:
            for each in (error, *error.also):
                if not (self._findings.name_refused and isinstance(each, UnknownNameError)):
                    self._findings.value(path, each.text.template, each.column, **each.text.args)
            return Formula("0", {}, lambda _scope, _seat: 0)
