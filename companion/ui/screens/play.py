"""The game's screen: the game view, the question and the typed keys. Corrections are entered here, too."""

from __future__ import annotations

from functools import cached_property

from msgspec import structs
from msgspec.structs import replace

from companion.core.card_shown_before import seen_in, sentence
from companion.core.correction import Correction
from companion.core.errors import IllegalEvent
from companion.core.event_answers import refusal_of
from companion.core.events import Undo
from companion.core.game import EventOutcome
from companion.core.prompt import Answer, ChooseSeat, Prompt, Tracking
from companion.core.text import Glyph, Seat, Text
from companion.ui.key_grammar import AnswerCodes, Complete, Partial
from companion.ui.keys import Key
from companion.ui.options import CyclicOptions, at_table
from companion.ui.translations import Translator, _
from companion.ui.view import Body, View

from .cached_game_state import CachedGameState
from .conflict import ConflictScreen, next_conflict, tracking_for
from .contents import ScreenContents
from .context import (
    HOME,
    READ_ONLY,
    CurrentGame,
    EnterLine,
    GameScreenProtocol,
    Labels,
    LeaveGame,
    ScreenContext,
    Transition,
    refuse,
    table_body,
    undo_warning,
    undone_text,
)
from .entries import EntriesScreen
from .game_body import answer_label, explained, hints, laid, pointing, sheet, stage, start_label, typed
from .menu import MenuScreen
from .review import KEPT

MENU = Key("#", held=True)


