"""The one place where an input changes the state: `step` returns the next state and the effects to carry out.

`EffectRunner` draws, writes and shows what a step returns. If that fails, the state stays as it was.
"""

from __future__ import annotations

from msgspec import Struct, structs, to_builtins
from msgspec.structs import replace

from companion.core.errors import IllegalEventError
from companion.core.events import Redo
from companion.core.game import CardSound
from companion.core.text import Text, joined
from companion.journal import JournalError
from companion.ui.few_key_selector import OptionCursor
from companion.ui.keys import FEW, MISSED, POWER, Key, parse
from companion.ui.screens.commands import EnterLine, LeaveGame, OnMachine, PutAwayOrBringBack
from companion.ui.screens.confirm_correction import KEPT
from companion.ui.screens.context import Screen, ScreenContext, Transition
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.saved_drafts import NOTHING
from companion.ui.screens.suggestion_texts import OfferedCorrections
from companion.ui.translations import _

from . import entry_owner, sounds
from .app_state import AppState
from .command_changes import change
from .effect_types import Act, Effect, Move, Show, Sound, WriteDraft, WriteLine, WriteOpenGameName
from .input_types import ChosenOption, HistoryRead, Input, KeyForOldQuestion, MachineAnswered, Notice, OldGamesChecked
from .request_types import TypedAnswer
from .resume import opened_screen, with_entry_put_aside
from .step_reads import Known


class Step(Struct, frozen=True):
    """What an input leads to."""

    state: AppState  # the next state
    effects: tuple[Effect, ...] = ()  # what is done for it, in order


def step(state: AppState, given: Input, known: Known) -> Step:
    """Return what an input leads to; ``known`` is what can be read beside the state."""
    refused = entry_owner.ignored(state, given)
    if refused is not None:
        if refused.message is None:
            return Step(state, (Sound(sounds.REFUSED),))
        return finished(state, _answered(Step(state.saying(refused.message))))
    done = _step(state, given, known)
    after = entry_owner.noted(state, done.state, given)
    if isinstance(given, Key):
        after = structs.replace(after, entered_by=given.name if _entered(done) else "")
    return finished(state, replace(done, state=after))


def shown(state: AppState, before: AppState) -> Step:
    """Return the step that shows a state, after another one."""
    return finished(before, Step(state, (Show(),)))


def finished(before: AppState, done: Step) -> Step:
    """Return a step with the number of its question, and with its draft written if that has changed."""
    effects = done.effects
    state = done.state if done.state.refused or done.state.message == KEPT else done.state.without_refusal
    if state.number == before.number and not state.asks_the_same(before):
        state = structs.replace(state, number=state.number + 1)
    draft, kept, game = state.draft or NOTHING, state.kept, state.context.changeable
    if draft != kept and Show() in effects:
        values = "" if draft == NOTHING else to_builtins(draft)
        sync = kept is None or draft.answered != kept.answered
        effects = (*effects, WriteDraft(None if game is None else game.name, values, sync))
        state = structs.replace(state, kept=draft)
    return Step(state, effects)


def _step(state: AppState, given: Input, known: Known) -> Step:
    match given:
        case Key("*" | "#" as name, False) if state.interrupted is not None:
            return _answered(Step(entry_owner.resumed(state.pressed(), name)))
        case Key():
            return _pressed(structs.replace(state, interrupted=None), given, known)
        case ChosenOption(name):
            return _chosen(state.pressed().at_start(), name, known, state.selector)
        case TypedAnswer(text):
            state = state.pressed().at_start()
            return _answered(_moved(Step(state), state.screen.write(text, state.context), known))
        case KeyForOldQuestion():
            return Step(state)
        case Notice():
            return _told(state, given)
        case MachineAnswered(machine, refusal, screen):
            return _acted(replace(state, context=replace(state.context, machine=machine)), refusal, screen)
        case OfferedCorrections():
            offered = structs.replace(state, context=replace(state.context, offered=given))
            return Step(offered, (Show(),))
        case OldGamesChecked():
            return Step(structs.replace(state, context=known.read_lists(state.context)))
        case HistoryRead():
            return Step(structs.replace(state, context=replace(state.context)), (Show(),))
    done = _moved(Step(state), Transition(state.screen, given, state.message, state.refused), known)
    return replace(done, effects=(*done.effects, Show()))


# Keys


def _pressed(state: AppState, key: Key, known: Known) -> Step:
    """Return what a key leads to, on a panel that is awake."""
    before, state = state.before, state.pressed()
    if key == POWER:
        return Step(state) if before is None else _gone_back(state, before, known)
    if key == MISSED:
        return _answered(Step(state.saying(_("A key was missed: press it again"))))
    state = state.pressed(held=key.held)
    if key.name in FEW:
        return _turned(state, key, known)
    if state.selector is None:
        return _typed(state, (key,), known, None)
    return _pressed_beside(state, key, known)


def _turned(state: AppState, key: Key, known: Known) -> Step:
    """Move the selector or choose an option. Pages with a keypad use it, too."""
    contents = known.contents(state)
    selector, name = (state.selector or OptionCursor()).press(key, contents.ring)
    turned = structs.replace(state, selector=selector)
    if not name:
        return _answered(Step(structs.replace(turned, message=None, refused=False)))
    if name != "*" or "*" in contents.labels:
        return _chosen(turned, name, known, state.selector)
    return Step(turned)


