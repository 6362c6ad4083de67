"""The one place where an input changes the state: `step` returns the next state, what is asked, written and heard.

`Box` draws, writes and shows what a step returns. If the state cannot be drawn, nothing is written, and it stays as it
was.
"""

from __future__ import annotations

from msgspec import structs
from msgspec.structs import replace

from companion.app import sounds
from companion.app.drafts import DROPPED, is_set_up, read_draft, screen_of
from companion.app.inputs import DirectorCorrection, Input, Look, Notice, Refresh, SetUpGame, Tap, TypedAnswer
from companion.app.rights import checked, why_no_answer, why_not_chosen, why_not_command
from companion.app.state import PANEL, Entry, State, Viewer, Who
from companion.app.store import LEFT_GAME, Store, Write
from companion.app.viewers import (
    ANSWERED,
    Ask,
    Step,
    at_table,
    enter,
    follow,
    latest_answer,
    take_up,
    took_back,
    with_refusal,
    with_screen,
)
from companion.core.game import Amend, CardSound, Event, Players, Redo, Splice
from companion.core.prompt import Prompt
from companion.core.session import Session
from companion.core.text import N_, IllegalEventError, Text
from companion.games import GAMES
from companion.history import renamed_and_hidden
from companion.journal import JournalError
from companion.ui.few_keys import OptionCursor
from companion.ui.keys import FEW, MISSED, POWER, Key, QuickSecondPress
from companion.ui.offered_corrections import OfferedCorrections
from companion.ui.screens.context import (
    BeginGame,
    Command,
    CurrentGame,
    EnterLine,
    LeaveGame,
    MachineAction,
    OpenSavedGame,
    PutAwayOrBringBack,
    ReopenGame,
    RetryFailedGame,
    Screen,
    SetDetailLevel,
    SetLanguage,
    SetPeople,
    StartAtRandom,
    Transition,
)
from companion.ui.screens.corrections import KEPT
from companion.ui.screens.game_choice import game_choice, seating
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.phones import THIS_COMPUTER, PhonesStatus
from companion.ui.screens.table import PlayScreen, opened_round
from companion.ui.translations import Translator, _


def step(state: State, who: Who, given: Input, known: Store) -> Step:
    """Return the effect of an input of a viewer; ``known`` is what can be read beside the state."""
    before = state
    if who not in state.viewers:  # a phone has come, or has come back after a restart
        state = take_up(state.having(who, Viewer(phone=THIS_COMPUTER, number=-1)), who)
    done = _handle(state, who, given, known)
    if isinstance(given, Key) and done.shows:
        viewer = done.state.viewers[who]
        done = done.having(who, structs.replace(viewer, completed_by=given.name if done.entered else ""))
    return replace(done, state=follow_and_number(before, done.state, who))


def follow_and_number(before: State, state: State, who: Who) -> State:
    """Return the state with the other viewers as they follow a change of the table, and new questions numbered."""
    state = follow(before, state, who)
    number, viewers = state.number + 1, dict(state.viewers)
    for each, viewer in state.viewers.items():
        after = viewer if viewer.refused or viewer.message == KEPT else viewer.without_refusal
        new = viewer.number < 0 or not state.asks_the_same(before, each)
        viewers[each] = structs.replace(after, number=number) if new else after
    asked = any(viewer.number == number for viewer in viewers.values())
    return structs.replace(state, viewers=viewers, number=number if asked else state.number)


