"""The table: the game's face, its question, and what was typed; also where an entry is corrected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from companion.core.cards import Card
from companion.core.events import Amend, Event, Undo
from companion.core.face import Face
from companion.core.game import Game
from companion.core.prompt import Answer, Extra, Lay, Number, Prompt, Sit, Skip, Tracking
from companion.core.text import Glyph, Seat, Text
from companion.ui.entry import Book, Done, Half
from companion.ui.keys import Key
from companion.ui.view import Grid, Player, Stage, View
from companion.ui.words import Words, _

from .desk import Desk, Enter, Labels, Leave, Move, OpenGame, grid, no, taken_back
from .entries import Entries
from .menu import Menu


@dataclass(frozen=True, slots=True)
class Play:
    """The table of a game.

    Attributes:
        answers: The answers given so far to the entry under way.
        typed: The keys of the answer under way.
        amending: The number of the entry that is being corrected, if one is.
        tracking: How closely a correction is entered.
    """

    answers: tuple[Answer, ...] = ()
    typed: str = ""
    amending: int | None = None
    tracking: Tracking | None = None

    # What is asked

    def state(self, game: OpenGame) -> Any:
        """Return the state the entry under way is for."""
        return game.session.state if self.amending is None else game.session.before(self.amending)

    def ask(self, game: OpenGame, answers: tuple[Answer, ...]) -> Prompt | Event | None:
        """Return what the game makes of some answers."""
        return game.session.header.game.ask(self.state(game), self.tracking or game.tracking, answers)

    def fresh(self) -> Play:
        """Return the table with nothing half entered."""
        return Play()

    def following(self, tracking: Tracking) -> Play:
        """Return the correction under way, entered in another way."""
        return Play(amending=self.amending, tracking=tracking)

    def correcting(self, game: OpenGame, number: int) -> Play:
        """Return the table as it was when an entry was made, to enter another in its place."""
        step = game.session.step(number)
        assert step.event is not None  # only the beginning has none
        before = game.session.before(number)
        tracking = tracking_of(game.session.header.game, game.tracking, before, step.event)
        return Play(amending=number, tracking=tracking)

    # Keys

    def press(self, key: Key, desk: Desk) -> Move:
        """Type a key of an answer, step back, or open the menu or the list of entries."""
        game = desk.at_the_table()
        if key == Key("#", held=True):
            return Move(Menu(self))
        if key == Key("*", held=True):
            return Move(Entries.of(self, game))
        if key.name == "*":
            return self._back(game)
        prompt = self.ask(game, self.answers)
        if not isinstance(prompt, Prompt):
            if key.name == "#":
                return Move(self, Leave())
            return no(self, _("The game is over: # goes home, * takes the last entry back"))
        match Book(prompt).press(self.typed, key.name):
            case Done(answer):
                return self._answered(game, answer)
            case Half(typed):
                return Move(replace(self, typed=typed))
        return no(self, _explained(prompt, self.typed, key))

    def _answered(self, game: OpenGame, answer: Answer) -> Move:
        answers = (*self.answers, answer)
        made = self.ask(game, answers)
        if isinstance(made, Prompt):
            return Move(replace(self, answers=answers, typed=""))
        assert made is not None  # a prompt was answered, so the game goes on
        if self.amending is None:
            return Move(Play(), Enter(made))
        corrected = _("Entry {number} is corrected", number=self.amending)
        return Move(Play(), Enter(Amend(self.amending, made)), corrected)

    def _back(self, game: OpenGame) -> Move:
        if self.typed:
            return Move(replace(self, typed=self.typed[:-1]))
        if self.answers:
            return Move(replace(self, answers=self.answers[:-1]))
        if self.amending is not None:
            return Move(Play(), message=_("Left as it was"))
        return Move(Play(), Enter(Undo()), taken_back(game))

    # What is seen

    def view(self, desk: Desk) -> View:
        """Show the game's face, or the sheet being filled in, or what the last entry brought about."""
        game = desk.at_the_table()
        prompt = self.ask(game, self.answers)
        if not isinstance(prompt, Prompt):
            return _over(desk, game)
        view = self._asking(desk, game, prompt)
        if desk.news and not self.answers and not self.typed and self.amending is None:
            return _with_news(view, desk, game)
        return view

    def labels(self, desk: Desk) -> Labels:
        """Say what each key does."""
        game, words = desk.at_the_table(), desk.words
        labels = {"h#": words(_("menu")), "h*": words(_("entries"))}
        if self.typed or self.answers or self.amending is not None:
            labels["*"] = words(_("back"))
        elif game.session.can_undo:
            labels["*"] = words(_("undo"))
        prompt = self.ask(game, self.answers)
        if not isinstance(prompt, Prompt):
            return {**labels, "#": words(_("home"))}
        book = Book(prompt)
        for key in (*"0123456789", *"ABCD"):
            begun = book.begun(self.typed + key)
            if len(begun) == 1:
                labels[key] = _answer_label(words, prompt, *begun)
            elif begun:
                labels[key] = _start_label(words, prompt, self.typed, key)
        match book.press(self.typed, "#"):
            case Done(answer):
                labels["#"] = _answer_label(words, prompt, answer)
        return labels

    def _asking(self, desk: Desk, game: OpenGame, prompt: Prompt) -> View:
        words = desk.words
        declared = game.session.header.game
        state = self.state(game)
        face = declared.face(state)
        body: Stage | Grid = _stage(words, face, prompt)
        if prompt.sheet is not None:
            title = words(prompt.sheet.title)
            heads = tuple(words(column) for column in prompt.sheet.columns)
            rows = tuple(tuple("" if figure is None else str(figure) for figure in row) for row in prompt.sheet.rows)
            body = Grid(title, heads, words.players, rows, cell=prompt.sheet.cell)
        question = words(prompt.text)
        if self.amending is not None:
            question = f"{words(Glyph('pen'))}{self.amending} {question}"
        return View(
            body,
            question,
            typed(words, prompt, self.typed),
            hint=words(Glyph("pledge")) if prompt.aside is not None else "",
            lamp=face.suit.colour if face.suit else None,
        )


