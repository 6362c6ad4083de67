"""The journal as a step uses it: reads, and writes as values that are carried out once the picture is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from random import Random, SystemRandom
from typing import Any, Generic, TypeVar

from msgspec import MsgspecError, json, structs, to_builtins
from msgspec.structs import replace

from companion.app.drafts import NOTHING, EntryDraft, answered, divided
from companion.app.failures import LogAndContinue
from companion.app.idle import HistoryReading
from companion.app.machine import Machine
from companion.app.ports import Clock
from companion.app.state import State, Viewer, Who
from companion.core.game import Line, LogHeader, Standing
from companion.core.games import GameFaultError
from companion.core.prompt import Answer, DetailLevel
from companion.core.text import N_, IllegalEventError, Text
from companion.decoding import from_json
from companion.gamelog import InvalidLineError, LogError, decode_header, decode_line, encode_line, read
from companion.games import GAMES
from companion.history import renamed_and_hidden
from companion.history.days import known_time, noted
from companion.journal import Journal, JournalError, StoredGame
from companion.ui.saved_games import GameList, ListedGame
from companion.ui.screens.context import CurrentGame, Screen, ScreenContents, ScreenContext
from companion.ui.screens.phones import RenamePlayers
from companion.ui.screens.table import PlayScreen

LEFT_GAME = "left game"
"""The setting that holds the name of the game that was left last."""
RULES_CHANGED = N_("The rules of {game} were changed after this game began. Its points are those of the new rules")
UNREADABLE_BY_NEW_RULES = N_(
    "Game {number} cannot be read by its rules, which were changed after it began: line {line}: {why}"
)
SHOWN = 16
"""The most values of a kind that are kept: those of a table of eight phones, and some."""

T = TypeVar("T")
Write = partial[Any]
"""A call that writes."""


class Recent(Generic[T]):
    """The values that were made last, each with what it was made of."""

    def __init__(self) -> None:
        self._made: list[tuple[object, object, T]] = []

    def of(self, table: object, key: object, make: Callable[[], T], *, equal: bool = True) -> T:
        """Return the value that was made of the same object and the same key, or an ``equal`` one; else make it."""
        for given, of, made in self._made:
            if given is table and (of is key or (equal and of == key)):
                return made
        made = make()
        self._made = [(table, key, made), *self._made[: SHOWN - 1]]
        return made


class Store:
    """Reads the journal and the machine for steps, and keeps the contents of the latest screens."""

    def __init__(self, journal: Journal, history: HistoryReading, machine: Machine, clock: Clock) -> None:
        """Use a journal."""
        self.history = history  # reads finished games for screens
        self.machine = machine  # the features of the machine around the box
        self._journal = journal
        self._clock = clock
        self._chance: Random = SystemRandom()
        self._listed: dict[StoredGame, ListedGame] = {}
        self._standings: dict[str, Standing | None] = {}
        self._contents = Recent[ScreenContents]()
        self._contexts = Recent[ScreenContext]()

    # Screens

    def context(self, state: State, viewer: Viewer) -> ScreenContext:
        """Return what the screen of a viewer is given; the table's is the same in every language.

        It is the same object while nothing of it changes.
        """
        if viewer.phone is None and viewer.reading is None and not viewer.away:
            return state.table
        if isinstance(viewer.screen, PlayScreen):
            viewer = structs.replace(viewer, language="")
        key = viewer.language, viewer.phone and viewer.phone.role, viewer.away, viewer.reading
        return self._contexts.of(state.table, key, lambda: state.context(viewer))

    def contents(self, state: State, who: Who) -> ScreenContents:
        """Return the contents of a viewer's screen."""
        viewer = state.viewers[who]
        return self.contents_of(viewer.screen, self.context(state, viewer))

    def contents_of(self, screen: Screen, context: ScreenContext) -> ScreenContents:
        """Return the contents of a screen, kept while it stays; all who are at the table share them."""
        shared = isinstance(screen, PlayScreen)
        return self._contents.of(context, screen, lambda: screen.show(context), equal=shared)

    # Reads

    def one_of(self, answers: Sequence[Answer]) -> Answer:
        """Return one of some answers at random."""
        return self._chance.choice(answers)

    def with_lists(self, state: State) -> State:
        """Return a state with the games and people that the journal contains, and the machine as it is."""
        return structs.replace(state, table=self.read_lists(state.table))

    def read_lists(self, context: ScreenContext) -> ScreenContext:
        """Return a context with the games and people that the journal contains, and the machine as it is."""
        return replace(
            context,
            game_list=self.game_list(),
            people=renamed_and_hidden.read(self._journal.setting("roster")),
            history=self.history,
            machine=self.machine.status,
            left_game=self._journal.setting(LEFT_GAME) or "",
        )

    def game_list(self) -> GameList:
        """Return the list of games. The journal is read when a screen first uses it."""
        return GameList(self._games, self._standing, self._removed, hidden_games(self._journal.setting(HIDDEN)))

    def _games(self) -> tuple[ListedGame, ...]:
        self._listed = {saved: self._listed.get(saved) or _listed(saved) for saved in self._journal.games()}
        return tuple(self._listed.values())

    def _removed(self) -> tuple[ListedGame, ...]:
        return tuple(map(_listed, self._journal.removed()))

    def _standing(self, listed: ListedGame) -> Standing | None:
        """Return a game's leader or winner, read when a list first shows it; again later if the disk refuses."""
        if listed.name not in self._standings:
            with LogAndContinue(f"reading game {listed.name} for a list"), suppress(JournalError):
                lines = () if listed.header is None else self._journal.lines(listed.name)
                self._standings[listed.name] = _standing_after(listed, lines)
        return self._standings.get(listed.name)

    def new_name(self, game: str) -> str:
        """Return the name in the journal of a new game."""
        return self._journal.name_for(game)

    def draft(self, name: str | None) -> object:
        """Return the draft of a game, or of a set-up (None); empty if there is none."""
        return self._journal.draft(name)

    def saved_game(self, name: str) -> tuple[CurrentGame, object, Text | None]:
        """Return a game of the journal, its unfinished entry, and that its rules were changed, if they were.

        Raises:
            IllegalEventError: The game's log is invalid.
            JournalError: There is no such game, or the disk cannot be read.
        """
        journal = self._journal
        draft = journal.draft(name)  # from here on the journal caches the game, so its files are read once
        saved, lines = journal.saved(name), journal.lines(name)
        game = saved.name.partition("-")[2].rpartition("-")[0]
        begun = known_time(saved.begun)
        changed = bool(lines) and GAMES.changed(game) > begun > 0
        try:
            session = read("\n".join((saved.header, *lines)).encode(), journal.keys(name))
        except InvalidLineError as error:
            raise IllegalEventError(
                "unreadable",
                UNREADABLE_BY_NEW_RULES if changed else N_("Game {number} cannot be read: line {line}: {why}"),
                number=saved.number,
                line=error.number,
                why=error.text,
            ) from error
        told = Text(RULES_CHANGED, game=Text(session.header.game.title)) if changed else None
        tracking, set_up = level(saved.tracking), level(saved.first_tracking)
        opened = CurrentGame(name, session, tracking, len(lines), resumed=True, set_up_tracking=set_up)
        return opened, draft, told

    def saved_lines(self, game: CurrentGame) -> int:
        """Return how many lines of a game are saved, without the header."""
        return max(0, game.lines - self._journal.unsaved(game.name))  # the header may be unsaved, too

    # Writes

    def write_line(self, game: CurrentGame, line: Line, keys: str | None) -> Write:
        """Add a line to the log of a game, which is here as it is after the line.

        Raises:
            GameFaultError: The line could not be read back.
        """
        written, header = encode_line(line), game.session.header
        try:
            decode_line(written, header)
        except LogError as error:
            raise GameFaultError(header.game.title, error.text) from error
        return Write(
            self._append,
            game.name,
            written,
            now=self._clock.now(),
            tracking=game.tracking.value,
            keys=keys,
            over=game.over,
            empty=not game.session.head.number,
            players=game.session.seat_names or (),
        )

    def _append(self, name: str, line: str, **named: Any) -> None:
        self._journal.append(name, line, **named)
        self._forget(name)

    def begin(self, name: str, header: str, tracking: DetailLevel) -> Write:
        """Begin the log of a game."""
        return Write(self._journal.begin, name, header, tracking.value, self._clock.now())

    def write_tracking(self, game: CurrentGame) -> Write:
        """Keep at which level of detail a game is recorded."""
        return Write(self._journal.track, game.name, game.tracking.value)

    def write_open(self, name: str | None) -> Write:
        """Keep which game is open; None for no game."""
        return Write(self._journal.set_open_game, name)

    def write_setting(self, name: str, value: str) -> Write:
        """Keep a setting."""
        return Write(self._journal.keep_setting, name, value)

    def write_remark(self, game: str, value: object) -> Write:
        """Keep what somebody notes of a game, by the id that it has as a play."""
        return Write(self._journal.keep_remark, game, value)

    def end_set_ups(self) -> Iterator[Write]:
        """Drop what was begun in set-ups while no game was open."""
        if self._journal.draft(None):
            yield Write(self._journal.keep_draft, None, "", sync=True)

    def keep_draft(self, state: State) -> bool:
        """Keep what is half entered, and wait for the disk once an answer is complete. Return whether it was new.

        A set-up stands with what the next start shows: with home, where others still look at a game that has ended.
        """
        game, draft = state.table.changeable, state.draft
        if game is None or self._journal.open_game() is not None:
            return self._keep(None if game is None else game.name, draft)
        of_game, set_ups = divided(draft)
        return any([self._keep(game.name, of_game), self._keep(None, set_ups)])

    def _keep(self, name: str | None, draft: EntryDraft) -> bool:
        """Keep a draft with a game, or without one."""
        values = "" if draft == NOTHING else from_json(json.encode(draft))
        kept = self._journal.draft(name)
        if values == kept:
            return False
        sync = answered(values or to_builtins(NOTHING)) != answered(kept or to_builtins(NOTHING))
        self._journal.keep_draft(name, values, sync=sync)
        return True

    def rename_phones(self, before: tuple[str, ...], after: tuple[str, ...]) -> Write:
        """Let phones follow the people whose names by seat have changed."""
        return Write(self.machine.do, RenamePlayers(before, after))

    def put_away_empty(self) -> Iterator[Write]:
        """Put away the games without an entry; they stay in the lists if the disk refuses."""
        for each in self.game_list().games:
            if not each.has_entries and each.header:
                yield Write(self._put_away_quietly, each.name)

    def _put_away_quietly(self, name: str) -> None:
        if name in self._journal.left_out:  # its entries may be missing
            return
        with suppress(JournalError):
            self._journal.put_away(name)
        self._forget(name)

    def put_away_or_bring_back(self, name: str, *, away: bool) -> None:
        """Remove a game, or bring it back, at once; raise IllegalEventError if the disk refuses."""
        try:
            (self._journal.put_away if away else self._journal.bring_back)(name)
        except JournalError as fault:
            raise IllegalEventError("journal", "{fault}", fault=fault.text) from fault
        finally:
            self._forget(name)

    def _forget(self, name: str) -> None:
        """Forget what depends on a game that has a new line; it is read again when asked for."""
        self._standings.pop(name, None)
        self.history.changed()


