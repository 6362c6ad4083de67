"""Carries out what screens command: begin, open and leave games, settings, people, the machine around the box."""

from __future__ import annotations

from contextlib import suppress

from msgspec import MsgspecError, convert, structs
from msgspec.structs import replace

from companion.app.state import BOX, PANEL, Entry, State, Who
from companion.app.store import LEFT_GAME, Store, Write
from companion.app.viewers import Ask, Step, at, entered
from companion.core.errors import IllegalEventError
from companion.core.events import Event
from companion.core.prompt import Prompt
from companion.core.session import Session
from companion.core.text import Text, joined
from companion.games import GAMES
from companion.history import renamed_and_hidden
from companion.history.renamed_and_hidden import People
from companion.journal import JournalError
from companion.ui.screens.context import (
    BeginGame,
    Command,
    CurrentGame,
    EnterLine,
    HidePerson,
    LeaveGame,
    OnMachine,
    OpenSavedGame,
    PutAwayOrBringBack,
    RenamePerson,
    ReopenGame,
    RetryFailedGame,
    Screen,
    ScreenContext,
    SetDetailLevel,
    SetLanguage,
    StartAtRandom,
    Transition,
)
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.saved_drafts import NOTHING, DraftError, EntryDraft
from companion.ui.screens.screen_from_draft import DROPPED, resumed_entry
from companion.ui.screens.set_up import SetUp, resumed_set_up
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator


def carried_out(done: Step, who: Who, move: Transition, command: Command, refusing: Screen, known: Store) -> Step:
    """Return a step with a command done, and the transition's screen shown.

    Args:
        refusing: The screen that says so if it is refused later, by the machine or the disk.

    Raises:
        IllegalEventError: The command is not possible.
        JournalError: The journal cannot be read.
    """
    state, table, screen = done.state, done.state.table, move.screen
    viewer = state.viewers[who]
    writes: tuple[Write, ...] = ()
    asks: tuple[Ask, ...] = ()
    match command:
        case EnterLine():
            done, dropped = entered(done, who, command, known)
            message = move.message if dropped is None else joined(filter(None, (move.message, dropped)), ". ")
            return replace(done, state=at(done.state, who, screen, message, move.refused))
        case StartAtRandom():
            position = table.require_game().position
            asked = position.ask()
            assert isinstance(asked, Prompt)  # it is asked who starts
            start = position.ask((known.one_of(asked.answers),))
            assert isinstance(start, Event)  # that is all that is asked
            done, _dropped = entered(done, who, EnterLine(start, ""), known)
            told = table.require_game().session.header.game.describe(start)
            return replace(done, state=at(done.state, who, screen, told, refused=False))
        case BeginGame():
            return _begun(done, who, command, move, known)
        case OpenSavedGame(name, listed):
            return _opened(done, who, name, listed, move, known)
        case ReopenGame():
            assert viewer.reading is not None  # only such a game has this row
            game = replace(viewer.reading, listed=None)
            return with_game(done, who, game, known.draft(game.name), known, move)
        case LeaveGame(to):
            return _left(done, who, to or HomeScreen(), move, known)
        case SetDetailLevel(tracking):
            game = replace(table.require_game(), tracking=tracking)
            table, writes = replace(table, game=game), (known.write_tracking(game),)
            state = structs.replace(state, entry=Entry())
        case RetryFailedGame(kind):
            GAMES.ask_for(kind)
        case SetLanguage(language):
            table = replace(table, words=Translator(language, table.words.players))
            writes = (known.write_setting("language", language),)
        case RenamePerson(old, new):
            latest = max((listed.number for listed in table.game_list.games), default=0)
            table, writes = _with_people(table, table.people.rename(old, new, latest), known)
        case HidePerson(name, hidden):
            table, writes = _with_people(table, table.people.hide(name, hidden), known)
        case OnMachine(action):
            asks = (Ask(lambda: known.machine.do(action), refusing),)
        case PutAwayOrBringBack(name, away):
            asks = (Ask(lambda: known.put_away_or_bring_back(name, away=away), refusing, lists=True),)
        case _:
            raise TypeError(command)
    state = at(structs.replace(state, table=table), who, screen, move.message, move.refused)
    return replace(done, state=state, writes=(*done.writes, *writes), asks=(*done.asks, *asks))


