"""The command ``remove``: removes saved games, brings them back, or deletes them for good."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from companion.app.terminal import say
from companion.journal import Journal

from .common import CommandError, agreed, existing_folder, find_added_games, journal_in, journal_read_in, with_data
from .export import chosen, row


def remove_arguments(one: ArgumentParser) -> None:
    with_data(one)
    action = one.add_mutually_exclusive_group()
    action.add_argument("--back", action="store_true", help="bring the games back")
    action.add_argument("--list", action="store_true", help="list the games that were removed")
    action.add_argument("--empty", action="store_true", help="delete them for good, after asking")
    one.add_argument("--yes", action="store_true", help="delete without asking")
    one.add_argument("games", metavar="GAME", nargs="*", help="the number or the whole name of a game")


def remove(arguments: Namespace) -> int:
    find_added_games(arguments)
    place = existing_folder(arguments)
    if arguments.list:
        with journal_read_in(place) as journal:
            for game in journal.removed():
                say(row(game))
        return 0
    with journal_in(place) as journal:
        if arguments.empty:
            return _emptied(journal, asks=not arguments.yes)
        if not arguments.games:
            raise CommandError("which game? Its number or name: companion export --list shows them")
        names = journal.removed_names() if arguments.back else journal.names()
        if not names:
            raise CommandError(f"there is no game {'that was removed' if arguments.back else 'to remove'} in {place}")
        for name in [chosen(game, names, place) for game in arguments.games]:
            (journal.bring_back if arguments.back else journal.put_away)(name)
            say(f"{name} is {'back' if arguments.back else 'removed; companion remove --back brings it back'}")
    return 0


def _emptied(journal: Journal, *, asks: bool) -> int:
    count = len(journal.removed_names())
    games = "1 game" if count == 1 else f"{count} games"
    if not count:
        say("no game was removed")
    elif not asks or agreed(f"Delete {games} for good?"):
        journal.empty_removed()
        say(f"{games} deleted")
    else:
        say("nothing is deleted")
    return 0
