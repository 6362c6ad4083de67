"""The command ``game``: adds, lists and removes games that files declare, and writes the beginning of one."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path

from msgspec import json

from companion.app.games import GameFinder, is_built_in, looked_over
from companion.app.store import HIDDEN, hidden_games
from companion.app.terminal import say, table
from companion.core.games import FAMILIES
from companion.games import GAMES
from companion.games.toml_games import GameFileError, beginning
from companion.games.toml_games.declaration import in_brief
from companion.games.toml_games.trial import endless
from companion.history.days import known_time, written
from companion.journal import JournalError, added_game_files
from companion.journal.act_as_owner import as_owner_of
from companion.journal.folder import Folder
from companion.ui.screens.game_choice import with_word

from .commands import Actions
from .common import (
    WRONG,
    CommandError,
    agreed,
    counted,
    folder,
    journal_in,
    journal_read_in,
    naming,
    read_input,
    say_fault,
    with_data,
)


def game_arguments(one: ArgumentParser) -> None:
    action = Actions(one)

    one = action("add", "Look a game's file over, say what it declares, and add it if that is wanted.", add)
    with_data(one)
    one.add_argument("--yes", action="store_true", help="add it without asking")
    one.add_argument("file", metavar="FILE", type=Path, help="a TOML file that declares a game")

    about = "List all games by family: when they were last played, where those that were added are."
    one = action("list", about, list_games)
    with_data(one)
    word = "list the games with this word in their title, in any language, or of this family"
    one.add_argument("word", metavar="WORD", nargs="?", default="", help=word)

    for name, about, run in (
        ("remove", "Remove an added game. Games of it that were played stay.", remove),
        ("hide", "Offer a game no more when a game is set up.", partial(offer, offered=False)),
        ("show", "Offer a hidden game again.", partial(offer, offered=True)),
    ):
        one = action(name, about, run)
        with_data(one)
        one.add_argument("name", metavar="NAME", help="the game's name, as in the list")
        if run is remove:
            one.add_argument("--yes", action="store_true", help="remove it without asking")

    one = action("new", "Write the beginning of a game's file, which can be played as it is, into this folder.", new)
    one.add_argument("name", metavar="NAME", help="the game's name: small letters, digits and hyphens")


def add(arguments: Namespace) -> int:
    """Look a game's file over, say what it declares, and add it if that is wanted."""
    data = folder(arguments)
    content, text = game_file(arguments.file)
    found, _game = looked_over(text, str(arguments.file))
    file = _file(data, found.name)
    say(f"{found.title}: {in_brief(found)}")
    never_ends = endless(found, text)
    if never_ends is not None:
        say_fault(GameFileError(str(arguments.file), [never_ends]))
    played = _played(data, found.name)
    replaces = os.path.lexists(file)
    if replaces:
        also = f"; {counted(played, 'game')} of it may read differently, or not at all" if played else ""
        say(f"it replaces the file that is there{also}")
    if not (arguments.yes or agreed("Add this game?", "not added; --yes does it")):
        return 0
    with as_owner_of(data), naming(file):
        added_game_files.write(file, content)
    say(f"added as {found.name}{'; new games have these rules, also on a box that is on' if replaces else ''}")
    return 0


def game_file(file: Path | str) -> tuple[bytes, str]:
    """Return the content of a game's file, and its text; raise CommandError if it cannot be read."""
    content = read_input(file, pipes=False)
    try:
        return content, added_game_files.text_of(content)
    except JournalError as error:
        raise CommandError(f"{file}: {error}") from None


def list_games(arguments: Namespace) -> int:
    """Print all games, or those with a word in title or family; return 1 if a file cannot be used."""
    data = folder(arguments)
    added = GameFinder(lambda: data)
    hidden: frozenset[str] = frozenset()
    played: dict[str, str] = {}
    if data.is_dir():
        with journal_read_in(data) as journal:
            hidden = hidden_games(journal.setting(HIDDEN))
            for game in reversed(journal.games()):  # the latest last
                played[_game_of(game.name)] = written(known_time(game.begun), "%Y-%m-%d") or "?"
    titles, families = GAMES.titles(), dict.fromkeys(GAMES, "") | GAMES.found_families
    word, titled = arguments.word, with_word(arguments.word)
    found = [name for name in titles if name in titled or word in (name, families[name])]
    if not found:
        raise CommandError(f"no game is called {word}, and no family of games")
    rows = [
        (
            name,
            f"{titles[name]} (hidden)" if name in hidden else titles[name],
            families[name],
            played.get(name, ""),
            added.place(name),
        )
        for name in sorted(found, key=lambda name: ["", *FAMILIES].index(families[name]))
    ]
    for line in table(("name", "title", "family", "last played", "added as"), rows, "<<<<<"):
        say(line)
    status = 0
    for sentence in added.wrong():
        say(f"companion: {sentence}", error=True)
        status = WRONG
    return status


def remove(arguments: Namespace) -> int:
    """Remove an added game's file."""
    data, name = folder(arguments), arguments.name
    if is_built_in(name):
        raise CommandError(f"{name} comes with the program, and cannot be removed")
    if not added_game_files.is_name(name) or not os.path.lexists(_file(data, name)):
        elsewhere = GameFinder(lambda: data).files().get(name)
        is_of_system = f"{name} was added for the whole machine: remove {elsewhere}"
        raise CommandError(is_of_system if elsewhere else f"no game called {name} was added in {data}")
    if played := _played(data, name):
        stay = "stays in the journal; it" if played == 1 else "stay in the journal; they"
        say(f"{counted(played, 'game')} of it {stay} cannot be opened without its rules")
        if not (arguments.yes or agreed("Remove the rules?", "not removed; --yes does it")):
            return 0
    with as_owner_of(data):
        _file(data, name).unlink()
    say(f"removed: {name}")
    return 0


def offer(arguments: Namespace, *, offered: bool) -> int:
    """Offer a game when games are set up, or leave it out there."""
    data, name = folder(arguments), arguments.name
    if name not in GAMES.titles():
        raise CommandError(f"there is no game called {name}: companion game list names them all")
    with journal_in(data) as journal:
        hidden = hidden_games(journal.setting(HIDDEN)) - {name} | ({name} if not offered else set())
        journal.keep_setting(HIDDEN, json.encode(sorted(hidden)).decode())
        if not journal.save():
            raise CommandError(f"not saved: {journal.fault}")
    say(f"{name} is {'offered' if offered else 'not offered'} when a game is set up")
    return 0


def new(arguments: Namespace) -> int:
    """Write the beginning of a game's file into the current folder."""
    name = arguments.name
    if not added_game_files.is_name(name):
        raise CommandError("a game's name has up to 40 small letters, digits and hyphens, a letter first")
    if is_built_in(name):
        raise CommandError(f"the program has a game called {name}; give yours another name")
    file = Path(f"{name}{added_game_files.SUFFIX}")
    title = name.replace("-", " ").capitalize()[:24].strip()
    with naming(file), open(file, "x", encoding="utf-8") as writing:
        writing.write(beginning(name, title))
    say(f"{file}: change it, then companion game add {file}")
    return 0


def _file(data: Path, name: str) -> Path:
    return data / added_game_files.FOLDER / f"{name}{added_game_files.SUFFIX}"


def _played(data: Path, name: str) -> int:
    """Return how many games of a name are in the journal."""
    with naming(data):
        return sum(_game_of(game) == name for game in Folder(data).games())


def _game_of(stored: str) -> str:
    """Return which game was played, from the name of its file: what stands between the first and the last hyphen."""
    return stored.partition("-")[2].rpartition("-")[0]