def _handle(state: State, who: Who, given: Input, known: Store) -> Step:
    viewer = state.viewers[who]
    match given:
        case QuickSecondPress(name) if name == viewer.completed_by:
            return Step(state, sound=sounds.REFUSED, shows=False)
        case Key():
            return _press(state, who, given, known)
        case TypedAnswer(text):
            return _write(_released(state, who), who, text, known)
        case Tap():
            return _tap(state, who, given, known)
        case Look(language, phone):
            there = structs.replace(viewer, language=language, phone=phone or viewer.phone)
            return Step(state.having(who, there))
        case Notice():
            return _notify(state, who, given, known)
        case Refresh(refusal, screen):
            state = _with_phones(known.with_lists(state), asks=who)
            return Step(state if refusal is None or screen is None else with_refusal(state, who, screen, refusal))
        case DirectorCorrection():
            return _correct_as_director(state, given, known)
        case SetUpGame(game):
            GAMES.ask_for(game)
            seats = seating(game_choice(HomeScreen(), game), game)
            leaves = None if seats.refused else LeaveGame(seats.screen)
            return _move(state, who, replace(seats, screen=viewer.screen, command=leaves), known)
        case OfferedCorrections():
            return Step(structs.replace(state, table=replace(state.table, offered=given)))
    move = Transition(viewer.screen, given, viewer.message, viewer.refused)
    return _move(state, who, move, known)


def _released(state: State, who: Who) -> State:
    """Return the state when a viewer answers: no key is held, and the selector stands where it begins."""
    return state.having(who, state.viewers[who].released.at_start())


def _saying(state: State, who: Who, message: Text, *, refused: bool = True) -> State:
    return state.having(who, state.viewers[who].saying(message, refused=refused))


# Keys of the box


def _press(state: State, who: Who, key: Key, known: Store) -> Step:
    """Return the effect of a key, on a panel that is awake."""
    viewer = state.viewers[who]
    before, viewer = viewer.before, viewer.released
    state = state.having(who, viewer)
    if key == POWER:
        return Step(state, shows=False) if before is None else _undo_held_key(state, who, before, known)
    if viewer.lost is not None:
        clear = key.held or key.name in "*#"
        state = state.having(
            who, structs.replace(viewer, lost=None, message=None) if clear else viewer.saying(viewer.lost)
        )
        if not key.held:
            return _with_sound(Step(state))
    if key == MISSED:
        return _with_sound(Step(_saying(state, who, _("A key was missed: press it again"))))
    if key.held:
        state = state.having(who, structs.replace(state.viewers[who], before=state))
    if key.name in FEW:
        return _turn(state, who, key, known)
    if viewer.selector is None:
        return _move_and_sound(state, who, known.contents(state, who).press(key), known, None)
    return _press_beside_selector(state, who, key, known)


def _turn(state: State, who: Who, key: Key, known: Store) -> Step:
    """Move the selector or choose an option. Pages with a keypad use it, too."""
    viewer, contents = state.viewers[who], known.contents(state, who)
    selector, name = (viewer.selector or OptionCursor()).press(key, contents.ring)
    turned = structs.replace(viewer, selector=selector)
    if not name:
        return _with_sound(Step(state.having(who, structs.replace(turned, message=None, refused=False))))
    move = contents.answer(name, state.context(viewer))
    if move is None:
        return Step(_saying(state, who, NOT_THERE))
    return _move_and_sound(state.having(who, turned), who, move, known, viewer.selector)


def _press_beside_selector(state: State, who: Who, key: Key, known: Store) -> Step:
    """Return the effect of a key of the keypad on a board that also has a selector.

    OK chooses the selected option unless it has another function. Back first leaves the opened option.
    A key without any function only makes the refusal sound.
    """
    contents, viewer = known.contents(state, who), state.viewers[who]
    labels, ring = contents.labels, contents.ring
    if key == Key("*"):
        return _turn(state, who, Key("o", held=True), known)
    ok = next((choice.name for choice in contents.choices if choice.key == str(key)), "")
    if key == Key("#") and (key.name not in labels or (ring.rows and not ring.does(ok))):
        return _turn(state, who, Key("o"), known)
    if str(key) in labels:
        return _move_and_sound(state.having(who, viewer.at_start()), who, contents.press(key), known, viewer.selector)
    return Step(state, sound=sounds.REFUSED, shows=False)


def _write(state: State, who: Who, text: str, known: Store) -> Step:
    """Return the effect of a text."""
    viewer = state.viewers[who]
    return _with_sound(_move(state, who, viewer.screen.write(text, state.context(viewer)), known))