HIDDEN = "hidden games"
"""The setting that lists the names of games that no set-up offers."""


def hidden_games(kept: str | None) -> frozenset[str]:
    """Return the names in the setting `HIDDEN`; none if it was never chosen or cannot be read."""
    with suppress(MsgspecError):
        return frozenset() if kept is None else from_json(kept, frozenset[str])
    return frozenset()


def _standing_after(listed: ListedGame, lines: Sequence[str]) -> Standing | None:
    if listed.header is not None:
        with LogAndContinue(f"finding out who leads game {listed.name}"), suppress(InvalidLineError, GameFaultError):
            session = read("\n".join((listed.written, *lines)).encode())
            return session.standing
    return None


def _listed(saved: StoredGame) -> ListedGame:
    read_header = partial(_header, saved.name)
    return ListedGame(
        saved.name,
        saved.number,
        saved.header,
        level(saved.first_tracking),
        saved.over,
        read_header,
        noted(saved.begun),
        saved.players,
        saved.has_entries,
    )


def _header(name: str, written: str) -> LogHeader | None:
    with LogAndContinue(f"reading the header of game {name}"), suppress(LogError):
        return decode_header(written)
    return None


def level(written: str) -> DetailLevel:
    """Return a level of detail that the journal names; the most detailed one if it is not known."""
    with suppress(ValueError):
        return DetailLevel(written)
    return DetailLevel.FULL
