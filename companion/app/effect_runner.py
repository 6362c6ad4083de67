"""Carries out the effects of a step: acts on the machine, draws, writes the journal, shows, sounds."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from msgspec.structs import replace
from PIL import Image

from companion.core.errors import IllegalEventError
from companion.core.text import Text
from companion.journal import Journal, JournalError
from companion.ui.render import draw
from companion.ui.screens.context import Screen
from companion.ui.screens.machine.phones import RenamePlayers
from companion.ui.screens.settings import LanguageScreen
from companion.ui.splash import SIZE
from companion.ui.translations import _
from companion.ui.view import CodeBody, TestPictureBody, View

from . import sounds
from .app_state import AppState
from .display_content import DisplayContent, present
from .effect_types import (
    Act,
    BeginLog,
    JournalEffect,
    Move,
    MovePhones,
    PutAwayEmpty,
    RetryHistory,
    Show,
    Sound,
    WriteDraft,
    WriteLine,
    WriteOpenGameName,
    WriteSetting,
    WriteTracking,
)
from .input_types import Input, MachineAnswered, OldGamesChecked
from .journal_maintenance import JournalUpkeep
from .output_devices import Outputs
from .ports import BoxOutput, Clock
from .step import Step, step
from .step_reads import Known
from .survive_errors import survive


class EffectRunner:
    """Keeps the state that is in the journal and on the panel, and does what leads to the next one."""

    def __init__(
        self, state: AppState, known: Known, journal: Journal, clock: Clock, upkeep: JournalUpkeep, outputs: Outputs
    ) -> None:
        """Begin with a state that is not shown yet."""
        self.state = state
        self.picture = Image.new("1", SIZE)  # the picture on the panel
        self.writing = False  # whether a line has begun to be written that `state` does not include yet
        self._known = known
        self._journal = journal
        self._clock = clock
        self._upkeep = upkeep
        self._outputs = outputs

    def take(self, given: Input) -> None:
        """Work out what an input leads to, and do it."""
        self.run(step(self.state, given, self._known))

    def run(self, done: Step) -> None:
        """Do what a step leads to. A state that cannot be drawn is not written, and then not shown."""
        done = self._acted(done)
        if any(isinstance(effect, Show | JournalEffect) for effect in done.effects):
            self._written(done)
        else:
            self.state = done.state
        for effect in done.effects:
            if isinstance(effect, Sound):
                self._outputs.play(sounds.REFUSED if self.state.refused else effect.motif)
                if effect.blinks:
                    self._outputs.blink()

    def _acted(self, done: Step) -> Step:
        """Do what comes before the picture, because the picture shows its result."""
        for effect in done.effects:
            match effect:
                case RetryHistory():
                    self._known.history.try_again()
                case Move(name, away, screen):
                    done = self._moved(done, name, away=away, screen=screen)
                case Act(action, screen):
                    refusal = None
                    try:
                        self._known.machine.do(action)
                    except IllegalEventError as no:
                        refusal = no
                    given = MachineAnswered(self._known.machine.status, refusal, screen)
                    after = step(done.state, given, self._known)
                    done = Step(after.state, (*done.effects, *after.effects))
        return done

    def _moved(self, done: Step, name: str, *, away: bool, screen: Screen) -> Step:
        """Remove a game or bring it back, and read the lists again."""
        refusal = None
        try:
            (self._journal.put_away if away else self._journal.bring_back)(name)
        except JournalError as fault:
            refusal = IllegalEventError("journal", "{fault}", fault=fault.text)
        self._known.forget(name)
        after = step(done.state, MachineAnswered(self._known.machine.status, refusal, screen), self._known)
        return Step(step(after.state, OldGamesChecked(), self._known).state, done.effects)

    def _written(self, done: Step) -> None:
        """Draw, write and show a state."""
        state, unsaved = done.state, self._upkeep.mark
        content = self._content(state)
        frame = self._frame(content, state)
        writes = [effect for effect in done.effects if isinstance(effect, JournalEffect)]
        drafts_only = all(isinstance(effect, WriteDraft) for effect in writes)
        self.writing = not drafts_only
        for effect in writes:
            self._write(effect)
        self.state, self.writing = state, False
        # An unfinished answer was typed: the next key would remove the message at once.
        trouble = self._upkeep.trouble(later=bool(writes) and drafts_only)
        if trouble is not None:  # the disk refuses or was damaged; the game goes on
            self.state = state = state.saying(trouble)
        if trouble is not None or self._upkeep.mark != unsaved:
            frame = self._frame(content, state)
        self.show(frame)

    def _write(self, effect: JournalEffect) -> None:
        journal, now = self._journal, self._clock.now()
        match effect:
            case WriteDraft(name, values, sync):
                journal.keep_draft(name, values, sync=sync)
                return
            case PutAwayEmpty(name):
                if name in journal.left_out:  # its entries may be missing
                    return
                with suppress(JournalError):  # it stays in the lists
                    journal.put_away(name)
                self._known.forget(name)
            case BeginLog(name, header, tracking):
                journal.begin(name, header, tracking.value, now)
            case WriteLine(name, line, tracking, keys, over, empty, players):
                journal.append(
                    name,
                    line,
                    now=now,
                    tracking=tracking.value,
                    keys=keys,
                    over=over,
                    empty=empty,
                    players=players,
                )
                self._known.forget(name)
            case MovePhones(before, after):
                self._known.machine.do(RenamePlayers(before, after))
            case WriteTracking(name, tracking):
                journal.track(name, tracking.value)
            case WriteOpenGameName(name):
                journal.set_open_game(name)
            case WriteSetting(name, value):
                journal.keep_setting(name, value)
        self._upkeep.written()

    def show(self, frame: BoxOutput) -> None:
        """Show a frame. The change is committed already, so an error here only gets logged."""
        self.picture = frame.picture
        survive("showing a picture", partial(self._outputs.show, frame))

    # What is shown

    @property
    def view(self) -> View:
        """Return the view on the panel."""
        return self._view(self._content(self.state, mirrored=False), self.state)

    @property
    def frame(self) -> BoxOutput:
        """Return the complete frame: the picture and everything that mirrors show."""
        content = self._content(self.state, mirrored=True)
        return content.frame(self._view(content, self.state), self.picture, self._unsaved)

    @property
    def unsaved(self) -> Text:
        """Return the sentence that says how much is not saved."""
        mark = self._upkeep.mark
        return _("Entries not saved: {count}", count=mark) if mark else _("Not saved")

    @property
    def _unsaved(self) -> Text | None:
        return None if self._upkeep.mark is None else self.unsaved

    def show_again(self) -> None:
        """Show the state on the mirrors again: somebody looks at it in a further language."""
        self._outputs.mirror(self._with_pages(self.frame, self.state))

    def _content(self, state: AppState, *, mirrored: bool | None = None) -> DisplayContent:
        mirrored = self._outputs.mirrored if mirrored is None else mirrored
        return present(state, self._known.contents(state), mirrored=mirrored)

    def _view(self, content: DisplayContent, state: AppState) -> View:
        return content.seen(state.message, state.refused, self._upkeep.mark)

    def _frame(self, content: DisplayContent, state: AppState) -> BoxOutput:
        view = self._view(content, state)
        picture = draw(view)
        stays = isinstance(state.screen, LanguageScreen) and state.screen.first  # nobody knows yet that a key wakes it
        if self._outputs.mirrored:
            return replace(self._with_pages(content.frame(view, picture, self._unsaved), state), stays=stays)
        code, exact = isinstance(view.body, CodeBody), isinstance(view.body, TestPictureBody)
        return BoxOutput(picture, content.lamp, {}, (), code=code, exact=exact, stays=stays)

    def _with_pages(self, frame: BoxOutput, state: AppState) -> BoxOutput:
        """Return a frame with the contents of the live pages that somebody looks at."""
        languages = self._outputs.languages
        if not languages:
            return frame
        from .live_page_contents import live_page_contents  # for pages, which may come much later

        pages = live_page_contents(languages, state, self._known.contents(state), state.number, self._unsaved)
        return replace(frame, live_pages=pages)
