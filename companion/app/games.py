"""Games of files and packages: found, and looked over before they are added; their calls are measured.

A thread looks at the running calls of games: it warns of slow ones, and interrupts those that take far too long. It
begins with the first call of a guarded game, and sleeps while there is none: a table that plays the games of the box
alone never has it. A call is interrupted between two instructions of Python. A single endless operation, such as a
power with a huge exponent, cannot be interrupted.
"""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from companion.core.game import INTERFACE, Game
from companion.core.games import LONGEST_TITLE, GameFaultError, NoTimer, TooSlowError, faults
from companion.core.program_log import ProgramLog
from companion.core.text import N_, Text
from companion.games import GAMES, shipped
from companion.journal import JournalError, added_game_files

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from companion.games.toml_games.declaration import Declaration

T = TypeVar("T")

GROUP = "tabletop_companion.games"
_LOG = ProgramLog(__name__)


class InstalledGames:
    """The entry points of games, looked for when somebody first asks; packages do not change while the program runs."""

    @cached_property
    def points(self) -> dict[str, EntryPoint]:
        """Return the entry points by the names of the games, in the order of the alphabet."""
        from importlib.metadata import entry_points

        try:
            found = {point.name: point for point in entry_points(group=GROUP)}
        except Exception:  # the files about some package are damaged
            _LOG.exception("companion: packages with games cannot be looked for")
            return {}
        return dict(sorted(found.items()))

    def source(self, name: str) -> str:
        """Return the game's name with that of its package."""
        package = self.points[name].dist
        return name if package is None else f"{name} ({package.name} {package.version})"

    def load(self, name: str) -> Game[Any]:
        """Import a game; anything may be raised."""
        point = self.points[name]
        fault = partial(GameFaultError, self.source(name))
        theirs = getattr(importlib.import_module(point.module), "INTERFACE", None)
        if theirs is None:
            raise fault(Text(N_("it does not say INTERFACE = {ours}"), ours=INTERFACE))
        if theirs != INTERFACE:
            raise fault(
                Text(
                    N_("it is for interface {theirs}, and this program has {ours}"), theirs=repr(theirs), ours=INTERFACE
                )
            )
        game = point.load()
        if not isinstance(game, Game):
            raise fault(Text(N_("it is no game")))
        if game.name != name:
            raise fault(Text(N_("it is another game: {name}"), name=game.name))
        return game


SYSTEM = Path("/etc/companion/games")
"""The folder of games that whoever looks after the machine adds for every journal on it."""

_Seen = tuple[int, int]
"""Time and size of a file, to notice a change."""


