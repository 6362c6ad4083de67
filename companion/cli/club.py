"""The command ``club``: runs the evenings of a club on pages; with boxes, also what these send, and their logins."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shlex import quote

from companion.app.terminal import say
from companion.club.settings import DEFAULT, ClubSettings
from companion.journal.act_as_owner import as_owner_of
from hardware.owner_settings import SettingsError, filled, read

from .commands import Actions
from .common import CommandError, folder, naming, with_data
from .serving import said, stopped_by_signals

CONNECTED = {None: "never online", True: "online", False: "offline"}
PREFIX = "tabletop"  # what the topics of all boxes begin with
WITHOUT_BOXES = "there are no boxes yet: sudo companion club --set-up adds what they need"


def club_arguments(one: ArgumentParser) -> None:
    with_data(one)
    _with_settings(one)
    one.add_argument("--host", help="the address to serve on (default: every address of this computer)")
    one.add_argument("--port", type=int, help="the port (default: 8090)")
    which = one.add_mutually_exclusive_group()
    which.add_argument("--password", action="store_true", help="print the password of the director, and leave")
    which.add_argument("--new-password", action="store_true", help="draw another one, print it, and leave")
    what = "as root, on Debian: add broker, database and unit for boxes, saying each step; may be repeated"
    which.add_argument("--set-up", action="store_true", help=what)
    action = Actions(one, required=False)
    about = "Store what the boxes send beside the pages, which do so, too; for very many tables."
    _with_settings(action("consume", about, consume))
    about = "Give a box, or the hub itself, a login at the broker, and say what to do on the box; or list all."
    one = action("enrol", about, enrol)
    _with_settings(one)
    one.add_argument("name", metavar="NAME", nargs="?", help="the name of the table")
    which = one.add_mutually_exclusive_group()
    which.add_argument(
        "--hub", action="store_true", help="the hub's own login; its password is written where the settings say"
    )
    which.add_argument("--remove", metavar="BOX", help="remove a box: its user at the broker, or its table")
    one.add_argument("--address", help="where boxes reach the broker (default: this computer's address)")


def _with_settings(one: ArgumentParser) -> None:
    where = f"the settings of the club (default: {DEFAULT})"
    one.add_argument("--config", metavar="FILE", type=Path, help=where)


def club(arguments: Namespace) -> int:
    """Serve the pages of the evening until told to stop; with boxes, store what these send."""
    settings, place = _settings(arguments), folder(arguments) / "club"
    if arguments.set_up:
        from companion.club.set_up import SetUp

        SetUp(say)()
        return 0
    with as_owner_of(place):
        return _serve(arguments, settings, place)


def _serve(arguments: Namespace, settings: ClubSettings, place: Path) -> int:
    from companion.club.evening.evening_store import EveningStore
    from companion.club.page_context import Club, Directors
    from companion.club.site import server
    from companion.web.addresses import local_url, url_of

    with naming(place):
        directors = Directors(place / "director.password")
        if arguments.new_password:
            directors.draw()
    if arguments.password or arguments.new_password:
        say(directors.password)
        return 0
    with naming(place):
        evenings = EveningStore(place)
    host, port = arguments.host or settings.host, arguments.port or settings.port
    elsewhere = f" --data {quote(str(arguments.data))}" if arguments.data else ""
    command = f"companion club --password{elsewhere}"
    own = Club(evenings, directors, said, address=url_of(host, port), command=command)
    if settings.database:
        from companion.club.database import migrate
        from companion.club.hub import Hub

        from .bridge import access_of

        with _answering():
            migrate(settings.database)
        access = access_of(settings)
        own.hub = Hub(settings.database, access, PREFIX, evenings, own.notices, said, consumes=True)
    running, listening = server(own, host, port, settings.proxy)
    said(f"on this computer you direct the evening: {local_url(host, port)}")
    told = directors.password if sys.stdout.isatty() else f"that {command} prints"
    said(f"everybody looks at {url_of(host, port)}; there a director signs in with the password {told}")
    with listening, suppress(KeyboardInterrupt):
        running.run(sockets=[listening])
    evenings.close()
    return 0


def consume(arguments: Namespace) -> int:
    """Store what the boxes send until told to stop."""
    from companion.club.consumer import Consumer

    from .bridge import access_of

    settings = _with_boxes(arguments)
    consumer = Consumer(access_of(settings), settings.database, PREFIX, said)
    with stopped_by_signals(consumer.stop):
        said(f"lines of all boxes go from {settings.broker} to the database")
        consumer.run()
    return 0


def enrol(arguments: Namespace) -> int:
    """Give a box or the hub a login at the broker, remove one, or list the boxes."""
    from companion.club import broker_logins, database

    settings = _with_boxes(arguments)
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
    for line in broker_logins.instructions(device, name, arguments.address or _own_address(settings), password):
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


def _own_address(settings: ClubSettings) -> str:
    """Return where boxes reach the broker: this computer's address, if the settings name the computer itself."""
    from urllib.parse import urlsplit

    from companion.web.addresses import loopback, own_address

    address = urlsplit(settings.broker)
    return f"mqtt://{own_address()}" if loopback(address.hostname or "") else settings.broker


def _with_boxes(arguments: Namespace) -> ClubSettings:
    settings = _settings(arguments)
    if not settings.database:
        raise CommandError(WITHOUT_BOXES)
    return settings


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
