"""Works out what a screen's command changes: the next context of the screens, and the effects."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.core.events import Event, Redo
from companion.core.game import EventOutcome
from companion.core.session import Session
from companion.core.text import Text
from companion.gamelog import encode_line
from companion.games import GAMES
from companion.history import renamed_and_hidden
from companion.history.renamed_and_hidden import People
from companion.ui.screens.commands import (
    BeginGame,
    EnterLine,
    HidePerson,
    LeaveGame,
    OnMachine,
    OpenSavedGame,
    PutAwayOrBringBack,
    RenamePerson,
    ReopenGame,
    RetryFailedGame,
    SetDetailLevel,
    SetLanguage,
)
from companion.ui.screens.context import Command, CurrentGame, Screen, ScreenContext
from companion.ui.translations import Translator

from .effect_types import (
    BeginLog,
    Effect,
    MovePhones,
    PutAwayEmpty,
    RetryHistory,
    WriteDraft,
    WriteLine,
    WriteOpenGameName,
    WriteSetting,
    WriteTracking,
)
from .step_reads import LEFT_GAME, Known


class Change(Struct, frozen=True):
    """What a command changes."""

    context: ScreenContext  # the new context of the screens
    effects: tuple[Effect, ...] = ()  # what is done beside
    # the unfinished entry of the game that it opens, empty if there is none; None if it opens no game
    draft: object = None
    told: Text | None = None  # what is said about the game that it opens


def change(command: Command, context: ScreenContext, known: Known) -> Change:
    """Return what a command changes; what the machine is asked for is not in it.

    Raises IllegalEventError if the command is not possible, JournalError if the journal cannot be read.
    """
    match command:
        case EnterLine():
            return _entered(command, context)
        case SetDetailLevel(tracking):
            game = replace(context.require_game(), tracking=tracking)
            return Change(replace(context, game=game), (WriteTracking(game.name, tracking),))
        case BeginGame():
            return _begun(command, context, known)
        case RetryFailedGame(kind):
            GAMES.ask_for(kind)
            return Change(context)
        case OpenSavedGame(name, listed):
            GAMES.ask_for(name.partition("-")[2].rpartition("-")[0])
            return resumed(context, known, name, listed)
        case ReopenGame():
            game = replace(context.require_game(), listed=None)
            return Change(replace(context, game=game), (WriteOpenGameName(game.name),), known.draft(game.name))
        case SetLanguage(language):
            words = Translator(language, context.words.players)
            return Change(replace(context, words=words), (WriteSetting("language", language),))
        case RenamePerson(old, new):
            latest = max((listed.number for listed in context.game_list.games), default=0)
            return _with_people(context, context.people.rename(old, new, latest))
        case HidePerson(name, hidden):
            return _with_people(context, context.people.hide(name, hidden))
        case LeaveGame():
            return _left(context, known)
        case OnMachine() | PutAwayOrBringBack():
            return Change(context)
    raise TypeError(command)


def resumed(context: ScreenContext, known: Known, name: str, listed: Screen | None = None) -> Change:
    """Return the change that opens a game of the journal.

    A finished game is opened read-only from the list that it is in. Raises IllegalEventError if its log is invalid,
    JournalError if it is not there or the disk cannot be read.
    """
    saved = known.saved_game(name)
    game = CurrentGame(
        name, saved.session, saved.tracking, saved.lines, resumed=True, set_up_tracking=saved.set_up_tracking
    )
    if listed is not None and game.over:  # only viewed: the next start does not open it again
        return Change(_at_the_table(context, replace(game, listed=listed)), (), "")
    return Change(_at_the_table(context, game), (WriteOpenGameName(name),), saved.draft, saved.told)


def outcome(session: Session) -> EventOutcome | None:
    """Return the outcome of the latest event."""
    head = session.head
    if head.event is None or head.before is None:
        return None
    return session.header.game.outcome(head.before.state, head.event, head.state)


def _entered(command: EnterLine, context: ScreenContext) -> Change:
    """Add a line to the open game. Only an event, new or redone, has an outcome."""
    game, line, keys = context.require_game(), command.line, command.keys
    session = game.session.add(line, keys)
    after = replace(game, session=session, lines=game.lines + 1, resumed=False)
    told = isinstance(game.session.undone if isinstance(line, Redo) else line, Event)
    empty, names = not session.head.number, session.seat_names or ()
    written = WriteLine(game.name, encode_line(line), game.tracking, keys, after.over, empty, names)
    context = replace(context, game=after, report=outcome(session) if told else None)
    before, players = game.session.header.players, session.header.players
    if players == before:
        return Change(context, (written,))
    return Change(replace(context, words=context.words.at(players)), (written, MovePhones(before, players)))


def _begun(command: BeginGame, context: ScreenContext, known: Known) -> Change:
    header, tracking = command.header, command.tracking
    name = known.new_name(header.game.name)
    empty = (PutAwayEmpty(each.name) for each in known.game_list().games if not each.has_entries and each.header)
    effects: tuple[Effect, ...] = (*empty, BeginLog(name, header.written, tracking), WriteOpenGameName(name))
    if known.draft(None):  # of the set-up
        effects += (WriteDraft(None, "", sync=True),)
    for renamed in context.people.renamed:  # the phones of those who were renamed since their last game
        current = context.people.now(renamed.old, renamed.games)
        if current in header.players and renamed.old not in header.players:
            effects += (MovePhones((renamed.old,), (current,)),)
    context = replace(context, game_list=known.game_list())
    return Change(
        _at_the_table(context, CurrentGame(name, Session(header), tracking, set_up_tracking=tracking)), effects, ""
    )


def _with_people(context: ScreenContext, people: People) -> Change:
    return Change(replace(context, people=people), (WriteSetting("roster", renamed_and_hidden.written(people)),))


def _at_the_table(context: ScreenContext, game: CurrentGame) -> ScreenContext:
    words = context.words.at(game.session.header.players)
    levels = game.session.header.game.trackings
    if game.tracking not in levels:  # the level of another game: use the most detailed one
        game = replace(game, tracking=next(iter(levels)))
    return replace(context, game=game, words=words, report=None)


def _left(context: ScreenContext, known: Known) -> Change:
    """Return the change that closes the open game; if it may have changed, the list of games is read again."""
    left, effects = context.changeable, (RetryHistory(), WriteOpenGameName(None))
    context = replace(context, game=None, report=None, words=context.words.at(()))
    if left is None:
        return Change(context, effects)
    context = replace(context, game_list=known.game_list(), left_game=left.name)
    return Change(context, (*effects, WriteSetting(LEFT_GAME, left.name)))
