"""The one place where an input changes the state: `step` returns the next state, what is asked, written and heard.

`Box` draws, writes and shows what a step returns. If the state cannot be drawn, nothing is written, and it stays as it
was.
"""

from __future__ import annotations

from msgspec import structs
from msgspec.structs import replace

from companion.app import sounds
from companion.app.commands import carried_out
from companion.app.inputs import DirectorCorrection, Input, Look, Notice, Refresh, Tap, TypedAnswer
from companion.app.rights import (
    checked,
    why_no_answer,
    why_not_agree,
    why_not_answer,
    why_not_back,
    why_not_command,
)
from companion.app.state import PANEL, BeforeHeldKey, State, Viewer, Who
from companion.app.store import Store
from companion.app.viewers import Step, adopting, at, coming, entered, followed, name_of_latest, refused, took_back
from companion.core.errors import IllegalEventError
from companion.core.events import Redo
from companion.core.game import CardSound
from companion.core.text import Text
from companion.journal import JournalError
from companion.ui.few_keys import OptionCursor
from companion.ui.key_grammar import answer_named
from companion.ui.keys import FEW, MISSED, POWER, Key, QuickSecondPress
from companion.ui.screens.context import EnterLine, Transition
from companion.ui.screens.corrections import KEPT
from companion.ui.screens.phones import THIS_COMPUTER, PhonesStatus
from companion.ui.screens.suggestions import OfferedCorrections
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import _


def step(state: State, who: Who, given: Input, known: Store) -> Step:
    """Return the effect of an input of a viewer; ``known`` is what can be read beside the state."""
    before = state
    if who not in state.viewers:  # a phone has come, or has come back after a restart
        state = coming(state.having(who, Viewer(phone=THIS_COMPUTER, number=-1)), who)
    done = _step(state, who, given, known)
    if isinstance(given, Key) and done.shows:
        viewer = done.state.viewers[who]
        done = done.having(who, structs.replace(viewer, completed_by=given.name if done.entered else ""))
    return replace(done, state=followed_and_numbered(before, done.state, who))


def followed_and_numbered(before: State, state: State, who: Who) -> State:
    """Return the state with the other viewers as they follow a change of the table, and new questions numbered."""
    state = followed(before, state, who)
    number, viewers = state.number + 1, dict(state.viewers)
    for each, viewer in state.viewers.items():
        after = viewer if viewer.refused or viewer.message == KEPT else viewer.without_refusal
        new = viewer.number < 0 or not state.asks_the_same(before, each)
        viewers[each] = structs.replace(after, number=number) if new else after
    asked = any(viewer.number == number for viewer in viewers.values())
    return structs.replace(state, viewers=viewers, number=number if asked else state.number)


def _step(state: State, who: Who, given: Input, known: Store) -> Step:
    viewer = state.viewers[who]
    match given:
        case QuickSecondPress(name) if name == viewer.completed_by:
            return Step(state, sound=sounds.REFUSED, shows=False)
        case Key():
            return _pressed(state, who, given, known)
        case TypedAnswer(text):
            return _written(_touched(state, who), who, text, known)
        case Tap():
            return _tapped(state, who, given, known)
        case Look(language, phone):
            there = structs.replace(viewer, language=language, phone=phone or viewer.phone)
            return Step(state.having(who, there))
        case Notice():
            return _told(state, who, given, known)
        case Refresh(refusal, screen):
            state = _with_phones(known.with_lists(state), asks=who)
            return Step(state if refusal is None or screen is None else refused(state, who, screen, refusal))
        case DirectorCorrection():
            return _directed(state, given, known)
        case OfferedCorrections():
            return Step(structs.replace(state, table=replace(state.table, offered=given)))
    move = Transition(viewer.screen, given, viewer.message, viewer.refused)
    return _moved(state, who, move, known)


def _touched(state: State, who: Who) -> State:
    """Return the state when a viewer answers: no key is held, and the selector stands where it begins."""
    return state.having(who, state.viewers[who].released.at_start())


def _saying(state: State, who: Who, message: Text, *, refused: bool = True) -> State:
    return state.having(who, state.viewers[who].saying(message, refused=refused))


# Keys of the box


def _pressed(state: State, who: Who, key: Key, known: Store) -> Step:
    """Return the effect of a key, on a panel that is awake."""
    viewer = state.viewers[who]
    before, viewer = viewer.before, viewer.released
    state = state.having(who, viewer)
    if key == POWER:
        return Step(state, shows=False) if before is None else _gone_back(state, who, before, known)
    if viewer.lost is not None:
        clear = key.held or key.name in "*#"
        state = state.having(
            who, structs.replace(viewer, lost=None, message=None) if clear else viewer.saying(viewer.lost)
        )
        if not key.held:
            return _answered(Step(state), who)
    if key == MISSED:
        return _answered(Step(_saying(state, who, _("A key was missed: press it again"))), who)
    if key.held:
        viewer = state.viewers[who]
        state = state.having(who, structs.replace(viewer, before=BeforeHeldKey(viewer, state.table.game)))
    if key.name in FEW:
        return _turned(state, who, key, known)
    if viewer.selector is None:
        return _typed(state, who, key, known, None)
    return _pressed_beside(state, who, key, known)


