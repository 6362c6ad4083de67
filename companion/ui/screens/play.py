"""The game's screen: what its keys do. Corrections are entered here, too."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.correction import Correction
from companion.core.errors import IllegalEventError
from companion.core.event_from_answers import refusal_of
from companion.core.events import Event, Undo
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, EnterNumber, Prompt, Skip
from companion.core.text import Seat, Text
from companion.core.who_laid_card import seen_in, sentence
from companion.ui.answer_ids import answer_named, numbered_name
from companion.ui.key_grammar import AnswerCodes, BegunAnswer, CompleteAnswer, CompleteRow
from companion.ui.keys import HOME, Key
from companion.ui.suggestions import SearchReason
from companion.ui.translations import _

from .commands import BeginGame, EnterLine, LeaveGame
from .confirm_correction import left
from .context import (
    READ_ONLY,
    CurrentGame,
    Screen,
    ScreenContents,
    ScreenContext,
    Transition,
    refuse,
    undo_warning,
    undone_text,
)
from .correction_conflict import ConflictScreen, next_conflict, tracking_for
from .entries import EntriesScreen
from .game_choice import game_choice
from .game_menu import REDO, MenuScreen, row_of_redo
from .home import HomeScreen
from .old_answers import filled_in
from .play_view import AGAIN, PlayView, UnfinishedEntry
from .prompt_texts import number
from .round_comparison import FIGURES_STAND, SAME, compared, comparing, proposal
from .setup import RulesScreen
from .suggested_corrections import SuggestionsScreen, doubt_of_question, offered
from .what_is_wrong import WhatIsWrongScreen
from .wrong_key_sentences import explained

MENU = Key("#", held=True)
MOST_ANSWERS = 300
"""The most answers of a sheet: its rows can be changed again and again, and each key works through all of them."""
TOO_MANY = _("So many changes: enter the sheet again")


class PlayScreen(UnfinishedEntry, frozen=True):
    """The screen of the open game."""

    @property
    def calm(self) -> PlayScreen:
        """Return the screen without what only the last key told."""
        if self.seen is None and self.doubt is None and not self.refusal_shown:
            return self
        return replace(self, seen=None, doubt=None, refusal_shown=False)

    def show(self, context: ScreenContext) -> ScreenContents:
        return PlayContents(self, context)

    def reset(self) -> PlayScreen:
        return PlayScreen()

    def corrected(self) -> PlayScreen:
        return PlayScreen(aside=self.put_aside)

    def left(self) -> PlayScreen:
        return PlayScreen(refusal_shown=True, aside=self.put_aside)

    def with_tracking(self, tracking: DetailLevel) -> PlayScreen:
        return PlayScreen(correction=self.correction, tracking=tracking, aside=self.aside)

    def enter_correction(self, game: CurrentGame, correction: Correction) -> PlayScreen:
        """Return the screen with the game as it was before an entry that is new, was wrong or no longer fits.

        A sheet that was wrong is filled in as it was.
        """
        tracking = tracking_for(game, correction)
        opened = PlayScreen(correction=correction, tracking=tracking, aside=self.put_aside)
        answers = filled_in(opened.position(game), correction)
        return replace(opened, answers=answers, keys=("",) * len(answers))

    def compare_figures(self, game: CurrentGame) -> PlayScreen:
        """Return the screen that compares the figures of the round that has just ended with those on the table."""
        opened = PlayScreen(correction=comparing(game), tracking=DetailLevel.ROUND, compares=True)
        answers = proposal(game, opened.position(game)).answers
        return replace(opened, answers=answers, keys=("",) * len(answers))

    def refused(self, context: ScreenContext, why: IllegalEventError) -> Transition:
        """Return a refusal. If the card was seen before, its suit stays typed, and holding back shows that entry."""
        session = context.require_game().session
        seen = seen_in(why, session.head if self.correction is None else self.correction.step, self.answers)
        message = sentence(session.header.game, why, seen)
        listed = seen is not None and session.step(min(seen.number, session.head.number)) is seen
        if listed:
            message = _("{message}; * held: look", message=message)
        typed = "" if seen is None else self.typed.rstrip("0123456789")
        number = seen.number if seen is not None and listed else None
        return refuse(replace(self, typed=typed, seen=number, refusal_shown=True), message)


class PlayContents(PlayView):
    """What the game's screen shows, and what its keys do."""

    _play: PlayScreen

    def press(self, key: Key) -> Transition:
        """Return the transition of a key: type, step back, or open the menu or the entries."""
        play, game = self._play, self._game
        if key == MENU:
            return Transition(self._offered_or_menu())
        if key == HOME:
            return Transition(EntriesScreen.of(play, game) if play.seen is None else EntriesScreen(play, play.seen))
        if key == Key("#") and self._can_agree:
            return Transition(replace(play.calm, compared=True))
        if key.name == "*":
            return Transition(play.calm, LeaveGame(game.listed)) if game.read_only else self._back()
        if self._codes is None:
            if key.name == "#":
                return Transition(play.calm, LeaveGame())
            if key.name == AGAIN and not game.read_only:
                return Transition(PlayScreen(), BeginGame(game.session.header, game.set_up_tracking))
            over = _("The game is over: # goes home, * takes the last entry back")
            return refuse(play.calm, READ_ONLY if game.read_only else over)
        return self._typed(self._codes, key)

    def _typed(self, book: AnswerCodes, key: Key) -> Transition:
        play = self._play.calm
        if key.name == "#" and self._only_clears:
            return Transition(play)
        match book.press(play.typed, key.name):
            case CompleteRow(answer):
                zeros = self._position.zeros_after((*play.answers, answer))
                # the keys are kept as if each figure had been typed
                return self._answered(play, (answer, *zeros), (book.spell(answer), *("0",) * len(zeros)))
            case CompleteAnswer(answer):
                return self._answered(play, (answer,), (play.typed + key.name,))
            case BegunAnswer(typed):
                return Transition(replace(play, typed=typed))
        why = self._surplus(book.prompt) if key == Key("#") and not play.typed else None
        if why is None:
            why = explained(book.prompt, play.typed, key.name, self._why_not(book.prompt, key.name))
        return refuse(replace(play, refusal_shown=True), why)

    def _surplus(self, prompt: Prompt) -> Text | None:
        """Return that the number before # counts already; None if none has just been entered without it."""
        play, head = self._play, self._game.session.head
        if play.correction is not None or prompt.note is not None:
            return None
        if play.answers:
            last, asked = play.answers[-1], self._position.ask(play.answers[:-1])
            if not isinstance(last, EnterNumber) or not isinstance(asked, Prompt) or play.keys[-1].endswith("#"):
                return None
            if prompt.seat is not None and (prompt.seat, prompt.cell) == (asked.seat, asked.cell):
                return None  # one figure in two answers: its tens, then its units
            return _("{figure} counts already, without #", figure=number(last.value))
        if self._report is None or head.event is None or head.before is None or not (head.typed or "")[-1:].isdigit():
            return None
        given = self._game.session.header.game.answers(head.before.state, head.event)
        return _("The entry counts already, without #") if isinstance(given[-1], EnterNumber) else None

    def answer(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of an answer or an offered correction that was chosen by its name."""
        place = numbered_name("offer", name)
        if place is not None:
            found = 0 < place <= len(self.taps.offers)
            return self._offered_or_menu().show(context).answer(f"row {place}", context) if found else None
        if name == REDO:
            menu, row = MenuScreen(self._play), row_of_redo(self._game.session.header.game) + 1
            return menu.show(context).answer(f"row {row}", context) if REDO in self.taps.actions else None
        chosen = None if self._prompt is None else answer_named(self._prompt, name)
        return None if chosen is None else self._answered(replace(self._play.calm, typed=""), (chosen,), ("",))

    def _answered(self, play: PlayScreen, given: tuple[Answer, ...], keys: tuple[str, ...]) -> Transition:
        """Return the transition of an answer, or of a figure with zeros for the rest of its row."""
        if self._at_proposal and isinstance(given[0], Skip):
            return Transition(PlayScreen(compared=True), message=SAME)
        answers, typed_keys = (*play.answers, *given), (*play.keys, *keys)
        doubt = SearchReason(answers, None if play.answers else "".join(keys))
        try:
            made = self._position.ask(answers)
            if isinstance(made, Prompt):
                if made.whole and len(answers) > MOST_ANSWERS and not play.compares:
                    return Transition(replace(play, answers=(), keys=(), typed=""), message=TOO_MANY)
                return Transition(replace(play, answers=answers, keys=typed_keys, typed=""))
            assert made is not None  # a prompt was answered, so the game is not over
            if play.correction is not None:
                if play.compares:
                    return self._compared(made)
                return self._corrected(play.correction, play.correction.put(made))
        except IllegalEventError as refused:
            return replace(play, doubt=doubt).refused(self._context, refused)
        entered = EnterLine(made, "".join(typed_keys) if all(typed_keys) else "")
        return Transition(PlayScreen(), entered, if_refused=replace(play, typed="", doubt=doubt))

    def _corrected(self, before: Correction, after: Correction) -> Transition:
        """Return the transition after an entry of a correction: several that are missing are asked for in turn."""
        table = PlayScreen(aside=self._play.aside)
        if before.inserts and after.inserts and before.number == after.number:
            return Transition(table.enter_correction(self._game, after))
        return next_conflict(table, after)

    def _compared(self, figures: Event) -> Transition:
        """Return the transition after the figures of a round were entered as they lie on the table."""
        line, head = compared(self._game, figures), self._game.session.head
        if line is None:
            return Transition(PlayScreen(compared=True), message=SAME)
        return Transition(PlayScreen(doubt=SearchReason(replaced=head.event, keys=head.typed)), line, FIGURES_STAND)

    def _offered_or_menu(self) -> Screen:
        """Return the corrections to offer; without any, after an alert the question what is wrong, else the menu."""
        menu, alarm = MenuScreen(self._play), self._play.alarm(self._context)
        if alarm is None:
            return menu
        found = offered(self._game, alarm, self._context.offered)
        if found.offers:
            return SuggestionsScreen(self._play, menu, found)
        return WhatIsWrongScreen(before=self._play, table=self._play, menu=menu) if self._alerts else menu

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
        if self._play.refusal_shown:
            return Transition(play)
        if self._at_proposal:
            return Transition(PlayScreen(compared=True))
        if play.answers and play.answers != filled_in(self._position, play.correction):
            return Transition(replace(play, answers=play.answers[:-1], keys=play.keys[:-1]))
        if play.correction is not None:
            if play.correction.why is None:
                return left(play)
            return Transition(ConflictScreen(PlayScreen(aside=play.aside), play.correction))
        if self._can_compare:
            return Transition(play.compare_figures(self._game))
        if self._can_set_up:
            header = self._game.session.header
            before = game_choice(HomeScreen(), header.game.name)
            to = RulesScreen.of(header, self._game.tracking, before, self._context)
            return Transition(play, LeaveGame(to))
        back = PlayScreen(doubt=doubt_of_question(self._game, self._prompt))
        return Transition(back, EnterLine(Undo()), undone_text(self._game), warning=undo_warning(self._context))
