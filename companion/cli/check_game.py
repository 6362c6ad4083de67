"""The command ``check-game``: tries a game, and says in one sentence each what is wrong or missing."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any

from companion.app.games import InstalledGames, looked_over, opened
from companion.app.terminal import say
from companion.core.game import Game
from companion.core.games import GameFaultError
from companion.games import GAMES, shipped
from companion.games.toml_games import GameFileError, declared
from companion.games.toml_games.trial import endless, texts_with_lines
from companion.journal import JournalError, added_game_files

from .common import WRONG, CommandError, find_added_games, naming, read_input, say_each
from .game_trials import GameTrial

BETWEEN = 5.0
"""Seconds between two messages on the progress."""


def check_game_arguments(one: ArgumentParser) -> None:
    one.add_argument(
        "game", metavar="NAME|FILE|PACKAGE", help="a game's name, a .toml or .py file, or a Python package"
    )
    one.add_argument("--games", metavar="N", type=_count, default=30, help="random games to play (default: 30)")
    one.add_argument("--seed", metavar="N", type=int, default=1, help="for other random games (default: 1)")


def _count(written: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", written) or not int(written):
        raise ArgumentTypeError(f"{written!r} is not a number from 1 to 99999")
    return int(written)


def check_game(arguments: Namespace) -> int:
    """Try a game. Return 1 if something is wrong with it; what is only missing is said, too."""
    find_added_games(arguments)
    try:
        games = _found(arguments.game)
    except (GameFileError, GameFaultError) as error:
        say_each(error)
        return WRONG
    return max(_tried(game, arguments.games, arguments.seed, texts) for game, texts in games)


def _tried(game: Game[Any], games: int, seed: int, texts: Mapping[str, int]) -> int:
    is_new = game.name not in GAMES
    if is_new:
        GAMES[game.name] = game
    elif not GAMES.holds(game):
        say(f"{game.name}: another game has this name", error=True)
        return WRONG
    trials = GameTrial(GAMES[game.name], seed, _Progress(game.name, games).show, texts)
    trials.run(games)
    if is_new:
        del GAMES[game.name]
    for sentence in trials.wrong:
        say(f"{game.name}: {sentence}")
    for sentence in trials.missing:
        say(f"{game.name}: (could be better) {sentence}")
    if trials.wrong:
        return WRONG
    say(f"{game.name}: nothing is wrong in {games} random games with {trials.entries} entries")
    return 0


class _Progress:
    """Says every few seconds how far the trial of a game is."""

    def __init__(self, name: str, games: int) -> None:
        self._name, self._games, self._said = name, games, monotonic()

    def show(self, game: int, entries: int) -> None:
        """Say which game is being tried, if nothing was said for a while."""
        if monotonic() - self._said >= BETWEEN:
            self._said = monotonic()
            say(f"{self._name}: game {game} of {self._games}, entry {entries}", error=True, flush=True)


def _found(named: str) -> list[tuple[Game[Any], Mapping[str, int]]]:
    """Return the games of a name, a file or a package; those of files with their texts, as `GameTrial` takes them.

    Raises:
        GameFileError: The file has faults, an example in it is wrong, or its game cannot end.
        GameFaultError: The game is in a file or a package that was added, and cannot be used.
    """
    texts: Mapping[str, int] = {}
    if named in shipped.names():
        text = shipped.text(named)
        found = declared(text, f"{named}.toml", new=True)  # who plays it does not wait for its examples
        texts = texts_with_lines(found, text)
    with suppress(KeyError):
        return [(GAMES[named], texts)]
    if named.endswith(".toml"):
        with naming(named):
            content = read_input(named, pipes=False)
        try:
            text = added_game_files.text_of(content)
        except JournalError as error:
            raise CommandError(f"{named}: {error}") from None
        found, game = looked_over(text, named)
        never_ends = endless(found, text)
        if never_ends is not None:
            raise GameFileError(named, [never_ends])
        return [(game, texts_with_lines(found, text))]
    module = _module(named)
    games = [value for value in vars(module).values() if isinstance(value, Game)]
    if not games:
        raise CommandError(f"{named} holds no game: a value of companion.core.game.Game")
    installed = InstalledGames()
    for name, point in installed.points.items():
        if point.module == module.__name__:
            opened(installed.source(name), partial(installed.load, name))  # raises for a package that cannot be used
    return [(game, texts) for game in games]


def _module(named: str) -> ModuleType:
    """Import a file or a package; a file is found from the folder it is in."""
    file = Path(named)
    try:
        if not named.endswith(".py"):
            sys.path.insert(0, "")
            return importlib.import_module(named)
        if file.name == "__init__.py":  # a package, which may read files beside it
            sys.path.insert(0, str(file.resolve().parents[1]))
            return importlib.import_module(file.resolve().parent.name)
        spec = importlib.util.spec_from_file_location(file.stem, file)
        if spec is None or spec.loader is None or not file.is_file():
            raise CommandError(f"there is no file {named}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module  # dataclasses look for the module that they are in
        spec.loader.exec_module(module)
        return module
    except ModuleNotFoundError as error:
        raise CommandError(f"there is no game, file or package {named}: {error}") from None
    except CommandError:
        raise
    except Exception as error:
        raise CommandError(f"{named} cannot be imported: {type(error).__name__}: {error}") from None
