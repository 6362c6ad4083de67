"""How a viewer goes to another screen, enters a line, or follows what somebody else has entered.

When the table changes, every other viewer follows. Who was asked the question that is answered now is asked the next
one, and is told what was entered if something was half typed there. Nothing else of a viewer is touched.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, structs
from msgspec.structs import replace

from companion.app.drafts import DROPPED, correction_on, draft_of, screen_of
from companion.app.ports import Motif
from companion.app.state import Entry, State, Viewer, Who, key_in_draft
from companion.app.store import Store, Write
from companion.core.correction import Correction
from companion.core.game import Amend, Event, Finish, Line, Players, Redo, Splice, Substitute, Undo
from companion.core.prompt import Prompt, Question
from companion.core.session import Session
from companion.core.text import N_, IllegalEventError, Text, joined
from companion.history.renamed_and_hidden import People
from companion.ui.keys import SUIT_KEYS
from companion.ui.screens.context import CurrentGame, EnterLine, Screen, described, undone_text
from companion.ui.screens.corrections import scores_changed
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import _

LOOK_AGAIN = N_("{who} has entered something: look again")


class Ask(Struct, frozen=True):
    """Something to do before the picture is drawn, because the picture shows its result."""

    do: Callable[[], object]
    screen: Screen  # the screen that says so if it is refused
    answered_later: bool = False  # whether the machine tells by itself what has come of it


class Step(Struct, frozen=True):
    """The effect of an input: the next state, and what is to be done."""

    state: State
    writes: tuple[Write, ...] = ()  # calls of the journal, after the picture is drawn and before it is shown
    ask: Ask | None = None  # what is done before it is drawn
    sound: Motif | None = None
    blinks: bool = False  # whether the lamp blinks once
    shows: bool = True  # whether there is anything new to show
    entered: bool = False  # whether a line was added to the log
    why_not: Text | None = None  # why the input does not count, for a page

    def having(self, who: Who, viewer: Viewer) -> Step:
        return replace(self, state=self.state.having(who, viewer))


# Screens


def with_screen(state: State, who: Who, screen: Screen, message: Text | None, refused: bool) -> State:
    """Return the state with a viewer at another screen. One that comes back to the table is asked what the table is."""
    before = state.viewers[who]
    game = state.game_of(before)
    if isinstance(screen, HomeScreen) and game is not None:
        screen = PlayScreen()
    viewer = structs.replace(before, screen=screen, message=message, refused=refused)
    if game is None or game is not state.table.game:
        return state.having(who, viewer)
    rested = before.screen if before.at_rest else None
    if isinstance(screen, PlayScreen) and screen.correction is None:
        if rested is not None and before.base is game.session:  # it has answered, or stepped back
            entry = Entry(screen.answers, screen.keys, screen.compared)
            by = who if entry.answers != state.entry.answers else state.answered_by
            state = structs.replace(state, entry=entry, answered_by=by)
            return state.having(who, structs.replace(viewer, typed="", correcting=None))
        if screen.compared:
            state = structs.replace(state, entry=replace(state.entry, compared=True))
        return state.having(who, at_table(state, viewer))
    if isinstance(rested, PlayScreen):
        viewer = structs.replace(viewer, typed=rested.typed, base=game.session)
    correction = correction_on(screen)
    if correction is not None:
        current = correction.session is game.session
        viewer = structs.replace(viewer, correcting=screen) if current else _with_correction_replayed(state, viewer)
    return state.having(who, viewer)


def take_up(state: State, who: Who) -> State:
    """Return the state with a viewer that comes to the table, or goes on with what it had begun before."""
    waiting, viewer, game = dict(state.waiting), state.viewers[who], state.table.game
    begun = waiting.pop(key_in_draft(who), None)
    if begun is None and game is None:
        return state
    screen = None if begun is None else screen_of(begun, state.table.changeable)
    if begun is not None and screen is None:
        viewer = viewer.saying(DROPPED)
    if screen is not None:
        corrects, session = correction_on(screen) is not None, None if game is None else game.session
        correcting, away = screen if corrects else None, game is not None and not corrects
        viewer = structs.replace(viewer, screen=screen, away=away, base=session, correcting=correcting)
    elif game is not None:
        viewer = at_table(state, structs.replace(viewer, screen=PlayScreen()))
    return structs.replace(state.having(who, viewer), waiting=waiting)


def at_table(state: State, viewer: Viewer) -> Viewer:
    """Return a viewer that is asked what the table is asked, with the answers that were given."""
    entry, session, screen = state.entry, state.table.require_game().session, viewer.screen
    assert isinstance(screen, PlayScreen)
    if viewer.base is not session:
        screen = screen.calm  # what a key told was about other entries
    there = replace(
        screen, answers=entry.answers, keys=entry.keys, compared=entry.compared, typed=screen.typed or viewer.typed
    )
    return structs.replace(viewer, screen=there, typed="", base=session, correcting=None)


def _with_correction_replayed(state: State, viewer: Viewer) -> Viewer:
    """Return a viewer whose correction goes on from the entries as they are now; it is dropped if it does not fit.

    If somebody else has corrected the same entry, one figure of it is corrected in what that has become; any other
    correction is dropped, since it would put back what was corrected.
    """
    game = state.table.require_game()
    was, screen = viewer.screen, screen_of(draft_of(viewer.screen), game)
    before, now = correction_on(was), None if screen is None else correction_on(screen)
    if before is not None and now is not None and _first_entry(before) != _first_entry(now):
        told = Text(LOOK_AGAIN, who=name_of_latest(state))
        if not (isinstance(was, PlayScreen) and was.alone):
            return at_table(state, structs.replace(viewer.saying(told), screen=PlayScreen(), typed=""))
        viewer, screen = viewer.saying(told), PlayScreen().enter_again(game, now.first)
    if screen is None:
        return at_table(state, structs.replace(viewer.saying(DROPPED), screen=PlayScreen(), typed=""))
    return structs.replace(viewer, screen=screen, base=game.session, correcting=screen)


def _first_entry(correction: Correction) -> Event:
    return correction.session.entry(correction.first).event


def with_refusal(state: State, who: Who, screen: Screen, why: IllegalEventError) -> State:
    """Return the state after a command was refused, as a screen says it."""
    viewer = state.viewers[who]
    move = screen.refused(state.context(viewer), why)
    return with_screen(state, who, move.screen, move.message, True)


# Entries


def enter(state: State, who: Who | str, command: EnterLine, known: Store) -> tuple[Step, Text | None]:
    """Return the step that adds a line to the open game, and the sentence that a half-made entry is dropped, if it is.

    Only an event, new or redone, has an outcome.

    Args:
        who: A viewer, or the name of a director, who has no screen here.
    """
    line, keys = command.line, command.keys
    table, viewer = state.table, None if isinstance(who, str) else state.viewers[who]
    game = table.require_game()
    if viewer is not None and viewer.base is not None and _is_stale(line, viewer.base, game.session):
        raise IllegalEventError("stale", LOOK_AGAIN, who=name_of_latest(state))
    session = game.session.add(line, keys)
    after = replace(game, session=session, lines=game.lines + 1, resumed=False)
    has_outcome = isinstance(game.session.undone if isinstance(line, Redo) else line, Event)
    writes: tuple[Write, ...] = (known.write_line(after, line, keys),)
    if game.over and not after.over:  # the next start opens it again, also for who had left it
        writes += (known.write_open(game.name),)
    before, players = game.session.header.players, session.header.players
    words = table.words
    if players != before:
        words = words.at(players)
        entry = {Undo: game.session.latest, Redo: game.session.undone}.get(type(line), line)
        # the phones of players whose names are corrected keep their seats; a phone never becomes somebody else's
        if not isinstance(entry, Substitute):
            writes += (known.rename_phones(before, players),)
    table = replace(table, game=after, words=words, report=session.outcome if has_outcome else None)
    ends_entry = has_outcome or after.over  # answers given so far then belong to nothing
    answers, dropped = (Entry(), False) if ends_entry else _refitted(state.entry, game, after)
    if viewer is not None and not isinstance(who, str):
        viewer = structs.replace(viewer, base=session, typed="" if dropped or ends_entry else viewer.typed)
        state = state.having(who, viewer)
    state = structs.replace(state, table=table, entry=answers, entered_by=who, answered_by=who)
    return Step(state, writes, entered=True), DROPPED if dropped else None


def _is_stale(line: Line, base: Session, now: Session) -> bool:
    """Return whether a line was meant for entries that are there no more."""
    if base is now:
        return False
    if isinstance(line, Players | Substitute):
        return base.header.players != now.header.players
    if isinstance(line, Finish):
        return base.finished or now.finished
    if not isinstance(line, Amend | Splice):
        return True
    last = line.event - 1 + line.drop
    return last > now.head.number or last > base.head.number or base.step(last) is not now.step(last)


def _refitted(entry: Entry, before: CurrentGame, after: CurrentGame) -> tuple[Entry, bool]:
    """Return the answers given so far after the entries before them have changed, and whether they had to be dropped.

    They stay if the same is asked.
    """
    same = _questions(entry, before) == _questions(entry, after)
    kept = replace(entry, compared=False)
    return (kept, False) if same else (Entry(), bool(entry.answers))


def _questions(entry: Entry, game: CurrentGame) -> list[Question] | None:
    """Return the questions that an entry has answered, and the one that comes next; None if they are not asked."""
    asked = []
    try:
        for place in range(len(entry.answers) + 1):
            prompt = game.position.ask(entry.answers[:place])
            if not isinstance(prompt, Prompt) or (
                place < len(entry.answers) and entry.answers[place] not in prompt.answers
            ):
                return None
            asked.append(prompt.question)
    except IllegalEventError:
        return None
    return asked


def name_of_latest(state: State) -> Text | str:
    """Return who has made the last entry, for people."""
    return _name_of(state, state.entered_by)


def name_of_answer(state: State) -> Text | str:
    """Return who has changed the table last, by an entry or by an answer of several, for people."""
    return _name_of(state, state.answered_by)


def _name_of(state: State, who: Who | str) -> Text | str:
    if isinstance(who, str):
        return who
    viewer = state.viewers.get(who)
    if viewer is None or viewer.phone is None:
        return _("The box")
    return viewer.phone.name or _("A phone")


def latest_answer(state: State) -> Text:
    """Return the sentence on what was entered last: what somebody is told whose own answer came after it."""
    table = state.table
    game = table.changeable
    latest = None if game is None or table.report is None else game.session.head.event
    if state.entry.answers:
        return Text(N_("{who} has begun an answer"), who=name_of_answer(state))
    if game is not None and game.session.latest is None:
        title = Text(game.session.header.game.title)
        return Text(N_("{who} has begun {game}"), who=name_of_latest(state), game=title)
    if game is None or latest is None:
        return ANSWERED
    entry = game.session.header.game.describe(latest)
    return Text(N_("{who} answered first: {entry}"), who=name_of_latest(state), entry=entry)


ANSWERED = Text(N_("Somebody else answered first"))


# The other viewers


def follow(before: State, state: State, who: Who) -> State:
    """Return the state with the other viewers as they follow a change of the table."""
    game, was = state.table.game, before.table.game
    if game is was and state.entry == before.entry:
        return state
    opens = game is not None and (was is None or game.name != was.name)
    for each, viewer in state.viewers.items():
        if each == who:
            continue
        if opens:
            state = _follow_to_game(state, each, was is not None)
        elif game is not None and state.game_of(viewer) is game:
            state = state.having(each, _follow_entry(before, state, viewer))
    return state


def _follow_to_game(state: State, who: Who, was_open: bool) -> State:
    """Return the state after somebody has begun or opened another game, to which a viewer comes unless it is busy."""
    viewer = state.viewers[who]
    begins = viewer.screen.draft is not None
    was_at_table = was_open and not viewer.away and viewer.reading is None
    if not (begins or was_at_table or isinstance(viewer.screen, HomeScreen)):
        return state.having(who, structs.replace(viewer, away=False))
    message = None
    if begins or was_at_table:
        game = state.table.require_game().session.header.game
        message = _("{who} has begun {game}", who=name_of_latest(state), game=Text(game.title))
    viewer = structs.replace(viewer, away=False, typed="", message=message, refused=message is not None)
    return take_up(state.having(who, viewer), who)


def _follow_entry(before: State, state: State, viewer: Viewer) -> Viewer:
    """Return a viewer after somebody else's answer or entry; one at the table is asked the next question."""
    game, was = state.table.require_game(), before.table.require_game()
    changed = game.session is not was.session
    screen = viewer.screen
    if viewer.at_rest and isinstance(screen, PlayScreen):
        typed = screen.typed
        quiet = structs.replace(viewer, message=None, refused=False, typed="")
        after = at_table(state, structs.replace(quiet, screen=PlayScreen()))
        if viewer.selector is not None:
            after = after.at_start()
        if not typed and was.session is game.session:
            return _told_of_change(after, before.entry, state)
        if not typed:
            return _with_news(after, state, was)
        lost = _sentence_on_typed_keys(before, state, viewer, typed)
        return structs.replace(after.saying(lost, refused=False), lost=None if viewer.selector else lost)
    if not changed:
        return structs.replace(viewer, typed="")
    if viewer.typed:
        viewer = structs.replace(viewer, typed="")
    if correction_on(screen) is not None:
        return _with_correction_replayed(state, viewer)
    return structs.replace(viewer, screen=screen.after_change(state.context(viewer)))


