"""The command ``club``: an evening's file, and the hub: its database, what boxes send, the pages, logins, people."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import randbelow, token_urlsafe

from companion.app.terminal import say
from companion.club.evening import evening_actions, lists
from companion.club.evening.log_file import read_log
from companion.club.settings import DEFAULT, ClubSettings
from companion.core.game import Best
from companion.history.csv_export import csv_bytes
from companion.journal.act_as_owner import as_owner_of
from hardware.owner_settings import SettingsError, filled, read

from .commands import Actions
from .common import CommandError, find_added_games, naming, read_input, write_data
from .serving import said, stopped_by_signals

CONNECTED = {None: "never online", True: "online", False: "offline"}
PREFIX = "tabletop"  # what the topics of all boxes begin with


def club_arguments(one: ArgumentParser) -> None:
    action = Actions(one)
    _evening_arguments(action("evening", "Run an evening of rounds: players, tables by standing, results, ranking."))

    def of_hub(name: str, about: str, run: Callable[[Namespace], int]) -> ArgumentParser:
        one = action(name, about, run)
        where = f"the settings of the hub (default: {DEFAULT})"
        one.add_argument("--config", metavar="FILE", type=Path, help=where)
        return one

    of_hub("migrate", "Bring the tables of the hub's database up to date.", migrate)
    of_hub("consume", "Store what the boxes send, until told to stop. Several may run at once.", consume)
    one = of_hub("serve", "Serve the pages of the hub until told to stop.", serve)
    one.add_argument("--data", metavar="DIR", type=Path, help="where games that were added are")
    about = "Give a box, or the hub itself, a login at the broker, and say what to do on the box; or list all."
    one = of_hub("enrol", about, enrol)
    one.add_argument("name", metavar="NAME", nargs="?", help="the name of the table")
    which = one.add_mutually_exclusive_group()
    which.add_argument(
        "--hub", action="store_true", help="the hub's own login; its password is written where the settings say"
    )
    which.add_argument("--remove", metavar="BOX", help="remove a box: its user at the broker, or its table")
    one.add_argument("--address", help="where boxes reach the broker (default: as in the settings)")
    one = of_hub("person", "Let somebody sign in, give another role or password, or list all people.", person)
    one.add_argument("name", metavar="NAME", nargs="?")
    what = one.add_mutually_exclusive_group()
    what.add_argument("--role", choices=("player", "director"), help="(default: as before; player for new people)")
    what.add_argument("--remove", action="store_true", help="let them sign in no more")
    one.add_argument("--draw", action="store_true", help="draw a password and print it, instead of asking")


# An evening


def _evening_arguments(evening: ArgumentParser) -> None:
    evening.add_argument("file", metavar="FILE", type=Path, help="the evening's file, one event a line")
    add_action = Actions(evening)

    def action(name: str, about: str, lines: Callable[[Namespace], Iterable[str]]) -> ArgumentParser:
        return add_action(name, about, lambda given: _print(lines(given)))

    one = action("new", "Begin an evening.", _new)
    one.add_argument("--name", help="its name, which stands on every list (default: the file's name)")
    for size, usual in (("table", 4), ("smallest", 3), ("largest", 5)):
        about = "the wanted size of a table" if size == "table" else f"the {size} size of a table that is allowed"
        one.add_argument(f"--{size}", metavar="N", type=int, choices=range(2, 6), default=usual, help=about)
    one.add_argument("--lowest", action="store_true", help="the fewest points of a table win")
    one.add_argument("--seed", metavar="N", type=int, help="makes the draws; the same seed makes the same draws")

    one = action("players", "Register players; without any, list those who are registered.", _players)
    one.add_argument("--csv", metavar="FILE", help='a list of names as CSV; "-" reads standard input')
    one.add_argument("--late", action="store_true", help="they are awaited, and no table is drawn for them yet")
    one.add_argument("names", metavar="NAME", nargs="*")

    about = "Draw the tables of the next round by the ranking, without meeting again."
    one = action("round", about, lambda given: evening_actions.draw_round(given.file, given.seed))
    one.add_argument("--seed", metavar="N", type=int, help="for another draw than the evening's seed makes")

    one = add_action("result", "Enter the points of a table, by seat; without a table, list all results.", _result)
    one.add_argument("--round", metavar="N", type=int, help="a round before the last")
    one.add_argument("--correct", action="store_true", help="replace the result that the table has")
    one.add_argument("--csv", action="store_true", help="list all results as CSV")
    one.add_argument("table", metavar="TABLE", type=int, nargs="?")
    one.add_argument("points", metavar="POINTS", type=int, nargs="*")

    about = "A player leaves, in the middle of a round, too."
    drop = action("drop", about, lambda given: evening_actions.drop(given.file, given.player))
    about = "A player comes late, is back or is new, and plays from the next round on."
    late = action("late", about, lambda given: evening_actions.arrive(given.file, given.player))
    for one in (drop, late):
        one.add_argument("player", metavar="NAME", help="the name or the number of a player")

    about = "The players of a table sit down at another one."
    one = action("merge", about, lambda given: evening_actions.merge(given.file, given.table, given.into))
    one.add_argument("table", metavar="TABLE", type=int)
    one.add_argument("into", metavar="INTO", type=int, help="the table where they sit down")

    one = add_action("standing", "Print the ranking.", _standing)
    one.add_argument("--csv", action="store_true", help="as CSV")

    one = add_action("seats", "Print who sits where.", _seats)
    one.add_argument("--round", metavar="N", type=int, help="a round before the last")
    form = one.add_mutually_exclusive_group()
    form.add_argument("--by-name", action="store_true", help="sorted by name")
    form.add_argument("--csv", action="store_true", help="as CSV")

    action("undo", "Take the last event back.", lambda given: evening_actions.undo(given.file))


def _new(given: Namespace) -> Iterable[str]:
    sizes = given.table, given.smallest, given.largest
    best = Best.LOWEST if given.lowest else Best.HIGHEST
    seed = randbelow(1_000_000) if given.seed is None else given.seed
    return evening_actions.new(given.file, given.name or given.file.stem, sizes, best, seed)


def _players(given: Namespace) -> Iterable[str]:
    if given.csv is None and not given.names:
        return lists.player_lines(read_log(given.file).evening)
    names = None if given.csv is None else read_input(given.csv)
    return evening_actions.register(given.file, given.names, names, late=given.late)


def _result(given: Namespace) -> int:
    if given.table is not None:
        if given.csv:
            raise CommandError("--csv lists all results; it goes with no table")
        return _print(
            evening_actions.enter_result(given.file, given.table, given.points, given.round, correct=given.correct)
        )
    if given.correct or given.round is not None:
        raise CommandError("--correct and --round go with a table and its points")
    evening = read_log(given.file).evening
    return _write(lists.result_table(evening)) if given.csv else _print(lists.result_lines(evening))


def _standing(given: Namespace) -> int:
    evening = read_log(given.file).evening
    return _write(lists.ranking_table(evening)) if given.csv else _print(lists.ranking_lines(evening))


def _seats(given: Namespace) -> int:
    evening = read_log(given.file).evening
    number = len(evening.rounds) if given.round is None else given.round
    if given.csv:
        return _write(lists.seat_table(evening, number))
    return _print(lists.seat_lines(evening, number, by_name=given.by_name))


def _print(lines: Iterable[str]) -> int:
    for line in lines:
        say(line)
    return 0


def _write(rows: lists.Rows) -> int:
    write_data(csv_bytes(rows))
    return 0


# The hub. What the imports in its functions bring, an evening alone does not need


def migrate(arguments: Namespace) -> int:
    """Bring the tables up to date."""
    from companion.club import database

    settings = _settings(arguments)
    with _answering():
        for name in database.migrate(settings.database):
            say(f"companion: {name} is applied")
    return 0


def consume(arguments: Namespace) -> int:
    """Store what the boxes send until told to stop."""
    from companion.club.consumer import Consumer

    from .bridge import access_of

    settings = _settings(arguments)
    consumer = Consumer(access_of(settings), settings.database, PREFIX, said)
    with stopped_by_signals(consumer.stop):
        said(f"lines of all boxes go from {settings.broker} to the database")
        consumer.run()
    return 0


def serve(arguments: Namespace) -> int:
    """Serve the pages until told to stop."""
    from companion.club.page_context import ClubData
    from companion.club.server import serve

    from .bridge import access_of

    settings = _settings(arguments)
    find_added_games(arguments)
    said(f"the pages are at http://{settings.host}:{settings.port}")
    club = ClubData(settings.database, access_of(settings), PREFIX, said, Path(settings.evening))
    serve(club, settings.host, settings.port, settings.proxy)
    return 0


def enrol(arguments: Namespace) -> int:
    """Give a box or the hub a login at the broker, remove one, or list the boxes."""
    from companion.club import broker_logins, database

    settings = _settings(arguments)
    file = Path(settings.passwords)
    with naming(file):
        if arguments.remove:
            _remove_box(settings, file, arguments.remove)
        elif arguments.hub:
            if not settings.password_file:
                raise CommandError('the settings name no file for the password of the hub: password_file = "…"')
            write_password(Path(settings.password_file), broker_logins.new_login(file, broker_logins.HUB))
        elif arguments.name:
            _enrol_box(settings, file, arguments)
        else:
            with _answering(), database.connect(settings.database) as connection:
                for device, name, online in broker_logins.boxes(connection):
                    say(f"{name or device}: {device}, {CONNECTED[online]}")
            return 0
    say("The broker reads its logins again with: sudo systemctl reload mosquitto")
    return 0


def _enrol_box(settings: ClubSettings, file: Path, arguments: Namespace) -> None:
    """Give a table's box a user of its own at the broker; say how the box gets it, and who has the same name."""
    from companion.bridge.records import is_name
    from companion.club import broker_logins, database

    name = arguments.name
    if not is_name(name) or len(name) > 40 or set('"\\') & {*name}:
        raise CommandError("the name of a table has 1 to 40 characters, without quotes and backslashes")
    with _answering(), database.connect(settings.database) as connection:
        twins = [device for device, other, _online in broker_logins.boxes(connection) if other == name]
        device = broker_logins.new_device(connection, name)
    password = broker_logins.new_login(file, device)
    for line in broker_logins.instructions(device, name, arguments.address or settings.broker, password):
        say(line)
    for twin in twins:
        say(f"{twin} is called {name}, too. To remove it: companion club enrol --remove {twin}")