def _move_and_sound(state: State, who: Who, move: Transition, known: Store, selector: OptionCursor | None) -> Step:
    """Return the step of a screen's transition, shown and heard.

    With few keys, choosing the same again confirms a warning: ``selector`` is the one before.
    """
    done = _move(state, who, move, known)
    if move.warning is not None and not done.entered:
        done = done.having(who, structs.replace(done.state.viewers[who], selector=selector))
    return _with_sound(done)


def _with_sound(done: Step) -> Step:
    """Return a step that is heard."""
    outcome = done.state.table.report if done.entered else None
    blinks = outcome is not None and outcome.laid_as is CardSound.OFF_SUIT
    return replace(done, sound=sounds.of(outcome), blinks=blinks)


def _undo_held_key(state: State, who: Who, before: State, known: Store) -> Step:
    """Undo what a held key did at first. It enters only an undo; it closes a game without entries or read-only.

    What others have entered since stays.
    """
    game, earlier, was = state.table.game, before.table.game, before.viewers[who]
    back = structs.replace(state.viewers[who], screen=was.screen, reading=was.reading, away=was.away)
    if game is None and earlier is not None:
        table = replace(state.table, game=earlier, words=state.table.words.at(earlier.session.header.players))
        state = structs.replace(state.having(who, back), table=table)
        return Step(state, (known.write_open(earlier.name),))
    if game is not None and earlier is not None and took_back(earlier, game):
        redone, _dropped = enter(state, who, EnterLine(Redo()), known)
        table = redone.state.table
        table = replace(table, game=replace(table.require_game(), resumed=earlier.resumed))
        state = structs.replace(redone.state.having(who, back), table=table)
        return replace(redone, state=state)
    state = state.having(who, back)
    return Step(state if not back.at_rest or game is None else state.having(who, at_table(state, back)))


# Taps of phones


class LateTap(Text):
    """The refusal of a tap that answers a question which is no longer asked."""

    __slots__ = ()


TOO_LATE = LateTap(ANSWERED.template)
NOT_THERE = _("This cannot be chosen now")


def _tap(state: State, who: Who, tap: Tap, known: Store) -> Step:
    """Return the effect of a tap on a live page, or why it does not count."""
    viewer = state.viewers[who]
    phone = tap.phone or viewer.phone or THIS_COMPUTER
    if tap.number != viewer.number:
        return Step(state, shows=False, why_not=_too_late(state))
    viewer = structs.replace(viewer, language=tap.language or viewer.language, phone=tap.phone or viewer.phone)
    asked = state.having(who, viewer)
    contents, context = known.contents(asked, who), asked.context(viewer)
    move = contents.answer(tap.choice, context) or opened_round(tap.choice, context)
    if move is None and tap.text:
        move = viewer.screen.write(tap.text, context)
    if move is None:
        why_no = why_no_answer(tap.choice, contents.codes, viewer.screen, context.game)
        return Step(state, shows=False, why_not=why_no or NOT_THERE)
    why = why_not_chosen(phone, tap.choice, contents, asked, viewer)
    if why is not None:
        return Step(state, shows=False, why_not=why)
    done = _move_and_sound(_released(asked, who), who, move, known, None)
    after = done.state.viewers[who]
    return replace(done, why_not=after.message if after.refused else None)


def _too_late(state: State) -> LateTap:
    """Return the sentence on an answer to a question that somebody else has answered, with what was entered."""
    told = latest_answer(state)
    return LateTap(told.template, **told.args)


# Transitions of screens


def _move(state: State, who: Who, move: Transition, known: Store) -> Step:
    """Return the step of a screen's transition."""
    viewer = state.viewers[who]
    if move.warning is not None and move.warning != viewer.message:
        warned = structs.replace(viewer.saying(move.warning, refused=False), screen=move.if_refused or viewer.screen)
        return Step(state.having(who, structs.replace(warned, number=-1)))  # it asks something else
    if move.command is None:
        return Step(with_screen(state, who, move.screen, move.message, move.refused))
    refusing = move.if_refused or viewer.screen
    barred = why_not_command(viewer.phone, move.command)
    if barred is not None:
        return Step(with_refusal(state, who, refusing, IllegalEventError("role", barred.template, **barred.args)))
    try:
        return _carry_out(state, who, move, move.command, refusing, known)
    except IllegalEventError as no:
        return Step(with_refusal(state, who, refusing, no))
    except JournalError as fault:
        return Step(_saying(state, who, fault.text))