class PlayScreen(GameScreenProtocol, frozen=True):
    """The screen of the open game.

    Attributes:
        answers: The answers given so far to the unfinished entry.
        typed: The keys of the unfinished answer.
        correction: The correction under way, or None.
        tracking: The level of detail of the correction.
        seen: The entry with the card that was just refused as seen before; the list of entries opens there.
    """

    answers: tuple[Answer, ...] = ()
    typed: str = ""
    correction: Correction | None = None
    tracking: Tracking | None = None
    seen: int | None = None

    @property
    def amending(self) -> int | None:
        """Return the number of the entry being corrected, or None."""
        return None if self.correction is None else self.correction.number

    @property
    def half(self) -> tuple[object, ...]:
        """Return the unfinished input to keep in a draft."""
        return (self.amending, self.tracking, self.answers, self.typed)

    @property
    def untouched(self) -> bool:
        """Return whether no answer or key of an entry is given yet."""
        return not self.answers and not self.typed

    def position(self, game: CurrentGame) -> CachedGameState:
        """Return the position before the unfinished entry."""
        if self.correction is None:
            return game.position
        return CachedGameState(game.position.game, self.correction.state, self.tracking or game.tracking)

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the game view and question, with the keys of the answers."""
        return PlayContents(self, context)

    def reset(self) -> PlayScreen:
        """Return the screen without unfinished input."""
        return PlayScreen()

    def with_tracking(self, tracking: Tracking) -> PlayScreen:
        """Return the correction under way, at another level of detail."""
        return PlayScreen(correction=self.correction, tracking=tracking)

    def enter_correction(self, game: CurrentGame, correction: Correction) -> PlayScreen:
        """Return the screen with the game as it was before an entry that is new, was wrong or no longer fits."""
        return PlayScreen(correction=correction, tracking=tracking_for(game, correction))

    def refused(self, context: ScreenContext, why: IllegalEvent) -> Transition:
        """Return a refusal. If the card was seen before, its suit stays typed, and holding back shows that entry."""
        session = context.require_game().session
        seen = seen_in(why, session.head if self.correction is None else self.correction.step, self.answers)
        message = sentence(session.header.game, why, seen)
        listed = seen is not None and session.step(min(seen.number, session.head.number)) is seen
        if listed:
            message = _("{message}; * held: look", message=message)
        typed = "" if seen is None else self.typed.rstrip("0123456789")
        return refuse(replace(self, typed=typed, seen=seen.number if seen is not None and listed else None), message)


class PlayContents:
    """What the game's screen shows; computed when first needed, then kept."""

    def __init__(self, play: PlayScreen, context: ScreenContext) -> None:
        """Keep the screen and its context.

        Args:
            play: The screen.
            context: The screens' context, with an open game.
        """
        self._play, self._context, self._game = play, context, context.require_game()
        self._position = play.position(self._game)

    @property
    def _prompt(self) -> Prompt | None:
        """Return the prompt; None if the game is over."""
        prompt = self._position.ask(self._play.answers)
        return prompt if isinstance(prompt, Prompt) else None

    @property
    def _codes(self) -> AnswerCodes | None:
        """Return the key codes of the prompt; None if the game is over."""
        return self._position.book(self._play.answers)

    # Keys

    def press(self, key: Key) -> Transition:
        """Return the transition of a key: type, step back, or open the menu or the entries."""
        play, game = self._play, self._game
        if key == MENU:
            return Transition(MenuScreen(play))
        if key == HOME:
            return Transition(EntriesScreen.of(play, game) if play.seen is None else EntriesScreen(play, play.seen))
        if key.name == "*":
            return Transition(replace(play, seen=None), LeaveGame(game.listed)) if game.read_only else self._back()
        if self._codes is None:
            if key.name == "#":
                return Transition(replace(play, seen=None), LeaveGame())
            over = _("The game is over: # goes home, * takes the last entry back")
            return refuse(replace(play, seen=None), READ_ONLY if game.read_only else over)
        return self._typed(self._codes, key)

    def _typed(self, book: AnswerCodes, key: Key) -> Transition:
        play = self._play if self._play.seen is None else replace(self._play, seen=None)
        match book.press(play.typed, key.name):
            case Complete(answer):
                return self._answered(play, answer)
            case Partial(typed):
                return Transition(replace(play, typed=typed))
        return refuse(play, explained(book.prompt, play.typed, key.name, self._why_not(book.prompt, key.name)))

    def _answered(self, play: PlayScreen, answer: Answer) -> Transition:
        answers = (*play.answers, answer)
        try:
            made = self._position.ask(answers)
            if isinstance(made, Prompt):
                return Transition(replace(play, answers=answers, typed=""))
            assert made is not None  # a prompt was answered, so the game is not over
            if play.correction is not None:
                return next_conflict(PlayScreen(), play.correction.put(made))
        except IllegalEvent as refused:
            return play.refused(self._context, refused)
        return Transition(PlayScreen(), EnterLine(made), if_refused=replace(play, typed=""))

    def _why_not(self, prompt: Prompt, key: str) -> Text | None:
        """Return why the seat whose number was pressed cannot be chosen; None if the prompt asks for no seat."""
        seats = map(str, range(1, len(self._game.session.header.players) + 1))
        if self._play.typed or key not in seats or not any(isinstance(answer, ChooseSeat) for answer in prompt.answers):
            return None
        position, seat = self._position, int(key) - 1
        refused = refusal_of(position.game, position.state, position.tracking, (*self._play.answers, ChooseSeat(seat)))
        return _("{player} cannot be named here", player=Seat(seat)) if refused is None else refused.text

    def _back(self) -> Transition:
        play = replace(self._play, seen=None)
        if play.typed:
            return Transition(replace(play, typed=play.typed[:-1]))
        if play.answers:
            return Transition(replace(play, answers=play.answers[:-1]))
        if play.correction is not None:
            return (
                Transition(PlayScreen(), message=KEPT)
                if play.correction.why is None
                else Transition(ConflictScreen(PlayScreen(), play.correction))
            )
        return Transition(PlayScreen(), EnterLine(Undo()), undone_text(self._game), warning=undo_warning(self._context))

    # View and labels

    @cached_property
    def view(self) -> View:
        """Return the game view, the tally sheet being filled in, or the outcome of the last entry."""
        play, game, words, prompt = self._play, self._game, self._context.words, self._prompt
        if prompt is None:
            return _over(self._context, game)
        report = self._context.report if play.untouched and play.correction is None else None
        question = words(prompt.text)
        if play.amending is not None:
            inserts = "+" if play.correction is not None and play.correction.inserts else ""
            question = f"{words(Glyph('pen'))}{inserts}{play.amending} {question}"
        begun = ("hints", play.answers, play.typed == "", words)
        keyed, brief = self._position.once(begun, lambda: hints(words, prompt, play.answers, play.typed))
        body = self._body(words, prompt, report)
        view = View(body, question, typed(words, prompt, play.typed), keyed, brief, names=words.players)
        if play.untouched and play.correction is not None:
            was = game.session.header.game.describe(play.correction.was)
            told = _("New, before: {entry}", entry=was) if play.correction.inserts else _("Was: {entry}", entry=was)
            return structs.replace(view, notice=(words(told),))
        if report is not None and report.table is not None:  # the question is about the next round
            number = game.session.header.game.snapshot(game.session.state)["round"]
            view = structs.replace(view, ahead=words(_("R{round}", round=number)))
        return _noticed(view, words, report)

    def _body(self, words: Translator, prompt: Prompt, report: EventOutcome | None) -> Body:
        """Return the result of the round or trick just ended, else the tally sheet or the game view."""
        if report is not None and report.table is not None:
            return pointing(structs.replace(table_body(words, report.table), laid=_laid(words, report)), prompt)
        if prompt.sheet is not None:
            return pointing(sheet(words, prompt.sheet), prompt)
        if report is not None and report.finished is not None:
            return stage(words, report.finished, prompt)
        position = self._position
        return position.once(("stage", self._play.answers, words), lambda: stage(words, position.face, prompt))

    @cached_property
    def labels(self) -> Labels:
        """Return the labels of the keys."""
        play, game, words, book = self._play, self._game, self._context.words, self._codes
        labels = {"h#": words(_("menu")), "h*": words(_("entries"))}
        if game.read_only:
            labels["*"] = words(_("games"))
        elif not play.untouched or play.amending is not None:
            labels["*"] = words(_("back"))
        elif game.session.latest is not None:
            labels["*"] = words(_("undo"))
        if book is None:
            return {**labels, "#": words(_("home"))}
        for key in (*"0123456789", *"ABCD"):
            match book.press(play.typed, key):
                case Complete(answer) if answer in book.prompt.answers:
                    labels[key] = answer_label(words, book.prompt, answer)
                case Partial(begun) if book.begun(begun):
                    labels[key] = start_label(words, book.prompt, play.typed, key)
        match book.press(play.typed, "#"):
            case Complete(answer):
                labels["#"] = answer_label(words, book.prompt, answer)
        return labels

    @cached_property
    def ring(self) -> CyclicOptions:
        """Return the ring of answers, likely ones first."""
        return at_table(self._codes, self._play.typed, self.labels, self._context)


def _noticed(view: View, words: Translator, report: EventOutcome | None) -> View:
    """Return the view with the outcome of the last entry as its notice."""
    if report is None or not report.lines:
        return view
    return structs.replace(view, notice=tuple(map(words, report.lines)), alert=report.alert)


def _laid(words: Translator, report: EventOutcome | None) -> tuple[str, ...]:
    """Return the cards that each seat laid in the trick that just ended a round or the game."""
    if report is None or report.finished is None:
        return ()
    return tuple(laid(words, place) for place in report.finished.seats)


def _over(context: ScreenContext, game: CurrentGame) -> View:
    """Return the view of a finished game: the score sheet, and the outcome of the last entry as a notice."""
    words, report = context.words, context.report
    keys = _("# home   * games") if game.read_only else _("# home   * undo")
    body = structs.replace(
        table_body(words, game.session.header.game.score_sheet(game.session.state)), laid=_laid(words, report)
    )
    return _noticed(View(body, words(keys)), words, report)
