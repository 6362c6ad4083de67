"""The table: the game's face, its question, and what was typed; also where an entry is corrected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.core.correction import Correction
from companion.core.errors import IllegalEvent
from companion.core.event_answers import why_not
from companion.core.events import Amend, Event, Undo
from companion.core.game import Outcome
from companion.core.prompt import Answer, ChooseSeat, Prompt, Tracking
from companion.core.seen_cards import seen_in, sentence
from companion.core.text import Glyph, Seat, Text
from companion.ui.key_grammar import AnswerCodes, Complete, Partial
from companion.ui.keys import Key
from companion.ui.translations import Translator, _
from companion.ui.view import Body, View

from .conflict import KEPT, ConflictScreen, onward, tracking_for
from .context import (
    READ_ONLY,
    Context,
    EnterLine,
    Labels,
    LeaveGame,
    OpenGame,
    Transition,
    grid,
    no,
    taken_back,
    takes_back,
)
from .entries import EntriesScreen
from .game_body import answer_label, explained, hint, laid, pointing, sheet, stage, start_label, typed
from .menu import MenuScreen


@dataclass(frozen=True, slots=True)
class PlayScreen:
    """The table of a game.

    Attributes:
        answers: The answers given so far to the entry under way.
        typed: The keys of the answer under way.
        mending: The entry that is being corrected, if one is.
        tracking: How closely a correction is entered.
        seen: The entry that holds the card just refused, at which the list of entries is opened next.
    """

    answers: tuple[Answer, ...] = ()
    typed: str = ""
    mending: Correction | None = None
    tracking: Tracking | None = None
    seen: int | None = None

    @property
    def amending(self) -> int | None:
        """Return the number of the entry that is being corrected, if one is."""
        return None if self.mending is None else self.mending.number

    @property
    def half(self) -> tuple[object, ...]:
        """Return what would be lost without a draft."""
        return (self.amending, self.tracking, self.answers, self.typed)

    # What is asked

    def state(self, game: OpenGame) -> Any:
        """Return the state the entry under way is for."""
        return game.session.state if self.mending is None else self.mending.state

    def ask(self, game: OpenGame, answers: tuple[Answer, ...]) -> Prompt | Event | None:
        """Return what the game makes of some answers."""
        return game.session.header.game.ask(self.state(game), self.tracking or game.tracking, answers)

    def fresh(self) -> PlayScreen:
        """Return the table with nothing half entered."""
        return PlayScreen()

    def following(self, tracking: Tracking) -> PlayScreen:
        """Return the correction under way, entered in another way."""
        return PlayScreen(mending=self.mending, tracking=tracking)

    def correcting(self, game: OpenGame, number: int) -> PlayScreen:
        """Return the table as it was when an entry was made, to enter another in its place."""
        return self.mend(game, Correction.opening(game.session, number))

    def mend(self, game: OpenGame, mending: Correction) -> PlayScreen:
        """Return the table as it is before an entry that was wrong, or no longer fits."""
        return PlayScreen(mending=mending, tracking=tracking_for(game, mending))

    # Keys

    def press(self, key: Key, desk: Context) -> Transition:
        """Type a key of an answer, step back, or open the menu or the list of entries."""
        game = desk.at_the_table()
        if key == Key("#", held=True):
            return Transition(MenuScreen(self))
        if key == Key("*", held=True):
            return Transition(EntriesScreen.of(self, game) if self.seen is None else EntriesScreen(self, self.seen))
        return replace(self, seen=None)._press(key, desk, game)

    def _press(self, key: Key, desk: Context, game: OpenGame) -> Transition:
        if key.name == "*":
            return Transition(self, LeaveGame(game.listed)) if game.read_only else self._back(game, desk)
        prompt = self.ask(game, self.answers)
        if not isinstance(prompt, Prompt):
            if key.name == "#":
                return Transition(self, LeaveGame())
            over = _("The game is over: # goes home, * takes the last entry back")
            return no(self, READ_ONLY if game.read_only else over)
        match AnswerCodes(prompt).press(self.typed, key.name):
            case Complete(answer):
                return self._answered(game, answer)
            case Partial(typed):
                return Transition(replace(self, typed=typed))
        return no(self, explained(prompt, self.typed, key.name, self._why_not(game, prompt, key.name)))

    def _answered(self, game: OpenGame, answer: Answer) -> Transition:
        answers = (*self.answers, answer)
        try:
            made = self.ask(game, answers)
            if isinstance(made, Prompt):
                return Transition(replace(self, answers=answers, typed=""))
            assert made is not None  # a prompt was answered, so the game goes on
            if self.mending is not None:
                return self._mended(self.mending, made)
        except IllegalEvent as refused:
            return self.refused(game, refused)
        return Transition(PlayScreen(), EnterLine(made), otherwise=replace(self, typed=""))

    def _mended(self, mending: Correction, made: Event) -> Transition:
        after = mending.put(made)
        if mending.why is None and after.fits:
            corrected = _("Entry {number} is corrected", number=mending.number)
            return Transition(PlayScreen(), EnterLine(Amend(mending.number, made)), corrected)
        return onward(PlayScreen(), after)

    def refused(self, game: OpenGame, refused: IllegalEvent) -> Transition:
        """Say no. Where a card was seen before, its suit stays typed, and held back leads to where it was seen."""
        step = game.session.head if self.mending is None else self.mending.step
        seen = seen_in(refused, step, self.answers)
        message = sentence(game.session.header.game, refused, seen)
        if seen is not None:
            message = _("{message}; * held: look", message=message)
        typed = "" if seen is None else self.typed.rstrip("0123456789")
        return no(replace(self, typed=typed, seen=None if seen is None else seen.number), message)

    def _why_not(self, game: OpenGame, prompt: Prompt, key: str) -> Text | None:
        """Return why somebody cannot be named whose seat's number was pressed, where one is asked for."""
        seats = map(str, range(1, len(game.session.header.players) + 1))
        if self.typed or key not in seats or not any(isinstance(answer, ChooseSeat) for answer in prompt.answers):
            return None
        seat = int(key) - 1
        tracking = self.tracking or game.tracking
        refused = why_not(game.session.header.game, self.state(game), tracking, (*self.answers, ChooseSeat(seat)))
        return _("{player} cannot be named here", player=Seat(seat)) if refused is None else refused.text

    def _back(self, game: OpenGame, desk: Context) -> Transition:
        if self.typed:
            return Transition(replace(self, typed=self.typed[:-1]))
        if self.answers:
            return Transition(replace(self, answers=self.answers[:-1]))
        if self.mending is not None:
            return (
                Transition(PlayScreen(), message=KEPT)
                if self.mending.why is None
                else Transition(ConflictScreen(PlayScreen(), self.mending))
            )
        return Transition(PlayScreen(), EnterLine(Undo()), taken_back(game), first=takes_back(desk))

    # What is seen

    def view(self, desk: Context) -> View:
        """Show the game's face, or the sheet being filled in, or what the last entry brought about."""
        game, words = desk.at_the_table(), desk.words
        prompt = self.ask(game, self.answers)
        if not isinstance(prompt, Prompt):
            return _over(desk, game)
        untouched = not self.answers and not self.typed
        report = desk.report if untouched and self.mending is None else None
        question = words(prompt.text)
        if self.amending is not None:
            question = f"{words(Glyph('pen'))}{self.amending} {question}"
        keyed, brief = (hint(words, prompt, self.answers, self.typed, keyed=keyed) for keyed in (True, False))
        body = pointing(self._body(words, game, prompt, report), prompt)
        view = View(body, question, typed(words, prompt, self.typed), keyed, brief, names=words.players)
        if untouched and self.mending is not None:
            was = game.session.header.game.describe(self.mending.was)
            return replace(view, notice=(words(_("Was: {entry}", entry=was)),))
        if report is not None and report.table is not None:  # what is asked is of the next round
            number = game.session.header.game.snapshot(game.session.state)["round"]
            view = replace(view, ahead=words(_("R{round}", round=number)))
        return _noticed(view, words, report)

    def _body(self, words: Translator, game: OpenGame, prompt: Prompt, report: Outcome | None) -> Body:
        """Return the result of a round or a trick while that is news, else the sheet being filled in or the table."""
        if report is not None and report.table is not None:
            return replace(grid(words, report.table), laid=_laid(words, report))
        if prompt.sheet is not None:
            return sheet(words, prompt.sheet)
        if report is not None and report.finished is not None:
            return stage(words, report.finished, prompt)
        return stage(words, game.session.header.game.face(self.state(game)), prompt)

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        game, words = desk.at_the_table(), desk.words
        labels = {"h#": words(_("menu")), "h*": words(_("entries"))}
        if game.read_only:
            labels["*"] = words(_("games"))
        elif self.typed or self.answers or self.amending is not None:
            labels["*"] = words(_("back"))
        elif game.session.latest is not None:
            labels["*"] = words(_("undo"))
        prompt = self.ask(game, self.answers)
        if not isinstance(prompt, Prompt):
            return {**labels, "#": words(_("home"))}
        book = AnswerCodes(prompt)
        for key in (*"0123456789", *"ABCD"):
            match book.press(self.typed, key):
                case Complete(answer) if answer in prompt.answers:
                    labels[key] = answer_label(words, prompt, answer)
                case Partial(typed) if book.begun(typed):
                    labels[key] = start_label(words, prompt, self.typed, key)
        match book.press(self.typed, "#"):
            case Complete(answer):
                labels["#"] = answer_label(words, prompt, answer)
        return labels


def _noticed(view: View, words: Translator, report: Outcome | None) -> View:
    """Lay over the view what the last entry brought about."""
    if report is None:
        return view
    return replace(view, notice=tuple(map(words, report.lines)), alert=report.alert)


def _laid(words: Translator, report: Outcome | None) -> tuple[str, ...]:
    """Return what each seat laid in the trick that ended a round or the game, while that is news."""
    if report is None or report.finished is None:
        return ()
    return tuple(laid(words, place) for place in report.finished.places)


def _over(desk: Context, game: OpenGame) -> View:
    """Show who has won, and by what; and what the last entry brought to light."""
    words, report = desk.words, desk.report
    keys = _("# home   * games") if game.read_only else _("# home   * undo")
    body = replace(grid(words, game.session.header.game.sheet(game.session.state)), laid=_laid(words, report))
    return _noticed(View(body, words(keys)), words, report)