def _carry_out(state: State, who: Who, move: Transition, command: Command, refusing: Screen, known: Store) -> Step:
    """Return the step that does a command, and shows the transition's screen.

    Args:
        refusing: The screen that says so if it is refused later, by the machine or the disk.

    Raises:
        IllegalEventError: The command is not possible.
        JournalError: The journal cannot be read.
    """
    table, ask = state.table, None
    writes: tuple[Write, ...] = ()
    match command:
        case EnterLine():
            done, dropped = enter(state, who, command, known)
            message = move.message
            if dropped is not None:
                message = dropped if message is None else _("{said}. {more}", said=message, more=dropped)
            screen = _with_kept_answers(move.screen, command, done.state.entry)
            return replace(done, state=with_screen(done.state, who, screen, message, move.refused))
        case StartAtRandom():
            position = table.require_game().position
            asked = position.ask()
            assert isinstance(asked, Prompt)  # it is asked who starts
            start = position.ask((known.one_of(asked.answers),))
            assert isinstance(start, Event)  # that is all that is asked
            done, _dropped = enter(state, who, EnterLine(start, ""), known)
            told = table.require_game().session.header.game.describe(start)
            return replace(done, state=with_screen(done.state, who, move.screen, told, refused=False))
        case BeginGame():
            return _begin(state, who, command, move, known)
        case OpenSavedGame(name, listed):
            return _open(state, who, name, listed, move, known)
        case ReopenGame():
            reading = state.viewers[who].reading
            assert reading is not None  # only such a game has this row
            return _put_on_table(state, who, replace(reading, listed=None), known.draft(reading.name), known, move)
        case LeaveGame(to):
            return _leave(state, who, to or HomeScreen(), move, known)
        case SetDetailLevel(tracking):
            game = replace(table.require_game(), tracking=tracking)
            table, writes = replace(table, game=game), (known.write_tracking(game),)
            state = structs.replace(state, entry=Entry())
        case RetryFailedGame(kind):
            GAMES.ask_for(kind)
        case SetLanguage(language):
            table = replace(table, words=Translator(language, table.words.players))
            writes = (known.write_setting("language", language),)
        case SetPeople(people, seated):
            table = replace(table, people=people)
            writes = (known.write_setting("roster", renamed_and_hidden.written(people)),)
            if seated:
                done, _dropped = enter(structs.replace(state, table=table), who, EnterLine(Players(seated)), known)
                shown = with_screen(done.state, who, move.screen, move.message, move.refused)
                return replace(done, state=shown, writes=(*writes, *done.writes))
        case MachineAction():
            ask = Ask(lambda: known.machine.do(command), refusing, command.answered_later)
        case PutAwayOrBringBack(name, away):
            if table.game is not None and table.game.name == name:
                raise IllegalEventError("open", N_("This game is open at the table: leave it first"))
            ask = Ask(lambda: known.put_away_or_bring_back(name, away=away), refusing)
        case _:
            raise TypeError(command)
    state = with_screen(structs.replace(state, table=table), who, move.screen, move.message, move.refused)
    return Step(state, writes, ask)


def _with_kept_answers(screen: Screen, command: EnterLine, entry: Entry) -> Screen:
    """Return the screen after a line: beside a correction the answers stay that were given to the table's question."""
    corrects = isinstance(command.line, Amend | Splice) and isinstance(screen, PlayScreen)
    return replace(screen, answers=entry.answers, keys=entry.keys) if corrects and entry.answers else screen