def _remove_box(settings: ClubSettings, file: Path, wanted: str) -> None:
    """Remove a box: its login, its row on the pages, and what the broker keeps of it."""
    from companion.bridge.mqtt import publish
    from companion.club import broker_logins, database

    from .bridge import access_of

    with _answering(), database.connect(settings.database) as connection:
        boxes = broker_logins.boxes(connection)
        found = [device for device, _name, _online in boxes if wanted == device] or [
            device for device, name, _online in boxes if wanted == name
        ]
        if len(found) > 1:
            raise CommandError(f"{len(found)} boxes are called {wanted}; name one: {', '.join(found)}")
        device = found[0] if found else wanted
        had_login = broker_logins.remove_login(file, device)
        kinds = broker_logins.remove_device(connection, device)
        if not had_login and not kinds:
            raise CommandError(f"there is no box {wanted}")
    if not kinds:
        return  # no box was ever here with this login
    try:
        publish(access_of(settings), [(f"{PREFIX}/{device}/{kind}", b"") for kind in kinds])
    except OSError as error:
        again = f"companion club enrol --remove {device}"
        why = f"{device} is removed, but the broker still keeps its messages ({error}); to try again: {again}"
        raise CommandError(why) from None


def write_password(file: Path, password: str) -> None:
    """Write a password into a file that nobody but its owner may read; root does it as the folder's owner."""
    with (
        naming(file),
        as_owner_of(file.parent),
        open(file, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as opened,
    ):
        os.fchmod(opened.fileno(), 0o600)
        opened.write(f"{password}\n")


def person(arguments: Namespace) -> int:
    """Let somebody sign in, or list all people."""
    import getpass

    from companion.club import accounts, database

    settings = _settings(arguments)
    with _answering():
        connection = database.connect(settings.database)
    with connection:
        if arguments.name is None:
            for name, role in accounts.people(connection):
                say(f"{name}: {role}")
        elif arguments.remove:
            if not accounts.remove_person(connection, arguments.name):
                raise CommandError(f"there is nobody called {arguments.name}")
        else:
            password = token_urlsafe(9) if arguments.draw else getpass.getpass("Password: ")
            if len(password) < accounts.SHORTEST:
                raise CommandError(f"a password has {accounts.SHORTEST} characters or more")
            accounts.set_person(connection, arguments.name, arguments.role, password)
            if arguments.draw:
                say(password)
    return 0


def _settings(arguments: Namespace) -> ClubSettings:
    file = arguments.config or DEFAULT
    if arguments.config is None and not file.exists():
        return ClubSettings()
    try:
        settings, unknown = filled(ClubSettings, read(file))
        if unknown:
            raise SettingsError(unknown[0])
    except SettingsError as fault:
        raise CommandError(f"{file}: {fault}") from None
    return settings


@contextmanager
def _answering() -> Iterator[None]:
    """Say in a sentence that the database does not answer in the block."""
    import psycopg

    try:
        yield
    except psycopg.OperationalError as error:
        raise CommandError(f"the database does not answer: {str(error).strip().splitlines()[-1]}") from None
