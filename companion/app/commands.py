"""Carries out what screens command: begin, open and leave games, settings, people, the machine around the box."""

from __future__ import annotations

from msgspec import structs
from msgspec.structs import replace

from companion.app.drafts import DROPPED, is_set_up, read_draft, screen_of
from companion.app.state import PANEL, Entry, State, Who
from companion.app.store import LEFT_GAME, Store, Write
from companion.app.viewers import Ask, Step, at, coming, entered
from companion.core.errors import IllegalEventError
from companion.core.events import Event
from companion.core.prompt import Prompt
from companion.core.session import Session
from companion.core.text import Text, joined
from companion.games import GAMES
from companion.history import renamed_and_hidden
from companion.journal import JournalError
from companion.ui.screens.context import (
    BeginGame,
    Command,
    CurrentGame,
    EnterLine,
    LeaveGame,
    OnMachine,
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
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator


def carried_out(state: State, who: Who, move: Transition, command: Command, refusing: Screen, known: Store) -> Step:
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
            done, dropped = entered(state, who, command, known)
            message = move.message if dropped is None else joined(filter(None, (move.message, dropped)), ". ")
            return replace(done, state=at(done.state, who, move.screen, message, move.refused))
        case StartAtRandom():
            position = table.require_game().position
            asked = position.ask()
            assert isinstance(asked, Prompt)  # it is asked who starts
            start = position.ask((known.one_of(asked.answers),))
            assert isinstance(start, Event)  # that is all that is asked
            done, _dropped = entered(state, who, EnterLine(start, ""), known)
            told = table.require_game().session.header.game.describe(start)
            return replace(done, state=at(done.state, who, move.screen, told, refused=False))
        case BeginGame():
            return _begun(state, who, command, move, known)
        case OpenSavedGame(name, listed):
            return _opened(state, who, name, listed, move, known)
        case ReopenGame():
            reading = state.viewers[who].reading
            assert reading is not None  # only such a game has this row
            return with_game(state, who, replace(reading, listed=None), known.draft(reading.name), known, move)
        case LeaveGame(to):
            return _left(state, who, to or HomeScreen(), move, known)
        case SetDetailLevel(tracking):
            game = replace(table.require_game(), tracking=tracking)
            table, writes = replace(table, game=game), (known.write_tracking(game),)
            state = structs.replace(state, entry=Entry())
        case RetryFailedGame(kind):
            GAMES.ask_for(kind)
        case SetLanguage(language):
            table = replace(table, words=Translator(language, table.words.players))
            writes = (known.write_setting("language", language),)
        case SetPeople(people):
            table = replace(table, people=people)
            writes = (known.write_setting("roster", renamed_and_hidden.written(people)),)
        case OnMachine(action):
            ask = Ask(lambda: known.machine.do(action), refusing)
        case PutAwayOrBringBack(name, away):
            ask = Ask(lambda: known.put_away_or_bring_back(name, away=away), refusing)
        case _:
            raise TypeError(command)
    state = at(structs.replace(state, table=table), who, move.screen, move.message, move.refused)
    return Step(state, writes, ask)


def _begun(state: State, who: Who, command: BeginGame, move: Transition, known: Store) -> Step:
    header, tracking = command.header, command.tracking
    name = known.new_name(header.game.name)
    writes: tuple[Write, ...] = (*known.put_away_empty(), known.begin(name, header.written, tracking))
    for renamed in state.table.people.renamed:  # the phones of those who were renamed since their last game
        current = state.table.people.now(renamed.old, renamed.games)
        if current in header.players and renamed.old not in header.players:
            writes += (known.rename_phones((renamed.old,), (current,)),)
    state = structs.replace(state, table=replace(state.table, game_list=known.game_list()))
    game = CurrentGame(name, Session(header), tracking, set_up_tracking=tracking)
    done = with_game(state, who, game, "", known, move)
    return replace(done, writes=(*writes, *done.writes))


def _opened(state: State, who: Who, name: str, listed: Screen | None, move: Transition, known: Store) -> Step:
    """Open a game of the journal; a finished one from the list that it is in only to be looked at."""
    viewer, open_game = state.viewers[who], state.table.game
    if open_game is not None and open_game.name == name:
        state = state.having(who, structs.replace(viewer, away=False, reading=None))
        return Step(at(state, who, PlayScreen(), move.message, move.refused))
    GAMES.ask_for(name.partition("-")[2].rpartition("-")[0])
    game, draft, told = known.saved_game(name)
    if listed is not None and game.over:  # only viewed: the next start does not open it again
        reading = replace(game, listed=listed)
        viewer = structs.replace(viewer, reading=reading, screen=PlayScreen(), message=told or move.message)
        return Step(state.having(who, viewer))
    return with_game(state, who, game, draft, known, move, told)


def _left(state: State, who: Who, to: Screen, move: Transition, known: Store) -> Step:
    """Return the step of a viewer that leaves its game; the last one to leave the table takes the game off it."""
    viewer, table, game = state.viewers[who], state.table, state.table.game
    writes: tuple[Write, ...] = (Write(known.history.try_again),)
    if viewer.reading is not None or game is None:
        state = state.having(who, structs.replace(viewer, reading=None))
        return Step(at(state, who, to, move.message, move.refused), writes)
    others = any(each != who and not other.away and other.reading is None for each, other in state.viewers.items())
    viewer = structs.replace(
        viewer, away=others, screen=to, typed="", half=None, message=move.message, refused=move.refused
    )
    table = replace(table, game_list=known.game_list(), left_game=game.name)
    if not others or (who == PANEL and game.over):  # the next start is at home, whoever looks at the result yet
        writes += (known.write_open(None),)
    writes += (known.write_setting(LEFT_GAME, game.name),)
    if others:
        return Step(structs.replace(state.having(who, viewer), table=table), writes)
    table = replace(table, game=None, report=None, words=table.words.at(()))
    viewers = {each: structs.replace(other, away=False) for each, other in {**state.viewers, who: viewer}.items()}
    return Step(structs.replace(state, table=table, viewers=viewers, entry=Entry()), writes)


# Games and what was half entered in them


def on_table(state: State, game: CurrentGame) -> State:
    """Return the state with a game on the table."""
    levels = game.session.header.game.trackings
    if game.tracking not in levels:  # the level of another game: use the most detailed one
        game = replace(game, tracking=next(iter(levels)))
    words = state.table.words.at(game.session.header.players)
    return structs.replace(state, table=replace(state.table, game=game, words=words, report=None), entry=Entry())


def with_game(
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
    state, dropped = with_draft(on_table(state, game), written)
    waiting = {name: begun for name, begun in state.waiting.items() if not is_set_up(begun)}  # they end for everybody
    viewer = structs.replace(
        state.viewers[who],
        away=False,
        reading=None,
        message=dropped or move.message,
        refused=dropped is not None or move.refused,
    )
    state = coming(structs.replace(state.having(who, viewer), waiting=waiting, entered_by=who), who)
    if told is not None:
        state = state.having(who, structs.replace(state.viewers[who], message=told, refused=False))
    return Step(state, (*known.end_set_ups(), known.write_open(game.name)))


def taken_up(state: State, name: str | None, known: Store, *, half: bool = True) -> State:
    """Return the state at a start, with the game that was left open, and what was half entered there or in set-ups.

    Args:
        name: The game; None if none was left open.
        half: Whether what was half entered is taken up.
    """
    panel, told, written = state.panel, None, known.draft(None) if name is None else ""
    if name is not None:
        try:
            game, written, told = known.saved_game(name)
        except (IllegalEventError, JournalError) as fault:
            return state.having(PANEL, panel.saying(panel.message or fault.text))
        state = on_table(state, game)
    state, dropped = with_draft(state, written if half else "")
    state = coming(state, PANEL)
    if panel.message is not None:
        return state.having(PANEL, structs.replace(state.panel, message=panel.message, refused=panel.refused))
    if told is not None or dropped is not None:
        return state.having(PANEL, state.panel.saying(told or DROPPED, refused=told is None))
    return state


def with_draft(state: State, written: object) -> tuple[State, Text | None]:
    """Return the state with what was half entered at the table, and that it is dropped, if it does not fit.

    What viewers have begun waits until they come.
    """
    draft = read_draft(written)
    if draft is None:
        return state, DROPPED
    state = structs.replace(state, waiting=draft.begun)
    if not (draft.given or draft.typed):
        return state, None
    screen = screen_of(replace(draft, begun={}), state.table.changeable)
    if screen is None:
        return state, DROPPED
    assert isinstance(screen, PlayScreen)  # its draft has no correction
    panel = structs.replace(state.panel, typed=screen.typed)
    return structs.replace(state.having(PANEL, panel), entry=Entry(screen.answers, screen.keys)), None
