"""The game's screen: the game view, the question and the typed keys. Corrections are entered here, too."""

from __future__ import annotations

from functools import cached_property

from msgspec import structs
from msgspec.structs import replace

from companion.core.card_shown_before import seen_in, sentence
from companion.core.correction import Correction
from companion.core.errors import IllegalEventError
from companion.core.event_answers import refusal_of
from companion.core.events import Event, Undo
from companion.core.game import EventOutcome
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, Prompt
from companion.core.text import Glyph, Seat, Text
from companion.ui.answer_names import answer_name, answer_named, numbered_name
from companion.ui.few_key_choices import SelectableOptions, at_table
from companion.ui.key_grammar import AnswerCodes, Complete, Partial
from companion.ui.keys import HOME, Key, Labels
from companion.ui.open_game import open_game, table_body
from companion.ui.suggestions import SearchReason
from companion.ui.translations import Translator, _
from companion.ui.view import Body, OpenGame, View

from .buttons import Buttons
from .cached_game_state import CachedGameState
from .commands import BeginGame, EnterLine, LeaveGame
from .confirm_correction import KEPT
from .conflict import ConflictScreen, next_conflict, tracking_for
from .context import (
    READ_ONLY,
    CurrentGame,
    GameScreenProtocol,
    Screen,
    ScreenContents,
    ScreenContext,
    Transition,
    refuse,
    undo_warning,
    undone_text,
)
from .drafts import CorrectionDraft, EntryDraft
from .entries import EntriesScreen
from .entry_outcomes import cards_laid, finished_game, noticed
from .menu import MenuScreen
from .offers import TITLE, OffersForReason
from .prompt_texts import answer_label, explained, given, hints, offered_seats, pointing, sheet, start_label, typed
from .round_check import AS_ON_TABLE, FIGURES_STAND, NOT_SO, ON_TABLE, SAME, can_compare, compared
from .suggestions import SuggestionsScreen, doubt_of_question, offered

MENU = Key("#", held=True)
AGAIN = "1"
"""The key that begins the same game again, after the end."""


