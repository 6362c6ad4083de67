"""Plays the transcripts in `tests/transcripts/games`: what happens in a game, and all that the game says of it.

A file is about one subject of one game. Its scenes are parted by blank lines, and each begins with a sentence:

    # A pledge is offered until there were enough
    game eternity 5 edition=fr / start player=0 / deal board=["sea-1","sea-2"]
    then play player=0 card=sky-4 / pledge player=1 card=sky-5
    ask full               → Cyr: | for Cyr | sky 1-3 6-14, …
    ask full Aki # 3       → …
    say play player=2 card=sky-5 → no: seen: Sky 5 was already seen in this round

What stands after an arrow, and on the indented lines below it, is written by `make accept`.

* `game NAME SEATS RULE=VALUE / EVENT / EVENT`: a game, and its events as they stand in the log.
* `file NAME CHANGE`: a game of a file in `tests/transcripts/files`, [changed](toml_games/edits.py); `game` names it.
* `then EVENT / EVENT`: more events. `with FIGURE=VALUE`: the same state, with other figures in it.
* `ask LEVEL ANSWER …`: the question after some answers. An answer is a name, a card (``+`` before it: laid aside), two
  cards with ``+`` between them, a number, ``=`` and the number of an item, ``#`` to skip, or ``D`` for the alternative.
* `say EVENT`: whether an event can be, and what the game says of it; the game stays as it is.
* `round FIGURE=VALUE`: enter a whole round of a game of a file; figures that are not given are 0, or nobody.
* `enter LEVEL ANSWER …`: `say` of the event that answers make, and `then` that event.
* `tell EVENT`: an event in words, wherever it stands.
* `view`, `sheet`, `alerts`, `moment`: what is shown now. `cards`, `options`, `help`, and `card`: the rules card.
* `in LANGUAGE VERB …`: the same in another language.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.game import Event, Game, LogHeader
from companion.core.prompt import (
    Answer,
    ChooseItem,
    ChooseSeat,
    DetailLevel,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TakeAlternative,
)
from companion.core.text import IllegalEventError, Text
from companion.gamelog import LogError, decode_header, decode_line
from companion.games import shipped
from companion.games.toml_games import load
from tests.accepted import ARROW, accept_all, answered, paragraphs, write_anew

from . import told
from .seeds import written
from .told import NAMES
from .toml_games.edits import text_of
from .unguarded import unguarded

FOLDER = Path(__file__).parents[1] / "transcripts" / "games"


class Scene(NamedTuple):
    """A scene of a file: its sentence, and its lines as they are written."""

    title: str
    lines: tuple[str, ...]

    @property
    def done(self) -> list[str]:
        """Return what is done, line by line: indented lines belong to the one above."""
        whole = "\n".join(self.lines).replace("\n    ", " ")
        return [line.partition(ARROW.rstrip())[0].rstrip() for line in whole.splitlines()]

    def play(self) -> list[str]:
        """Play the scene; return its lines as they should be."""
        player, played = Player(), list[str]()
        for done in self.done:
            said = player.does(done)
            played += answered(done, said)
        return played


class Player:
    """Does what the lines of a scene say."""

    _header: LogHeader
    _state: Any
    _file: Game[Any] | None = None

    def does(self, line: str) -> str:
        """Do what a line says; return what is said then."""
        verb, _, rest = line.partition(" ")
        try:
            return str(getattr(self, f"_{verb}{'_of' * (verb == 'file')}")(rest))
        except Exception as wrong:
            wrong.add_note(f"at the line {line!r}")
            raise

    def _game(self, given: str) -> str:
        head, _, events = given.partition(" / ")
        name, seats, *rules = head.split()
        said = {"format": 1, "game": name, "players": NAMES[: int(seats)], "rules": _values(rules)}
        try:
            with unguarded(self._file) if self._file is not None else nullcontext():
                self._header = decode_header(json.dumps(said))
        except LogError as refused:
            return f"no: {refused}"
        self._game_of = self._header.game
        self._state = self._header.first
        return self._then(events)

    def _file_of(self, said: str) -> str:
        self._file = load(text_of(said), "game.toml")
        return ""

    def _enter(self, given: str) -> str:
        event = self._ask(given)
        told = self._say(event)
        if not told.startswith("no: "):
            self._then(event)
        return f"{event} → {told}"

    def _then(self, events: str) -> str:
        for event in events.split(" / ") if events else ():
            self._state = self._game_of.apply(self._state, self._event(event))
        return ""

    def _with(self, given: str) -> str:
        self._state = replace(self._state, **{name: self._frozen(v) for name, v in _values(given.split()).items()})
        return ""

    def _frozen(self, value: Any) -> Any:
        """Return a value as states have it: tuples for lists, cards and suits for their names."""
        if isinstance(value, list):
            return tuple(map(self._frozen, value))
        cards = self._game_of.cards
        suits = {card.suit.name: card.suit for card in cards.values()}
        return cards.get(value, suits.get(value, value)) if isinstance(value, str) else value

    def _event(self, words: str) -> Event:
        kind, *fields = words.split()
        event = decode_line(json.dumps({"type": kind, **_values(fields)}), self._header)
        assert isinstance(event, Event)
        return event

    def _say(self, words: str) -> str:
        before = written(self._state)
        try:
            return told.event(self._game_of, self._state, self._event(words))
        except IllegalEventError as refused:
            return f"no: {refused.reason}: {told.told(refused.text)}"
        except LogError as refused:
            return f"not in a log: {refused}"
        finally:
            assert written(self._state) == before

    def _in(self, given: str) -> str:
        language, _, line = given.partition(" ")
        with told.language(language):
            return self.does(line)

    def _round(self, given: str) -> str:
        figures = _values(given.split())
        declared = shipped.game(self._game_of.name).apply.args[0]  # type: ignore[attr-defined]  # a partial function
        for question in declared.questions:
            if question.name in self._state.given:  # by itself, as a question of a variant that is not played
                continue
            nothing: Any = 0
            if question.names_seats:
                nothing = None if question.kind == "seat" else []
            elif question.per != "round":
                nothing = [0] * (2 if question.per == "side" else len(self._header.players))
            figures.setdefault(question.name, nothing)
        kinds = {kind.__struct_config__.tag for kind in self._game_of.events}
        (name, value), *_rest = figures.items()
        field = "figure" if declared.questions[0].per == "round" else "figures"
        field = "players" if declared.questions[0].names_seats else field
        line = {"type": "round", **figures} if "round" in kinds else {"type": name, field: value}
        event = decode_line(json.dumps(line), self._header)
        assert isinstance(event, Event)
        try:
            self._state = self._game_of.apply(self._state, event)
        except IllegalEventError as refused:
            return f"no: {refused.reason}: {told.told(refused.text)}"
        won = self._game_of.progress(self._state).winners
        points = " ".join(map(str, self._state.rounds[-1]))
        return points if won is None else f"{points}; {' '.join(NAMES[seat] for seat in won) or 'nobody'} won"

    def _tell(self, words: str) -> str:
        return told.told(self._game_of.describe(self._event(words)))

    def _ask(self, given: str) -> str:
        level, *words = given.split()
        tracking, answers = DetailLevel(level), tuple[Answer, ...]()
        try:
            for word in words:
                answers = (*answers, self._answer(word, self._game_of.ask(self._state, tracking, answers)))
            made = self._game_of.ask(self._state, tracking, answers)
        except IllegalEventError as refused:
            return f"no: {refused.reason}: {told.told(refused.text)}"
        if made is None:
            return "nothing"
        return told.prompt(made) if isinstance(made, Prompt) else told.as_words(made)

    def _answer(self, word: str, asked: object) -> Answer:
        cards = self._game_of.cards
        if word in ("#", "D"):
            return Skip() if word == "#" else TakeAlternative()
        if word in NAMES:
            return ChooseSeat(NAMES.index(word))
        if word.startswith("="):
            assert isinstance(asked, Prompt)
            items = (each for each in (*asked.answers, *asked.picks) if isinstance(each, ChooseItem))
            return next((each for each in items if each.value == int(word[1:])), ChooseItem(int(word[1:]), Text("?")))
        if word.removeprefix("-").isdigit():
            return EnterNumber(int(word))
        first, _, second = word.removeprefix("+").partition("+")
        return LayPair(cards[first], cards[second]) if second else LayCard(cards[first], word.startswith("+"))

    def _view(self, _nothing: str) -> str:
        return told.view(self._game_of.view(self._state))

    def _sheet(self, _nothing: str) -> str:
        optional = self._game_of.optional
        ahead = optional.winners_so_far(self._state) if optional.winners_so_far else ()
        declarers = optional.declarers(self._state) if optional.declarers else ()
        return told.parts(
            told.table(self._game_of.score_sheet(self._state)),
            told.named("so far", told.seats(ahead)),
            told.named("declarers", ", ".join(map(told.seats, declarers))),
        )

    def _alerts(self, _nothing: str) -> str:
        return told.parts(*map(told.told, self._game_of.optional.alerts(self._state))) or "none"

    def _moment(self, _nothing: str) -> str:
        return told.parts(told.told(self._game_of.moment(self._state)), told.told(self._game_of.short(self._state)))

    def _cards(self, _nothing: str) -> str:
        cards = self._game_of.cards.values()
        return ", ".join(f"{card.name} {told.told(card.label)} {'/'.join(card.keys)}" for card in cards)

    def _card(self, _nothing: str) -> str:
        pages = self._game_of.optional.rules_card
        assert pages is not None
        return " ".join(map(told.page, pages(len(self._header.players), self._header.rules)))

    def _options(self, _nothing: str) -> str:
        game, seats = self._game_of, len(self._header.players)
        sides = (
            game.optional.sides(seats, json.loads(self._header.written).get("rules", {})) if game.optional.sides else ()
        )
        return told.parts(
            " ".join(map(told.option, game.options)),
            ", ".join(f"{level.value}: {told.told(words)}" for level, words in game.trackings.items()),
            told.named("sides", ", ".join(map(told.seats, sides))),
            "one loses" if game.optional.one_loses else "",
        )

    def _help(self, _nothing: str) -> str:
        lines = self._game_of.optional.keys(len(self._header.players), self._header.rules)
        return told.parts(*map(told.told, lines))


def _values(fields: Iterable[str]) -> dict[str, Any]:
    """Return the values of ``NAME=VALUE``: as JSON, or as they are."""
    found: dict[str, Any] = {}
    for field in fields:
        name, _, value = field.partition("=")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def scenes(file: Path) -> list[Scene]:
    """Return the scenes of a file."""
    _head, *rest = paragraphs(file)
    return [Scene(title.removeprefix("# "), tuple(lines)) for title, *lines in rest]


def accept(file: Path) -> bool:
    """Write a file anew, with what is said today. Return whether it has changed."""
    head, *_rest = paragraphs(file)
    parts = [head, *([f"# {scene.title}", *scene.play()] for scene in scenes(file))]
    return write_anew(file, parts)


if __name__ == "__main__":
    accept_all(FOLDER, accept)