def tracking_of(game: Game[Any], present: Tracking, state: Any, event: Event) -> Tracking:
    """Return the way of following a game in which an event is entered; the present way if it can be.

    Raises:
        LookupError: No way of following it leads to this event.
    """
    for tracking in (present, *game.trackings):
        if entered(game, state, tracking, game.answers(state, event)) == event:
            return tracking
    raise LookupError(event)


def entered(game: Game[Any], state: Any, tracking: Tracking, answers: tuple[Answer, ...]) -> Event | None:
    """Return the event some answers make when each is offered in its turn, else None."""
    for count, answer in enumerate(answers):
        prompt = game.ask(state, tracking, answers[:count])
        if not isinstance(prompt, Prompt) or answer not in prompt.answers:
            return None
    made = game.ask(state, tracking, answers)
    return made if isinstance(made, Event) else None


def _explained(prompt: Prompt, typed: str, key: Key) -> Text:
    """Say why a key leads nowhere here."""
    if prompt.suits and not typed and prompt.led is None and key.name.isdigit():
        first, *others = (Text(f"{key}={{suit}}", suit=suit) for key, suit in zip("ABCD", prompt.suits, strict=False))
        suits = reduce(lambda said, suit: Text("{said} {suit}", said=said, suit=suit), others, first)
        return _("Which suit? {suits}", suits=suits)
    if typed:
        return _("{keys} is not in it: * steps back", keys=typed + key.name)
    if prompt.suits:
        return _("{key} does nothing here: a card is a suit and a rank", key=key.name)
    if any(isinstance(answer, Number) for answer in prompt.answers):
        most = max(answer.value for answer in prompt.answers if isinstance(answer, Number))
        return _("A number from 0 to {most}, please", most=most)
    return _("{key} is nobody here", key=key.name)


def typed(words: Words, prompt: Prompt, keys: str) -> str:
    """Return the typed keys as people read them: glyphs for suits and for a card laid aside."""
    if not prompt.suits:
        return keys
    signs = {key: words(Glyph(suit.name)) for key, suit in zip("ABCD", prompt.suits, strict=False)}
    if prompt.aside is not None and len(prompt.suits) < 4:
        signs["D"] = words(Glyph("pledge"))
    return "".join(signs.get(key, key) for key in keys)


def _card(words: Words, card: Card, aside: bool) -> str:
    return f"{words(Glyph('pledge')) if aside else ''}{words(Glyph(card.suit.name))}{card.rank}"


def _stage(words: Words, face: Face, prompt: Prompt) -> Stage:
    players = tuple(
        Player(
            words(Seat(seat)),
            " ".join(_card(words, card, aside) for card, aside in place.laid),
            words(place.figures),
            place.leads,
            seat == prompt.seat,
            str(seat + 1) if Sit(seat) in prompt.answers else "",
        )
        for seat, place in enumerate(face.places)
    )
    columns = tuple((words(Glyph(column.suit.name)), column.count, column.more) for column in face.columns)
    return Stage(
        face.suit.name if face.suit else None,
        words(face.suit) if face.suit else "",
        words(face.status),
        columns,
        players,
    )


def _answer_label(words: Words, prompt: Prompt, answer: Answer) -> str:
    match answer:
        case Lay(card, aside):
            return f"{words(prompt.aside)} {words(card)}" if aside else words(card)
        case Sit(seat):
            return words(Seat(seat))
        case Number(value):
            return str(value)
        case Skip():
            return words(prompt.skip)
        case Extra():
            return words(prompt.extra)


def _start_label(words: Words, prompt: Prompt, before: str, key: str) -> str:
    if key in "ABCD"[: len(prompt.suits)]:
        return words(prompt.suits["ABCD".index(key)])
    if key == "D" and prompt.aside is not None:
        return words(prompt.aside)
    return f"{''.join(character for character in before if character.isdigit())}{key}…"


def _with_news(view: View, desk: Desk, game: OpenGame) -> View:
    """Lay over the view what the last entry brought about."""
    head = game.session.head
    if head.event is None or head.before is None:
        return view
    report = game.session.header.game.report(head.before.state, head.event, head.state)
    body = view.body if report.table is None else grid(desk.words, report.table)
    return replace(view, body=body, notice=tuple(map(desk.words, report.lines)), alert=report.alert)


def _over(desk: Desk, game: OpenGame) -> View:
    """Show who has won, and by what; and what the last entry brought to light."""
    declared, state = game.session.header.game, game.session.state
    face = declared.face(state)
    view = View(
        grid(desk.words, declared.sheet(state)),
        desk.words(_("# home   * undo")),
        lamp=face.suit.colour if face.suit else None,
    )
    news = _with_news(view, desk, game) if desk.news else view
    return replace(view, notice=news.notice, alert=news.alert)