def _turned(state: State, who: Who, key: Key, known: Store) -> Step:
    """Move the selector or choose an option. Pages with a keypad use it, too."""
    viewer, contents = state.viewers[who], known.contents(state, who)
    selector, name = (viewer.selector or OptionCursor()).press(key, contents.ring)
    turned = structs.replace(viewer, selector=selector)
    if not name:
        return _answered(Step(state.having(who, structs.replace(turned, message=None, refused=False))), who)
    return _chosen(state.having(who, turned), who, name, known, viewer.selector)


def _pressed_beside(state: State, who: Who, key: Key, known: Store) -> Step:
    """Return the effect of a key of the keypad on a board that also has a selector.

    OK chooses the selected option unless it has another function. Back first leaves the opened option.
    A key without any function only makes the refusal sound.
    """
    contents, viewer = known.contents(state, who), state.viewers[who]
    labels, ring = contents.labels, contents.ring
    if key == Key("*"):
        return _turned(state, who, Key("o", held=True), known)
    ok = next((choice.name for choice in contents.choices if choice.key == str(key)), "")
    if key == Key("#") and (key.name not in labels or (ring.rows and not ring.does(ok))):
        return _turned(state, who, Key("o"), known)
    if str(key) in labels:
        return _typed(state.having(who, viewer.at_start()), who, key, known, viewer.selector)
    return Step(state, sound=sounds.REFUSED, shows=False)


def _chosen(state: State, who: Who, name: str, known: Store, selector: OptionCursor | None) -> Step:
    """Choose what has a name."""
    move = known.contents(state, who).answer(name, state.context(state.viewers[who]))
    if move is None:
        return Step(_saying(state, who, NOT_THERE), why_not=NOT_THERE)
    return _led_on(state, who, move, known, selector)


def _typed(state: State, who: Who, key: Key, known: Store, selector: OptionCursor | None) -> Step:
    """Press a key of the keypad."""
    return _led_on(state, who, known.contents(state, who).press(key), known, selector)


def _written(state: State, who: Who, text: str, known: Store) -> Step:
    """Return the effect of a text."""
    viewer = state.viewers[who]
    return _answered(_moved(state, who, viewer.screen.write(text, state.context(viewer)), known), who)


def _led_on(state: State, who: Who, move: Transition, known: Store, selector: OptionCursor | None) -> Step:
    """Return the step of a screen's transition, shown and heard.

    With few keys, choosing the same again confirms a warning: ``selector`` is the one before.
    """
    done = _moved(state, who, move, known)
    if move.warning is not None and not done.entered:
        done = done.having(who, structs.replace(done.state.viewers[who], selector=selector))
    return _answered(done, who)


def _answered(done: Step, who: Who) -> Step:
    """Return a step that is shown and heard."""
    outcome = done.state.table.report if done.entered else None
    blinks = outcome is not None and outcome.laid_as is CardSound.OFF_SUIT
    motif = sounds.REFUSED if done.state.viewers[who].refused else sounds.of(outcome)
    return replace(done, sound=motif, blinks=blinks)


def _gone_back(state: State, who: Who, before: BeforeHeldKey, known: Store) -> Step:
    """Undo what a held key did at first. It enters only an undo; it closes a game without entries or read-only.

    What others have entered since stays.
    """
    game, earlier, viewer, was = state.table.game, before.game, state.viewers[who], before.viewer
    back = structs.replace(viewer, screen=was.screen, reading=was.reading, away=was.away)
    if game is None and earlier is not None:
        table = replace(state.table, game=earlier, words=state.table.words.at(earlier.session.header.players))
        state = structs.replace(state.having(who, back), table=table)
        return Step(state, (known.write_open(earlier.name),))
    if game is not None and earlier is not None and took_back(earlier, game):
        redone, _dropped = entered(state, who, EnterLine(Redo()), known)
        table = redone.state.table
        table = replace(table, game=replace(table.require_game(), resumed=earlier.resumed))
        state = structs.replace(redone.state.having(who, back), table=table)
        return replace(redone, state=state)
    state = state.having(who, back)
    return Step(state if not back.at_rest or game is None else state.having(who, adopting(state, back)))


# Taps of phones

TOO_LATE = _("Somebody else answered first")  # the answer to a tap on a question that is no longer asked
NOT_THERE = _("This cannot be chosen now")


