"""The game's screen: the unfinished entry, and the game view, the question and the labels of the keys."""

from __future__ import annotations

from functools import cached_property

from msgspec import structs

from companion.core.correction import Correction
from companion.core.game import EventOutcome
from companion.core.prompt import Answer, DetailLevel, Prompt, TallySheet
from companion.core.text import Glyph, Text
from companion.ui.answer_ids import answer_name
from companion.ui.displayed_table import open_game, table_body
from companion.ui.few_key_choices import SelectableOptions, at_table
from companion.ui.key_grammar import AnswerCodes, BegunAnswer, CompleteAnswer, CompleteRow
from companion.ui.keys import Labels
from companion.ui.suggestions import SearchReason
from companion.ui.translations import Translator, _
from companion.ui.view import Body, OpenGame, View

from .cached_game_state import CachedGameState
from .context import CurrentGame, GameScreenProtocol, ScreenContext
from .game_menu import REDO
from .list_selection import COLON
from .live_page_buttons import LivePageButtons
from .old_answers import StateBeforeCorrection
from .outcome_notice import cards_laid, finished_game, noticed
from .prompt_texts import answer_label, choices, given, hints, kept, offered_seats, pointing, sheet, start_label, typed
from .round_comparison import (
    NO,
    ON_TABLE,
    ONLY_NO,
    YES,
    YES_OR_NO,
    Proposal,
    can_compare,
    doubt_of_figures,
    figures_on_table,
    proposal,
)
from .saved_drafts import CorrectionDraft, EntryDraft
from .sheet_differences import differing, sentences
from .suggestion_texts import ASKS, OR_WAS_IT, TITLE, OfferedCorrections
from .what_is_wrong import QUESTION

AGAIN = "1"
"""The key that begins the same game again, after the end."""


class UnfinishedEntry(GameScreenProtocol, frozen=True):
    """The game's screen with an entry under way."""

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
    # the entry that waits while another is corrected: names and keys of its answers; last, without a name, keys typed
    aside: tuple[tuple[str, str], ...] = ()

    @property
    def amending(self) -> int | None:
        return None if self.correction is None else self.correction.number

    @property
    def draft(self) -> EntryDraft:
        correction = None if self.correction is None else CorrectionDraft.of(self.correction)
        return EntryDraft(self._given, self.typed, correction, self.tracking, self.compares, aside=self.aside)

    @property
    def _given(self) -> tuple[tuple[str, str], ...]:
        return tuple(zip(map(answer_name, self.answers), self.keys, strict=True))

    @property
    def put_aside(self) -> tuple[tuple[str, str], ...]:
        begun = (("", self.typed),) if self.typed else ()
        return self.aside or ((*self._given, *begun) if self.correction is None else ())

    @property
    def untouched(self) -> bool:
        return not self.answers and not self.typed

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


