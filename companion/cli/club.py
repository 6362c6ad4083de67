"""The commands ``companion club``: the database, what boxes send, the pages, people."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.terminal import say

from .common import CommandError, add_command, find_added_games, naming
from .stop_signals import stopped_by_signals

if TYPE_CHECKING:
    from types import ModuleType

    from companion.club.settings import ClubSettings

CONNECTED = {True: "online", False: "offline"}
PREFIX = "tabletop"  # what the topics of all boxes begin with


def add_hub(actions: Any) -> None:
    """Add the commands of the hub to the actions of ``companion club``, which are subparsers."""

    def action(name: str, about: str) -> argparse.ArgumentParser:
        one = add_command(actions, name, about, f"club:{name}")
        where = "the settings of the hub (default: /etc/companion-club.toml)"
        one.add_argument("--config", metavar="FILE", type=Path, help=where)
        return one

    action("migrate", "Bring the tables of the hub's database up to date.")
    action("consume", "Store what the boxes send, until told to stop. Several may run at once.")
    one = action("serve", "Serve the pages of the hub until told to stop.")
    one.add_argument("--data", metavar="DIR", type=Path, help="where games that were added are")
    one = action(
        "enrol", "Give a box, or the hub itself, a login at the broker, and say what to do on the box; or list all."
    )
    one.add_argument("name", metavar="NAME", nargs="?", help="the name of the table")
    which = one.add_mutually_exclusive_group()
    which.add_argument(
        "--hub", action="store_true", help="the hub's own login; its password is written where the settings say"
    )
    which.add_argument("--remove", metavar="BOX", help="remove a box: its user at the broker, or its table")
    one.add_argument("--address", help="where boxes reach the broker (default: as in the settings)")
    one = action("person", "Let somebody sign in, give another role or password, or list all people.")
    one.add_argument("name", metavar="NAME", nargs="?")
    what = one.add_mutually_exclusive_group()
    what.add_argument("--role", choices=("player", "director"), help="(default: as before; player for new people)")
    what.add_argument("--remove", action="store_true", help="let them sign in no more")
    one.add_argument("--draw", action="store_true", help="draw a password and print it, instead of asking")


def missing(_arguments: argparse.Namespace) -> int:
    """Refuse every action: the wheel of a box leaves them out."""
    raise CommandError("a box comes without the club; docs/club.md says how another computer runs it")


def migrate(arguments: argparse.Namespace) -> int:
    """Bring the tables up to date."""
    settings = _settings(arguments)
    database = _database()
    with _answering():
        for name in database.migrate(settings.database):
            say(f"companion: {name} is applied")
    return 0


def consume(arguments: argparse.Namespace) -> int:
    """Store what the boxes send until told to stop."""
    settings = _settings(arguments)
    _database()
    from companion.club.consumer import Consumer

    from .bridge import access_of

    consumer = Consumer(access_of(settings), settings.database, PREFIX, _said)
    with stopped_by_signals(consumer.stop):
        _said(f"lines of all boxes go from {settings.broker} to the database")
        consumer.run()
    return 0


def serve(arguments: argparse.Namespace) -> int:
    """Serve the pages until told to stop."""
    settings = _settings(arguments)
    _database()
    from companion.club.page_context import ClubData
    from companion.club.server import serve

    from .bridge import access_of

    find_added_games(arguments)
    _said(f"the pages are at http://{settings.host}:{settings.port}")
    club = ClubData(settings.database, access_of(settings), PREFIX, _said, Path(settings.evening))
    serve(club, settings.host, settings.port, settings.proxy)
    return 0


def enrol(arguments: argparse.Namespace) -> int:
    """Give a box or the hub a login at the broker."""
    settings = _settings(arguments)
    database = _database()
    from companion.club import broker_logins

    file = Path(settings.passwords)
    with naming(file):
        if arguments.remove:
            _remove_box(settings, file, arguments.remove)
        elif arguments.hub:
            if not settings.password_file:
                raise CommandError('the settings name no file for the password of the hub: password_file = "…"')
            write_password(Path(settings.password_file), broker_logins.new_login(file, broker_logins.HUB))
        elif arguments.name:
            from companion.club.messages_from_boxes import is_name

            if not is_name(arguments.name) or len(arguments.name) > 40 or set('"\\') & {*arguments.name}:
                raise CommandError("the name of a table has 1 to 40 characters, without quotes and backslashes")
            with _answering(), database.connect(settings.database) as connection:
                twins = [device for device, name, _online in broker_logins.boxes(connection) if name == arguments.name]
                device = broker_logins.new_device(connection, arguments.name)
            password = broker_logins.new_login(file, device)
            address = arguments.address or settings.broker
            for line in broker_logins.instructions(device, arguments.name, address, password):
                say(line)
            for twin in twins:
                say(f"{twin} is called {arguments.name}, too. To remove it: companion club enrol --remove {twin}")
        else:
            with _answering(), database.connect(settings.database) as connection:
                for device, name, online in broker_logins.boxes(connection):
                    say(f"{name or device}: {device}, {'never online' if online is None else CONNECTED[online]}")
            return 0
    say("The broker reads its logins again with: sudo systemctl reload mosquitto")
    return 0


def _remove_box(settings: ClubSettings, file: Path, wanted: str) -> None:
    """Remove a box: its login, its row on the pages, and what the broker keeps of it."""
    from companion.club import broker_logins, database
    from companion.club.publish_to_boxes import publish

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
    from companion.journal.act_as_owner import as_owner_of

    with (
        naming(file),
        as_owner_of(file.parent),
        open(file, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as opened,
    ):
        os.fchmod(opened.fileno(), 0o600)
        opened.write(f"{password}\n")


def person(arguments: argparse.Namespace) -> int:
    """Let somebody sign in, or list all people."""
    import getpass
    import secrets  # it brings OpenSSL, for which no other command waits

    settings = _settings(arguments)
    database = _database()
    from companion.club import accounts

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
            password = secrets.token_urlsafe(9) if arguments.draw else getpass.getpass("Password: ")
            if len(password) < accounts.SHORTEST:
                raise CommandError(f"a password has {accounts.SHORTEST} characters or more")
            accounts.set_person(connection, arguments.name, arguments.role, password)
            if arguments.draw:
                say(password)
    return 0


def _settings(arguments: argparse.Namespace) -> ClubSettings:
    from companion.club.settings import DEFAULT, ClubSettings
    from hardware.owner_settings import SettingsError, filled, read

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


def _database() -> ModuleType:
    """Return the module of the database; raise CommandError without its packages."""
    try:
        from companion.club import database
    except ModuleNotFoundError as error:
        raise CommandError(f"the hub needs {error.name}: install the package as docs/club.md says") from None
    return database


@contextmanager
def _answering() -> Iterator[None]:
    """Say in a sentence that the database does not answer in the block."""
    import psycopg

    try:
        yield
    except psycopg.OperationalError as error:
        raise CommandError(f"the database does not answer: {str(error).strip().splitlines()[-1]}") from None


def _said(sentence: str) -> None:
    say(f"companion: {sentence}", flush=True)