class GameFinder:
    """Finds games: the declared games of the program, and then those that were added.

    Files are looked for at each call, so that a game is there as soon as its file is. What was read of a file is kept
    until the file changes.
    """

    def __init__(self, data: Callable[[], Path], system: Path = SYSTEM) -> None:
        """Use the folder that a function returns, once it is needed: a journal's."""
        self._data, self._system = data, system
        self._installed = InstalledGames()
        self._listed: dict[Path, tuple[_Seen, str, str]] = {}  # the titles and families of files
        self._opened: dict[str, tuple[object, Game[Any] | GameFaultError]] = {}  # by their sources, with a version

    def files(self) -> dict[str, Path]:
        """Return the files of added games by the games' names; the journal's folder counts before the system's."""
        found = {name: file for name, file in self._all_files() if not is_built_in(name)}
        return dict(sorted(found.items()))

    def _all_files(self) -> Iterator[tuple[str, Path]]:
        """Yield all files; of two with one name, the last counts."""
        for folder in self._folders():
            for name in added_game_files.names(folder):
                yield name, folder / f"{name}{added_game_files.SUFFIX}"

    def _packages(self, files: Container[str]) -> list[str]:
        """Return the names of the games of packages that are neither the program's own nor in a file."""
        return [name for name in self._installed.points if not is_built_in(name) and name not in files]

    def place(self, name: str) -> str:
        """Return where a game is that was added, its file or its package; empty if it is the program's own."""
        file = self.files().get(name)
        if file is not None:
            return str(file)
        return "" if is_built_in(name) or name not in self._installed.points else self._installed.source(name)

    def titles(self) -> Mapping[str, str]:
        titles: dict[str, str] = dict(shipped.titles())
        taken = {*titles.values(), *map(GAMES.title, GAMES)}
        files = self.files()
        found = {name: self._lists(name, file)[0] for name, file in files.items()}
        found |= {name: self._package_title(name) for name in self._packages(files)}
        for name, title in found.items():
            titles[name] = title if title not in taken else f"{title} ({name})"
            taken.add(titles[name])
        return titles

    def families(self) -> Mapping[str, str]:
        return {**shipped.families(), **{name: self._lists(name, file)[1] for name, file in self.files().items()}}

    def _lists(self, name: str, file: Path) -> tuple[str, str]:
        """Return the title and the family under which lists have an added game."""
        seen = _seen(file)
        if self._listed.get(file, (None,))[0] != seen:
            try:
                text = added_game_files.read(file)
            except JournalError:  # the list names it all the same; whoever chooses it is told why
                text = ""
            title: str = shipped.title(text, name)
            title = title if title.isprintable() and 0 < len(title) <= LONGEST_TITLE else name
            self._listed[file] = seen, title, shipped.family(text)
        return self._listed[file][1:]

    def _package_title(self, name: str) -> str:
        try:
            return self.game(name).title
        except GameFaultError:  # as above
            return name

    def fingerprint(self) -> str:
        return " ".join([shipped.fingerprint(), *(f"{name}:{_seen(file)}" for name, file in self.files().items())])

    def changed(self, name: str) -> float:
        if is_built_in(name):
            return 0
        times = (_seen(folder / f"{name}{added_game_files.SUFFIX}")[0] for folder in reversed(self._folders()))
        return next(filter(None, times), 0) / 1e9

    def _folders(self) -> tuple[Path, Path]:
        """Return the folders of added games; of two files with one name, that in the last counts."""
        return self._system, self._data() / added_game_files.FOLDER

    def game(self, name: str) -> Game[Any]:
        if is_built_in(name):
            return shipped.game(name)
        file = self.files().get(name)
        if file is None:
            return self._once(self._installed.source(name), None, partial(self._installed.load, name))
        return self._once(file.name, (file, _seen(file)), partial(_loaded, name, file))

    def _once(self, source: str, version: object, load: Callable[[], Game[Any]]) -> Game[Any]:
        """Return a game that a function loads, or raise why it cannot be used; both are kept as long as its version."""
        if source not in self._opened or self._opened[source][0] != version:
            try:
                self._opened[source] = version, opened(source, load)
            except GameFaultError as fault:
                self._opened[source] = version, fault
        game = self._opened[source][1]
        if isinstance(game, GameFaultError):
            raise game
        return game

    def wrong(self) -> Iterator[str]:
        """Yield a sentence on each file or package that cannot be used, or that is passed over. All are read."""
        for name, file in self._all_files():
            if is_built_in(name):
                yield f"{file} is passed over: a game of the program has this name"
                continue
            try:
                opened(str(file), partial(_loaded, name, file))
            except GameFaultError as fault:
                yield str(fault)
        files = self.files()
        for name in self._installed.points:
            if is_built_in(name) or name in files:
                yield f"{self._installed.source(name)} is passed over: another game has this name"
                continue
            try:
                self.game(name)
            except GameFaultError as fault:
                yield str(fault)


def find_added_games(data: Callable[[], Path]) -> None:
    """Let added games be found from now on, in the folder that a function returns; nothing is looked for yet."""
    GAMES.use(GameFinder(data))


def is_built_in(name: str) -> bool:
    """Return whether the program itself has a game of this name."""
    return name in (*GAMES, *shipped.names())  # without those that are added


def looked_over(text: str, source: str) -> tuple[Declaration, Game[Any]]:
    """Return what a file declares, and the game made of it, once both are checked.

    Raises:
        GameFileError: It has faults, or the program has a game of its name; the error names all of them.
        GameFaultError: It takes too long.
    """
    from companion.games.toml_games import declared, game_of
    from companion.games.toml_games.file import Finding, GameFileError, places

    found = declared(text, source, new=True)
    if is_built_in(found.name):
        taken = Text(N_("the program has a game called {game}; give yours another name"), game=found.name)
        raise GameFileError(source, [Finding(*places(text).values["name",], taken)])
    return found, opened(source, partial(game_of, found))