def _tapped(state: State, who: Who, tap: Tap, known: Store) -> Step:
    """Return the effect of a tap on a live page, or why it does not count."""
    viewer = state.viewers[who]
    phone = tap.phone or viewer.phone or THIS_COMPUTER
    if tap.number != viewer.number:
        return Step(state, shows=False, why_not=_too_late(state, who))
    viewer = structs.replace(viewer, language=tap.language or viewer.language, phone=tap.phone or viewer.phone)
    asked = state.having(who, viewer)
    contents, context = known.contents(asked, who), asked.context(viewer)
    codes = contents.codes
    move = contents.answer(tap.choice, context)
    if move is None and tap.text:
        move = viewer.screen.write(tap.text, context)
    why = None
    if move is None:
        why = why_no_answer(tap.choice, codes, viewer.screen, context.game) or NOT_THERE
    elif codes is not None and answer_named(codes.prompt, tap.choice) is not None:
        why = why_not_answer(phone, codes.prompt, state.table)
    elif tap.choice == "same":
        why = why_not_agree(phone, state.table)
    elif tap.choice == contents.back:
        why = why_not_back(phone, asked, viewer)
    if move is None or why is not None:
        return Step(state, shows=False, why_not=why)
    done = _led_on(_touched(asked, who), who, move, known, None)
    after = done.state.viewers[who]
    return replace(done, why_not=after.message if after.refused else None)


def _too_late(state: State, who: Who) -> Text:
    """Return the sentence on an answer to a question that somebody else has answered, with what was entered."""
    table = state.table
    game = table.changeable
    latest = None if game is None or table.report is None else game.session.head.event
    if state.entry.answers:
        return _("Somebody else has begun an answer")
    if game is not None and game.session.latest is None:
        return _("{who} has begun {game}", who=name_of_latest(state), game=Text(game.session.header.game.title))
    if game is None or latest is None:
        return TOO_LATE
    return _(
        "{who} answered first: {entry}", who=name_of_latest(state), entry=game.session.header.game.describe(latest)
    )


# Transitions of screens


def _moved(state: State, who: Who, move: Transition, known: Store) -> Step:
    """Return the step of a screen's transition."""
    viewer = state.viewers[who]
    if move.warning is not None and move.warning != viewer.message:
        warned = structs.replace(viewer.saying(move.warning, refused=False), screen=move.if_refused or viewer.screen)
        return Step(state.having(who, structs.replace(warned, number=-1)))  # it asks something else
    if move.command is None:
        return Step(at(state, who, move.screen, move.message, move.refused))
    refusing = move.if_refused or viewer.screen
    barred = why_not_command(viewer.phone, move.command)
    if barred is not None:
        return Step(refused(state, who, refusing, IllegalEventError("role", barred.template, **barred.args)))
    try:
        return carried_out(state, who, move, move.command, refusing, known)
    except IllegalEventError as no:
        return Step(refused(state, who, refusing, no))
    except JournalError as fault:
        return Step(_saying(state, who, fault.text))


# News


def _told(state: State, who: Who, told: Notice, known: Store) -> Step:
    state = structs.replace(state, table=replace(state.table, machine=known.machine.status))
    state, club = _with_phones(state, asks=PANEL), state.table.machine.club
    who = who if who in state.viewers else PANEL
    for each, viewer in state.viewers.items():
        if club is not None and viewer.message is not None and club.denies(viewer.message):
            state = state.having(each, structs.replace(viewer, message=None))
    if told.message is not None:
        state = _saying(state, who, told.message, refused=told.refused)
    return _answered(Step(state), who) if told.sounds else Step(state)


def _with_phones(state: State, asks: Who) -> State:
    """Return the state with the phones as they are now; those that are paired no more see nothing.

    The phone that ``asks`` stays until the next news, as its own screen tells what came of it.
    """
    phones = state.table.machine.get(PhonesStatus)
    if phones is None:
        return state
    paired = {phone.number: phone for phone in phones.paired}
    viewers = {
        who: structs.replace(viewer, phone=paired.get(who, viewer.phone)) if who else viewer
        for who, viewer in state.viewers.items()
        if not who or who in paired or who == asks
    }
    return structs.replace(state, viewers=viewers)


def _directed(state: State, asked: DirectorCorrection, known: Store) -> Step:
    """Take a director's correction, or say why it does not count."""
    found = checked(asked, state)
    if found is None or isinstance(found, Text):
        return Step(state, shows=False, why_not=found)
    line, message = found
    base = state.panel.base  # it is no line of the panel's screen
    touched = _touched(state, PANEL)
    touched = touched.having(PANEL, structs.replace(touched.panel, base=None))
    done, _dropped = entered(touched, PANEL, EnterLine(line), known)
    done = done.having(PANEL, structs.replace(done.state.panel, base=base))
    state = at(done.state, PANEL, PlayScreen(), None, False) if done.state.panel.at_rest else done.state
    state = structs.replace(state, entered_by=str(message.args["who"]))
    return _answered(replace(done, state=_saying(state, PANEL, message, refused=False)), PANEL)