def _begin(state: State, who: Who, command: BeginGame, move: Transition, known: Store) -> Step:
    header, tracking = command.header, command.tracking
    name = known.new_name(header.game.name)
    writes: tuple[Write, ...] = (*known.put_away_empty(), known.begin(name, header.written, tracking))
    for renamed in state.table.people.renamed:  # the phones of those who were renamed since their last game
        current = state.table.people.now(renamed.old, renamed.games)
        if current in header.players and renamed.old not in header.players:
            writes += (known.rename_phones((renamed.old,), (current,)),)
    state = structs.replace(state, table=replace(state.table, game_list=known.game_list()))
    game = CurrentGame(name, Session(header), tracking, set_up_tracking=tracking)
    done = _put_on_table(state, who, game, "", known, move)
    writes += done.writes
    if command.first is not None:
        done, _dropped = enter(done.state, who, EnterLine(command.first, ""), known)
        writes += done.writes
    return replace(done, writes=writes)


def _open(state: State, who: Who, name: str, listed: Screen | None, move: Transition, known: Store) -> Step:
    """Open a game of the journal; a finished one from the list that it is in only to be looked at."""
    viewer, open_game = state.viewers[who], state.table.game
    if open_game is not None and open_game.name == name:
        state = state.having(who, structs.replace(viewer, away=False, reading=None))
        return Step(with_screen(state, who, PlayScreen(), move.message, move.refused))
    GAMES.ask_for(name.partition("-")[2].rpartition("-")[0])
    game, draft, told = known.saved_game(name)
    if listed is not None and game.over:  # only viewed: the next start does not open it again
        reading = replace(game, listed=listed)
        viewer = structs.replace(viewer, reading=reading, screen=PlayScreen(), message=told or move.message)
        return Step(state.having(who, viewer))
    return _put_on_table(state, who, game, draft, known, move, told)


def _leave(state: State, who: Who, to: Screen, move: Transition, known: Store) -> Step:
    """Return the step of a viewer that leaves its game; the last one to leave the table takes the game off it."""
    viewer, table, game = state.viewers[who], state.table, state.table.game
    writes: tuple[Write, ...] = (Write(known.history.try_again),)
    if viewer.reading is not None or game is None:
        state = state.having(who, structs.replace(viewer, reading=None))
        return Step(with_screen(state, who, to, move.message, move.refused), writes)
    others = any(each != who and not other.away and other.reading is None for each, other in state.viewers.items())
    viewer = structs.replace(
        viewer, away=others, screen=to, typed="", correcting=None, message=move.message, refused=move.refused
    )
    table = replace(table, game_list=known.game_list(), left_game=game.name)
    if not others or (who == PANEL and game.over):  # the next start shows home, even if others still look at the result
        writes += (known.write_open(None),)
    writes += (known.write_setting(LEFT_GAME, game.name),)
    if others:
        return Step(structs.replace(state.having(who, viewer), table=table), writes)
    table = replace(table, game=None, report=None, words=table.words.at(()))
    viewers = {each: structs.replace(other, away=False) for each, other in {**state.viewers, who: viewer}.items()}
    # corrections of the game that were begun on phones not back yet are in its draft
    waiting = {name: begun for name, begun in state.waiting.items() if is_set_up(begun)}
    return Step(structs.replace(state, table=table, viewers=viewers, waiting=waiting, entry=Entry()), writes)


# Games and what was half entered in them


def _on_table(state: State, game: CurrentGame) -> State:
    """Return the state with a game on the table."""
    levels = game.session.header.game.trackings
    if game.tracking not in levels:  # the level of another game: use the most detailed one
        game = replace(game, tracking=next(iter(levels)))
    words = state.table.words.at(game.session.header.players)
    return structs.replace(state, table=replace(state.table, game=game, words=words, report=None), entry=Entry())


def _put_on_table(
    state: State,
    who: Who,
    game: CurrentGame,
    written: object,
    known: Store,
    move: Transition,
    told: Text | None = None,
) -> Step:
    """Return the step that puts a game on the table, with what was half entered in it, if that fits.

    Args:
        written: Its draft, as the journal has it.
        told: The message to show; None for that of the transition.
    """
    state, dropped = _with_draft(_on_table(state, game), written)
    waiting = {name: begun for name, begun in state.waiting.items() if not is_set_up(begun)}  # they end for everybody
    viewer = structs.replace(
        state.viewers[who],
        away=False,
        reading=None,
        message=dropped or move.message,
        refused=dropped is not None or move.refused,
    )
    state = take_up(structs.replace(state.having(who, viewer), waiting=waiting, entered_by=who, answered_by=who), who)
    if told is not None:
        state = state.having(who, structs.replace(state.viewers[who], message=told, refused=False))
    return Step(state, (*known.end_set_ups(), known.write_open(game.name)))


