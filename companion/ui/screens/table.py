"""The game's screen: the unfinished entry, the view, the question, what the keys do; corrections are entered here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec import structs
from msgspec.structs import replace

from companion.core.correction import Correction, has_sheet
from companion.core.game import Event, EventOutcome, Undo, refusal_of
from companion.core.prompt import Answer, ChooseSeat, DetailLevel, EnterNumber, Prompt, Skip, TallySheet
from companion.core.session import seen_in, sentence
from companion.core.text import Glyph, IllegalEventError, Seat, Text, joined
from companion.ui.few_keys import SelectableOptions, asked, plain
from companion.ui.keys import (
    HOME,
    AnswerCodes,
    Key,
    Labels,
    answer_named,
)
from companion.ui.offered_corrections import OR_WAS_IT, TITLE, OfferedCorrections, SearchReason, differing, sentences
from companion.ui.screens.context import (
    BACK_AT,
    ENTRIES_AT,
    MENU_AT,
    READ_ONLY,
    SCORES,
    BeginGame,
    Choice,
    CurrentGame,
    EnterLine,
    LeaveGame,
    Screen,
    ScreenContents,
    ScreenContext,
    StartAtRandom,
    TableScreen,
    Transition,
    leave,
    refuse,
    undo_warning,
    undone_text,
)
from companion.ui.screens.corrections import (
    ConflictScreen,
    EntriesScreen,
    entry_name,
    left,
    next_conflict,
    tracking_for,
)
from companion.ui.screens.game_choice import game_choice
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.list_selection import COLON
from companion.ui.screens.position import CachedGameState, StateBeforeCorrection, filled_in
from companion.ui.screens.questions import (
    answer_label,
    choices,
    explained,
    given,
    hints,
    kept,
    number,
    pointing,
    sheet,
    signs_before_names,
    start_label,
    typed,
)
from companion.ui.screens.round_form import (
    Field,
    Given,
    Place,
    TappedRound,
    as_entered,
    before_last,
    changes_alone,
    entries_of,
    fields_in,
    fields_of,
    refilled,
    round_in,
    totals_after,
)
from companion.ui.screens.set_up import SetUp
from companion.ui.screens.suggestions import (
    ASKS,
    FIGURES_STAND,
    NO,
    ON_TABLE,
    ONLY_NO,
    QUESTION,
    SAME,
    YES,
    YES_OR_NO,
    SuggestionsScreen,
    WhatIsWrongScreen,
    can_compare,
    comparable,
    compared,
    doubt_of_figures,
    doubt_of_question,
    figures_on_table,
    offered,
)
from companion.ui.translations import _
from companion.ui.view import Body, OpenGame, View, cards_laid, noticed, open_game, table_body

if TYPE_CHECKING:
    from companion.ui.screens.game_menu import MenuScreen


def finished_game(context: ScreenContext, game: CurrentGame, compares: bool) -> View[object]:
    """Return the view of a finished game: the last round's result or the score sheet, and the last entry's outcome.

    Args:
        compares: Whether the last round's figures can be compared with the table.
    """
    report = context.report
    keys = _("# home   * games") if game.read_only else _("# home   * undo")
    table = game.session.score_sheet
    hint: object = "" if game.read_only else _("1 again")
    brief: object = ""
    scores = True
    if compares and report is not None and report.table is not None:
        table, keys, scores = report.table, ON_TABLE, False
        hint, brief = joined((_("# home"), ONLY_NO), "  "), ONLY_NO
    body = structs.replace(table_body(table, len(game.players)), laid=cards_laid(report), scores=scores)
    return noticed(View(body, keys, hint=hint, brief=brief), report)


AGAIN = "1"
"""The key that begins the same game again, after the end."""


ANSWER_KEYS = frozenset("0123456789ABCD")
"""The keys that answer a prompt, or begin an answer."""

LOTS = "0"
"""The key that lets chance say who starts."""

START = "start"
"""The phase in which the table says who starts."""


MENU = Key("#", held=True)
MOST_ANSWERS = 300
"""The most answers of a sheet: its rows can be changed again and again, and each key works through all of them."""
TOO_MANY = _("So many changes: enter the sheet again")


class PlayScreen(TableScreen, frozen=True):
    """The screen of the open game, with an entry under way."""

    answers: tuple[Answer, ...] = ()  # the answers given so far to the unfinished entry
    keys: tuple[str, ...] = ()  # the keys typed for each of these answers; empty for one that was chosen
    typed: str = ""  # the keys of the unfinished answer
    correction: Correction | None = None
    tracking: DetailLevel | None = None  # the level of detail of the correction
    # the entry with the card that was just refused as seen before; the list of entries opens there
    seen: int | None = None
    # why an earlier entry may be wrong, if the last key told: an entry was refused, or taken back because of the
    # question after it
    doubt: SearchReason | None = None
    refusal_shown: bool = False  # whether back only clears a sentence: of a refused input, or a correction left
    compares: bool = False  # whether the figures on the table are asked for, to be compared with the ended round
    compared: bool = False  # whether that was done, so that back takes the last entry back
    alone: bool = False  # whether one figure of an old round is to be corrected, so that the others are not asked about

    @property
    def amending(self) -> int | None:
        return None if self.correction is None else self.correction.entry.number

    @property
    def untouched(self) -> bool:
        return not self.answers and not self.typed

    @property
    def at_rest(self) -> bool:
        """Return whether nothing is entered or corrected."""
        return self.untouched and self.correction is None

    def position(self, game: CurrentGame) -> CachedGameState:
        if self.correction is None:
            return game.position
        at = game.position.game, self.correction.state, self.tracking or game.tracking
        anew = self.compares or self.correction.inserts
        return CachedGameState(*at) if anew else StateBeforeCorrection(*at, self.correction.entry)

    def alarm(self, context: ScreenContext) -> SearchReason | None:
        """Return why an earlier entry may be wrong: a refused entry, an alert, or an undone entry."""
        if context.changeable is None:
            return None
        if self.compares:
            position = self.position(context.changeable)
            return doubt_of_figures(context.changeable, figures_on_table(position, self.answers))
        if self.correction is not None:
            return None
        if self.doubt is not None:
            return self.doubt
        alert = self.untouched and context.report is not None and context.report.alert
        return SearchReason() if alert else None

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

    def left(self) -> PlayScreen:
        return PlayScreen(refusal_shown=True)

    def with_tracking(self, tracking: DetailLevel) -> PlayScreen:
        return PlayScreen(correction=self.correction, tracking=tracking)

    def enter_correction(self, game: CurrentGame, correction: Correction) -> PlayScreen:
        """Return the screen with the game as it was before that entry; a sheet is filled in as it was."""
        return PlayScreen(correction=correction, tracking=tracking_for(game, correction)).filled_in(game)

    def enter_again(self, game: CurrentGame, number: int) -> PlayScreen:
        """Return the screen that corrects one figure of an entry; all are given as they were entered."""
        correction = Correction(game.session, number)
        return replace(self.answer_again(game, correction, correction.was), alone=True)

    def answer_again(self, game: CurrentGame, correction: Correction, given: Event) -> PlayScreen:
        screen = PlayScreen(correction=correction, tracking=tracking_for(game, correction))
        return screen.answered(as_entered(screen.position(game), given))

    def answered(self, answers: tuple[Answer, ...]) -> PlayScreen:
        """Return the screen with answers that were not typed here."""
        return replace(self, answers=answers, keys=("",) * len(answers))

    def compare_figures(self, game: CurrentGame) -> PlayScreen:
        last = Correction(game.session, game.session.head.number)
        return PlayScreen(correction=last, tracking=DetailLevel.ROUND, compares=True).filled_in(game)

    def old_sheet(self, game: CurrentGame, position: CachedGameState) -> tuple[Answer, ...]:
        """Return the answers that the sheet begins with: the figures of the cards to compare, or what was wrong."""
        if self.correction is None or self.correction.inserts or self.correction.stand.why is not None:
            return ()
        was = comparable(game) if self.compares else self.correction.was
        assert was is not None  # only then are figures compared
        return position.once("old sheet", lambda: filled_in(position, was))

    def filled_in(self, game: CurrentGame) -> PlayScreen:
        return self.answered(self.old_sheet(game, self.position(game)))

    def refused(self, context: ScreenContext, why: IllegalEventError) -> Transition:
        """Return a refusal. If the card was seen before, its suit stays typed, and holding back shows that entry."""
        session = context.require_game().session
        seen = seen_in(why, session.head if self.correction is None else self.correction.stand.step, self.answers)
        message = sentence(session.header.game, why, seen)
        listed = seen is not None and session.step(min(seen.number, session.head.number)) is seen
        if listed:
            message = _("{message}; * held: look", message=message)
        typed = "" if seen is None else self.typed.rstrip("0123456789")
        number = seen.number if seen is not None and listed else None
        return refuse(replace(self, typed=typed, seen=number, refusal_shown=True), message)


class PlayContents(ScreenContents):
    """What the game's screen shows, and what its keys do; computed when first needed, then kept."""

    def __init__(self, play: PlayScreen, context: ScreenContext) -> None:
        self._play, self._context, self._game = play, context, context.require_game()
        self._position = play.position(self._game)
        prompt = self._position.ask(play.answers)
        self._prompt = prompt if isinstance(prompt, Prompt) else None  # None if the game is over
        # the outcome of the last entry, unless something was typed or is corrected
        self._report = context.report if play.at_rest else None

    @cached_property
    def _alarm(self) -> SearchReason | None:
        """Return why an earlier entry may be wrong; None if nothing tells."""
        return self._play.alarm(self._context)

    @cached_property
    def _offered(self) -> OfferedCorrections | None:
        """Return the corrections that are offered now, as far as they are known."""
        found = self._context.offered
        return found if found is not None and found.offers and found.meets(self._game.session, self._alarm) else None

    @property
    def _alerts(self) -> bool:
        """Return whether the last entry has raised an alert, whose corrections the held menu key shows."""
        return self._alarm == SearchReason()

    @property
    def _menu_key(self) -> Text:
        """Return what the held menu key opens: the menu; after an alert corrections, or the question what is wrong."""
        found = self._context.offered
        if self._offered is not None:
            return TITLE
        if not self._alerts:
            return _("menu")
        searched = found is not None and found.meets(self._game.session, SearchReason())
        return QUESTION if searched else TITLE

    @property
    def _offer_lines(self) -> tuple[Text, ...]:
        """Return the lines that offer corrections beside an alert; while none are known, the key that asks for them."""
        found, board = self._offered, self._context.key_layout
        if found is not None:
            return tuple(found.lines(board))
        return (ASKS,) if self._alerts and "#" in board.keys else ()

    @property
    def _can_compare(self) -> bool:
        """Return whether a round has just ended whose figures can be compared with the table."""
        play = self._play
        return play.at_rest and not play.compared and can_compare(self._context)

    @property
    def _old_sheet(self) -> tuple[Answer, ...]:
        return self._play.old_sheet(self._game, self._position)

    @property
    def _at_proposal(self) -> bool:
        """Return whether the figures on the table are asked for, and none was entered yet."""
        play = self._play
        return play.compares and not play.typed and len(play.answers) <= len(self._old_sheet)

    @cached_property
    def _can_agree(self) -> bool:
        """Return whether OK says that the figures of the round that has just ended are those on the table.

        It never fills in the next sheet instead; what else it answers, such as a pass, says yes as well.
        """
        book = self.codes
        if book is None or not self._can_compare:
            return False
        return book.prompt.sheet is not None or book.settle("") is None

    @property
    def _only_clears(self) -> bool:
        """Return whether OK only clears the sentence that refused a key: what is left means another answer."""
        play, prompt = self._play, self._prompt
        begun = play.typed != "" or (prompt is not None and prompt.stays is not None)
        return begun and play.refusal_shown and self._position.completes(play.answers, play.typed)

    @property
    def _can_set_up(self) -> bool:
        """Return whether stepping back leads to the set-up: nothing was entered, or all of it was taken back."""
        game, play = self._game, self._play
        return not game.read_only and play.at_rest and game.session.latest is None

    @cached_property
    def _can_draw_lots(self) -> bool:
        """Return whether it is asked who starts the game, which chance may say."""
        play, game, prompt = self._play, self._game, self._prompt
        if prompt is None or not play.at_rest or game.read_only:
            return False
        return all(isinstance(each, ChooseSeat) for each in prompt.answers) and game.session.progress.phase == START

    @property
    def _can_redo(self) -> bool:
        """Return whether an entry that was taken back can be brought back; no corrections are offered then."""
        play, game = self._play, self._game
        at_rest = play.at_rest and not game.read_only
        return at_rest and self._offered is None and game.session.undone is not None

    @cached_property
    def view(self) -> View[object]:
        """Return the game view, the tally sheet being filled in, or the outcome of the last entry."""
        play, game, prompt = self._play, self._game, self._prompt
        if prompt is None:
            over = finished_game(self._context, game, self._can_compare)
            return structs.replace(over, offers=self._offer_lines)
        report = self._report
        question = prompt.text
        if play.correction is not None and not play.compares:
            entry = play.correction.entry.number
            name = f"+{entry}" if play.correction.inserts else entry_name(game.session, entry)
            question = joined((Glyph("pen"), name, COLON, question), "")
        whole = not play.typed or (self._position.completes(play.answers, play.typed) and not self._only_clears)
        begun = ("hints", play.answers, play.typed == "", whole)
        keyed, brief = self._position.once(begun, lambda: hints(prompt, play.answers, play.typed, whole))
        body = self._body(prompt, report)
        typed_keys = typed(prompt, play.typed, whole)
        listed = () if self._context.key_layout.few else choices(prompt)
        if self._can_draw_lots and not keyed and not self._context.key_layout.few:
            keyed = _("0 at random")
        names, offers = game.players, self._offer_lines
        view = View(body, question, typed_keys, keyed, brief, choices=listed, names=names, offers=offers)
        if play.compares and prompt.sheet is not None:
            return self._compares(view, prompt, prompt.sheet)
        if play.untouched and play.correction is not None:
            was = game.session.header.game.describe(play.correction.was)
            told = _("New, before: {entry}", entry=was) if play.correction.inserts else _("Was: {entry}", entry=was)
            return structs.replace(view, notice=(told,))
        if report is not None and report.table is not None:  # the question is about the next round
            asked = game.session.progress.round
            view = structs.replace(view, ahead="" if asked is None else _("R{round}", round=asked))
            if self._can_compare:
                following = joined((view.ahead, question)) if view.ahead else question
                hint = YES_OR_NO if self._can_agree else ONLY_NO
                brief = joined(("#", YES)) if self._can_agree else hint
                view = structs.replace(view, question=ON_TABLE, hint=hint, brief=brief, ahead="", following=following)
        return noticed(view, report)

    def _compares(self, view: View[object], prompt: Prompt, figures: TallySheet) -> View[object]:
        """Return the view of the table's figures with those marked that differ from the cards', and how they differ."""
        cards = self._position.ask(self._old_sheet)
        assert isinstance(cards, Prompt)  # a sheet asks last whose row is wrong
        assert cards.sheet is not None
        proposed = cards.sheet
        told = () if prompt.note is not None else tuple(sentences(proposed, figures))
        body = pointing(structs.replace(sheet(prompt), changed=differing(proposed, figures)), prompt)
        if told and figures.cell is None:
            body = structs.replace(body, title=told[0], told=(*told[1:], *body.told))
        if self._offered is None:
            return structs.replace(view, body=body, offers=())
        return structs.replace(view, body=body, offers=(), hint=OR_WAS_IT, brief=ASKS)

    def _body(self, prompt: Prompt, report: EventOutcome | None) -> Body[object]:
        """Return the result of the round or trick just ended, else the tally sheet or the game view."""
        if report is not None and report.table is not None:
            result = table_body(report.table, len(self._game.players))
            return pointing(structs.replace(result, laid=cards_laid(report)), prompt)
        if prompt.sheet is not None:
            return pointing(sheet(prompt), prompt)
        return self.table

    @cached_property
    def table(self) -> OpenGame[object]:
        """Return the table as the last entry's trick or turn left it, else as it is now."""
        report, position, prompt = self._report, self._position, self._prompt
        asked = None if prompt is None else prompt.seat
        if report is not None and report.finished is not None:
            return open_game(report.finished, asked, signs_before_names(prompt))
        now = ("table", self._play.answers)
        return position.once(now, lambda: open_game(position.face, asked, signs_before_names(prompt)))

    @cached_property
    def codes(self) -> AnswerCodes | None:
        """Return the key codes of the prompt; None if the game is over."""
        return self._position.book(self._play.answers)

    @property
    def begun(self) -> object:
        """Return the answers given so far to the entry, in words; a sheet shows its figures itself."""
        prompt = self._prompt
        return "" if prompt is None or prompt.sheet is not None else given(self._play.answers)

    @property
    def typed_labels(self) -> Labels:
        """Return the labels of keys that answer the prompt, or begin an answer."""
        play, book = self._play, self.codes
        labels: dict[str, object] = {}
        if book is None:
            return labels
        for key in (*"0123456789", *"ABCD"):
            match book.press(play.typed, key):
                case str(begun):
                    if book.begun(begun):
                        labels[key] = start_label(book.prompt, play.typed, key)
                case answer if answer in book.prompt.answers:
                    labels[key] = answer_label(book.prompt, answer)
        for key, figure in book.rows.items() if not play.typed else ():
            labels[key] = _("{figure}, rest 0", figure=answer_label(book.prompt, figure))
        settled = book.settle(play.typed)
        if settled is not None and not self._only_clears:
            keeps = not play.typed and settled == book.prompt.stays
            labels["#"] = kept(book.prompt)[0] if keeps else answer_label(book.prompt, settled)
        return labels

    @property
    def ring(self) -> SelectableOptions:
        """Return the options; without a back key, holding choose selects what steps back."""
        book, options = self.codes, self.options
        ring = plain(options, self.back) if book is None else asked(book, self._play.typed, options, self.back)
        if HOME.name in self._context.key_layout.keys:  # holding the back key leads home
            return ring
        names = [group.options[0].name for group in ring.groups]
        return replace(ring, held_choose=names.index(self.back))

    @property
    def screen(self) -> PlayScreen:
        return self._play.calm

    @property
    def unknown(self) -> Text:
        over = _("The game is over: # goes home, * takes the last entry back")
        return READ_ONLY if self._game.read_only else over

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Return what is no answer: agreeing, stepping back, and the ways elsewhere."""
        play, game = self._play, self._game
        entries = EntriesScreen.of(play, game) if play.seen is None else EntriesScreen(play, play.seen)
        return (
            *(self._at_end() if self._prompt is None else self._at_start()),
            self._stepping_back(),
            *self._redo(),
            Choice("entries", _("entries"), lambda: Transition(entries), str(HOME), near=ENTRIES_AT),
            *self._menus(),
        )

    def _at_end(self) -> Iterator[Choice]:
        """Yield what comes after the end: the same game again, and home."""
        game = self._game
        if not game.read_only:
            again = Transition(PlayScreen(), BeginGame(game.session.header, game.set_up_tracking))
            yield Choice("again", _("play again"), lambda: again, AGAIN, near=1)
        yield Choice("home", _("home"), lambda: Transition(self.screen, LeaveGame()), "#")

    def _at_start(self) -> Iterator[Choice]:
        """Yield what is beside the answers; with few keys, also the way home."""
        if self._can_draw_lots:
            lots = Transition(PlayScreen(), StartAtRandom())
            yield Choice("at random", _("at random"), lambda: lots, LOTS, near=2, page="question")
        if self._can_agree:
            same = Transition(replace(self.screen, compared=True))
            yield Choice("same", YES, lambda: same, "#", page="check", knob=False)
        yield Choice("home", _("home"), lambda: leave(self._play), near=1, page="")

    def _stepping_back(self) -> Choice:
        """Return what back does: take back an answer or an entry, leave a correction, compare figures, leave a game."""
        play, game = self._play, self._game
        if game.read_only:
            left = Transition(self.screen, LeaveGame(game.listed))
            return Choice("back", _("games"), lambda: left, "*", near=BACK_AT)
        if play.refusal_shown or not play.at_rest:
            return Choice("back", _("back"), self._back, "*", near=BACK_AT)
        if self._can_compare:
            return Choice("back", NO, self._back, "*", near=BACK_AT, page="check")
        return Choice("undo", _("set-up") if self._can_set_up else _("undo"), self._back, "*", near=BACK_AT)

    def _redo(self) -> Iterator[Choice]:
        if self._can_redo:
            redone = self._menu().redone(self._context)
            yield Choice("redo", _("redo"), lambda: redone, near=BACK_AT, knob=False)

    def _menus(self) -> Iterator[Choice]:
        """Yield the menu, and the corrections offered; beside them the menu is one key further."""
        found = self._offered
        key = Choice("menu", self._menu_key, lambda: Transition(self._offered_or_menu()), str(MENU), near=MENU_AT)
        if not self._alerts and found is None:
            yield key
            return
        yield replace(key, name="offers", page="")
        yield Choice("menu", _("menu"), lambda: Transition(self._menu()), near=MENU_AT, knob=False)
        if found is not None:
            offers = self._offered_or_menu()
            assert isinstance(offers, SuggestionsScreen)
            for place, (label, where) in enumerate(zip(found.sentences, found.instead_of, strict=True)):
                corrects = partial(offers.choose, self._game, place)
                yield Choice(
                    f"offer {place + 1}", label, corrects, knob=False, page="offers", below=where, for_scorers=True
                )

    def press(self, key: Key) -> Transition:
        """Return the transition of a key. Most keys are answers: what else can be chosen need not be listed then."""
        lots = key == Key(LOTS) and self._can_draw_lots
        if self.codes is not None and str(key) in ANSWER_KEYS and not lots:
            return self._typed(self.codes, key)
        return super().press(key)

    def typed(self, key: Key) -> Transition | None:
        return None if self.codes is None else self._typed(self.codes, key)

    def _typed(self, book: AnswerCodes, key: Key) -> Transition:
        play = self._play.calm
        if key.name == "#" and self._only_clears:
            return Transition(play)
        figure = None if play.typed else book.rows.get(key.name)
        if figure is not None:
            zeros = self._position.zeros_after((*play.answers, figure))
            # the keys are kept as if each figure had been typed
            return self._answered(play, (figure, *zeros), (book.spell(figure), *("0",) * len(zeros)))
        made = book.press(play.typed, key.name)
        if isinstance(made, str):
            return Transition(replace(play, typed=made))
        if made is not None:
            return self._answered(play, (made,), (play.typed + key.name,))
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

    def named(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of an answer by its name, or of a figure of the form."""
        play, prompt = replace(self._play.calm, typed=""), self._prompt
        figure = Given.named(name)
        if prompt is not None and figure is not None and self.fields:
            other = self._other_figures.get(figure.place)
            return self._with_figure(play, figure) if other is None else self._with_other_figure(*other, figure.figure)
        chosen = None if prompt is None else answer_named(prompt, name)
        return None if chosen is None else self._answered(play, (chosen,), ("",))

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Return the figures that pages show as fields; none while figures are compared with the cards.

        Before those of this entry come those that other entries of the round gave.
        """
        own = () if self._play.compares else fields_of(self._position, self._play.answers)
        others = self._other_figures.items() if own else ()
        return (*(Field(place, field.least, asked=False) for place, (_screen, field) in others), *own)

    @cached_property
    def _other_figures(self) -> dict[Place, tuple[PlayScreen, Field]]:
        """Return each figure that another entry of the round gave, by its place: its screen and its field there."""
        play, game, prompt = self._play, self._game, self._prompt
        found = dict[Place, tuple[PlayScreen, Field]]()
        if prompt is None or prompt.sheet is None or (play.correction is not None and play.correction.given):
            return found
        number = self.corrected_round or round_in(self._position.game, self._position.state)
        for entry in entries_of(game.session, number):
            if entry != play.amending and has_sheet(self._position.game, game.session.entry(entry)):
                screen = PlayScreen().enter_again(game, entry)
                for place, field in fields_in(prompt.sheet, screen.position(game), screen.answers):
                    found[place] = screen, field
        return found

    def _with_other_figure(self, screen: PlayScreen, field: Field, figure: int) -> Transition | None:
        """Return the transition of a figure of another entry of the round, which is corrected where it stands.

        Where more changes with it, that is for who scores.
        """
        move = PlayContents(screen, self._context)._with_figure(screen, Given(field.place, figure))
        if move is None or move.refused:
            return move and replace(move, screen=self.screen)
        if not (isinstance(move.screen, PlayScreen) and move.screen.correction is None):
            return move if self._context.scores else refuse(self.screen, SCORES)
        if self._play.correction is not None:
            return move
        if isinstance(move.command, EnterLine):
            return replace(move, command=replace(move.command, figures=True))
        # it is the figure that stood there: what was answered since stays
        return replace(move, screen=replace(self._play.calm, refusal_shown=True))

    @property
    def corrected_round(self) -> int:
        correction = self._play.correction
        if correction is None or correction.inserts:
            return 0
        return round_in(self._position.game, correction.entry.before.state)

    @cached_property
    def totals_then(self) -> tuple[int, ...]:
        play, prompt = self._play, self._prompt
        if prompt is None or not prompt.whole or play.correction is not None or Skip() not in prompt.answers:
            return ()
        return totals_after(self._position, (*play.answers, Skip()))

    def _with_figure(self, play: PlayScreen, figure: Given) -> Transition | None:
        """Return the transition of a figure of the form; None if something else is asked first."""
        try:
            made = refilled(self._position, play.answers, figure)
        except IllegalEventError as refused:
            return play.refused(self._context, refused)
        if made is None:
            return None
        if play.alone and changes_alone(self._prompt, self._position.ask(made), figure.place):
            made = (*made, Skip())
        rest = replace(play, answers=made[:-1], keys=("",) * (len(made) - 1))
        return self._answered(rest, made[-1:], ("",))

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
        table = PlayScreen()
        if before.inserts and after.inserts and before.entry is after.entry:
            return Transition(table.enter_correction(self._game, after))
        return next_conflict(table, after)

    def _compared(self, figures: Event) -> Transition:
        """Return the transition after the figures of a round were entered as they lie on the table."""
        line, head = compared(self._game, figures), self._game.session.head
        if line is None:
            return Transition(PlayScreen(compared=True), message=SAME)
        return Transition(PlayScreen(doubt=SearchReason(replaced=head.event, keys=head.typed)), line, FIGURES_STAND)

    def _menu(self) -> MenuScreen:
        """Return the game's menu. It is imported by the first key that opens it: the first question does without."""
        from companion.ui.screens.game_menu import MenuScreen

        return MenuScreen(self._play)

    def _offered_or_menu(self) -> Screen:
        """Return the corrections to offer; without any, after an alert the question what is wrong, else the menu."""
        menu, alarm = self._menu(), self._alarm
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
        if play.alone:
            return left(play)
        if play.answers and play.answers != self._old_sheet:
            return Transition(replace(play, answers=play.answers[:-1], keys=play.keys[:-1]))
        if play.correction is not None:
            if play.correction.stand.why is None:
                return left(play)
            return Transition(ConflictScreen(PlayScreen(), play.correction))
        if self._can_compare:
            return Transition(play.compare_figures(self._game))
        if self._can_set_up:
            header = self._game.session.header
            before = game_choice(HomeScreen(), header.game.name)
            to = SetUp.of(header, self._game.tracking, before, self._context)
            return Transition(play, LeaveGame(to))
        doubt, stay = doubt_of_question(self._game, self._prompt), before_last(self._game.session, self._game.tracking)
        back = PlayScreen(doubt=doubt).answered(stay)
        return Transition(
            back, EnterLine(Undo()), undone_text(self._game, self._context.people), warning=undo_warning(self._context)
        )


def opened_round(name: str, context: ScreenContext) -> Transition | None:
    """Return the transition of a tap on a round of the score sheet, or a figure in it; None if it is no such tap.

    The figure is entered again where it was typed; where it was not, the entries of the round are shown.
    """
    tapped, game = TappedRound.named(name), context.game
    entries = [] if tapped is None or game is None else entries_of(game.session, tapped.number)
    if tapped is None or game is None or not entries or (tapped.seat or 0) >= len(game.players):
        return None
    if context.changeable is not None and context.scores and tapped.seat is not None:
        for number in reversed(entries):
            screen = PlayScreen().enter_again(game, number)
            if any(field.place[0] == tapped.seat for field in PlayContents(screen, context).fields):
                return Transition(screen)
    return Transition(EntriesScreen(PlayScreen(), entries[-1]))