def with_game(
    done: Step, who: Who, game: CurrentGame, draft: object, known: Store, move: Transition, told: Text | None = None
) -> Step:
    """Return a step with a game on the table, and with its unfinished entry, if that fits."""
    state = on_table(done.state, game)
    screen, entry, dropped = _with_draft(draft, state.table)
    said = told or dropped or move.message
    at_rest = isinstance(screen, PlayScreen) and screen.correction is None
    viewer = structs.replace(
        state.viewers[who],
        screen=screen,
        away=False,
        reading=None,
        base=game.session,
        typed="" if at_rest else _typed_aside(draft),
        half=None if at_rest else screen.draft,
        message=said,
        refused=told is None and (dropped is not None or move.refused),
    )
    waiting = _waiting(draft)
    waiting.pop(BOX, None)
    state = structs.replace(state.having(who, viewer), entry=entry, waiting=waiting, entered_by=who)
    kept = state.draft if _read(draft) == state.draft else None
    state = structs.replace(state, kept=kept)
    set_up = (known.write_draft(None, "", sync=True),) if known.draft(None) else ()  # it has ended for everybody
    return replace(done, state=state, writes=(*done.writes, *set_up, known.write_open(game.name)))


def on_table(state: State, game: CurrentGame) -> State:
    """Return the state with a game on the table."""
    levels = game.session.header.game.trackings
    if game.tracking not in levels:  # the level of another game: use the most detailed one
        game = replace(game, tracking=next(iter(levels)))
    words = state.table.words.at(game.session.header.players)
    return structs.replace(state, table=replace(state.table, game=game, words=words, report=None), entry=Entry())


def _with_draft(written: object, table: ScreenContext) -> tuple[Screen, Entry, Text | None]:
    """Return the screen of an unfinished entry, the table's answers, and that it is dropped, if it is."""
    game = table.require_game()
    try:
        screen = resumed_entry(written, game)
    except DraftError:
        return PlayScreen(), Entry(), DROPPED
    if isinstance(screen, PlayScreen) and screen.correction is None:
        return screen, Entry(screen.answers, screen.keys), None
    draft = _read(written)
    aside = draft.aside if isinstance(draft, EntryDraft) else ()
    try:
        waits = resumed_entry({"type": "entry", "given": [each for each in aside if each[0]]}, game)
    except DraftError:
        return screen, Entry(), None
    assert isinstance(waits, PlayScreen)  # its draft has no correction
    return screen, Entry(waits.answers, waits.keys), None


def _read(written: object) -> object:
    """Return a draft as the journal has it; None if an earlier version wrote it."""
    with suppress(MsgspecError):
        return convert(written, EntryDraft | SetUp) if written else NOTHING
    return None


def _typed_aside(written: object) -> str:
    """Return the keys typed for the next answer of the table when a correction was begun."""
    draft = _read(written)
    aside = draft.aside if isinstance(draft, EntryDraft) else ()
    return "".join(keys for name, keys in aside if not name)


def _waiting(written: object) -> dict[str, object]:
    phones = written.get("phones") if isinstance(written, dict) else None
    return dict(phones) if isinstance(phones, dict) else {}


def _begun(done: Step, who: Who, command: BeginGame, move: Transition, known: Store) -> Step:
    header, tracking, table = command.header, command.tracking, done.state.table
    name = known.new_name(header.game.name)
    writes: tuple[Write, ...] = (*known.put_away_empty(), known.begin(name, header.written, tracking))
    for renamed in table.people.renamed:  # the phones of those who were renamed since their last game
        current = table.people.now(renamed.old, renamed.games)
        if current in header.players and renamed.old not in header.players:
            writes += (known.rename_phones((renamed.old,), (current,)),)
    table = replace(table, game_list=known.game_list())
    game = CurrentGame(name, Session(header), tracking, set_up_tracking=tracking)
    done = replace(done, state=structs.replace(done.state, table=table), writes=(*done.writes, *writes))
    return with_game(done, who, game, "", known, move)