def restore(state: State, name: str | None, known: Store, *, unfinished: bool = True) -> State:
    """Return the state at a start, with the game that was left open, and what was half entered there or in set-ups.

    Args:
        name: The game; None if none was left open.
        unfinished: Whether what was half entered is taken up.
    """
    panel, told, written = state.panel, None, known.draft(None) if name is None else ""
    if name is not None:
        try:
            game, written, told = known.saved_game(name)
        except (IllegalEventError, JournalError) as fault:
            return state.having(PANEL, panel.saying(panel.message or fault.text))
        state = _on_table(state, game)
    state, dropped = _with_draft(state, written if unfinished else "")
    state = take_up(state, PANEL)
    if panel.message is not None:
        return state.having(PANEL, structs.replace(state.panel, message=panel.message, refused=panel.refused))
    if told is not None or dropped is not None:
        return state.having(PANEL, state.panel.saying(told or DROPPED, refused=told is None))
    return state


def _with_draft(state: State, written: object) -> tuple[State, Text | None]:
    """Return the state with what was half entered at the table, and that it is dropped, if it does not fit.

    What viewers have begun waits until they come.
    """
    draft = read_draft(written)
    if draft is None:
        return structs.replace(state, waiting={}), DROPPED
    state = structs.replace(state, waiting=draft.begun)
    if not (draft.given or draft.typed):
        return state, None
    screen = screen_of(replace(draft, begun={}), state.table.changeable)
    if screen is None:
        return state, DROPPED
    assert isinstance(screen, PlayScreen)  # its draft has no correction
    panel = structs.replace(state.panel, typed=screen.typed)
    return structs.replace(state.having(PANEL, panel), entry=Entry(screen.answers, screen.keys)), None


# News


def _notify(state: State, who: Who, told: Notice, known: Store) -> Step:
    state = structs.replace(state, table=replace(state.table, machine=known.machine.status))
    state, club = _with_phones(state, asks=PANEL), state.table.machine.club
    who = who if who in state.viewers else PANEL
    for each, viewer in state.viewers.items():
        if club is not None and viewer.message is not None and club.denies(viewer.message):
            state = state.having(each, structs.replace(viewer, message=None))
    if told.message is not None:
        state = _saying(state, who, told.message, refused=told.refused)
    return _with_sound(Step(state)) if told.sounds else Step(state)


def _with_phones(state: State, asks: Who) -> State:
    """Return the state with the phones as they are now; those that are paired no more see nothing.

    The phone that ``asks`` stays until the next news, as its own screen tells what came of it. A phone that has stopped
    scoring comes to the table from a screen that is for scorers, such as a correction; the set-up of a game stays.
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
    before, state = state, structs.replace(state, viewers=viewers)
    for who, viewer in viewers.items():
        stops = before.context(before.viewers[who]).scores and not state.context(viewer).scores
        if stops and not viewer.at_rest and viewer.screen.draft is None:
            state = with_screen(state, who, HomeScreen(), None, refused=False)
    return state


def _correct_as_director(state: State, asked: DirectorCorrection, known: Store) -> Step:
    """Take a director's correction, or say why it does not count."""
    found = checked(asked, state)
    if found is None or isinstance(found, Text):
        return Step(state, shows=False, why_not=found)
    line, message = found
    done, _dropped = enter(_released(state, PANEL), str(message.args["who"]), EnterLine(line), known)
    state = with_screen(done.state, PANEL, PlayScreen(), None, False) if done.state.panel.at_rest else done.state
    return _with_sound(replace(done, state=_saying(state, PANEL, message, refused=False)))