class PlayScreen(GameScreenProtocol, frozen=True):
    """The screen of the open game.

    Attributes:
        answers: The answers given so far to the unfinished entry.
        keys: The keys typed for each of these answers; empty for one that was chosen.
        typed: The keys of the unfinished answer.
        tracking: The level of detail of the correction.
        seen: The entry with the card that was just refused as seen before; the list of entries opens there.
        doubt: Why an earlier entry may be wrong, if the last key told: an entry was refused, or taken back because of
            the question after it.
        compares: Whether the figures on the table are asked for, to be compared with the round that has just ended.
    """

    answers: tuple[Answer, ...] = ()
    keys: tuple[str, ...] = ()
    typed: str = ""
    correction: Correction | None = None
    tracking: DetailLevel | None = None
    seen: int | None = None
    doubt: SearchReason | None = None
    compares: bool = False

    @property
    def amending(self) -> int | None:
        return None if self.correction is None else self.correction.number

    @property
    def draft(self) -> EntryDraft:
        given = tuple(zip(map(answer_name, self.answers), self.keys, strict=True))
        correction = None if self.correction is None else CorrectionDraft.of(self.correction)
        return EntryDraft(given, self.typed, correction, self.tracking, self.compares)

    @property
    def untouched(self) -> bool:
        """Return whether no answer or key of an entry is given yet."""
        return not self.answers and not self.typed

    @property
    def calm(self) -> PlayScreen:
        """Return the screen without what only the last key told."""
        return self if self.seen is None and self.doubt is None else replace(self, seen=None, doubt=None)

    def position(self, game: CurrentGame) -> CachedGameState:
        """Return the position before the unfinished entry."""
        if self.correction is None:
            return game.position
        return CachedGameState(game.position.game, self.correction.state, self.tracking or game.tracking)

    def show(self, context: ScreenContext) -> ScreenContents:
        return PlayContents(self, context)

    def reset(self) -> PlayScreen:
        return PlayScreen()

    def with_tracking(self, tracking: DetailLevel) -> PlayScreen:
        return PlayScreen(correction=self.correction, tracking=tracking)

    def enter_correction(self, game: CurrentGame, correction: Correction) -> PlayScreen:
        """Return the screen with the game as it was before an entry that is new, was wrong or no longer fits."""
        return PlayScreen(correction=correction, tracking=tracking_for(game, correction))

    def alarm(self, context: ScreenContext) -> SearchReason | None:
        """Return why an earlier entry may be wrong: a refused entry, an alert, or an undone entry."""
        if self.correction is not None or context.changeable is None:
            return None
        if self.doubt is not None:
            return self.doubt
        alert = self.untouched and context.report is not None and context.report.alert
        return SearchReason() if alert else None

    def refused(self, context: ScreenContext, why: IllegalEventError) -> Transition:
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
        """Keep the screen and its context."""
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
            return Transition(self._offered_or_menu())
        if key == HOME:
            return Transition(EntriesScreen.of(play, game) if play.seen is None else EntriesScreen(play, play.seen))
        if key.name == "*":
            return Transition(play.calm, LeaveGame(game.listed)) if game.read_only else self._back()
        if self._codes is None:
            if key.name == "#":
                return Transition(play.calm, LeaveGame())
            if key.name == AGAIN and not game.read_only:
                return Transition(PlayScreen(), BeginGame(game.session.header, game.tracking))
            over = _("The game is over: # goes home, * takes the last entry back")
            return refuse(play.calm, READ_ONLY if game.read_only else over)
        return self._typed(self._codes, key)

    def _typed(self, book: AnswerCodes, key: Key) -> Transition:
        play = self._play.calm
        match book.press(play.typed, key.name):
            case Complete(answer):
                return self._answered(play, answer, play.typed + key.name)
            case Partial(typed):
                return Transition(replace(play, typed=typed))
        return refuse(play, explained(book.prompt, play.typed, key.name, self._why_not(book.prompt, key.name)))

    def answer(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of an answer or an offered correction that was chosen by its name."""
        place = numbered_name("offer", name)
        if place is not None:
            found = 0 < place <= len(self.taps.offers)
            return self._offered_or_menu().show(context).answer(f"row {place}", context) if found else None
        chosen = None if self._prompt is None else answer_named(self._prompt, name)
        return None if chosen is None else self._answered(replace(self._play.calm, typed=""), chosen, "")

    def _answered(self, play: PlayScreen, answer: Answer, keys: str) -> Transition:
        answers, typed_keys = (*play.answers, answer), (*play.keys, keys)
        doubt = SearchReason(answers, None if play.answers else keys)
        try:
            made = self._position.ask(answers)
            if isinstance(made, Prompt):
                return Transition(replace(play, answers=answers, keys=typed_keys, typed=""))
            assert made is not None  # a prompt was answered, so the game is not over
            if play.correction is not None:
                if play.compares:
                    return self._compared(made)
                return next_conflict(PlayScreen(), play.correction.put(made))
        except IllegalEventError as refused:
            return replace(play, doubt=doubt).refused(self._context, refused)
        entered = EnterLine(made, "".join(typed_keys) if all(typed_keys) else "")
        return Transition(PlayScreen(), entered, if_refused=replace(play, typed="", doubt=doubt))

    def _compared(self, figures: Event) -> Transition:
        """Return the transition after the figures of a round were entered as they lie on the table."""
        differing = compared(self._game, figures)
        if differing is None:
            return Transition(PlayScreen(), message=SAME)
        doubt, line = differing
        return Transition(PlayScreen(doubt=doubt), line, FIGURES_STAND)

    def _offered_or_menu(self) -> Screen:
        """Return the corrections to offer if there are any, else the menu."""
        menu, alarm = MenuScreen(self._play), self._play.alarm(self._context)
        if alarm is None:
            return menu
        found = offered(self._game, alarm, self._context.offered)
        return SuggestionsScreen(self._play, menu, found) if found.offers else menu

    @property
    def _offered(self) -> OffersForReason | None:
        """Return the corrections that are offered now, as far as they are known."""
        found, alarm = self._context.offered, self._play.alarm(self._context)
        return found if found is not None and found.offers and found.meets(self._game.session, alarm) else None

    def _why_not(self, prompt: Prompt, key: str) -> Text | None:
        """Return why the seat whose number was pressed cannot be chosen; None if the prompt asks for no seat."""
        seats = map(str, range(1, len(self._game.session.header.players) + 1))
        if self._play.typed or key not in seats or not any(isinstance(answer, ChooseSeat) for answer in prompt.answers):
            return None
        position, seat = self._position, int(key) - 1
        refused = refusal_of(position.game, position.state, position.tracking, (*self._play.answers, ChooseSeat(seat)))
        return _("{player} cannot be named here", player=Seat(seat)) if refused is None else refused.text

    def _back(self) -> Transition:
        play = self._play.calm
        if play.typed:
            return Transition(replace(play, typed=play.typed[:-1]))
        if play.answers:
            return Transition(replace(play, answers=play.answers[:-1], keys=play.keys[:-1]))
        if play.correction is not None and not play.compares:
            return (
                Transition(PlayScreen(), message=KEPT)
                if play.correction.why is None
                else Transition(ConflictScreen(PlayScreen(), play.correction))
            )
        if self._can_compare:
            last = Correction.opening(self._game.session, self._game.session.head.number)
            return Transition(PlayScreen(correction=last, tracking=DetailLevel.ROUND, compares=True))
        back = PlayScreen(doubt=doubt_of_question(self._game, self._prompt))
        return Transition(back, EnterLine(Undo()), undone_text(self._game), warning=undo_warning(self._context))

    @property
    def _offer_lines(self) -> tuple[str, ...]:
        """Return the lines that offer corrections beside an alert."""
        found, words = self._offered, self._context.words
        return () if found is None else tuple(map(words, found.lines(self._context.key_layout)))

    @property
    def _can_compare(self) -> bool:
        """Return whether a round has just ended whose figures can be compared with the table."""
        return self._play.untouched and self._play.correction is None and can_compare(self._context)

    # View and labels

    @cached_property
    def view(self) -> View:
        """Return the game view, the tally sheet being filled in, or the outcome of the last entry."""
        play, game, words, prompt = self._play, self._game, self._context.words, self._prompt
        if prompt is None:
            over = finished_game(self._context, game, NOT_SO if self._can_compare else None)
            return structs.replace(over, offers=self._offer_lines)
        report = self._report
        question = words(prompt.text)
        if play.amending is not None and not play.compares:
            sign = "+" if play.correction is not None and play.correction.inserts else ""
            question = f"{words(Glyph('pen'))}{sign}{play.amending} {question}"
        begun = ("hints", play.answers, play.typed == "", words)
        keyed, brief = self._position.once(begun, lambda: hints(words, prompt, play.answers, play.typed))
        body = self._body(words, prompt, report)
        typed_keys = typed(words, prompt, play.typed)
        view = View(body, question, typed_keys, keyed, brief, names=words.players, offers=self._offer_lines)
        if play.compares:
            return structs.replace(view, notice=() if play.answers else (words(ON_TABLE),))
        if play.untouched and play.correction is not None:
            was = game.session.header.game.describe(play.correction.was)
            told = _("New, before: {entry}", entry=was) if play.correction.inserts else _("Was: {entry}", entry=was)
            return structs.replace(view, notice=(words(told),))
        if report is not None and report.table is not None:  # the question is about the next round
            number = game.session.progress.round
            view = structs.replace(view, ahead="" if number is None else words(_("R{round}", round=number)))
            if self._can_compare:
                view = structs.replace(view, hint=words(AS_ON_TABLE), brief=words(NOT_SO))
        return noticed(view, words, report)

    def _body(self, words: Translator, prompt: Prompt, report: EventOutcome | None) -> Body:
        """Return the result of the round or trick just ended, else the tally sheet or the game view."""
        if report is not None and report.table is not None:
            return pointing(structs.replace(table_body(words, report.table), laid=cards_laid(words, report)), prompt)
        if prompt.sheet is not None:
            return pointing(sheet(words, prompt.sheet), prompt)
        return self._table

    @property
    def _report(self) -> EventOutcome | None:
        """Return the outcome of the last entry, unless something was typed or is corrected."""
        return self._context.report if self._play.untouched and self._play.correction is None else None

    @cached_property
    def _table(self) -> OpenGame:
        """Return the table as the last entry's trick or turn left it, else as it is now."""
        report, position, prompt, words = self._report, self._position, self._prompt, self._context.words
        title, asked = position.game.title, None if prompt is None else prompt.seat
        if report is not None and report.finished is not None:
            return open_game(words, title, report.finished, asked, offered_seats(prompt))
        now = ("table", self._play.answers, words)
        return position.once(now, lambda: open_game(words, title, position.face, asked, offered_seats(prompt)))

    @cached_property
    def _steps(self) -> Labels:
        """Return the labels of the keys that step back, or open entries and menu; of OK after the end."""
        play, game, words = self._play, self._game, self._context.words
        labels = {"h#": words(_("menu") if self._offered is None else TITLE), "h*": words(_("entries"))}
        if game.read_only:
            labels["*"] = words(_("games"))
        elif play.compares and play.untouched:
            labels["*"] = words(_("undo"))
        elif not play.untouched or play.amending is not None:
            labels["*"] = words(_("back"))
        elif self._can_compare:
            labels["*"] = words(_("not so"))
        elif game.session.latest is not None:
            labels["*"] = words(_("undo"))
        if self._prompt is not None:
            return labels
        again = {} if game.read_only else {AGAIN: words(_("play again"))}
        return {**again, **labels, "#": words(_("home"))}

    @cached_property
    def labels(self) -> Labels:
        play, words, book = self._play, self._context.words, self._codes
        if book is None:
            return self._steps
        labels = dict(self._steps)
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

    @property
    def taps(self) -> Buttons:
        """Return the answers to the prompt, and the keys that are no answers."""
        play, words, prompt = self._play, self._context.words, self._prompt
        found = self._offered
        steps = self._steps if found is None else {**self._steps, "h#": words(_("menu"))}
        return Buttons(
            actions=steps if found is None else {"h#h#" if key == "h#" else key: label for key, label in steps.items()},
            codes=self._codes,
            begun="" if prompt is None else given(words, play.answers),
            table=self._table,
            offers=() if found is None else tuple(map(words, found.sentences)),
        )

    @cached_property
    def ring(self) -> SelectableOptions:
        return at_table(self._codes, self._play.typed, self.labels, self._context.words, self._context.key_layout)