class PlayView:
    """What the game's screen shows; computed when first needed, then kept."""

    def __init__(self, play: UnfinishedEntry, context: ScreenContext) -> None:
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

    @property
    def _offered(self) -> OfferedCorrections | None:
        """Return the corrections that are offered now, as far as they are known."""
        found, alarm = self._context.offered, self._play.alarm(self._context)
        return found if found is not None and found.offers and found.meets(self._game.session, alarm) else None

    @property
    def _alerts(self) -> bool:
        """Return whether the last entry has raised an alert, whose corrections the held menu key shows."""
        return self._play.alarm(self._context) == SearchReason()

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
    def _offer_lines(self) -> tuple[str, ...]:
        """Return the lines that offer corrections beside an alert; while none are known, the key that asks for them."""
        found, words, board = self._offered, self._context.words, self._context.key_layout
        if found is not None:
            return tuple(map(words, found.lines(board)))
        return (words(ASKS),) if self._alerts and "#" in board.keys else ()

    @property
    def _can_compare(self) -> bool:
        """Return whether a round has just ended whose figures can be compared with the table."""
        play = self._play
        return play.untouched and play.correction is None and not play.compared and can_compare(self._context)

    @cached_property
    def _proposal(self) -> Proposal:
        """Return the figures of the cards, with which those on the table are compared."""
        return proposal(self._game, self._position)

    @property
    def _at_proposal(self) -> bool:
        """Return whether the figures on the table are asked for, and none was entered yet."""
        play = self._play
        return play.compares and not play.typed and len(play.answers) <= len(self._proposal.answers)

    @cached_property
    def _can_agree(self) -> bool:
        """Return whether OK says that the figures of the round that has just ended are those on the table.

        It never fills in the next sheet instead; what else it answers, such as a pass, says yes as well.
        """
        book = self._codes
        if book is None or not self._can_compare:
            return False
        return book.prompt.sheet is not None or not isinstance(book.press("", "#"), CompleteAnswer)

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
        return not game.read_only and play.untouched and play.correction is None and game.session.latest is None

    @property
    def _can_redo(self) -> bool:
        """Return whether an entry that was taken back can be brought back; no corrections are offered then."""
        play, game = self._play, self._game
        at_rest = play.untouched and play.correction is None and not game.read_only
        return at_rest and self._offered is None and game.session.undone is not None

    @cached_property
    def view(self) -> View:
        """Return the game view, the tally sheet being filled in, or the outcome of the last entry."""
        play, game, words, prompt = self._play, self._game, self._context.words, self._prompt
        if prompt is None:
            over = finished_game(self._context, game, self._can_compare)
            return structs.replace(over, offers=self._offer_lines)
        report = self._report
        question = words(prompt.text)
        if play.amending is not None and not play.compares:
            sign = "+" if play.correction is not None and play.correction.inserts else ""
            question = f"{words(Glyph('pen'))}{sign}{play.amending}{words(COLON)}{question}"
        whole = not play.typed or (self._position.completes(play.answers, play.typed) and not self._only_clears)
        begun = ("hints", play.answers, play.typed == "", whole, words)
        keyed, brief = self._position.once(begun, lambda: hints(words, prompt, play.answers, play.typed, whole))
        body = self._body(words, prompt, report)
        typed_keys = typed(words, prompt, play.typed, whole)
        listed = () if self._context.key_layout.few else choices(words, prompt)
        view = View(
            body, question, typed_keys, keyed, brief, choices=listed, names=words.players, offers=self._offer_lines
        )
        if play.compares and prompt.sheet is not None:
            return self._compares(view, prompt, prompt.sheet)
        if play.untouched and play.correction is not None:
            was = game.session.header.game.describe(play.correction.was)
            told = _("New, before: {entry}", entry=was) if play.correction.inserts else _("Was: {entry}", entry=was)
            return structs.replace(view, notice=(words(told),))
        if report is not None and report.table is not None:  # the question is about the next round
            number = game.session.progress.round
            view = structs.replace(view, ahead="" if number is None else words(_("R{round}", round=number)))
            if self._can_compare:
                following = f"{view.ahead} {question}".strip()
                hint = words(YES_OR_NO if self._can_agree else ONLY_NO)
                brief = f"# {words(YES)}" if self._can_agree else hint
                view = structs.replace(
                    view, question=words(ON_TABLE), hint=hint, brief=brief, ahead="", following=following
                )
        return noticed(view, words, report)

    def _compares(self, view: View, prompt: Prompt, figures: TallySheet) -> View:
        """Return the view of the table's figures with those marked that differ from the cards', and how they differ."""
        words, proposed = self._context.words, self._proposal.sheet
        told = () if prompt.note is not None else tuple(map(words, sentences(proposed, figures)))
        body = pointing(structs.replace(sheet(words, prompt), changed=differing(proposed, figures)), prompt)
        if told and figures.cell is None:
            body = structs.replace(body, title=told[0], told=(*told[1:], *body.told))
        if self._offered is None:
            return structs.replace(view, body=body, offers=())
        return structs.replace(view, body=body, offers=(), hint=words(OR_WAS_IT), brief=words(ASKS))

    def _body(self, words: Translator, prompt: Prompt, report: EventOutcome | None) -> Body:
        """Return the result of the round or trick just ended, else the tally sheet or the game view."""
        if report is not None and report.table is not None:
            return pointing(structs.replace(table_body(words, report.table), laid=cards_laid(words, report)), prompt)
        if prompt.sheet is not None:
            return pointing(sheet(words, prompt), prompt)
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
        labels = {
            "h#": words(self._menu_key),
            "h*": words(_("entries")),
        }
        if game.read_only:
            labels["*"] = words(_("games"))
        elif play.refusal_shown or not play.untouched or play.amending is not None:
            labels["*"] = words(_("back"))
        elif self._can_compare:
            labels["*"] = words(NO)
            labels |= {"#": words(YES)} if self._can_agree else {}
        else:
            labels["*"] = words(_("set-up") if self._can_set_up else _("undo"))
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
                case CompleteRow(answer):
                    label = answer_label(words, book.prompt, answer)
                    labels[key] = words(_("{figure}, rest 0", figure=label))
                case CompleteAnswer(answer) if answer in book.prompt.answers:
                    labels[key] = answer_label(words, book.prompt, answer)
                case BegunAnswer(begun) if book.begun(begun):
                    labels[key] = start_label(words, book.prompt, play.typed, key)
        match book.press(play.typed, "#"):
            case CompleteAnswer(answer) if not (self._can_agree or self._only_clears):
                keeps = not play.typed and answer == book.prompt.stays
                labels["#"] = kept(words, book.prompt)[0] if keeps else answer_label(words, book.prompt, answer)
        return labels

    @property
    def taps(self) -> LivePageButtons:
        """Return the answers to the prompt, and the keys that are no answers."""
        play, words, prompt = self._play, self._context.words, self._prompt
        found = self._offered
        beside = self._alerts or found is not None  # offers stand beside the table, and the menu is one key further
        menu = "h#h#" if beside else "h#"
        steps = {**self._steps, "h#": words(_("menu"))} if beside else self._steps
        steps = {menu if key == "h#" else key: label for key, label in steps.items()}
        if self._can_redo:
            steps[REDO] = words(_("redo"))
        return LivePageButtons(
            actions=steps,
            codes=self._codes,
            # a sheet shows its figures itself
            begun="" if prompt is None or prompt.sheet is not None else given(words, play.answers),
            table=self._table,
            offers=()
            if found is None
            else tuple(zip(map(words, found.sentences), map(words, found.instead_of), strict=True)),
        )

    @cached_property
    def ring(self) -> SelectableOptions:
        return at_table(self._codes, self._play.typed, self.labels, self._context.words, self._context.key_layout)