def _told_of_change(viewer: Viewer, before: Entry, state: State) -> Viewer:
    """Return a viewer who is told that somebody has changed an answer of the entry that all are giving."""
    count = len(before.answers)
    if len(state.entry.answers) < count or state.entry.answers[:count] == before.answers:
        return viewer
    return viewer.saying(_("{who} has changed a figure", who=name_of_answer(state)), refused=False)


def _sentence_on_typed_keys(before: State, state: State, viewer: Viewer, typed: str) -> Text:
    """Return the sentence on keys that were typed when somebody else answered."""
    old, new = before.table.require_game(), state.table.require_game()
    codes = old.position.book(before.entry.answers)
    signs = {} if codes is None else dict(zip(SUIT_KEYS, codes.prompt.suits, strict=False))
    keys = joined(signs[key].sign if key in signs else Text(key) for key in typed)
    done = _what_was_done(old, new, state.table.people)
    return _("{who}: {entry}. Typed here: {typed}. * drops it", who=name_of_answer(state), entry=done, typed=keys)


def _what_was_done(old: CurrentGame, new: CurrentGame, people: People) -> Text:
    """Return what somebody has done in a game."""
    latest, undone = new.session.latest, undone_text(old, people)
    if undone is not None and took_back(old, new):
        return undone
    if new.session is old.session or latest is None:
        return _("an answer")
    return described(new, latest)


def took_back(old: CurrentGame, new: CurrentGame) -> bool:
    """Return whether what was entered last in the old game is what was taken back last in the new one."""
    return old.session.latest is not None and new.session.undone is old.session.latest


def _with_news(viewer: Viewer, state: State, was: CurrentGame) -> Viewer:
    """Return a viewer who is told what somebody else has changed; a new entry is seen at the table."""
    game = state.table.require_game()
    if isinstance(game.session.latest, Event) and not took_back(was, game):
        return viewer
    news = _("{who}: {entry}", who=name_of_latest(state), entry=_what_was_done(was, game, state.table.people))
    if isinstance(game.session.latest, Amend | Splice):
        changed = [*scores_changed(was.session, game.session.state)]
        news = Text("{said}", said=news, more=joined(changed, " · ")) if changed else news
    return viewer.saying(news, refused=False)