def opened(source: str, load: Callable[[], Game[Any]]) -> Game[Any]:
    """Return a game that a function loads, once it is checked; raise GameFaultError, whatever goes wrong."""
    try:
        game, wrong = GAMES.timer.call(source, _load_and_check, load)
    except GameFaultError as fault:
        raise GameFaultError(source, fault.wrong) from fault
    except JournalError as error:
        raise GameFaultError(source, error.text) from error
    except TooSlowError:
        raise GameFaultError(source, Text(N_("it takes too long"))) from None
    except (Exception, SystemExit) as error:
        raise GameFaultError(source, f"{type(error).__name__}: {error}"[:120]) from error
    if wrong is not None:
        raise GameFaultError(source, wrong)
    return game


def _load_and_check(load: Callable[[], Game[Any]]) -> tuple[Game[Any], str | None]:
    """Return a game that a function loads, and the first thing that is wrong with it."""
    game = load()
    return game, next(faults(game), None)


def _loaded(name: str, file: Path) -> Game[Any]:
    from companion.games.toml_games import GameFileError, load

    try:
        game = load(added_game_files.read(file), file.name)
    except GameFileError as error:
        first = error.findings[0]
        where = Text(N_("line {line}: {wrong}"), line=first.line, wrong=first.text)
        raise GameFaultError(file.name, where) from error
    if game.name != name:
        declared = f"{game.name}{added_game_files.SUFFIX}"
        raise GameFaultError(file.name, Text(N_("it declares another game: its name must be {file}"), file=declared))
    return game


def _seen(file: Path) -> _Seen:
    try:
        status = os.lstat(file)
    except (OSError, ValueError):  # a name that no file can have
        return 0, 0
    return status.st_mtime_ns, status.st_size


# The time that calls take

WARNED_AFTER = 0.3
"""Seconds after which a call is logged."""
STOPPED_AFTER = 2.0
"""Seconds after which a call is interrupted."""


class _Call(Struct, eq=False):
    """A running call."""

    what: str  # the game and the function
    begun: float
    due: float  # when it is interrupted; again and again until it ends, since the game may catch it
    interrupted: bool = False


class GameCallTimer:
    """Measures the calls of all threads. A call that is made in another is part of it, and not measured by itself."""

    def __init__(self, warned_after: float = WARNED_AFTER, stopped_after: float = STOPPED_AFTER) -> None:
        """Begin without a thread."""
        self._warned_after, self._stopped_after = warned_after, stopped_after
        self._running: dict[int, _Call] = {}  # by the threads that they run in
        self._warned: set[str] = set()
        self._lock = threading.Lock()
        self._called = threading.Event()
        self._thread: threading.Thread | None = None

    def call(self, what: str, function: Callable[..., T], *arguments: Any) -> T:
        thread = threading.get_ident()
        if thread in self._running:
            return function(*arguments)
        now = monotonic()
        call = _Call(what, now, now + self._stopped_after)
        try:
            try:
                self._begin(thread, call)
                return function(*arguments)
            finally:
                self._end(thread)
        except TooSlowError:
            self._end(thread)  # it may have been raised in there
            raise
        finally:
            self._warn(call)

    def _begin(self, thread: int, call: _Call) -> None:
        with self._lock:
            self._running[thread] = call
        if self._thread is None:
            self._thread = threading.Thread(target=self._look, name="game-timer", daemon=True)
            self._thread.start()
        self._called.set()

    def _end(self, thread: int) -> None:
        """Note that the call of a thread has ended: it is not interrupted any more."""
        with self._lock:
            call = self._running.pop(thread, None)
            if call is not None and call.interrupted:  # it ended by itself in the meantime: take it back
                _raise_in(thread, None)

    def _warn(self, call: _Call) -> None:
        passed = monotonic() - call.begun
        if passed > self._warned_after and call.what not in self._warned:
            self._warned.add(call.what)
            _LOG.warning("companion: %s took %.1f s", call.what, passed)

    def _look(self) -> None:
        """Interrupt calls that take too long; wait while there are none."""
        pause = threading.Event()
        while True:
            self._called.wait()
            pause.wait(self._stopped_after / 8)
            with self._lock:
                if not self._running:
                    self._called.clear()
                now = monotonic()
                for thread, call in self._running.items():
                    if now > call.due:
                        call.due, call.interrupted = now + self._stopped_after, True
                        _raise_in(thread, TooSlowError)


def measure_games() -> None:
    """Let the calls of all games be measured from now on."""
    if isinstance(GAMES.timer, NoTimer):
        GAMES.timer = GameCallTimer()


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an exception in a thread, at its next instruction; None takes back one that was not raised yet."""
    import ctypes  # needed only then

    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