def _opened(done: Step, who: Who, name: str, listed: Screen | None, move: Transition, known: Store) -> Step:
    """Open a game of the journal; a finished one from the list that it is in only to be looked at."""
    table = done.state.table
    viewer = done.state.viewers[who]
    if table.game is not None and table.game.name == name:
        viewer = structs.replace(viewer, away=False, reading=None)
        return replace(done, state=at(done.state.having(who, viewer), who, PlayScreen(), move.message, move.refused))
    GAMES.ask_for(name.partition("-")[2].rpartition("-")[0])
    game, draft, told = known.saved_game(name)
    if listed is not None and game.over:  # only viewed: the next start does not open it again
        reading = replace(game, listed=listed)
        viewer = structs.replace(viewer, reading=reading, screen=PlayScreen(), message=told or move.message)
        return replace(done, state=done.state.having(who, viewer))
    return with_game(done, who, game, draft, known, move, told)


def _left(done: Step, who: Who, to: Screen, move: Transition, known: Store) -> Step:
    """Return a step with a viewer away from its game; the last one to leave the table takes the game off it."""
    state, viewer = done.state, done.state.viewers[who]
    ask = Ask(known.history.try_again, to)
    done = replace(done, asks=(*done.asks, ask))
    if viewer.reading is not None:
        viewer = structs.replace(viewer, reading=None)
        return replace(done, state=at(state.having(who, viewer), who, to, move.message, move.refused))
    game = state.table.game
    table = state.table if game is None else replace(state.table, game_list=known.game_list(), left_game=game.name)
    others = game is not None and any(
        each != who and not other.away and other.reading is None for each, other in state.viewers.items()
    )
    viewer = structs.replace(
        viewer, away=others, screen=to, typed="", half=None, message=move.message, refused=move.refused
    )
    state = structs.replace(state.having(who, viewer), table=table)
    writes = () if game is None else (known.write_setting(LEFT_GAME, game.name),)
    if others:
        if (
            who == PANEL and game is not None and game.over
        ):  # the next start is at home, whoever looks at the result yet
            writes = (known.write_open(None), *writes)
        return replace(done, state=state, writes=(*done.writes, *writes))
    table = replace(table, game=None, report=None, words=table.words.at(()))
    home = {each: structs.replace(other, away=False) for each, other in state.viewers.items()}
    kept = state.kept if game is None else NOTHING
    state = structs.replace(state, table=table, entry=Entry(), viewers=home, kept=kept)
    return replace(done, state=state, writes=(*done.writes, known.write_open(None), *writes))


def _with_people(table: ScreenContext, people: People, known: Store) -> tuple[ScreenContext, tuple[Write, ...]]:
    return replace(table, people=people), (known.write_setting("roster", renamed_and_hidden.written(people)),)


# What a restart interrupted


def taken_up(state: State, name: str, known: Store, half: bool = True) -> State:
    """Return the state with a game from the journal opened; if it cannot be read, the old state with a message.

    With ``half`` its unfinished entry is restored, too.
    """
    panel = state.panel
    try:
        game, draft, told = known.saved_game(name)
    except (IllegalEventError, JournalError) as fault:
        return state.having(PANEL, panel.saying(panel.message or fault.text))
    opened = with_game(Step(state), PANEL, game, draft if half else "", known, Transition(panel.screen), told).state
    if not half:
        opened = structs.replace(opened, kept=None)
    shown, begun = opened.panel, _waiting(draft).get(BOX)
    if half and begun is not None:
        with suppress(DraftError):
            shown = structs.replace(shown, screen=resumed_set_up(begun, HomeScreen()), away=True)
    if panel.message is not None:
        shown = structs.replace(shown, message=panel.message, refused=panel.refused)
    return opened.having(PANEL, shown)


def set_up_taken_up(state: State, written: object) -> State:
    """Return the state with the set-ups that a restart interrupted, of the panel and of phones."""
    state, draft = structs.replace(state, waiting=_waiting(written)), _read(written)
    if not isinstance(draft, EntryDraft):  # else only phones have begun something
        try:
            screen = resumed_set_up(written, HomeScreen())
        except DraftError:
            return state.having(PANEL, state.panel.saying(DROPPED))
        state = state.having(PANEL, structs.replace(state.panel, screen=screen))
    return structs.replace(state, kept=state.draft if draft == state.draft else None)