def _pressed_beside(state: AppState, key: Key, known: Known) -> Step:
    """Return what a key of the keypad leads to on a board that also has a selector.

    OK chooses the selected option unless it has another function. Back first leaves the opened option.
    A key without any function only makes the refusal sound.
    """
    contents = known.contents(state)
    labels, ring = contents.labels, contents.ring
    if key == Key("*"):
        return _turned(state, Key("o", held=True), known)
    if key == Key("#") and (key.name not in labels or (ring.rows and not ring.does(key.name))):
        return _turned(state, Key("o"), known)
    if str(key) in labels:
        return _typed(state.at_start(), (key,), known, state.selector)
    return Step(state, (Sound(sounds.REFUSED),))


def _chosen(state: AppState, name: str, known: Known, selector: OptionCursor | None) -> Step:
    """Give the answer with a name; any other name is the keys of an action.

    With few keys, choosing the same again confirms a warning: ``selector`` is the one before.
    """
    move = known.contents(state).answer(name, state.context)
    if move is None:
        return _typed(state, parse(name), known, selector)
    return _answered(_warned(_moved(Step(state), move, known), move, selector))


def _typed(state: AppState, keys: tuple[Key, ...], known: Known, selector: OptionCursor | None) -> Step:
    """Press keys of the keypad and show the result of the last one."""
    done = Step(state)
    for key in keys:
        move = known.contents(done.state).press(key)
        done = _warned(_moved(done, move, known), move, selector)
    return _answered(done)


def _warned(done: Step, move: Transition, selector: OptionCursor | None) -> Step:
    """Return a step with the selector where it was if a warning is shown, so that choosing again confirms it."""
    if move.warning is None or _entered(done):
        return done
    return replace(done, state=structs.replace(done.state, selector=selector))


def _answered(done: Step) -> Step:
    """Return a step that is shown and heard."""
    outcome = done.state.context.report if _entered(done) else None
    blinks = outcome is not None and outcome.laid_as is CardSound.OFF_SUIT
    motif = sounds.REFUSED if done.state.refused else sounds.of(outcome)
    return replace(done, effects=(*done.effects, Show(), Sound(motif, blinks)))


def _entered(done: Step) -> bool:
    return any(isinstance(effect, WriteLine) for effect in done.effects)


def _gone_back(state: AppState, before: AppState, known: Known) -> Step:
    """Undo what a held key did at first. It enters only an undo; it closes a game without entries or read-only."""
    game, earlier = state.context.game, before.context.game
    back, context = structs.replace(state, screen=before.screen), state.context
    effects: tuple[Effect, ...] = (Show(),)
    if game is None and earlier is not None:
        context = replace(before.context, machine=context.machine)
        if not earlier.read_only:
            effects = (WriteOpenGameName(earlier.name), *effects)
    elif game is not None and earlier is not None and game.session is not earlier.session:
        redone = change(EnterLine(Redo()), context, known)
        context = replace(redone.context, game=replace(redone.context.require_game(), resumed=earlier.resumed))
        return Step(structs.replace(back, context=context, kept=NOTHING), (*redone.effects, Show()))
    return Step(structs.replace(back, context=context), effects)


# Transitions of screens


def _moved(done: Step, move: Transition, known: Known) -> Step:
    """Return a step with a screen's transition after it."""
    state = done.state
    if move.warning is not None and move.warning != state.message:
        warned = structs.replace(state.saying(move.warning, refused=False), screen=move.if_refused or state.screen)
        return replace(done, state=structs.replace(warned, number=state.number + 1))  # it asks something else
    if move.command is None:
        return replace(done, state=_at(state, move.screen, state.context, move.message, move.refused))
    refusing = move.if_refused or state.screen
    try:
        made = change(move.command, state.context, known)
    except IllegalEventError as no:
        return replace(done, state=_refused(state, refusing, no))
    except JournalError as fault:
        return replace(done, state=state.saying(fault.text))
    screen, message, refused, kept, context = move.screen, move.message, move.refused, state.kept, made.context
    effects = made.effects
    match move.command:
        case LeaveGame(to):
            screen = to or HomeScreen()
        case OnMachine(action):
            effects = (Act(action, refusing),)
        case PutAwayOrBringBack(name, away):
            effects = (Move(name, away, refusing),)
    left, game = state.context.changeable, context.changeable
    if made.draft is not None:  # another game was opened
        screen, kept, dropped = opened_screen(made.draft, context)
        message, refused = made.told or dropped or message, refused or (made.told is None and dropped is not None)
    elif left is not None and (game is None or game.session is not left.session):  # left, or an entry was made
        kept = NOTHING
    state = _at(structs.replace(state, kept=kept), screen, context, message, refused)
    return Step(state, (*done.effects, *effects))


def _at(state: AppState, screen: Screen, context: ScreenContext, message: Text | None, refused: bool) -> AppState:
    """Return the state with another screen; an entry that waited for a correction is taken up again."""
    screen, dropped = with_entry_put_aside(screen, state.context, context)
    if dropped is not None:
        message = joined(filter(None, (message, dropped)), ". ")
    return structs.replace(state, screen=screen, context=context, message=message, refused=refused)


def _acted(state: AppState, refusal: IllegalEventError | None, screen: Screen) -> Step:
    return Step(state if refusal is None else _refused(state, screen, refusal), (Show(),))


def _refused(state: AppState, screen: Screen, why: IllegalEventError) -> AppState:
    """Return the state after a command was refused, as a screen says it."""
    move = screen.refused(state.context, why)
    return structs.replace(state, screen=move.screen, message=move.message, refused=True)


def _told(state: AppState, told: Notice) -> Step:
    if told.machine is not None:
        state = structs.replace(state, context=replace(state.context, machine=told.machine))
        club = told.machine.club
        if club is not None and state.message is not None and club.denies(state.message):
            state = structs.replace(state, message=None)
    if told.message is not None:
        state = state.saying(told.message, refused=told.refused)
    return _answered(Step(state)) if told.sounds else Step(state, (Show(),))
